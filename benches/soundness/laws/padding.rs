//! Padding: in a copy of the project with a hundred unrelated files the plan is the same.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::case::Case;
use super::ground::{Ground, Reply, difference, shape};
use super::{Law, Verdict};
use crate::packages::{Family, Package};
use crate::random::Random;
use crate::trials::Choices;

pub const LAW: Law = Law { name: "padding", judge };

const FILES: usize = 100;
/// Each file has as many members that are called like others of the package.
const NAMES: usize = 30;

fn judge(ground: &mut Ground, case: &Case, _: &mut Random) -> Verdict {
    let Some(padded) = ground.padded.clone() else { return Verdict::Skipped("no padded copy") };
    match ground.ask_padded(&case.chosen, &case.chosen.fresh[0]) {
        Some(Reply::Plan(found)) => {
            let found = difference(&shape(&case.plan, &ground.root), &shape(&found, &padded));
            found.map_or(Verdict::Held, |found| Verdict::Broken(format!("without padding and with it:\n{found}")))
        }
        Some(Reply::Refused(reason)) => Verdict::Broken(format!("with padding: refused: {reason}")),
        Some(Reply::Failed(reason)) => Verdict::Failed(reason),
        None => Verdict::Skipped("no padded copy"),
    }
}

/// Writes a hundred files that nothing imports, with members that are called as the package's own are.
pub fn add(package: &Package, root: &Path, choices: &Choices) -> Result<(), String> {
    let source = root.join(package.sources.first().copied().unwrap_or("."));
    let directory = source.join("zz_padding");
    fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let names = choices.common_names(NAMES);
    for number in 0..FILES {
        let (ending, text) = match package.language {
            Family::Python => ("py", python(number, &names)),
            Family::TypeScript => ("ts", format!("export {}", script(number, &names))),
            Family::JavaScript => ("js", script(number, &names)),
            Family::Solidity => ("sol", solidity(number, &names)),
        };
        let path = directory.join(format!("padding{number}.{ending}"));
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn python(number: usize, names: &[String]) -> String {
    let mut text = format!("class Padding{number}:\n    zz_padding = {number}\n");
    for name in names {
        let _ = writeln!(text, "\n    def {name}(self) -> int:\n        return {number}");
    }
    text
}

fn script(number: usize, names: &[String]) -> String {
    let mut text = format!("class Padding{number} {{\n");
    for name in names {
        let _ = writeln!(text, "  {name}() {{ return {number}; }}");
    }
    text + "}\n"
}

fn solidity(number: usize, names: &[String]) -> String {
    let mut text = format!("pragma solidity >=0.4.0;\n\ncontract Padding{number} {{\n");
    for name in names {
        let _ = writeln!(text, "    function {name}() public {{ }}");
    }
    text + "}\n"
}
