//! `rename` and `move`: a plan, printed or applied.

use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Common, Move, Output, Rename};
use super::job::{Job, Shape};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::tools::{Detail, ErrorKind, ToolError, plan, target};

pub(super) async fn rename(common: &Common, args: Rename, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    // Named as seen from the current directory; otherwise the tool looks for it from the project's root.
    let (file, target) = target::seen_from(&args.target, &common.caller.dir()?).unzip();
    let request = plan::RenameArgs {
        project_root: Some(root::project(common, file.as_ref())?.as_str().to_owned()),
        file_path: None,
        line: None,
        character: None,
        target: Some(target.unwrap_or(args.target)),
        new_name: args.new_name,
        find_in_strings: args.in_strings,
        find_in_comments: args.in_comments,
        find_in_docs: args.in_docs,
        untyped: args.untyped,
        expect: args.expect,
        aliases: args.aliases.into(),
        verify: plan::Level::None,
        detail: Detail::Edits,
        force: args.writing.force,
    };
    working(common, screen, async |context| match plan::planned_rename(context, request).await {
        Err(error) if error.kind == ErrorKind::Refused && screen.output == Some(Output::Json) => {
            screen.failed_rename(error)
        }
        planned => Job { context, writing: &args.writing, shape: Shape::Rename, screen }.go_on(planned?).await,
    })
    .await
}

pub(super) async fn relocate(common: &Common, args: Move, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let old = root::existing(common, &args.old)?;
    let new = root::destination(common, &args)?;
    let root = root::project(common, Some(&old))?;
    working(common, screen, async |context| {
        let project = context.project(root.as_str()).await?;
        let planned =
            plan::planned_move(context, project, (old, new), plan::Documents::edited_if(args.in_docs)).await?;
        Job { context, writing: &args.writing, shape: Shape::Plan, screen }.go_on(planned).await
    })
    .await
}
