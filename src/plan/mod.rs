//! Floor 1: what to change. Pure.
//!
//! The invariant of everything here: every path on a plan's left is a path before the plan, and every
//! offset is an offset in the text before the plan.

mod difference;
mod digest;
mod id;
mod invert;
mod joined;
mod verification;
mod warning;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::text::{AbsPath, ContentHash, Overlap, Text, TextEdit, TextEdits};

pub use difference::difference;
pub use digest::Digest;
pub use id::PlanId;
pub use joined::joined;
pub use verification::{Interface, InterfaceChange, Level, Problem, Severity, Status, Verification};
pub use warning::{Count, Warning, WarningKind};

/// Edits of texts and moves of files that belong together: all of them or none.
// Invariant: an edited file's edits fit its text; no path has two of created, deleted, and edited or moved;
// two files never come to lie at one path, and none above another; a target is an old path of the plan
// only where the file there moves away. So every plan can be inverted, and whoever carries out edits,
// creations, moves and deletions in this order, the moves as one, comes to the same end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    edits: BTreeMap<AbsPath, FileEdit>,
    moves: BTreeMap<AbsPath, Move>,
    creates: BTreeMap<AbsPath, Text>,
    deletes: BTreeMap<AbsPath, Arc<Text>>,
    warnings: Vec<Warning>,
}

/// The edits of one file, with the text that they are addressed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    pub before: Arc<Text>,
    pub edits: TextEdits,
}

/// Where a file goes, with the hash of its bytes (for a link: of its target's path) before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    pub to: AbsPath,
    pub before: ContentHash,
}

/// What a plan is made of, before it is known to hold together.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Per file the text before and the wished edits, in any order; duplicates are folded.
    pub edits: BTreeMap<AbsPath, (Arc<Text>, Vec<TextEdit>)>,
    pub moves: BTreeMap<AbsPath, Move>,
    /// New files with their whole content.
    pub creates: BTreeMap<AbsPath, Text>,
    /// Files to delete, with the text that they hold.
    pub deletes: BTreeMap<AbsPath, Arc<Text>>,
    pub warnings: Vec<Warning>,
}

/// Why parts make no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("in `{path}`: {overlap}")]
    Overlap { path: AbsPath, overlap: Box<Overlap> },
    #[error("in `{path}`: an edit lies outside the text or cuts a character")]
    OutsideText { path: AbsPath },
    #[error("`{path}` would be the target of two moves or creations")]
    TargetTwice { path: AbsPath },
    #[error("`{path}` is both {first} and {second}")]
    Contradiction { path: AbsPath, first: &'static str, second: &'static str },
    #[error("`{outer}` would be both a file and the directory of `{inner}`")]
    FileAndDirectory { outer: AbsPath, inner: AbsPath },
}

impl Plan {
    /// Checks that the parts hold together. Files whose edits change nothing are left out.
    pub fn new(parts: Parts) -> Result<Self, PlanError> {
        let mut edits = BTreeMap::new();
        for (path, (before, wished)) in parts.edits {
            if let Some(edit) = FileEdit::new(&path, before, wished)? {
                edits.insert(path, edit);
            }
        }
        let moves = parts.moves.into_iter().filter(|(from, to)| *from != to.to).collect();
        let plan = Self { edits, moves, creates: parts.creates, deletes: parts.deletes, warnings: parts.warnings };
        plan.check_paths()?;
        Ok(plan)
    }

    fn check_paths(&self) -> Result<(), PlanError> {
        let clash = |path: &AbsPath, first, second| Err(PlanError::Contradiction { path: path.clone(), first, second });
        let created = self.creates.keys().map(|path| (path, "created"));
        for (path, what) in created.chain(self.deletes.keys().map(|path| (path, "deleted"))) {
            if self.edits.contains_key(path) {
                return clash(path, what, "edited");
            }
            if self.moves.contains_key(path) {
                return clash(path, what, "moved");
            }
        }
        for target in self.creates.keys().chain(self.moves.values().map(|step| &step.to)) {
            if self.deletes.contains_key(target) {
                return clash(target, "deleted", "a target");
            }
            if self.edits.contains_key(target) && !self.moves.contains_key(target) {
                return clash(target, "edited", "a target");
            }
        }
        self.check_places()
    }

