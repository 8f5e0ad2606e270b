//! Why a plan was not carried out, and what is worth telling where it was.

use std::io;
use std::path::PathBuf;

use crate::plan::PlanError;
use crate::text::{AbsPath, PathError};
use crate::workspace::contain::OutsideRoot;

/// Why nothing, or with [`ApplyError::Unrestored`] not all, is as the plan has it.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    #[error("changed since the plan was made: {}", list(changed))]
    Stale { changed: Vec<AbsPath> },
    #[error("already there: {}", list(paths))]
    TargetExists { paths: Vec<AbsPath> },
    #[error("`{path}` cannot be created: `{file}` is a file, not a directory")]
    BelowFile { path: AbsPath, file: PathBuf },
    #[error("marked read-only: {}", list(paths))]
    ReadOnly { paths: Vec<AbsPath> },
    #[error("`{first}` and `{second}` are one file")]
    SameFile { first: AbsPath, second: AbsPath },
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error("another process has been writing to `{root}` for {seconds} seconds")]
    Busy { root: AbsPath, seconds: u64 },
    #[error("nothing to undo in this project")]
    NothingToUndo,
    #[error("plan `{plan}` was not applied to this project, or is taken back already")]
    NotApplied { plan: String },
    #[error("the journal entry `{path}` cannot be read: {reason}")]
    Journal { path: PathBuf, reason: String },
    #[error("{0}; nothing was changed")]
    Failed(#[from] Failure),
    #[error("{failure}; not led back, for others changed them meanwhile: {}", conflict_list(conflicts))]
    Unrestored { failure: Failure, conflicts: Vec<Conflict> },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// A step that the disk refused.
#[derive(Debug, thiserror::Error)]
#[error("could not {doing} `{}`: {source}", path.display())]
pub struct Failure {
    pub doing: &'static str,
    pub path: PathBuf,
    pub source: io::Error,
}

/// A file that was not led back to its state before a broken-off plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub path: PathBuf,
    /// Where its content before the plan is kept, if the plan had replaced or deleted it.
    pub saved: Option<PathBuf>,
}

/// What was done about an interrupted plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The plan's id.
    pub plan: String,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is as before the plan.
    RolledBack,
    /// The plan had been carried out; what it left beside its files is gone.
    Completed,
    /// Everything but these files is as before the plan.
    Conflicted(Vec<Conflict>),
}

/// A remark about an applied plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// The file had other names (hard links); those keep the old content.
    HardLinkCut(AbsPath),
    /// A moved link no longer leads anywhere: what it leads to, relative to itself, did not move along.
    LinkDangles(AbsPath),
}

impl ApplyError {
    pub(super) fn failed(failure: Failure, conflicts: Vec<Conflict>) -> Self {
        if conflicts.is_empty() { Self::Failed(failure) } else { Self::Unrestored { failure, conflicts } }
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::HardLinkCut(path) => write!(f, "`{path}` had other hard links; they keep the old content"),
            Self::LinkDangles(path) => write!(f, "the moved link `{path}` no longer leads anywhere"),
        }
    }
}

fn list(paths: &[AbsPath]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(", ")
}

fn conflict_list(conflicts: &[Conflict]) -> String {
    let shown = |conflict: &Conflict| match &conflict.saved {
        Some(saved) => format!("`{}` (its content before: `{}`)", conflict.path.display(), saved.display()),
        None => format!("`{}`", conflict.path.display()),
    };
    conflicts.iter().map(shown).collect::<Vec<_>>().join(", ")
}
