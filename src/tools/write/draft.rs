//! A change on its way into the drafts: a plan like any other, checked, and put before the disk's texts.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::imports::{Supplied, supplied};
use crate::declarations::{Changed, FoundDeclaration, Id, Misfit};
use crate::plan::{Level, Plan};
use crate::render;
use crate::session::Parsed;
use crate::text::{AbsPath, Text};
use crate::tools::diagnostic::DiagnosticJson;
use crate::tools::excerpt;
use crate::tools::explore::{View, target_of};
use crate::tools::{Context, ErrorKind, Planned, Project, ToolError, one_file};
use crate::verify::Check;
use crate::workspace::Redrafted;

/// What a write tool answers.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "Drafted")]
pub(super) struct DraftedJson {
    /// Of the declaration that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) old_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) new_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) references_updated: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deleted: Option<String>,
    /// Uses that are left without what they mean: path:line, as the draft has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dangling_references: Option<Vec<String>>,
    /// clean, possible, regressed or unverified, with the reason.
    pub(super) verification: String,
    /// What the servers find with the draft, and did not find before.
    pub(super) diagnostics: Vec<DiagnosticJson>,
    /// Imports that were added, or could not be, and warnings of the plan that was drafted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<String>,
    /// Every file that is not as it is on the disk.
    pub(super) dirty: Vec<String>,
    /// Of this change; nothing is written before `save`.
    pub(super) diff: String,
}

/// So much of a change is shown, in bytes.
const MOST_SHOWN: usize = 6_000;

/// What is written, and which declaration it is.
pub(super) struct Written {
    pub(super) plan: Plan,
    pub(super) place: Option<Place>,
    /// The file whose text was given, and may lack imports.
    pub(super) given: Option<AbsPath>,
}

/// A declaration's module, where its name begins then, and the id that it keeps.
pub(super) type Place = (String, usize, Option<Id>);

/// Reads the file of a declaration as its module has it.
pub(super) fn parsed(view: &View, found: &FoundDeclaration) -> Result<Arc<Parsed>, ToolError> {
    let path = view.project.root().join(&found.module.path)?;
    let parsed = view.project.session().parsed(&path)?;
    parsed.filter(|parsed| *parsed.text.hash() == found.module.hash).ok_or_else(|| {
        ToolError::new(ErrorKind::Stale, format!("`{}` changed meanwhile", found.module.path)).hint("ask again")
    })
}

/// Makes the plan that gives one file another text; what was written in it keeps an id, or is new.
pub(super) fn written(
    view: &View,
    found: &FoundDeclaration,
    (changed, id): (Changed, Option<Id>),
) -> Result<Written, ToolError> {
    let parsed = parsed(view, found)?;
    let path = view.project.root().join(&found.module.path)?;
    let plan = one_file::changed(&path, Arc::clone(&parsed.text), &changed.text)?;
    let place = changed.name_start.map(|start| (found.module.path.clone(), start, id));
    Ok(Written { plan, place, given: Some(path) })
}

/// Checks a change and drafts it, whatever the check says: what is being built is not whole at every step.
pub(super) async fn drafted(context: &Context, view: &View, written: Written) -> Result<DraftedJson, ToolError> {
    let Written { plan, place, given } = written;
    if plan.is_empty() {
        return Err(ToolError::invalid("nothing would change: the source is what stands there already"));
    }
    if !plan.moves().is_empty() {
        return Err(ToolError::new(ErrorKind::Refused, "files would move, and drafts do not move files").hint(
            "`save` first; then planRenameSymbol or preview_refactoring gives the plan, and applyPlan writes it",
        ));
    }
    let project = &view.project;
    let check = Check { level: Level::Diagnostics, ..Check::default() };
    let planned = Planned::made(Arc::clone(project), plan)?.checked(context, &check).await?;
    let (planned, place, told) = match given {
        Some(path) => {
            let Supplied { planned, edits, told } = supplied(context, planned, (&path, &check)).await?;
            let own = view.name_of(&path);
            let moved = |(name, start, id): Place| {
                let start = if name == own { edits.map_offset(start) } else { start };
                (name, start, id)
            };
            (planned, place.map(moved), told)
        }
        None => (planned, place, Vec::new()),
    };
    let mut trail = project.declarations().trail(&planned.plan, project.root());
    if let Some((path, start, Some(id))) = &place {
        trail = trail.with(*id, path, *start);
    }
    project.session().redraft(redrafted(project, &planned.plan)).await?;
    project.declarations().follow(trail);
    project.drafting().keep(project.session())?;
    let index = project.index();
    let row = place.and_then(|(path, start, _)| {
        let module = index.module(&path)?;
        let (_, row) = module.at(start)?;
        Some((row.id.to_string(), target_of(module, row)))
    });
    let (id, target) = row.unzip();
    let found = planned.verification.as_ref();
    let problems = found.map(|found| found.new_problems.as_slice()).unwrap_or_default();
    let remarks = planned.remarks().into_iter().filter(|remark| !remark.starts_with("new "));
    Ok(DraftedJson {
        id,
        target,
        verification: planned.verdict(),
        diagnostics: problems.iter().map(|problem| DiagnosticJson::of(problem, project.root())).collect(),
        remarks: told.into_iter().chain(remarks).collect(),
        dirty: project.dirty(),
        diff: shown(&render::short_diff(&planned.plan, project.root())),
        ..DraftedJson::default()
    })
}

/// Returns what a plan makes of the files, with what stands on the disk.
fn redrafted(project: &Project, plan: &Plan) -> Vec<Redrafted> {
    let disk = project.session().disk();
    let base = |path: &AbsPath| match disk.draft(path) {
        Some(draft) => draft.base,
        None => disk.read_saved(path).ok(),
    };
    let text = |text: Text| Some(Arc::new(text));
    let edited = plan.edits().iter().map(|(path, edit)| (path.clone(), base(path), text(edit.after())));
    let created = plan.creates().iter().map(|(path, new)| (path.clone(), base(path), text(new.clone())));
    let deleted = plan.deletes().keys().map(|path| (path.clone(), base(path), None));
    edited.chain(created).chain(deleted).collect()
}

pub(super) fn shown(diff: &str) -> String {
    excerpt::lines(diff, MOST_SHOWN, |left| format!("{left} more lines"))
}

impl From<Misfit> for ToolError {
    fn from(error: Misfit) -> Self {
        let refused = Self::new(ErrorKind::Refused, error.to_string());
        match error {
            Misfit::Syntax { .. } | Misfit::Around => {
                refused.hint("nothing was changed; fix the source and send all of it again")
            }
            Misfit::Nothing => refused.hint("give the whole declaration, head and body"),
            Misfit::Several(_) => refused.hint("give one declaration; add_declaration adds others, one by one"),
            Misfit::OtherKind { .. } => refused.hint("delete_declaration and add_declaration make another kind of it"),
            Misfit::Shared(_) | Misfit::SharesLine(_) => {
                refused.hint("edit_source changes a part of what stands around it")
            }
            Misfit::NoBody(_) => refused.hint("name a class, struct, interface, object type or contract"),
            Misfit::NoConstructor(_) => refused.hint("leave `injected` out, and change what makes it by edit_source"),
            Misfit::NoFields(_) => refused.hint("edit_source changes a part of a declaration"),
            Misfit::NoDefault(_) => refused.hint("leave `default` out, and set it where objects are made"),
            Misfit::Slots(_) => refused.hint("add the slot by edit_source, where those are listed"),
            Misfit::InheritedConstructor(_) => {
                refused.hint("add one that calls the inherited one by add_method; then this adds the field to it")
            }
        }
    }
}
