//! The pages of the catalog, from its table and from the cases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lspwright::inspect::SMELLS;
use lspwright::refactor::catalog::refactoring::{Category, Refactoring};
use lspwright::refactor::catalog::{catalog, refactoring};
use lspwright::refactor::params::option;
use lspwright::syntax::Family;

use crate::written::Written;

/// The line of the summary below which the refactorings stand.
pub(super) const IN_SUMMARY: &str = "- [Catalog of refactorings](catalog.md)\n";

/// The languages that have cases: their folder, their family, what they are called.
const LANGUAGES: [(&str, Family, &str); 3] = [
    ("python", Family::Python, "Python"),
    ("typescript", Family::Script, "TypeScript and JavaScript"),
    ("solidity", Family::Solidity, "Solidity"),
];

/// Who else has a server that renames.
const OTHERS: [(Family, &str); 5] = [
    (Family::Rust, "Rust"),
    (Family::Go, "Go"),
    (Family::C, "C and C++"),
    (Family::Shell, "shell"),
    (Family::Lua, "Lua"),
];

const INTRODUCTION: &str = "\
# Catalog of refactorings

The names are those of Martin Fowler's catalog, first edition, and a few beyond it. `lspwright refactor NAME TARGET` plans
one; [Refactorings](refactoring.md) says how to ask, to write and to combine them. Every page shows a plan that lspwright
makes, and cases that it refuses. Both come from the project's tests, which run each program before and after.

A tick means that lspwright can carry it out in that language. `lspwright refactor --list --language python` says the
same, with the parameters.
";

