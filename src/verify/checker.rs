//! Command-line checkers: run in a directory, their reports read as problems.

use std::time::Duration;

use serde::Deserialize;

use super::outcome::CannotCheck;
use crate::lsp::{Guard, Launch, Output, Program, ReportFormat, RunError};
use crate::plan::{Problem, Severity};
use crate::programs::tsc;
use crate::text::{AbsPath, Position, Range};

/// How many of a program's last lines are shown.
pub(super) const SHOWN_LINES: usize = 12;

/// How checkers are run.
pub(super) struct Running<'a> {
    pub guard: &'a Guard,
    /// How long one of them may take.
    pub within: Duration,
}

impl Running<'_> {
    /// Runs a checker at `dir` and reads its report; findings outside `root` are left out.
    pub(super) async fn report(
        &self,
        launch: &Launch,
        format: ReportFormat,
        dir: &AbsPath,
        root: &AbsPath,
    ) -> Result<Vec<Problem>, CannotCheck> {
        let shown = launch.program.to_string_lossy();
        let output = self.run(Program::of(launch), dir, &shown).await?;
        let cannot = |reason: String| CannotCheck::Command { command: shown.clone().into_owned(), reason };
        let report = output.stdout.whole().map_err(|bytes| cannot(format!("its report is of {bytes} bytes")))?;
        let found = match format {
            ReportFormat::Tsc => tsc(&String::from_utf8_lossy(report), dir),
            ReportFormat::PyrightJson => pyright(report).map_err(|error| cannot(said(&error.to_string(), &output)))?,
        };
        // It has not looked at anything.
        if found.is_empty() && !output.status.success() {
            return Err(cannot(said(&output.status.to_string(), &output)));
        }
        Ok(found.into_iter().filter(|problem| problem.path.is_below(root)).collect())
    }

    /// Runs a command line in a shell at `dir`.
    pub(super) async fn shell(&self, line: &str, dir: &AbsPath) -> Result<Output, CannotCheck> {
        self.run(Program::shell(line), dir, line).await
    }

    async fn run(&self, program: Program, dir: &AbsPath, shown: &str) -> Result<Output, CannotCheck> {
        let command = || shown.to_owned();
        program.at(dir.as_path()).run(self.guard, self.within).await.map_err(|error| match error {
            RunError::Late(after) => CannotCheck::Late { command: command(), after },
            other => CannotCheck::Command { command: command(), reason: other.to_string() },
        })
    }
}

/// Adds a program's own words to what went wrong with it.
fn said(what: &str, output: &Output) -> String {
    format!("{what}: {}", output.last_words(SHOWN_LINES))
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
fn pyright(report: &[u8]) -> serde_json::Result<Vec<Problem>> {
    let report: PyrightReport = serde_json::from_slice(report)?;
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
