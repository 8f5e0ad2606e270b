//! Carries a plan out on the disk: all of it or nothing, also through a crash.
//!
//! What holds at every moment: new texts lie complete beside their targets before the first target changes;
//! a file that is replaced or deleted stays beside its place, under a name of ours, until all is done; and
//! the journal, outside the project, says which names are ours. So whoever finds a half-done transaction
//! can lead it back, and whoever finds a done one can only have to tidy up.
//!
//! Nothing is replaced unseen: the new text and the old change places, and what was taken out is looked at only then.
//! Where it is not what the plan was made for, somebody saved meanwhile: that goes back, and with it the whole plan.
//!
//! Where a plan may touch anything is asked first (`places`: inside the root, links followed, and not version
//! control's own files; every plan that is handed out passes the same question), then staleness. Every new text is
//! staged next to its target, the journal is written and synced, and only then do files come into place. A crash at
//! any step is rolled back when the project is next opened.
//!
//! Nothing is replaced unseen. The staged text and the file change places in one step (`renameat2` with
//! `RENAME_EXCHANGE`; elsewhere the file goes aside first), and only what was taken out is compared with what the
//! plan was made for: nobody can save over it any more. Where it differs, somebody saved meanwhile: it goes back, the
//! whole plan is taken back, and both texts are kept. Taking back never removes what is not known to be ours: a
//! content that has no place any more goes to `kept` in the journal, and is named. All is looked at once more before
//! the transaction counts as done, for programs that had a file open.
//!
//! An entry of the journal is acted upon only if it is for this project, names nothing outside it, and takes nothing
//! but our own names for our own files (`validate`); any other is moved to `set-aside` and told. One whose files are
//! gone is left as it is.

mod check;
mod error;
mod hands;
mod job;
mod journal;
mod places;
mod record;
mod rollback;
mod script;
mod undo;
mod validate;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::plan::{Plan, PlanId};
use crate::text::AbsPath;
use crate::workspace::StateDir;
use crate::workspace::contain::dunce;
use crate::workspace::parallel::for_each;
use check::Checked;
use error::Stopped;
use hands::Hands;
use job::Job;
use journal::Journal;
use record::{Intent, Inverse, Mark, Record};
use script::Script;

pub use error::{ApplyError, Conflict, DisplacedContent, Failure, Note, Outcome, Recovered, Version};
pub use places::{refuse_place, refuse_places};

/// What was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    pub plan: PlanId,
    /// Every file that was written or moved, where it lies now; sorted.
    pub changed: Vec<AbsPath>,
    /// What the plan's maker could not know and its user should.
    pub notes: Vec<Note>,
    /// Interrupted transactions of earlier runs, which were led to an end first.
    pub recovered: Vec<Recovered>,
}

/// Carries `plan` out below `root`, or changes nothing and says why.
pub fn apply(plan: &Plan, root: &AbsPath, state: &StateDir) -> Result<Applied, ApplyError> {
    let job = Job { plan, undoes: None, modes: &[] };
    Project::open(root, state)?.carry_out(&job, &Hands::FREE)
}

/// Takes the last plan back that was applied below `root` and not yet taken back; refused where a file
/// that it touched has changed since.
pub fn undo(root: &AbsPath, state: &StateDir) -> Result<Applied, ApplyError> {
    Project::open(root, state)?.undo(None, &Hands::FREE)
}

/// As [`undo`], but takes the plan of this id back, whatever was applied after it to other files.
pub fn undo_plan(plan: &str, root: &AbsPath, state: &StateDir) -> Result<Applied, ApplyError> {
    Project::open(root, state)?.undo(Some(plan), &Hands::FREE)
}

/// Leads transactions to an end that a crash interrupted. Touches nothing where there are none.
pub fn recover(root: &AbsPath, state: &StateDir) -> Result<Vec<Recovered>, ApplyError> {
    let project = Project::open(root, state)?;
    if project.journal.unfinished()?.is_empty() {
        return Ok(Vec::new());
    }
    let _lock = project.journal.lock()?;
    project.recover(&Hands::FREE)
}

/// Refuses a plan that does not fit the files below `root` as they are now.
pub fn refuse_unfit(plan: &Plan, root: &AbsPath) -> Result<(), ApplyError> {
    Checked::new(&Job { plan, undoes: None, modes: &[] }, root).map(drop)
}

/// Carries `plan` out on a tree that nobody else has and that will be thrown away: without a journal.
pub(super) fn apply_to_copy(plan: &Plan, root: &AbsPath) -> Result<(), ApplyError> {
    let job = Job { plan, undoes: None, modes: &[] };
    let checked = Checked::new(&job, root)?;
    let script = Script::new(&checked, "copy");
    put(&script, &checked, &mut 0, &Hands::FLEETING, || Ok(()))
        .map_err(|stopped| ApplyError::stopped(stopped, Vec::new(), None))?;
    script.tidy(&Hands::FLEETING)?;
    Ok(())
}