/// The cases of one refactoring.
#[derive(Default)]
struct Cases {
    /// What its page shows, by language.
    shown: Vec<(&'static str, Written)>,
    refused: Vec<(&'static str, Written)>,
}

/// Returns every page with its text.
pub(super) fn pages() -> BTreeMap<String, String> {
    let cases = cases();
    let built = catalog().filter(|one| is_built(one));
    let mut pages: BTreeMap<String, String> =
        built.map(|one| (format!("docs/catalog/{}.md", one.name), page(one, &cases[one.name]))).collect();
    pages.insert("docs/catalog.md".to_owned(), index());
    pages
}

/// Says what the table and the cases lack.
pub(super) fn complaints() -> Vec<String> {
    let cases = cases();
    let mut complaints = Vec::new();
    for one in catalog().filter(|one| is_built(one)) {
        let name = one.name;
        if one.when.is_empty() || one.related.is_empty() {
            complaints.push(format!("{name}: the table does not say when it is of use, and what is related"));
        }
        let strangers = one.related.iter().filter(|other| !refactoring(other).is_some_and(is_built));
        complaints.extend(strangers.map(|other| format!("{name}: it is related to `{other}`, which is not there")));
        for (folder, family, _) in LANGUAGES.iter().filter(|(_, family, _)| one.availability(*family).is_ok()) {
            let count = cases[name].shown.iter().filter(|(language, _)| language == folder).count();
            // Every language renames in the same way.
            if count != 1 && !(count == 0 && *family == Family::Solidity && name.starts_with("rename")) {
                complaints.push(format!("{name}: {count} cases in tests/cases/refactor/{folder} are `shown`, not one"));
            }
        }
    }
    complaints
}

/// Returns the lines of the summary.
pub(super) fn summary() -> String {
    let names = catalog().filter(|one| is_built(one)).map(|one| one.name);
    names.map(|name| format!("  - [{name}](catalog/{name}.md)\n")).collect::<String>().trim_end().to_owned()
}

fn is_built(one: &Refactoring) -> bool {
    !one.ways.is_empty()
}

fn cases() -> BTreeMap<&'static str, Cases> {
    let mut cases: BTreeMap<&'static str, Cases> = catalog().map(|one| (one.name, Cases::default())).collect();
    for (folder, ..) in LANGUAGES {
        for case in Written::all(&format!("refactor/{folder}")) {
            let name = case.command.split(' ').next().unwrap_or_default();
            let Some(of) = refactoring(name).and_then(|one| cases.get_mut(one.name)) else { continue };
            if case.is_shown {
                of.shown.push((folder, case));
            } else if case.expected.starts_with("refused: ") {
                of.refused.push((folder, case));
            }
        }
    }
    cases
}

fn page(one: &Refactoring, cases: &Cases) -> String {
    let mut page = format!("# {}\n\n{}.\n\n", one.name, one.description);
    writeln!(page, "**When to use it:** {}.\n", one.when).unwrap();
    writeln!(page, "**Languages:** {}.", listed(one)).unwrap();
    for (family, why) in one.gaps {
        let language = LANGUAGES.iter().find(|(_, of, _)| of == family).map_or("", |(_, _, name)| name);
        writeln!(page, "Not in {language}: {why}.").unwrap();
    }
    let smells: Vec<String> =
        SMELLS.iter().filter(|smell| smell.refactoring == one.name).map(|smell| format!("`{}`", smell.name)).collect();
    if !smells.is_empty() {
        writeln!(page, "\n**Mends the smell:** {} ([Inspections](../inspections.md)).", smells.join(", ")).unwrap();
    }
    page += &parameters(one);
    page += "\n## Example\n";
    for (folder, case) in &cases.shown {
        page += &example(folder, case);
    }
    page += &refusals(&cases.refused);
    let related: Vec<String> = one.related.iter().map(|name| format!("[{name}]({name}.md)")).collect();
    page + &format!("\n## Related\n\n{}\n", related.join(", "))
}

fn listed(one: &Refactoring) -> String {
    let of_cases = LANGUAGES.iter().map(|(_, family, name)| (*family, *name));
    let all = of_cases.chain(OTHERS).filter(|(family, _)| one.availability(*family).is_ok());
    all.map(|(_, name)| name).collect::<Vec<_>>().join(", ")
}

fn parameters(one: &Refactoring) -> String {
    let mut table = String::from("\n## Parameters\n\n");
    if one.params.is_empty() {
        return table + "None beside the target.\n";
    }
    table += "| parameter | | what it is |\n|---|---|---|\n";
    for param in one.params {
        let need = if param.is_required { "required" } else { "optional" };
        writeln!(table, "| `--{}` | {need} | {} |", option(param.name), param.description).unwrap();
    }
    table
}

fn example(folder: &str, case: &Written) -> String {
    let language = LANGUAGES.iter().find(|(of, ..)| of == &folder).map_or("", |(_, _, name)| name);
    let is_of_file = |line: &str| line.starts_with("delete ") || line.starts_with("move ");
    let is_diff = |line: &&str| line.starts_with([' ', '+', '-', '@']) || line.is_empty() || is_of_file(line);
    let lines: Vec<&str> = case.expected.lines().collect();
    let diff = lines.iter().take_while(|line| is_diff(line)).map(|line| line.trim_end()).collect::<Vec<_>>();
    let warnings: Vec<String> =
        lines.iter().filter_map(|line| line.strip_prefix("warning ")).map(|warning| format!("{warning}\n")).collect();
    let mut example = format!("\n### {language}\n\n{}\n\n", case.prose());
    write!(example, "```console\n$ lspwright refactor {}\n```\n\n```diff\n{}\n```\n", case.command, diff.join("\n"))
        .unwrap();
    if !warnings.is_empty() {
        write!(example, "\nThe plan warns:\n\n```text\n{}```\n", warnings.concat()).unwrap();
    }
    example
}

/// Lists what is refused, with what is said; the same words of two languages once.
fn refusals(refused: &[(&str, Written)]) -> String {
    let mut text = String::new();
    let mut said = BTreeSet::new();
    for (_, case) in refused {
        let message = case.expected.strip_prefix("refused: ").unwrap_or_default().trim_end();
        let reason = message.split_once(": ").map_or(message, |(_, reason)| reason);
        if said.insert(reason.to_owned()) && said.insert(case.prose()) {
            let lines: Vec<String> = message.lines().map(|line| format!("  {line}\n")).collect();
            write!(text, "\n- {}\n\n  ```text\n{}  ```\n", case.prose(), lines.concat()).unwrap();
        }
    }
    if text.is_empty() { text } else { format!("\n## When it refuses\n\nFor example:\n{text}") }
}

fn index() -> String {
    let mut index = INTRODUCTION.to_owned();
    for category in Category::ALL {
        let title = category.as_str().replace('_', " ");
        let (first, rest) = title.split_at(1);
        write!(index, "\n## {}{rest}\n\n", first.to_uppercase()).unwrap();
        index += "| refactoring | what it does | Python | TypeScript, JavaScript | Solidity |\n|---|---|---|---|---|\n";
        for one in catalog().filter(|one| one.category == category) {
            index += &row(one);
        }
    }
    index
}

fn row(one: &Refactoring) -> String {
    let ticks = LANGUAGES.map(|(_, family, _)| if one.availability(family).is_ok() { "✓" } else { "" });
    let (name, what) = (one.name, one.description);
    let name = if is_built(one) { format!("[{name}](catalog/{name}.md)") } else { format!("{name} (not built yet)") };
    format!("| {name} | {what} | {} |\n", ticks.join(" | "))
}
