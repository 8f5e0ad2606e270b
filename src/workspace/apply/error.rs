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
    #[error("`{path}` lies in version control's own files, which no plan touches")]
    VersionControl { path: AbsPath },
    #[error("`{}` was changed by another program while the plan was written: it stays as that program left it, \
             and the plan is taken back whole{}", path.display(), kept_list(conflicts))]
    Overtaken { path: PathBuf, conflicts: Vec<Conflict> },
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
    #[error("{failure}; these are not as before the plan: {}", conflict_list(conflicts))]
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

/// Why the writing of a plan was broken off.
#[derive(Debug)]
pub(super) enum Stopped {
    Failed(Failure),
    /// Something else stands here than the plan was made for.
    Overtaken(PathBuf),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A file that was not led back to its state before a broken-off plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub path: PathBuf,
    /// Its other contents, kept outside the project.
    pub kept: Vec<DisplacedContent>,
}

/// A content that has no place in the project any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisplacedContent {
    pub version: Version,
    pub place: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    BeforePlan,
    OfPlan,
    /// Neither: another program's.
    Other,
}

/// What was done about an interrupted plan, or about an entry of the journal that is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The plan's id; of an entry that cannot be used, the number.
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
    /// Nothing was done, for what stood here before the plan is gone.
    Stuck(Vec<PathBuf>),
    /// Nothing was done: the entry was moved away.
    SetAside { reason: String, place: PathBuf },
}

/// A remark about an applied plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// The file had other names (hard links); those keep the old content.
    HardLinkCut(AbsPath),
    /// A moved link no longer leads anywhere: what it leads to, relative to itself, did not move along.
    LinkDangles(AbsPath),
    /// Another program wrote to the replaced or deleted file in the last moment, through a handle that it had open.
    WrittenLate { path: PathBuf, kept: PathBuf },
}

impl ApplyError {
    /// Tells why writing was broken off, and what taking it back came to.
    pub(super) fn stopped(stopped: Stopped, conflicts: Vec<Conflict>, left: Option<Failure>) -> Self {
        match (stopped, left) {
            (Stopped::Overtaken(_), Some(failure)) => Self::Unrestored { failure, conflicts },
            (Stopped::Overtaken(path), None) => Self::Overtaken { path, conflicts },
            (Stopped::Failed(failure), _) if conflicts.is_empty() => Self::Failed(failure),
            (Stopped::Failed(failure), _) => Self::Unrestored { failure, conflicts },
        }
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::HardLinkCut(path) => write!(f, "`{path}` had other hard links; they keep the old content"),
            Self::LinkDangles(path) => write!(f, "the moved link `{path}` no longer leads anywhere"),
            Self::WrittenLate { path, kept } => {
                let (path, kept) = (path.display(), kept.display());
                write!(f, "another program wrote to `{path}` as the plan took its place; what it wrote: `{kept}`")
            }
        }
    }
}

impl std::fmt::Display for Recovered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plan = &self.plan;
        match &self.outcome {
            Outcome::RolledBack => write!(f, "the interrupted plan {plan} was taken back"),
            Outcome::Completed => write!(f, "the interrupted plan {plan} was written, and is tidied up after"),
            Outcome::Conflicted(conflicts) => {
                let list = conflict_list(conflicts);
                write!(f, "the interrupted plan {plan} was taken back but for files that others changed: {list}")
            }
            Outcome::Stuck(missing) => {
                let list: Vec<String> = missing.iter().map(|path| format!("`{}`", path.display())).collect();
                let list = list.join(", ");
                write!(
                    f,
                    "the interrupted plan {plan} cannot be taken back, and nothing was touched: what stood before it is gone at {list}"
                )
            }
            Outcome::SetAside { reason, place } => {
                write!(f, "the journal entry {plan} was moved to `{}`: {reason}", place.display())
            }
        }
    }
}

fn list(paths: &[AbsPath]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(", ")
}

fn conflict_list(conflicts: &[Conflict]) -> String {
    let shown = |conflict: &Conflict| match conflict.kept.as_slice() {
        [] => format!("`{}`", conflict.path.display()),
        kept => {
            let kept: Vec<String> = kept.iter().map(ToString::to_string).collect();
            format!("`{}` ({})", conflict.path.display(), kept.join(", "))
        }
    };
    conflicts.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn kept_list(conflicts: &[Conflict]) -> String {
    if conflicts.is_empty() { String::new() } else { format!(". Not as before: {}", conflict_list(conflicts)) }
}

impl std::fmt::Display for DisplacedContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.version {
            Version::BeforePlan => "its content before the plan",
            Version::OfPlan => "the plan's text",
            Version::Other => "another program's text",
        };
        write!(f, "{what}: `{}`", self.place.display())
    }
}
