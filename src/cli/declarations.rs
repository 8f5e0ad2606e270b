//! `outline`, `find`, `show`, `uses`, `callers` and `errors`: a project as declarations.

use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;

use super::args::{Common, Declared, Find, Outline};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::tools::explore::{self, FindArgs, ListArgs, OneArgs, Visibility};
use crate::tools::target::seen_from;
use crate::tools::{Context, ToolError};

pub(super) async fn outline(common: &Common, args: Outline, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let path = root::existing(common, &args.path)?;
    let project_root = Some(root::project(common, Some(&path))?.as_str().to_owned());
    let visibility = if args.public { Visibility::Public } else { Visibility::All };
    let args = ListArgs { project_root, path: path.as_str().to_owned(), kind: args.kind, visibility };
    shown(common, screen, async |context| explore::list_declarations(context, args).await).await
}

pub(super) async fn find(common: &Common, args: Find, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let project_root = Some(root::project(common, None)?.as_str().to_owned());
    let args = FindArgs { project_root, name: args.name, kind: args.kind, matching: args.matching.into() };
    shown(common, screen, async |context| explore::find_declaration(context, args).await).await
}

pub(super) async fn show(common: &Common, args: Declared, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let args = declared(common, args)?;
    shown(common, screen, async |context| explore::get_declaration(context, args).await).await
}

pub(super) async fn uses(common: &Common, args: Declared, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let args = declared(common, args)?;
    shown(common, screen, async |context| explore::usages_of(context, args).await).await
}

pub(super) async fn callers(common: &Common, args: Declared, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let args = declared(common, args)?;
    shown(common, screen, async |context| explore::callers_of(context, args).await).await
}

pub(super) async fn errors(common: &Common, args: Declared, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let args = declared(common, args)?;
    shown(common, screen, async |context| explore::error_set(context, args).await).await
}

/// Returns the project and the declaration that are meant; a path is seen from the current directory first.
fn declared(common: &Common, args: Declared) -> Result<OneArgs, ToolError> {
    let seen = seen_from(&args.target, &common.caller.dir()?);
    let path = seen.as_ref().map(|(path, _)| path);
    let project_root = Some(root::project(common, path)?.as_str().to_owned());
    Ok(OneArgs { project_root, id: seen.map_or(args.target, |(_, target)| target) })
}

/// Prints an answer: as TOON, or as JSON.
async fn shown<T: Serialize>(
    common: &Common,
    screen: &Arc<Screen>,
    ask: impl AsyncFnOnce(&Context) -> Result<T, ToolError>,
) -> Result<ExitCode, ToolError> {
    const REASON: &str = "nothing is changed here: there is no diff and no patch";
    screen.wants_answer(REASON)?;
    working(common, screen, async |context| screen.print_answer(&ask(context).await?, REASON)).await
}
