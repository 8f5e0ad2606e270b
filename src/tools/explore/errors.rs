//! `error_set`: what a function can raise, and what nobody could follow.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::OneArgs;
use super::view::{View, target_of};
use crate::audit::{Sources, reverts};
use crate::declarations::{ErrorSet, FoundDeclaration, Function, Unfollowed, Why, error_set_of_contract};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::syntax::Family;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const ERROR_SET: Tool = Tool {
    name: "error_set",
    title: "Find errors",
    description: "Every error that a function can raise, through all that it calls, and what could not be followed.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<OneArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ErrorsJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&error_set(context, parse(args)?).await?) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Errors")]
pub struct ErrorsJson {
    pub id: String,
    pub target: String,
    /// Nothing else can be raised: all was followed, and there are no operations.
    pub complete: bool,
    /// How many functions were looked into.
    pub functions: usize,
    pub errors: Vec<ErrorJson>,
    pub not_followed: Vec<UnfollowedJson>,
    /// What the language does by itself, or by methods of the operands.
    pub operations: Vec<OperationsJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorJson {
    pub error: String,
    #[serde(flatten)]
    pub function: FunctionJson,
    /// 1-based.
    pub lines: Vec<u32>,
    /// The calls that lead there.
    pub path: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct UnfollowedJson {
    pub written: String,
    /// unresolved, value, library, wrapped, abstract, deferred, error, external, too_many.
    pub reason: String,
    #[serde(flatten)]
    pub function: FunctionJson,
    /// 1-based.
    pub lines: Vec<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OperationsJson {
    #[serde(flatten)]
    pub function: FunctionJson,
    /// With their lines, 1-based: `subscript 12, 14`.
    pub operations: Vec<String>,
}

/// What raises.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FunctionJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_id: Option<String>,
    pub function_name: String,
    pub module: String,
}

/// Finds every error that a function can raise.
pub async fn error_set(context: &Context, args: OneArgs) -> Result<ErrorsJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let found = view.find(&args.id)?;
    let set = errors_of(context, &view, &found).await?;
    let (operations, unknown): (Vec<Unfollowed>, Vec<Unfollowed>) =
        set.unknown.into_iter().partition(|one| one.why == Why::Operation);
    Ok(ErrorsJson {
        id: found.row().id.to_string(),
        target: target_of(&found.module, found.row()),
        complete: operations.is_empty() && unknown.is_empty(),
        functions: set.functions,
        errors: set
            .errors
            .into_iter()
            .map(|one| ErrorJson { error: one.error, function: function(&one.by), lines: one.lines, path: one.path })
            .collect(),
        not_followed: unknown
            .into_iter()
            .map(|one| UnfollowedJson {
                written: one.written,
                reason: one.why.as_str().to_owned(),
                function: function(&one.by),
                lines: one.lines,
            })
            .collect(),
        operations: by_function(operations),
    })
}

/// Follows a function's calls, of whatever language it is.
pub(in crate::tools) async fn errors_of(
    context: &Context,
    view: &View,
    found: &FoundDeclaration,
) -> Result<ErrorSet, ToolError> {
    let work = async {
        let _listening = view.project.listen(Arc::clone(&context.sink));
        match found.module.language.family() {
            Family::Solidity => reverting(view, found).await,
            _ => Ok(crate::declarations::error_set(view.project.session(), &view.index, found).await?),
        }
    };
    context.unless_cancelled(work).await
}

async fn reverting(view: &View, found: &FoundDeclaration) -> Result<ErrorSet, ToolError> {
    let (kept, path) = (view.project.kept(), found.module.path.clone());
    let at = found.row().name_span.start;
    let work = move || reverts(&Sources::below(&kept, &[path])?, at);
    let reverts = tokio::task::spawn_blocking(work).await;
    let reverts = reverts.map_err(|error| ToolError::new(crate::tools::ErrorKind::Internal, error.to_string()))??;
    Ok(error_set_of_contract(&view.index, reverts))
}

fn function(by: &Function) -> FunctionJson {
    FunctionJson {
        function_id: by.id.map(|id| id.to_string()),
        function_name: by.name.clone(),
        module: by.module.clone(),
    }
}

fn by_function(operations: Vec<Unfollowed>) -> Vec<OperationsJson> {
    let mut rows: Vec<(Function, Vec<String>)> = Vec::new();
    for one in operations {
        let lines: Vec<String> = one.lines.iter().map(u32::to_string).collect();
        let told = format!("{} {}", one.written, lines.join(", "));
        match rows.iter_mut().find(|(by, _)| *by == one.by) {
            Some((_, operations)) => operations.push(told),
            None => rows.push((one.by, vec![told])),
        }
    }
    rows.into_iter().map(|(by, operations)| OperationsJson { function: function(&by), operations }).collect()
}
