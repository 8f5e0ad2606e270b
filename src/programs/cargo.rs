//! Rust: what `cargo test` prints.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ground::{NotRun, ProgramTree, TestSelection};
use super::report::{TestOutcome, TestResult, Tested, line_of_function};
use crate::lsp::{Program, Ran};
use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Position, Range};

pub(super) const MANIFEST: &str = "Cargo.toml";

/// Runs the tests of a package or a workspace.
pub(super) async fn test(ground: &ProgramTree<'_>, dir: &AbsPath, wanted: &TestSelection) -> Result<Tested, NotRun> {
    let mut words = vec!["cargo".to_owned(), "test".into(), "--no-fail-fast".into(), "--message-format=json".into()];
    let path = wanted.path.as_ref().and_then(|path| path.relative_to(dir));
    let target = path.as_ref().and_then(|path| path.as_str().strip_prefix("tests/")?.strip_suffix(".rs"));
    if let Some(target) = target.filter(|name| !name.contains('/')) {
        words.extend(["--test".to_owned(), target.to_owned()]);
    }
    words.extend(wanted.filter.clone());
    let ran = ground.run(Program::new(words).with("CARGO_TERM_COLOR", "never"), dir).await?;
    let command = format!("cargo test in {}", ground.shown(dir));
    let mut tested = read(command, dir, &ran);
    tested.keep_below(wanted.path.as_ref());
    ground.told(tested, &ran)
}

/// A message of cargo; the others are of no account here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    is_primary: bool,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    column_end: u32,
}

fn read(command: String, dir: &AbsPath, ran: &Ran) -> Tested {
    let (out, errors) = (ran.stdout.text(), ran.stderr.text());
    let mut tested = Tested { command, ..Tested::default() };
    let roots = roots(dir, &errors);
    let mut blocks = 0;
    let mut outputs: BTreeMap<(usize, String), String> = BTreeMap::new();
    let mut failing: Option<(usize, String)> = None;
    let mut places: Vec<usize> = Vec::new();
    for line in out.lines() {
        if line.starts_with("{\"reason\":") {
            tested.problems.extend(problem(line, dir));
        } else if let Some(name) = line.strip_prefix("---- ").and_then(|it| it.strip_suffix(" stdout ----")) {
            failing = Some((blocks, name.to_owned()));
        } else if line.starts_with("running ") && (line.ends_with(" tests") || line.ends_with(" test")) {
            blocks += 1;
            failing = None;
        } else if line == "failures:" || line.starts_with("test result: ") {
            failing = None;
        } else if let Some(key) = &failing {
            let output = outputs.entry(key.clone()).or_default();
            output.push_str(line);
            output.push('\n');
        } else if let Some((name, outcome, output)) = result(line) {
            let name = name.to_owned();
            tested.results.push(TestResult { name, outcome, output, file: None, line: None });
            places.push(blocks);
        }
    }
    for (result, block) in tested.results.iter_mut().zip(places) {
        if let Some(output) = outputs.remove(&(block, result.name.clone())) {
            result.output = Some(output.trim_end().to_owned());
        }
        // Every target's tests begin with such a line, in the order in which cargo says what it runs.
        if roots.len() == blocks && block > 0 {
            place(result, dir, roots[block - 1].as_deref());
        }
    }
    tested.ended(ran);
    tested
}

/// Reads `test a::b ... ok`.
fn result(line: &str) -> Option<(&str, TestOutcome, Option<String>)> {
    let (name, said) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    match said.split([' ', ',']).next()? {
        "ok" => Some((name, TestOutcome::Passed, None)),
        "FAILED" => Some((name, TestOutcome::Failed, None)),
        "ignored" => {
            let why = said.strip_prefix("ignored, ").map(str::to_owned);
            Some((name, TestOutcome::Skipped, why))
        }
        _ => None,
    }
}

/// Lists the source of each target that was run, in order; documentation has none.
fn roots(dir: &AbsPath, errors: &str) -> Vec<Option<String>> {
    let of = |line: &str| {
        let line = line.trim_start();
        if line.starts_with("Doc-tests ") {
            return Some(None);
        }
        let target = line.strip_prefix("Running ")?;
        let target = target.strip_prefix("unittests ").unwrap_or(target);
        let source = target.split(" (").next()?;
        Some(dir.join(source).ok().filter(|path| path.as_path().is_file()).map(|_| source.to_owned()))
    };
    errors.lines().filter_map(of).collect()
}

/// Finds the function of a test, from the source of its target on.
fn place(result: &mut TestResult, dir: &AbsPath, root: Option<&str>) {
    // `src/lib.rs - order::total (line 12)`
    if let Some((file, rest)) = result.name.split_once(" - ")
        && let Some((_, line)) = rest.rsplit_once("(line ")
    {
        result.file = dir.join(file).ok();
        result.line = line.trim_end_matches(')').parse().ok();
        return;
    }
    let Some(mut file) = root.and_then(|root| dir.join(root).ok()) else { return };
    let mut names: Vec<&str> = result.name.split("::").collect();
    let Some(function) = names.pop() else { return };
    let Some(mut inside) = file.parent() else { return };
    for name in names {
        let forms = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let found = forms.iter().filter_map(|form| inside.join(form).ok()).find(|path| path.as_path().is_file());
        let Some(found) = found else { break };
        file = found;
        let Ok(below) = inside.join(name) else { break };
        inside = below;
    }
    result.line = line_of_function(&file, "fn", function);
    result.file = Some(file);
}

/// Reads what the compiler found, out of the messages of cargo.
pub(super) fn problems(said: &str, dir: &AbsPath) -> Vec<Problem> {
    said.lines().filter(|line| line.starts_with("{\"reason\":")).filter_map(|line| problem(line, dir)).collect()
}

fn problem(line: &str, dir: &AbsPath) -> Option<Problem> {
    let message: Message = serde_json::from_str(line).ok()?;
    let said = message.message.filter(|_| message.reason == "compiler-message")?;
    let severity = match said.level.as_str() {
        "error" | "error: internal compiler error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    let span = said.spans.iter().find(|span| span.is_primary)?;
    let at = |line: u32, column: u32| Position { line: line.saturating_sub(1), character: column.saturating_sub(1) };
    let range = Range { start: at(span.line_start, span.column_start), end: at(span.line_end, span.column_end) };
    Some(Problem {
        path: dir.join(&span.file_name).ok()?,
        range: Some(range),
        severity,
        code: said.code.map(|code| code.code),
        message: said.message,
        source: Some("rustc".to_owned()),
    })
}
