//! `rename` and `move`: a plan, printed or applied.

use std::process::ExitCode;

use tokio_util::sync::CancellationToken;

use super::args::{Common, Level, Move, Output, Rename, Writing};
use super::root;
use super::screen::Screen;
use super::serve::stopped;
use crate::render;
use crate::tools::plan::{self, Planned};
use crate::tools::{Context, ErrorKind, Projects, Setup, ToolError, Trust};

/// How projects are opened, as the command line says.
pub(super) fn setup(common: &Common) -> Setup {
    Setup { trust: if common.trust_project { Trust::Project } else { Trust::Nothing } }
}

pub(super) async fn rename(common: &Common, args: Rename, screen: &Screen) -> Result<ExitCode, ToolError> {
    let request = plan::RenameArgs {
        project_root: root::project(common, None)?.as_str().to_owned(),
        file_path: None,
        line: None,
        character: None,
        target: Some(args.target),
        new_name: args.new_name,
        find_in_strings: args.in_strings,
        find_in_comments: args.in_comments,
        expect: args.expect,
        aliases: args.aliases.into(),
        verify: level(&args.writing),
        force: args.writing.force,
    };
    working(common, screen, async |context| {
        let planned = plan::planned_rename(context, request).await;
        match planned {
            Err(error) if error.kind == ErrorKind::Refused && screen.output == Some(Output::Json) => {
                screen.failed_rename(&error)
            }
            planned => show(&planned?, screen),
        }
    })
    .await
}

pub(super) async fn relocate(common: &Common, args: Move, screen: &Screen) -> Result<ExitCode, ToolError> {
    let old = root::existing(common, &args.old)?;
    let _ = (old, args.new, screen);
    Err(ToolError::new(ErrorKind::Internal, "the engine is not connected"))
}

/// How far a plan is checked: as asked, or before writing to the level that writing needs.
fn level(writing: &Writing) -> plan::Level {
    let usual = if writing.apply { Level::Diagnostics } else { Level::None };
    writing.verify.unwrap_or(usual).into()
}

/// Runs `work` with open projects, and closes them whatever happens; a signal cancels it.
async fn working<T>(
    common: &Common,
    screen: &Screen,
    work: impl AsyncFnOnce(&Context<'_>) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    let projects = Projects::new(setup(common));
    let context = Context { projects: &projects, sink: screen, cancelled: CancellationToken::new() };
    let outcome = tokio::select! {
        outcome = work(&context) => outcome,
        () = stopped() => Err(ToolError::cancelled()),
    };
    projects.close().await;
    outcome
}

fn show(planned: &Planned, screen: &Screen) -> Result<ExitCode, ToolError> {
    let root = planned.project.disk.root();
    let verification = planned.verification.as_ref();
    match screen.output.unwrap_or(Output::Diff) {
        Output::Json => {
            let json = serde_json::to_string_pretty(&planned.to_json());
            screen.print(&(json.expect("strings and numbers have a JSON form") + "\n"))
        }
        Output::Toon => screen.print(&render::toon(&planned.plan, verification, root)),
        Output::Diff => screen.print_diff(&render::diff(&planned.plan, root)),
        Output::Patch => screen.print(&render::patch(&planned.plan, root)),
    }
}
