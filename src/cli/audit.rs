//! `entrypoints`, `function_insights`, `callgraph`, `peek` and `metrics`: views of the code.

use std::process::ExitCode;
use std::sync::Arc;

use serde_json::Value;

use super::args::{Callgraph, Common, Entrypoints, FunctionInsights, Output, Views};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::audit::drawing;
use crate::render::{dot, mermaid, read_toon, svg, write_toon};
use crate::syntax::target::Target;
use crate::text::AbsPath;
use crate::tools::audit::{self, CallgraphArgs, EntrypointsArgs, InsightsArgs, PathsArgs, SelectorArgs};
use crate::tools::{Context, ToolError};

pub(super) async fn entrypoints(
    common: &Common,
    args: Entrypoints,
    screen: &Arc<Screen>,
) -> Result<ExitCode, ToolError> {
    let (project_root, paths) = named(common, args.paths)?;
    let request = EntrypointsArgs {
        project_root: Some(project_root),
        files: None,
        paths: Some(paths),
        language: args.language,
        include_view: args.include_view,
    };
    shown(common, screen, async |context| audit::entrypoints(context, request).await).await
}

pub(super) async fn function_insights(
    common: &Common,
    args: FunctionInsights,
    screen: &Arc<Screen>,
) -> Result<ExitCode, ToolError> {
    let Target::Symbol { path: file, mut names, .. } = Target::parse(&args.target)? else {
        let error = ToolError::invalid(format!("`{}` names no function", args.target));
        return Err(error.hint("write contracts/Vault.sol:Vault.withdraw or src/order.py::Order::total"));
    };
    let (project_root, mut paths) = named(common, vec![file])?;
    let file = paths.remove(0);
    let relative = AbsPath::new(&file)?.relative_to(&AbsPath::new(&project_root)?);
    let selector = SelectorArgs {
        name: names.pop().unwrap_or_default(),
        contract: (!names.is_empty()).then(|| names.join(".")),
        file: relative.map_or(file.clone(), |path| path.to_string()),
        signature: args.signature,
    };
    let request = InsightsArgs {
        project_root: Some(project_root),
        files: None,
        paths: Some(vec![file]),
        language: None,
        selector,
    };
    shown(common, screen, async |context| audit::function_insights(context, request).await).await
}

pub(super) async fn callgraph(common: &Common, args: Callgraph, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (project_root, paths) = named(common, args.paths)?;
    let request = CallgraphArgs { project_root: Some(project_root), paths, root: args.root, depth: args.depth };
    let draw = match screen.output {
        Some(Output::Mermaid) => mermaid,
        Some(Output::Dot) => dot,
        Some(Output::Svg) => svg,
        _ => return shown(common, screen, async |context| audit::callgraph(context, request).await).await,
    };
    let calls = working(common, screen, async |context| audit::calls(context, request).await).await?;
    screen.print(&draw(&drawing(&calls)))
}

pub(super) async fn peek(common: &Common, args: Views, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (project_root, paths) = named(common, args.paths)?;
    let request = PathsArgs { project_root: Some(project_root), paths };
    shown(common, screen, async |context| audit::peek(context, request).await).await
}

pub(super) async fn metrics(common: &Common, args: Views, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (project_root, paths) = named(common, args.paths)?;
    let request = PathsArgs { project_root: Some(project_root), paths };
    shown(common, screen, async |context| audit::metrics(context, request).await).await
}

/// Returns the project that the paths lie in, and the paths, absolute.
fn named(common: &Common, paths: Vec<String>) -> Result<(String, Vec<String>), ToolError> {
    let here = common.caller.dir()?;
    let fixed = |path: &str| path.split(['*', '?', '[', '{']).next().unwrap_or_default().to_owned();
    let first = paths.first().map(|path| root::existing(common, &fixed(path))).transpose()?;
    let project = root::project(common, first.as_ref())?;
    let absolute = |path: &String| -> Result<String, ToolError> {
        // A glob is seen from where it stands; what exists is found as other commands find it.
        let is_glob = path.contains(['*', '?', '[', '{']);
        let base = if is_glob && !here.join(fixed(path))?.as_path().exists() { &project } else { &here };
        let path = if is_glob { base.join(path)? } else { root::existing(common, path)? };
        Ok(path.as_str().to_owned())
    };
    let paths = paths.iter().map(absolute).collect::<Result<Vec<String>, ToolError>>()?;
    Ok((project.as_str().to_owned(), paths))
}

/// Prints a view: as TOON, or as the same in JSON.
async fn shown(
    common: &Common,
    screen: &Arc<Screen>,
    view: impl AsyncFnOnce(&Context) -> Result<Value, ToolError>,
) -> Result<ExitCode, ToolError> {
    screen.wants_answer("a view is not a plan")?;
    working(common, screen, async |context| {
        let view = view(context).await?;
        match screen.output {
            // Numbers as TOON writes them: both forms say the same.
            Some(Output::Json) => screen.print_json(&read_toon(&write_toon(&view))),
            _ => screen.print_rows(&view),
        }
    })
    .await
}
