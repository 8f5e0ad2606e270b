//! The audit tools: files in, a view of them out. Nothing is written.

mod args;
mod named;

use serde::Serialize;
use serde_json::Value;

use super::answer::{Answer, Form};
use super::call::parse;
use super::schema::tidy;
use super::tool::{Effect, Tool, Toolset};
use super::{Context, ErrorKind, ToolError};
use crate::audit::{self, Callgraph, Entrypoints, Selector, Sources, Traversal, Views};
use crate::render::json;

pub use args::{CallgraphArgs, EntrypointsArgs, FileArg, InsightsArgs, PathsArgs, SelectorArgs};
use named::{all_families, families, sources};

pub(super) const CALLGRAPH: Tool = Tool {
    name: "callgraph",
    title: "Show calls",
    description: "Who calls whom, of all or from root on.",
    toolset: Toolset::Audit,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<CallgraphArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Ok(Answer::Lists(callgraph(context, parse(args)?).await?)) }),
};

pub(super) const ENTRYPOINTS: Tool = Tool {
    name: "entrypoints",
    title: "List entrypoints",
    description: "What outsiders call: contracts' functions that change state; programs' routes, commands, \
        handlers, exports.",
    toolset: Toolset::Audit,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<EntrypointsArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Ok(Answer::Lists(entrypoints(context, parse(args)?).await?)) }),
};

pub(super) const FUNCTION_INSIGHTS: Tool = Tool {
    name: "function_insights",
    title: "Look into a function",
    description: "What a function reads, writes, calls, emits, reverts with, callees included, and which writes \
        follow external calls. Overloads need a signature.",
    toolset: Toolset::Audit,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<InsightsArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Ok(Answer::Lists(function_insights(context, parse(args)?).await?)) }),
};

pub(super) const METRICS: Tool = Tool {
    name: "metrics",
    title: "Measure code",
    description: "Lines of code, comments, cyclomatic and cognitive complexity, hours of review, by function.",
    toolset: Toolset::Audit,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<PathsArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Ok(Answer::Lists(metrics(context, parse(args)?).await?)) }),
};

pub(super) const PEEK: Tool = Tool {
    name: "peek",
    title: "Show signatures",
    description: "Signatures of what files declare.",
    toolset: Toolset::Audit,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<PathsArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Ok(Answer::Lists(peek(context, parse(args)?).await?)) }),
};

/// Lists the entrypoints of files that are handed in or named.
pub async fn entrypoints(context: &Context, args: EntrypointsArgs) -> Result<Value, ToolError> {
    let sources = sources(context, args.project_root.as_deref(), args.files, args.paths).await?;
    context
        .computed(move || {
            let families = families(args.language.as_deref(), &sources)?;
            let views = if args.include_view { Views::Include } else { Views::LeaveOut };
            let sources = sources.of_families(&families);
            lists(&Entrypoints::of(&sources, families[0], views)?)
        })
        .await
}

/// Looks into one function.
pub async fn function_insights(context: &Context, args: InsightsArgs) -> Result<Value, ToolError> {
    let selector: Selector = args.selector.into();
    // The selector's own file says enough.
    let paths = args.paths.or_else(|| args.files.is_none().then(|| vec![selector.file.clone()]));
    let sources = sources(context, args.project_root.as_deref(), args.files, paths).await?;
    context
        .computed(move || {
            if let Some(language) = args.language.as_deref() {
                families(Some(language), &sources)?;
            }
            lists(&audit::insights(&sources, &selector)?)
        })
        .await
}

/// Lists the calls of files that are named.
pub async fn callgraph(context: &Context, args: CallgraphArgs) -> Result<Value, ToolError> {
    lists(&calls(context, args).await?)
}

/// Finds the calls of files that are named.
pub async fn calls(context: &Context, args: CallgraphArgs) -> Result<Callgraph, ToolError> {
    let sources = sources(context, args.project_root.as_deref(), None, Some(args.paths)).await?;
    let reach = Traversal { root: args.root, depth: args.depth };
    context
        .computed(move || {
            let families = all_families(&sources)?;
            let sources = sources.of_families(&families);
            Ok(audit::callgraph(&sources, &reach)?)
        })
        .await
}

/// Shows the signatures of files that are named.
pub async fn peek(context: &Context, args: PathsArgs) -> Result<Value, ToolError> {
    viewed(context, args, audit::peek).await
}

/// Measures files that are named.
pub async fn metrics(context: &Context, args: PathsArgs) -> Result<Value, ToolError> {
    viewed(context, args, audit::metrics).await
}

/// Takes a view of files that are named.
async fn viewed<T: Serialize + 'static>(
    context: &Context,
    args: PathsArgs,
    view: fn(&Sources) -> T,
) -> Result<Value, ToolError> {
    let sources = sources(context, args.project_root.as_deref(), None, Some(args.paths)).await?;
    context.computed(move || lists(&view(&sources))).await
}

fn lists(view: &impl Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(view).map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))
}
