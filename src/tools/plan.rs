//! The plan tools: a rename or a move in, a plan out. Nothing is written.

mod args;

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::schema::tidy;
use super::table::{Effect, Tool, Toolset};
use super::{Context, ErrorKind, Project, ToolError};
use crate::plan::{Plan, Verification};
use crate::render::json::{self, PlanJson, RenameJson};
use crate::text::AbsPath;

pub use args::{Aliases, DirectoryMoveArgs, FileMoveArgs, Level, RenameArgs};

pub(super) const RENAME_SYMBOL: Tool = Tool {
    name: "planRenameSymbol",
    title: "Plan the rename of a symbol",
    description: "Plans the rename of a symbol with its declaration and every use in the project; changes nothing. \
        Name the symbol by filePath, line, character (0-based, UTF-16) or by target. Answers canRename: false with \
        the reason, or edits and fsMoves that must be applied all together.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<RenameArgs>()),
    output: || tidy(json::schema_of_output::<RenameJson>()),
    run: |context, args| Box::pin(async move { to_json(&rename(context, parse(args)?).await?) }),
};

pub(super) const FILE_MOVE: Tool = Tool {
    name: "planFileMove",
    title: "Plan the move of a file",
    description: "Plans the move or rename of a file with every import of it and its own imports; changes nothing. \
        Apply edits, then fsMoves, all together.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<FileMoveArgs>()),
    output: || tidy(json::schema_of_output::<PlanJson>()),
    run: |context, args| Box::pin(async move { to_json(&file_move(context, parse(args)?).await?) }),
};

pub(super) const DIRECTORY_MOVE: Tool = Tool {
    name: "planDirectoryMove",
    title: "Plan the move of a directory",
    description: "Plans the move or rename of a directory as one, with every import from and into it; changes nothing. \
        fsMoves lists every file below it. Apply edits, then fsMoves, all together.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<DirectoryMoveArgs>()),
    output: || tidy(json::schema_of_output::<PlanJson>()),
    run: |context, args| Box::pin(async move { to_json(&directory_move(context, parse(args)?).await?) }),
};

/// A plan with what a check of it found.
pub struct Planned {
    pub project: Arc<Project>,
    pub plan: Plan,
    pub verification: Option<Verification>,
}

/// Plans a rename. A refusal is an answer, not an error: `canRename` is false.
pub async fn rename(context: &Context<'_>, args: RenameArgs) -> Result<RenameJson, ToolError> {
    match planned_rename(context, args).await {
        Ok(planned) => Ok(RenameJson { can_rename: true, reason: None, plan: Some(planned.to_json()) }),
        Err(error) if error.kind == ErrorKind::Refused => Ok(refused(&error)),
        Err(error) => Err(error),
    }
}

/// Says why there is no rename, with what to do next.
pub fn refused(error: &ToolError) -> RenameJson {
    let said: Vec<&str> = std::iter::once(&error.message).chain(&error.hints).map(String::as_str).collect();
    RenameJson { can_rename: false, reason: Some(said.join("; ")), plan: None }
}

/// Plans a rename.
pub async fn planned_rename(context: &Context<'_>, args: RenameArgs) -> Result<Planned, ToolError> {
    let project = open(context, &args.project_root).await?;
    let _turn = project.turn.lock().await;
    let _ = (args, &project);
    Err(not_yet())
}

/// Plans the move of a file.
pub async fn file_move(context: &Context<'_>, args: FileMoveArgs) -> Result<PlanJson, ToolError> {
    let _project = open(context, &args.project_root).await?;
    Err(not_yet())
}

/// Plans the move of a directory.
pub async fn directory_move(context: &Context<'_>, args: DirectoryMoveArgs) -> Result<PlanJson, ToolError> {
    let _project = open(context, &args.project_root).await?;
    Err(not_yet())
}

fn not_yet() -> ToolError {
    ToolError::new(ErrorKind::Internal, "the engine is not connected")
}

impl Planned {
    pub fn to_json(&self) -> PlanJson {
        json::plan(&self.plan, self.verification.as_ref())
    }
}

async fn open(context: &Context<'_>, root: &str) -> Result<Arc<Project>, ToolError> {
    context.projects.open(&AbsPath::new(root)?).await
}

fn parse<T: DeserializeOwned>(args: Value) -> Result<T, ToolError> {
    serde_json::from_value(args).map_err(|error| ToolError::invalid(error.to_string()))
}

fn to_json<T: Serialize>(answer: &T) -> Result<Value, ToolError> {
    serde_json::to_value(answer).map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))
}
