//! A plan without its edits: what it is, what it changes file by file, and where the edits are to be had.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::{VerificationJson, WarningCountJson, WarningJson};
use super::refactored::{ChangeRow, changes};
use crate::plan::Plan;
use crate::text::AbsPath;

/// The answer in the place of a plan whose edits are not handed out. None of them are: a part of a plan is no plan.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "PlanSummary")]
pub struct PlanSummary {
    /// Of a rename.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_rename: Option<bool>,
    pub summary: String,
    pub plan_id: String,
    pub project_root: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<VerificationJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warning_counts: Vec<WarningCountJson>,
    pub edits_omitted: Omitted,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningJson>,
    pub changes: Vec<FileOutline>,
}

/// That the edits were left out, and where they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    pub why: String,
    pub edits: usize,
    pub files: usize,
    pub moves: usize,
    pub creates: usize,
    pub deletes: usize,
    /// A file with the whole plan, which `lspwright apply` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_path: Option<String>,
    /// The whole plan as a resource of this server.
    pub resource: String,
    /// What to do with it, the cheapest first.
    pub next: Vec<&'static str>,
}

/// What a plan does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileOutline {
    /// Relative to the project's root.
    pub file: String,
    pub action: &'static str,
    pub edits: usize,
    /// Where it goes.
    pub to: Option<String>,
    /// A piece of the diff, for reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// Returns what a plan does to each file, one row for each.
pub fn outline(plan: &Plan, root: &AbsPath) -> Vec<FileOutline> {
    let relative = |path: &AbsPath| super::patch::relative(path, root);
    let row = |path: &AbsPath, action, edits| FileOutline {
        file: relative(path),
        action,
        edits,
        to: plan.moves().get(path).map(|step| relative(&step.to)),
        diff: None,
    };
    let action = |path: &AbsPath| if plan.moves().contains_key(path) { "moved" } else { "modified" };
    let edited = plan.edits().iter().map(|(path, edit)| row(path, action(path), edit.edits.iter().count()));
    let moved = plan.moves().keys().filter(|path| !plan.edits().contains_key(*path)).map(|path| row(path, "moved", 0));
    let created = plan.creates().keys().map(|path| row(path, "created", 1));
    let deleted = plan.deletes().keys().map(|path| row(path, "deleted", 0));
    edited.chain(moved).chain(created).chain(deleted).collect()
}

/// A piece of a diff is about so long, in bytes; it ends before a hunk, or where that is far too long, at a line.
const PIECE: usize = 2_500;
const LONGEST_PIECE: usize = 4_000;

/// Returns what a plan does to each file, its diffs in pieces of which several fit into an answer.
pub fn pieces(plan: &Plan, root: &AbsPath) -> Vec<ChangeRow> {
    changes(plan, root).into_iter().flat_map(in_pieces).collect()
}

fn in_pieces(row: ChangeRow) -> Vec<ChangeRow> {
    let mut pieces: Vec<String> = vec![String::new()];
    for line in row.diff.split_inclusive('\n') {
        let length = pieces.last().map_or(0, String::len);
        let ends = length > PIECE && line.starts_with("@@") || length > 0 && length + line.len() > LONGEST_PIECE;
        if ends {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(line);
        }
    }
    let piece = |diff| ChangeRow { file: row.file.clone(), action: row.action, diff };
    pieces.into_iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::{ChangeRow, LONGEST_PIECE, in_pieces};

    #[test]
    fn the_pieces_of_a_diff_are_the_diff() {
        let hunk = |number: usize| format!("@@ -{number} +{number} @@\n{}", "-old line\n+new line\n".repeat(40));
        let diff: String = (0..20).map(hunk).collect::<String>() + &format!("+{}\n", "x".repeat(9_000));
        let row = ChangeRow { file: "a.py".to_owned(), action: "modified", diff: diff.clone() };
        let pieces = in_pieces(row);
        assert_eq!(pieces.iter().map(|piece| piece.diff.as_str()).collect::<String>(), diff);
        let (last, others) = pieces.split_last().unwrap();
        assert!(others.iter().all(|piece| piece.diff.starts_with("@@") && piece.diff.len() <= LONGEST_PIECE));
        assert!(last.diff.starts_with("+x"), "a line is never cut here");
    }
}
