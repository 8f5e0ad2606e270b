//! Go: what `go test -json` prints (`go doc test2json`).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ground::{NotRun, ProgramTree, TestSelection};
use super::report::{TestOutcome, TestResult, Tested, escaped, line_of_function};
use crate::lsp::{Program, Ran};
use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Position, Range};
use crate::workspace::read_text;

pub(super) const MANIFEST: &str = "go.mod";
const ENDING: &str = "_test.go";

pub(super) fn is_test(path: &AbsPath) -> bool {
    path.file_name().ends_with(ENDING)
}

/// Runs the tests of a module, or of the packages below a path.
pub(super) async fn test(ground: &ProgramTree<'_>, dir: &AbsPath, wanted: &TestSelection) -> Result<Tested, NotRun> {
    let mut words = vec!["go".to_owned(), "test".into(), "-json".into()];
    words.extend(wanted.filter.iter().flat_map(|filter| ["-run".to_owned(), escaped(filter)]));
    let path = wanted.path.as_ref().filter(|path| *path != dir);
    words.push(match path {
        None => "./...".to_owned(),
        Some(path) if path.as_path().is_dir() => format!("./{}/...", below(dir, path)),
        Some(path) => format!("./{}", path.parent().map(|package| below(dir, &package)).unwrap_or_default()),
    });
    let ran = ground.run(Program::new(words), dir).await?;
    let command = format!("go test in {}", ground.shown(dir));
    let mut tested = read(command, (ground, dir), &ran);
    tested.keep_below(wanted.path.as_ref());
    ground.told(tested, &ran)
}

fn below(dir: &AbsPath, path: &AbsPath) -> String {
    path.relative_to(dir).map(|path| path.to_string()).unwrap_or_default()
}

/// An event of a package, of a test in it, or of a build.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    test: Option<String>,
    #[serde(default)]
    output: String,
    failed_build: Option<String>,
}

fn read(command: String, (ground, dir): (&ProgramTree<'_>, &AbsPath), ran: &Ran) -> Tested {
    let mut tested = Tested { command, ..Tested::default() };
    let out = ran.stdout.text();
    let module = module_of(dir);
    let mut outputs: BTreeMap<(String, Option<String>), String> = BTreeMap::new();
    // Go before 1.24 says on the other stream what does not compile.
    let mut built = ran.stderr.text();
    for event in out.lines().filter_map(|line| serde_json::from_str::<Event>(line).ok()) {
        let key = (event.package, event.test);
        let outcome = match event.action.as_str() {
            "build-output" => {
                built.push_str(&event.output);
                continue;
            }
            "output" => {
                outputs.entry(key).or_default().push_str(&event.output);
                continue;
            }
            "pass" => TestOutcome::Passed,
            "fail" => TestOutcome::Failed,
            "skip" => TestOutcome::Skipped,
            _ => continue,
        };
        let output = outputs.remove(&key).unwrap_or_default();
        let package = key.0.strip_prefix(&module).map(|rest| rest.trim_start_matches('/'));
        let package = package.and_then(|package| dir.join(package).ok());
        let Some(name) = key.1 else {
            let has_failed = tested
                .results
                .iter()
                .any(|it| it.outcome == TestOutcome::Failed && it.file.as_ref().and_then(AbsPath::parent) == package);
            if outcome == TestOutcome::Failed && !has_failed {
                // A package that does not compile, or ends before its tests do.
                let output = Some(said(&output)).filter(|_| event.failed_build.is_none());
                tested.results.push(TestResult { name: key.0, outcome, output, file: None, line: None });
            }
            continue;
        };
        let place = package.and_then(|package| place(ground, &package, &name));
        let (file, line) = place.map_or((None, None), |(file, line)| (Some(file), Some(line)));
        let output = Some(said(&output)).filter(|_| outcome != TestOutcome::Passed);
        tested.results.push(TestResult { name, outcome, output, file, line });
    }
    tested.problems = problems(&built, dir);
    tested.ended(ran);
    tested
}

/// Leaves out what frames the output of a test: that it began, and how it ended.
fn said(output: &str) -> String {
    let is_frame = |line: &&str| line.starts_with("=== ") || line.trim_start().starts_with("--- ");
    output.lines().filter(|line| !is_frame(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Reads the module's own path.
fn module_of(dir: &AbsPath) -> String {
    let text = dir.join(MANIFEST).ok().and_then(|path| read_text(path.as_path()).ok());
    let named = text.as_ref().and_then(|text| text.lines().find_map(|line| line.trim().strip_prefix("module ")));
    named.unwrap_or_default().trim().trim_matches('"').to_owned()
}

/// Finds the function of a test, or of the one that it is a part of.
fn place(ground: &ProgramTree<'_>, package: &AbsPath, name: &str) -> Option<(AbsPath, u32)> {
    let function = name.split('/').next()?;
    let files = ground.below(package).filter(|file| is_test(file) && file.parent().as_ref() == Some(package));
    files.into_iter().find_map(|file| Some((file.clone(), line_of_function(file, "func", function)?)))
}

/// Reads `dir/file.go:5:31: undefined: x`, as the compiler and `go vet` say it.
fn problems(said: &str, dir: &AbsPath) -> Vec<Problem> {
    let problem = |line: &str| {
        let mut parts = line.strip_prefix("vet: ").unwrap_or(line).splitn(4, ':');
        let path = parts.next().filter(|path| path.ends_with(".go"))?;
        let mut number = || parts.next()?.parse::<u32>().ok().map(|number| number.saturating_sub(1));
        let (row, character) = (number()?, number()?);
        let start = Position { line: row, character };
        Some(Problem {
            path: dir.join(path).ok()?,
            range: Some(Range { start, end: start }),
            severity: Severity::Error,
            code: None,
            message: parts.next()?.trim().to_owned(),
            source: Some("go".to_owned()),
        })
    };
    said.lines().filter_map(problem).collect()
}