/// One project and its journal.
struct Project {
    root: AbsPath,
    journal: Journal,
}

impl Project {
    fn open(root: &AbsPath, state: &StateDir) -> Result<Self, ApplyError> {
        let failed = |source| Failure { doing: "open", path: root.as_path().to_owned(), source };
        let root = AbsPath::new(dunce(root.as_path()).map_err(failed)?)?;
        Ok(Self { journal: Journal::of(&root, state), root })
    }

    fn carry_out(&self, job: &Job<'_>, hands: &Hands<'_>) -> Result<Applied, ApplyError> {
        let _lock = self.journal.lock()?;
        let recovered = self.recover(hands)?;
        self.carry_out_locked(job, hands).map(|applied| Applied { recovered, ..applied })
    }

    fn carry_out_locked(&self, job: &Job<'_>, hands: &Hands<'_>) -> Result<Applied, ApplyError> {
        let checked = Checked::new(job, &self.root)?;
        checked.refuse_read_only()?;
        if job.plan.is_empty() {
            return Ok(Applied { plan: job.plan.id(), changed: Vec::new(), notes: Vec::new(), recovered: Vec::new() });
        }
        let number = self.journal.next_number()?;
        let script = Script::new(&checked, &format!("{}-{number}", &job.plan.id().as_str()[..8]));
        let intent = Intent {
            root: self.root.as_str().to_owned(),
            plan: job.plan.id().as_str().to_owned(),
            undoes: job.undoes,
            before: checked.hashes.iter().map(|(path, hash)| (path.clone(), hash.as_str().to_owned())).collect(),
            inverse: Inverse::of(job.plan, &checked.delete_modes),
            script,
        };
        let record = self.journal.begin(number, intent, hands)?;
        if let Err((stopped, made)) = write(&record, &checked, hands) {
            let back = rollback::roll_back(&record, Some(made), hands);
            return Err(ApplyError::stopped(stopped, back.conflicts, back.failure));
        }
        let late = rollback::finish(&record, hands);
        self.journal.prune();
        Ok(Applied {
            plan: job.plan.id(),
            changed: checked.changed(job.plan),
            notes: checked.notes().into_iter().chain(late).collect(),
            recovered: Vec::new(),
        })
    }

    fn recover(&self, hands: &Hands<'_>) -> Result<Vec<Recovered>, ApplyError> {
        let found = self.journal.read(self.journal.unfinished()?);
        let recovered = found.records.iter().rev().map(|record| rollback::recover(record, hands));
        Ok(recovered.chain(found.set_aside).collect())
    }
}

/// Stages everything, then puts it into place. Where this fails, the record tells how far it came, and the error how many
/// steps were made.
fn write(record: &Record, checked: &Checked<'_>, hands: &Hands<'_>) -> Result<(), (Stopped, usize)> {
    let (script, mut made) = (&record.intent.script, 0);
    put(script, checked, &mut made, hands, || record.mark(Mark::Staged, hands))
        .and_then(|()| script.commits.iter().try_for_each(script::Commit::look_again))
        .and_then(|()| Ok(record.mark(Mark::Done, hands)?))
        .map_err(|stopped| (stopped, made))
}

fn put(
    script: &Script,
    checked: &Checked<'_>,
    made: &mut usize,
    hands: &Hands<'_>,
    once_staged: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Stopped> {
    for dir in &script.dirs {
        hands.make_dir(dir)?;
    }
    for_each(&script.staged, syncing_threads(script.staged.len()), |staged| {
        hands.write_new(&staged.temp, &staged.content(checked))
    })?;
    sync_parents(script.staged.iter().map(|staged| &staged.temp), hands)?;
    once_staged()?;
    for step in &script.commits {
        step.carry_out(hands)?;
        *made += 1;
    }
    Ok(sync_parents(script.commits.iter().flat_map(script::Commit::paths), hands)?)
}

/// Makes the names in the parents of `paths` last.
fn sync_parents<'a>(paths: impl Iterator<Item = &'a PathBuf>, hands: &Hands<'_>) -> Result<(), Failure> {
    let parents: BTreeSet<&Path> = paths.filter_map(|path| path.parent()).collect();
    let parents: Vec<&Path> = parents.into_iter().collect();
    for_each(&parents, syncing_threads(parents.len()), |dir| hands.sync_dir(dir))
}

/// Returns how many threads are to wait for the disk: what many sync at once, it writes in one go.
fn syncing_threads(count: usize) -> usize {
    if count < 16 { 1 } else { 8 }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
