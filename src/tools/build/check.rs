//! `check`: what the servers find in a file or in the whole project, with its drafts.

use schemars::JsonSchema;
use serde::Serialize;

use super::args::CheckArgs;
use crate::plan::{Problem, Severity};
use crate::render::NotLookedAtJson;
use crate::render::json::{schema_of_input, schema_of_output};
use crate::tools::actions::{Lowest, ProblemsArgs, found};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::diagnostic::DiagnosticJson;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const CHECK: Tool = Tool {
    name: "check",
    title: "Check the project",
    description: "What compilers, type checkers and linters find in a file or in the whole project, unsaved drafts included; \
        runs nothing of it.",
    toolset: Toolset::Build,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<CheckArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<CheckedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&check(context, parse(args)?).await?) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Checked")]
pub struct CheckedJson {
    /// All was looked at, and there is no error.
    pub success: bool,
    pub summary: String,
    /// Errors and warnings, errors first.
    pub diagnostics: Vec<DiagnosticJson>,
    pub not_looked_at: Vec<NotLookedAtJson>,
    /// Files whose drafts were looked at in the place of what is on the disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<String>,
}

/// Asks the servers what they find.
pub async fn check(context: &Context, args: CheckArgs) -> Result<CheckedJson, ToolError> {
    let asked = ProblemsArgs {
        project_root: args.project_root,
        paths: args.path.iter().cloned().collect(),
        severity: Lowest::Warning,
        source: None,
        rule: None,
    };
    let found = found(context, &asked).await?;
    let findings = &found.findings;
    if findings.files == 0 && findings.missing.is_empty() {
        let place = args.path.as_deref().unwrap_or(".");
        return Err(ToolError::invalid(format!("`{place}` holds no code that a server could look at"))
            .hint("name a source file, or a directory that holds some"));
    }
    let root = found.project.root();
    let mut problems: Vec<&Problem> = findings.problems.iter().collect();
    problems.sort_by_key(|problem| problem.severity);
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    Ok(CheckedJson {
        success: findings.missing.is_empty() && found.partly.is_empty() && !problems.iter().any(is_error),
        summary: found.summary(),
        diagnostics: problems.into_iter().map(|problem| DiagnosticJson::of(problem, root)).collect(),
        not_looked_at: found.not_looked_at_whole(),
        dirty: found.project.dirty(),
    })
}