    /// Checks that all files of the plan have a place, after it and before.
    fn check_places(&self) -> Result<(), PlanError> {
        let mut places: BTreeSet<&AbsPath> = self.edits.keys().filter(|path| !self.moves.contains_key(path)).collect();
        for target in self.creates.keys().chain(self.moves.values().map(|step| &step.to)) {
            if !places.insert(target) {
                return Err(PlanError::TargetTwice { path: target.clone() });
            }
        }
        check_nesting(&places)?;
        check_nesting(&self.edits.keys().chain(self.moves.keys()).chain(self.deletes.keys()).collect())
    }

    pub fn edits(&self) -> &BTreeMap<AbsPath, FileEdit> {
        &self.edits
    }

    pub fn moves(&self) -> &BTreeMap<AbsPath, Move> {
        &self.moves
    }

    pub fn creates(&self) -> &BTreeMap<AbsPath, Text> {
        &self.creates
    }

    pub fn deletes(&self) -> &BTreeMap<AbsPath, Arc<Text>> {
        &self.deletes
    }

    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the same changes with other warnings.
    pub fn with_warnings(self, warnings: Vec<Warning>) -> Self {
        Self { warnings, ..self }
    }

    /// Takes the plan apart, to be completed and checked anew.
    pub fn into_parts(self) -> Parts {
        let edits = self.edits.into_iter().map(|(path, edit)| (path, (edit.before, edit.edits.into_vec()))).collect();
        Parts { edits, moves: self.moves, creates: self.creates, deletes: self.deletes, warnings: self.warnings }
    }

    /// Tells whether the plan changes nothing.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.moves.is_empty() && self.creates.is_empty() && self.deletes.is_empty()
    }

    /// Returns the hash, before the plan, of every file that it edits, moves or deletes.
    pub fn basis(&self) -> BTreeMap<AbsPath, ContentHash> {
        let edited = self.edits.iter().map(|(path, edit)| (path.clone(), edit.before.hash().clone()));
        let moved = self.moves.iter().map(|(path, step)| (path.clone(), step.before.clone()));
        let deleted = self.deletes.iter().map(|(path, text)| (path.clone(), text.hash().clone()));
        edited.chain(moved).chain(deleted).collect()
    }

    /// Returns where a file lies after the plan; nothing where the plan deletes it.
    pub fn path_after(&self, path: &AbsPath) -> Option<AbsPath> {
        if self.deletes.contains_key(path) {
            return None;
        }
        Some(self.moves.get(path).map_or_else(|| path.clone(), |step| step.to.clone()))
    }

    /// Returns the text of an edited or created file after the plan, by its path before (for a created
    /// file: its new path); nothing for a file whose text the plan does not touch.
    pub fn text_after(&self, path: &AbsPath) -> Option<Text> {
        let created = || self.creates.get(path).cloned();
        self.edits.get(path).map(FileEdit::after).or_else(created)
    }
}

impl FileEdit {
    fn new(path: &AbsPath, before: Arc<Text>, wished: Vec<TextEdit>) -> Result<Option<Self>, PlanError> {
        let old = before.as_str();
        if wished.iter().any(|edit| edit.span.of(old).is_none()) {
            return Err(PlanError::OutsideText { path: path.clone() });
        }
        let changing = wished.into_iter().filter(|edit| edit.span.of(old) != Some(edit.new_text.as_str())).collect();
        let edits = TextEdits::new(changing)
            .map_err(|overlap| PlanError::Overlap { path: path.clone(), overlap: Box::new(overlap) })?;
        Ok((!edits.is_empty()).then_some(Self { before, edits }))
    }

    /// Returns the text after the edits.
    pub fn after(&self) -> Text {
        self.before.with_content(self.edits.apply(self.before.as_str()))
    }
}

fn check_nesting(places: &BTreeSet<&AbsPath>) -> Result<(), PlanError> {
    // Sorted by components, a directory stands right before the first file in it.
    let mut neighbours = places.iter().zip(places.iter().skip(1));
    match neighbours.find(|(outer, inner)| inner.is_below(outer)) {
        Some((outer, inner)) => {
            Err(PlanError::FileAndDirectory { outer: AbsPath::clone(outer), inner: AbsPath::clone(inner) })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
