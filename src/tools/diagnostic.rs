//! A finding of a server, a compiler or a run, as the tools that see declarations write it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::plan::Problem;
use crate::text::{AbsPath, Range, one_line};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "Diagnostic")]
pub struct DiagnosticJson {
    /// error, warning, information or hint.
    pub severity: String,
    pub message: String,
    pub file: String,
    /// Where it begins, 1-based.
    pub line: u32,
    pub column: u32,
    /// First line and column, last line and the column behind it; 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[u32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl DiagnosticJson {
    /// Writes a finding, its file relative to the project's root.
    pub(super) fn of(problem: &Problem, root: &AbsPath) -> Self {
        let start = problem.range.map(|range| range.start);
        let span = problem.range.filter(|range| range.start != range.end).map(|Range { start, end }| {
            [start.line, start.character, end.line, end.character].map(|number| number + 1)
        });
        Self {
            severity: problem.severity.as_str().to_owned(),
            message: problem.message.clone(),
            file: name_of(&problem.path, root),
            line: start.map_or(1, |at| at.line + 1),
            column: start.map_or(1, |at| at.character + 1),
            span,
            code: problem.code.clone(),
            source: problem.source.clone(),
        }
    }

    /// Writes it in one line, as compilers do.
    pub fn line(&self) -> String {
        let code = self.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
        let message = one_line(&self.message);
        format!("{}:{}:{}: {}: {message}{code}", self.file, self.line, self.column, self.severity)
    }
}

/// Returns a path as a caller passes it back: relative to the project's root where it lies below.
pub(super) fn name_of(path: &AbsPath, root: &AbsPath) -> String {
    path.shown_from(root)
}
