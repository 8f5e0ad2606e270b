//! `apply`, `undo` and `verify`: what happens to a plan that exists already.

use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Apply, Checking, Common, Level, Output, Undo, Verify};
use super::job::{asked, page, remarks, report, write};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::plan::{Interface, Status, WarningKind};
use crate::render;
use crate::text::{AbsPath, Range};
use crate::tools::{Context, Planned, ToolError};
use crate::verify::{Check, PlanOrigin};

pub(super) async fn apply(common: &Common, args: Apply, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let json = common.caller.read(&args.plan)?;
    let root = root::project(common, None)?;
    working(common, screen, async |context| {
        let planned = opened(context, root.as_str(), &json).await?;
        let check = elsewhere(&args.checking, args.verify)?;
        let planned = planned.checked(context, &check).await?;
        remarks(&planned, screen);
        screen.remark(&planned.summary());
        write(&planned, args.objections(), screen)
    })
    .await
}

pub(super) async fn undo(common: &Common, args: Undo, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let root = root::project(common, None)?;
    working(common, screen, async |context| {
        let project = context.project(root.as_str()).await?;
        screen.writing();
        let undone = args.plan_id.as_ref().map_or_else(|| project.undo(), |id| project.undo_plan(id))?;
        report(&undone, "undone", screen)
    })
    .await
}

/// Checks a plan and prints the page of it.
pub(super) async fn review(common: &Common, args: Verify, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let json = common.caller.read(&args.plan)?;
    let root = root::project(common, None)?;
    working(common, screen, async |context| {
        let planned = opened(context, root.as_str(), &json).await?;
        let planned = planned.checked(context, &elsewhere(&args.checking, args.level)?).await?;
        screen.print(&page(&planned, &format!("lspwright apply {}", args.plan)))
    })
    .await
}

pub(super) async fn verify(common: &Common, args: Verify, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let json = common.caller.read(&args.plan)?;
    let root = root::project(common, None)?;
    working(common, screen, async |context| {
        let planned = opened(context, root.as_str(), &json).await?;
        let planned = planned.checked(context, &elsewhere(&args.checking, args.level)?).await?;
        match screen.output {
            Some(Output::Json) => screen.print_json(&planned.to_json())?,
            Some(Output::Toon) => {
                let toon = render::toon(&planned.plan, planned.verification.as_ref(), planned.project.root());
                screen.print(&toon)?
            }
            _ => screen.print(&findings(&planned))?,
        };
        let status = planned.verification.map(|found| found.status);
        Ok(ExitCode::from(match status {
            Some(Status::Clean) | None => 0,
            Some(Status::Possible) => u8::from(args.strict),
            Some(Status::Regressed) => 1,
            Some(Status::Unverified) => 3,
        }))
    })
    .await
}

/// The check of a plan that comes from a file: whether it is whole is asked too.
fn elsewhere(checking: &Checking, level: Option<Level>) -> Result<Check, ToolError> {
    Ok(Check { origin: PlanOrigin::Elsewhere, ..asked(checking, level, Level::Diagnostics)? })
}

async fn opened(context: &Context, root: &str, json: &str) -> Result<Planned, ToolError> {
    Planned::read(context.project(root).await?, json)
}

fn findings(planned: &Planned) -> String {
    let Some(found) = &planned.verification else { return "not checked\n".to_owned() };
    let root = planned.project.root();
    let problems = found.new_problems.iter().map(|problem| {
        let code = problem.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
        let place = place(&problem.path, problem.range, root);
        format!("{place}{}: {}{code}\n", problem.severity.as_str(), problem.quoted())
    });
    let changes = found.interface.iter().flat_map(|interface| interface.changes.iter());
    let changes = changes.map(|change| {
        let place = place(&change.path, None, root);
        format!("{}: {place}{}\n", WarningKind::InterfaceChanged.as_str(), change.message)
    });
    let bytecode = found.interface.as_ref().and_then(Interface::bytecode);
    let bytecode = bytecode.map(|bytecode| format!("bytecode: {bytecode}\n"));
    let reason = found.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let status = format!("{} at level {}{reason}\n", found.status.as_str(), found.level.as_str());
    problems.chain(changes).chain(bytecode).chain([status]).collect()
}

/// Writes a place as compilers do, 1-based.
fn place(path: &AbsPath, range: Option<Range>, root: &AbsPath) -> String {
    let path = path.shown_from(root);
    match range {
        Some(range) => format!("{path}:{}:{}: ", range.start.line + 1, range.start.character + 1),
        None => format!("{path}: "),
    }
}
