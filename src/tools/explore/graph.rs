//! `call_graph`: who calls whom, from one function on.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::GraphArgs;
use super::view::View;
use crate::declarations::{Calls, calls};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const CALL_GRAPH: Tool = Tool {
    name: "call_graph",
    title: "Follow calls",
    description: "The calls that lead on from a function, or to it.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<GraphArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<GraphJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&call_graph(context, parse(args)?).await?) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Call graph")]
pub(super) struct GraphJson {
    root: String,
    calls: Vec<CallJson>,
    /// What is called that is not declared in the project, or nobody knows where.
    not_followed: Vec<String>,
    /// Functions that are further away, or too many.
    not_looked_into: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CallJson {
    /// Nothing where a module calls while it is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    caller_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caller_name: Option<String>,
    callee_id: String,
    callee_name: String,
    /// Of the call.
    module: String,
    /// 1-based.
    line: u32,
}

const DEPTH: usize = 3;

/// Follows calls from a function on.
pub(super) async fn call_graph(context: &Context, args: GraphArgs) -> Result<GraphJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let root = view.find(&args.id)?;
    let way = (args.direction.into(), args.depth.unwrap_or(DEPTH));
    let work = async {
        let _listening = view.project.listen(Arc::clone(&context.sink));
        Ok(calls(view.project.session(), &view.index, &root, way).await?)
    };
    let Calls { calls, not_followed, not_looked_into } = context.unless_cancelled(work).await?;
    let name = |id| view.index.get(id).map(|found| found.row().names.join(".")).unwrap_or_default();
    let calls = calls.into_iter().map(|call| CallJson {
        caller_id: call.caller.map(|id| id.to_string()),
        caller_name: call.caller.map(name),
        callee_id: call.callee.to_string(),
        callee_name: call.callee_name,
        module: call.module,
        line: call.line,
    });
    Ok(GraphJson {
        root: root.row().id.to_string(),
        calls: calls.collect(),
        not_followed: not_followed.into_iter().collect(),
        not_looked_into,
    })
}
