//! Foundry: what `forge test --json` prints.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ground::{NotRun, ProgramTree, TestSelection};
use super::report::{TestOutcome, TestResult, Tested, escaped, line_of_function};
use super::solc::solc;
use crate::lsp::{Program, Ran};
use crate::text::AbsPath;

pub(super) const MANIFEST: &str = "foundry.toml";
const ENDING: &str = ".t.sol";
/// Whatever lies there is taken for tests, too.
const DIRECTORY: &str = "test";

pub(super) fn is_test(path: &AbsPath) -> bool {
    let is_below = || path.as_path().ancestors().skip(1).any(|dir| dir.file_name().is_some_and(|it| it == DIRECTORY));
    path.file_name().ends_with(ENDING) || path.extension() == "sol" && is_below()
}

/// Runs the tests of a project.
pub(super) async fn test(ground: &ProgramTree<'_>, dir: &AbsPath, wanted: &TestSelection) -> Result<Tested, NotRun> {
    let mut words = vec!["forge".to_owned(), "test".into(), "--json".into()];
    if let Some(filter) = &wanted.filter {
        // As the results have it: `VaultTest.test_total()`.
        let (contract, function) =
            filter.split_once('.').map_or((None, filter.as_str()), |(it, rest)| (Some(it), rest));
        words.extend(contract.into_iter().flat_map(|it| ["--match-contract".to_owned(), escaped(it)]));
        words.extend(["--match-test".to_owned(), escaped(function)]);
    }
    let file = wanted.path.as_ref().filter(|path| path.as_path().is_file()).and_then(|path| path.relative_to(dir));
    words.extend(file.into_iter().flat_map(|path| ["--match-path".to_owned(), path.to_string()]));
    let ran = ground.run(Program::new(words).with("NO_COLOR", "1"), dir).await?;
    let command = format!("forge test in {}", ground.shown(dir));
    let mut tested = read(command, dir, &ran);
    tested.keep_below(wanted.path.as_ref());
    ground.told(tested, &ran)
}

/// The tests of one contract.
#[derive(Deserialize)]
struct Contract {
    test_results: BTreeMap<String, Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    status: String,
    reason: Option<String>,
    #[serde(default)]
    decoded_logs: Vec<String>,
    counterexample: Option<serde_json::Value>,
}

fn read(command: String, dir: &AbsPath, ran: &Ran) -> Tested {
    let mut tested = Tested { command, ..Tested::default() };
    let out = ran.stdout.text();
    let report = out.lines().rev().find_map(|line| serde_json::from_str::<BTreeMap<String, Contract>>(line).ok());
    for (place, contract) in report.into_iter().flatten() {
        let (file, name) = place.rsplit_once(':').unwrap_or(("", &place));
        let file = dir.join(file).ok();
        for (signature, outcome) in contract.test_results {
            let function = signature.split('(').next().unwrap_or_default();
            let line = file.as_ref().and_then(|file| line_of_function(file, "function", function));
            tested.results.push(TestResult {
                name: format!("{name}.{signature}"),
                outcome: match outcome.status.as_str() {
                    "Success" => TestOutcome::Passed,
                    "Skipped" => TestOutcome::Skipped,
                    _ => TestOutcome::Failed,
                },
                output: outcome.said(),
                file: file.clone(),
                line,
            });
        }
    }
    tested.problems = solc(&ran.stderr.text(), dir);
    tested.ended(ran);
    tested
}

impl Outcome {
    /// Returns what a test that did not pass said: why, what it was called with, and its own words.
    fn said(&self) -> Option<String> {
        if self.status == "Success" {
            return None;
        }
        let args = self.counterexample.as_ref().and_then(|it| it.pointer("/Single/args")?.as_str());
        let args = args.map(|args| format!("called with {args}"));
        let lines: Vec<String> = self.reason.clone().into_iter().chain(args).chain(self.decoded_logs.clone()).collect();
        Some(lines.join("\n")).filter(|said| !said.is_empty())
    }
}
