//! Command-line checkers: run in a directory, their reports read as problems.

use std::path::Path;
use std::process::Stdio;

use serde::Deserialize;

use super::CannotCheck;
use crate::lsp::{Launch, ReportFormat};
use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Position, Range};

/// What a command said.
pub(super) struct Outcome {
    pub succeeded: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a checker at `dir` and reads its report; findings outside `root` are left out.
pub(super) async fn report(
    launch: &Launch,
    format: ReportFormat,
    dir: &AbsPath,
    root: &AbsPath,
) -> Result<Vec<Problem>, CannotCheck> {
    let mut command = tokio::process::Command::new(&launch.program);
    command.args(&launch.args).envs(launch.env.iter().cloned());
    let outcome = run(command, dir, &launch.program.to_string_lossy()).await?;
    let found = match format {
        ReportFormat::Tsc => tsc(&outcome.stdout, dir),
        ReportFormat::PyrightJson => pyright(&outcome)?,
    };
    Ok(found.into_iter().filter(|problem| problem.path.is_below(root)).collect())
}

/// Runs a command line in a shell at `dir`.
pub(super) async fn shell(line: &str, dir: &AbsPath) -> Result<Outcome, CannotCheck> {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = tokio::process::Command::new(program);
    command.arg(flag).arg(line);
    run(command, dir, line).await
}

async fn run(mut command: tokio::process::Command, dir: &AbsPath, shown: &str) -> Result<Outcome, CannotCheck> {
    let command = command.current_dir(dir.as_path()).stdin(Stdio::null()).kill_on_drop(true);
    let failed = |error: std::io::Error| CannotCheck::Command { command: shown.to_owned(), reason: error.to_string() };
    let output = command.output().await.map_err(failed)?;
    Ok(Outcome {
        succeeded: output.status.success(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Reads `path(line,column): error TS2305: message` (1-based, UTF-16 units), and `error TS18003: message`
/// that belongs to the project file.
fn tsc(report: &str, dir: &AbsPath) -> Vec<Problem> {
    report.lines().filter_map(|line| tsc_line(line, dir)).collect()
}

fn tsc_line(line: &str, dir: &AbsPath) -> Option<Problem> {
    let (place, rest) = match line.strip_prefix("error TS") {
        Some(rest) => (None, rest),
        None => line.split_once(": error TS").map(|(place, rest)| (Some(place), rest))?,
    };
    let (code, message) = rest.split_once(": ")?;
    let (path, range) = match place {
        None => (dir.clone(), None),
        Some(place) => {
            let (path, at) = place.rsplit_once('(')?;
            let (line, column) = at.trim_end_matches(')').split_once(',')?;
            let position = Position {
                line: line.parse::<u32>().ok()?.checked_sub(1)?,
                character: column.parse::<u32>().ok()?.checked_sub(1)?,
            };
            (dir.join(Path::new(path)).ok()?, Some(Range { start: position, end: position }))
        }
    };
    let (code, message) = (Some(format!("TS{code}")), message.to_owned());
    Some(Problem { path, range, severity: Severity::Error, code, message, source: Some("tsc".to_owned()) })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PyrightReport {
    general_diagnostics: Vec<PyrightFinding>,
}

#[derive(Deserialize)]
struct PyrightFinding {
    file: String,
    severity: String,
    message: String,
    #[serde(default)]
    rule: Option<String>,
    #[serde(default)]
    range: Option<PyrightRange>,
}

#[derive(Deserialize)]
struct PyrightRange {
    start: PyrightPosition,
    end: PyrightPosition,
}

#[derive(Deserialize)]
struct PyrightPosition {
    line: u32,
    character: u32,
}

/// Reads the report of `pyright --outputjson` (0-based, UTF-16 units).
fn pyright(outcome: &Outcome) -> Result<Vec<Problem>, CannotCheck> {
    let report: PyrightReport = serde_json::from_str(&outcome.stdout).map_err(|error| CannotCheck::Command {
        command: "pyright".to_owned(),
        reason: format!("{error}: {}", outcome.stderr.trim()),
    })?;
    Ok(report.general_diagnostics.into_iter().filter_map(pyright_finding).collect())
}

fn pyright_finding(finding: PyrightFinding) -> Option<Problem> {
    let at = |position: &PyrightPosition| Position { line: position.line, character: position.character };
    let severity = match finding.severity.as_str() {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Information,
    };
    Some(Problem {
        path: AbsPath::new(&finding.file).ok()?,
        range: finding.range.map(|range| Range { start: at(&range.start), end: at(&range.end) }),
        severity,
        code: finding.rule,
        message: finding.message,
        source: Some("pyright".to_owned()),
    })
}
