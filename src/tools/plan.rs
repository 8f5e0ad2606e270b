//! The plan tools: a rename or a move in, a plan out. Nothing is written.

mod args;

use std::sync::Arc;

use super::answer::{Answer, Form};
use super::call::parse;
use super::detail::{self, Asked};
use super::schema::tidy;
use super::tool::{Effect, Tool, Toolset};
use super::{Context, ErrorKind, Planned, Project, Reader, ToolError, target};
pub use crate::refactor::moves::Documents;
use crate::refactor::moves::plan_move;
use crate::refactor::rename::{Conflicts, Prose, RenameRequest};
use crate::refactor::renamed;
use crate::render::json::{self, PlanJson, RenameJson};
use crate::syntax::target::Target;
use crate::text::AbsPath;

pub use args::{Aliases, DirectoryMoveArgs, FileMoveArgs, Level, RenameArgs};

pub(super) const RENAME_SYMBOL: Tool = Tool {
    name: "planRenameSymbol",
    title: "Plan the rename of a symbol",
    description: "Plans the rename of a symbol with every use; writes nothing and checks nothing unless \
        verify says so. Read the warnings (possible-use: may have to change; untyped renames them), then applyPlan with the \
        planId, which checks and writes all. canRename: false gives the reason; do not edit by hand instead.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<RenameArgs>()),
    form: Form::Json(detail::output::<RenameJson>),
    run: |context, args| Box::pin(async move { rename_symbol(context, parse(args)?).await }),
};

pub(super) const FILE_MOVE: Tool = Tool {
    name: "planFileMove",
    title: "Plan the move of a file",
    description: "Plans the move or rename of a file with every import; writes nothing.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<FileMoveArgs>()),
    form: Form::Json(detail::output::<PlanJson>),
    run: |context, args| Box::pin(async move { file_move(context, parse(args)?).await }),
};

pub(super) const DIRECTORY_MOVE: Tool = Tool {
    name: "planDirectoryMove",
    title: "Plan the move of a directory",
    description: "Plans the move or rename of a directory with every import; writes nothing.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(json::schema_of_input::<DirectoryMoveArgs>()),
    form: Form::Json(detail::output::<PlanJson>),
    run: |context, args| Box::pin(async move { directory_move(context, parse(args)?).await }),
};

/// Plans a rename. A refusal is an answer, not an error: `canRename` is false.
pub async fn rename_symbol(context: &Context, args: RenameArgs) -> Result<Answer, ToolError> {
    let (level, detail) = (args.verify, args.detail);
    let planned = async { planned_rename(context, args).await?.checked(context, &level.into()).await };
    match planned.await {
        Ok(planned) => {
            planned.remember();
            planned.handed_out(Asked::Rename, detail)
        }
        Err(error) if error.kind == ErrorKind::Refused => Answer::of(&refused(&error.for_reader(Reader::Agent))),
        Err(error) => Err(error),
    }
}

/// Says why there is no rename, with what to do next.
pub fn refused(error: &ToolError) -> RenameJson {
    let said: Vec<&str> = std::iter::once(&error.message).chain(&error.hints).map(String::as_str).collect();
    RenameJson::refused(said.join("; "))
}

/// Plans a rename. Where nothing proves that the plan is whole it is checked here, and refused if it makes
/// anything worse; otherwise it is not checked yet.
pub async fn planned_rename(context: &Context, args: RenameArgs) -> Result<Planned, ToolError> {
    let place = args.target.as_deref().and_then(|target| Target::parse(target).ok());
    let place = place.as_ref().map(Target::path).or(args.file_path.as_deref()).unwrap_or(".");
    let project = context.project_of(args.project_root.as_deref(), place).await?;
    let (insists, new_name) = (args.force, args.new_name.clone());
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let request = RenameRequest {
            place: target::place(project.session(), &args)?,
            new_name: args.new_name,
            expect: args.expect,
            aliases: args.aliases.into(),
            prose: Prose {
                strings: args.find_in_strings,
                comments: args.find_in_comments,
                docs: args.find_in_docs,
                untyped: args.untyped,
            },
            conflicts: if args.force { Conflicts::Force } else { Conflicts::Refuse },
        };
        let name = project.session().parsed(&request.place.path)?.and_then(|it| {
            let span = it.tree.identifier_at(it.text.as_str(), request.place.offset)?;
            Some(span.of(it.text.as_str())?.to_owned())
        });
        Ok((renamed(project.session(), &request).await?, name.unwrap_or_default()))
    };
    let (plan, name) = context.unless_cancelled(work).await?;
    let planned = Planned::made(project, plan)?;
    if insists { Ok(planned) } else { planned.proven_rename(context, [&name, &new_name]).await.map_err(or_insist) }
}

fn or_insist(error: ToolError) -> ToolError {
    match error.kind {
        ErrorKind::Refused => error.hint("`force` (`--force`) gives the plan all the same"),
        _ => error,
    }
}

/// Plans the move of a file.
pub async fn file_move(context: &Context, args: FileMoveArgs) -> Result<Answer, ToolError> {
    let project = context.project_of(args.project_root.as_deref(), &args.old_path).await?;
    let (from, to) = (inside(&project, &args.old_path)?, inside(&project, &args.new_path)?);
    if from.as_path().is_dir() {
        return Err(ToolError::invalid(format!("`{from}` is a directory")).hint("call planDirectoryMove"));
    }
    let documents = Documents::edited_if(args.find_in_docs);
    let planned = planned_move(context, project, (from, to), documents).await?;
    let planned = planned.checked(context, &args.verify.into()).await?;
    planned.remember();
    planned.handed_out(Asked::Move, args.detail)
}

/// Plans the move of a directory.
pub async fn directory_move(context: &Context, args: DirectoryMoveArgs) -> Result<Answer, ToolError> {
    let project = context.project_of(args.project_root.as_deref(), &args.old_dir).await?;
    let (from, to) = (inside(&project, &args.old_dir)?, inside(&project, &args.new_dir)?);
    if from.as_path().is_file() {
        return Err(ToolError::invalid(format!("`{from}` is a file")).hint("call planFileMove"));
    }
    let documents = Documents::edited_if(args.find_in_docs);
    let planned = planned_move(context, project, (from, to), documents).await?;
    let planned = planned.checked(context, &args.verify.into()).await?;
    planned.remember();
    planned.handed_out(Asked::Move, args.detail)
}

/// Returns the path that is meant. Of what lies outside the project nothing else is told, not even whether it is there.
fn inside(project: &Project, path: &str) -> Result<AbsPath, ToolError> {
    let path = project.root().join(path)?;
    project.session().disk().contain_entry(&path)?;
    Ok(path)
}

/// Plans the move of a file or a directory, without a check.
pub async fn planned_move(
    context: &Context,
    project: Arc<Project>,
    (from, to): (AbsPath, AbsPath),
    documents: Documents,
) -> Result<Planned, ToolError> {
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        project.session().disk().contain_entry(&from)?;
        // A link that leads nowhere is there, too.
        if from.as_path().symlink_metadata().is_err() {
            let missing = ToolError::invalid(format!("`{from}` does not exist"));
            return Err(missing.hint("paths are absolute, or relative to the project root"));
        }
        Ok(plan_move(project.session(), (&from, &to), documents).await?)
    };
    let plan = context.unless_cancelled(work).await?;
    Planned::made(project, plan)
}
