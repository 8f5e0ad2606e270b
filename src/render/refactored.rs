//! What the refactoring tools answer: heads, and tables of uniform rows.

use serde::Serialize;

use super::hunks;
use super::patch::relative;
use crate::plan::Plan;
use crate::text::AbsPath;

/// The answer of `list_refactorings`.
#[derive(Debug, Serialize)]
pub struct CatalogAnswer {
    pub refactorings: Vec<CatalogRow>,
}

#[derive(Debug, Serialize)]
pub struct CatalogRow {
    pub name: &'static str,
    pub category: &'static str,
    /// With `?` where it is optional, and its kind where it is no text.
    pub params: String,
    pub description: &'static str,
    /// By whom, or why not.
    pub available: String,
}

/// The answer of `list_refactorings` for a target.
#[derive(Debug, Serialize)]
pub struct PossibleAnswer {
    pub target: String,
    pub possible: Vec<PossibleRow>,
}

#[derive(Debug, Serialize)]
pub struct PossibleRow {
    pub name: &'static str,
    pub description: &'static str,
    /// By which it is asked for; what is to be filled in stands in capitals, or as `…`.
    pub call: String,
}

/// The answer of `preview_refactoring` that explains.
#[derive(Debug, Serialize)]
pub struct ExplainedAnswer {
    pub explained: ExplainedHead,
    pub obstacles: Vec<ObstacleRow>,
}

#[derive(Debug, Serialize)]
pub struct ExplainedHead {
    pub refactoring: &'static str,
    pub target: String,
    pub is_possible: bool,
}

#[derive(Debug, Serialize)]
pub struct ObstacleRow {
    /// A file and a line; nothing where it has no one place.
    pub place: String,
    pub reason: String,
    /// `force`, a parameter that is to be given, or `no`.
    pub overruled_by: String,
}

/// The answer of `preview_refactoring`.
#[derive(Debug, Serialize)]
pub struct PreviewAnswer {
    pub preview: PreviewHead,
    /// Warnings and new problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    pub changes: Vec<ChangeRow>,
}

#[derive(Debug, Serialize)]
pub struct PreviewHead {
    /// The outcome in one line, the check's status first.
    pub summary: String,
    pub refactoring: String,
    pub status: &'static str,
    pub files_affected: usize,
    pub plan_id: String,
    pub verification: String,
}

#[derive(Debug, Serialize)]
pub struct ChangeRow {
    pub file: String,
    pub action: &'static str,
    pub diff: String,
}

/// The answer of `apply_refactoring`.
#[derive(Debug, Serialize)]
pub struct ResultAnswer {
    pub result: ResultHead,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    pub files: Vec<FileChangedRow>,
}

#[derive(Debug, Serialize)]
pub struct ResultHead {
    /// The outcome in one line, the check's status first.
    pub summary: String,
    pub refactoring: String,
    pub status: &'static str,
    pub files_modified: usize,
    pub undo_id: String,
    pub verification: String,
}

#[derive(Debug, Serialize)]
pub struct FileChangedRow {
    pub path: String,
    pub action: &'static str,
}

/// Returns what a plan does to each file, with its diff.
pub fn changes(plan: &Plan, root: &AbsPath) -> Vec<ChangeRow> {
    let name = |path: &AbsPath| relative(path, root);
    let mut rows = Vec::new();
    for (path, edit) in plan.edits() {
        let (action, diff) = match plan.moves().get(path) {
            None => ("modified", hunks::of_edit(edit, hunks::LITTLE)),
            Some(step) => ("moved", format!("to {}\n{}", name(&step.to), hunks::of_edit(edit, hunks::LITTLE))),
        };
        rows.push(ChangeRow { file: name(path), action, diff });
    }
    for (path, step) in plan.moves().iter().filter(|(path, _)| !plan.edits().contains_key(*path)) {
        rows.push(ChangeRow { file: name(path), action: "moved", diff: format!("to {}\n", name(&step.to)) });
    }
    for (path, text) in plan.creates() {
        rows.push(ChangeRow { file: name(path), action: "created", diff: hunks::of_creation(text) });
    }
    for (path, text) in plan.deletes() {
        rows.push(ChangeRow { file: name(path), action: "deleted", diff: hunks::of_deletion(text) });
    }
    rows
}

/// Returns what a plan does to each file, by the path that it has afterwards.
pub fn files_changed(plan: &Plan, root: &AbsPath) -> Vec<FileChangedRow> {
    let row = |path: &AbsPath, action| FileChangedRow { path: relative(path, root), action };
    let edited = plan.edits().keys().filter(|path| !plan.moves().contains_key(*path)).map(|path| row(path, "modified"));
    let moved = plan.moves().values().map(|step| row(&step.to, "moved"));
    let created = plan.creates().keys().map(|path| row(path, "created"));
    let deleted = plan.deletes().keys().map(|path| row(path, "deleted"));
    edited.chain(moved).chain(created).chain(deleted).collect()
}
