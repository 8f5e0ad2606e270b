//! `save` and `discard`: what becomes of the drafts.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{DiscardArgs, SaveArgs};
use super::draft::shown;
use crate::render;
use crate::render::json::{schema_of_input, schema_of_output};
use crate::text::AbsPath;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::explore::View;
use crate::tools::schema::tidy;
use crate::tools::tool::Tool;
use crate::tools::write::add::ADD_DECLARATION;
use crate::tools::{Answer, Context, ErrorKind, ObjectionPolicy, Objections, Planned, ToolError, one_file};
use crate::workspace::{Draft, plan_of_drafts};

pub(in crate::tools) const SAVE: Tool = Tool {
    name: "save",
    title: "Save drafts",
    description: "Checks the drafts and writes them, all or nothing; undoPlan takes it back.",
    input: || tidy(schema_of_input::<SaveArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<SavedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&save(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

pub(in crate::tools) const DISCARD: Tool = Tool {
    name: "discard",
    title: "Discard drafts",
    description: "Drops drafts: the files stand as on the disk.",
    input: || tidy(schema_of_input::<DiscardArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<DiscardedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&discard(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Saved")]
struct SavedJson {
    /// Every file that was written.
    saved: Vec<String>,
    /// For undoPlan.
    plan_id: String,
    /// The outcome in one line, the check's status first.
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// Drafts that are left.
    dirty: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Discarded")]
struct DiscardedJson {
    discarded: Vec<String>,
    /// Drafts that are left.
    dirty: Vec<String>,
}

async fn save(context: &Context, args: SaveArgs) -> Result<SavedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), ".").await?;
    let project = &view.project;
    let _turn = project.drafting().turn().await;
    let wanted = wanted(&view, args.path.as_deref())?;
    refuse_conflicts(&view, &wanted)?;
    let drafts = wanted.iter().map(|(path, draft)| (path.clone(), draft.base.clone(), draft.text.clone()));
    let plan = plan_of_drafts(drafts).map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
    let planned = Planned::made(Arc::clone(project), plan)?;
    let planned = planned.checked(context, &args.verify.into()).await?;
    planned.heed(Objections::of(ObjectionPolicy { strict: false, force: args.force }))?;
    let applied = project.write(&planned.plan)?;
    let saved: Vec<AbsPath> = wanted.iter().map(|(path, _)| path.clone()).collect();
    let done = wanted.into_iter().map(|(path, draft)| (path, draft.text.clone(), draft.text)).collect();
    project.session().redraft(done).await?;
    project.drafting().keep(project.session())?;
    project.session().refresh().await;
    Ok(SavedJson {
        saved: saved.iter().map(|path| view.name_of(path)).collect(),
        plan_id: applied.plan.as_str().to_owned(),
        summary: planned.summary(),
        notes: applied
            .recovered
            .iter()
            .map(ToString::to_string)
            .chain(applied.notes.iter().map(ToString::to_string))
            .collect(),
        dirty: project.dirty(),
    })
}

async fn discard(context: &Context, args: DiscardArgs) -> Result<DiscardedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), ".").await?;
    let project = &view.project;
    let _turn = project.drafting().turn().await;
    let wanted = wanted(&view, args.path.as_deref())?;
    let discarded = wanted.iter().map(|(path, _)| view.name_of(path)).collect();
    let disk = project.session().disk();
    let undone = |(path, _): &(AbsPath, Draft)| {
        let saved = disk.read_saved(path).ok();
        (path.clone(), saved.clone(), saved)
    };
    let done = wanted.iter().map(undone).collect();
    project.session().redraft(done).await?;
    project.drafting().keep(project.session())?;
    Ok(DiscardedJson { discarded, dirty: project.dirty() })
}

/// Returns the drafts that are meant, which have to be there.
fn wanted(view: &View, path: Option<&str>) -> Result<Vec<(AbsPath, Draft)>, ToolError> {
    let disk = view.project.session().disk();
    let below = path.map(|path| view.project.root().join(path).map(|path| disk.as_real(&path))).transpose()?;
    let all = disk.drafts().into_iter();
    let wanted: Vec<_> = all.filter(|(path, _)| below.as_ref().is_none_or(|below| path.is_below(below))).collect();
    if wanted.is_empty() {
        let dirty = view.project.dirty();
        let error = ToolError::invalid("there is no draft here");
        return Err(if dirty.is_empty() {
            error.hint("add_declaration, replace_declaration, edit_source and the others draft changes")
        } else {
            error.hint(format!("these files have drafts: {}", dirty.join(", ")))
        });
    }
    Ok(wanted)
}

/// Refuses where somebody changed the same lines on the disk; both versions are shown.
fn refuse_conflicts(view: &View, wanted: &[(AbsPath, Draft)]) -> Result<(), ToolError> {
    let session = view.project.session();
    let conflicts = view.project.drafting().conflicts(session);
    let Some((path, draft)) = conflicts.iter().find(|(path, _)| wanted.iter().any(|(other, _)| other == path)) else {
        return Ok(());
    };
    let name = view.name_of(path);
    let diff = |to: Option<&crate::text::Text>| -> String {
        let (Some(base), Some(to)) = (&draft.base, to) else {
            return if to.is_none() { "it is gone\n".to_owned() } else { "it is there\n".to_owned() };
        };
        let plan = one_file::changed(path, Arc::clone(base), to.as_str());
        plan.map(|plan| shown(&render::short_diff(&plan, view.project.root()))).unwrap_or_default()
    };
    let saved = session.disk().read_saved(path).ok();
    let error =
        ToolError::new(ErrorKind::Stale, format!("`{name}` changed on the disk where its draft changes it, too"));
    Err(error
        .hint(format!("on the disk: {}", diff(saved.as_deref())))
        .hint(format!("in the draft: {}", diff(draft.text.as_deref())))
        .hint(format!("`discard` with path `{name}` lets the draft go; nothing was written")))
}
