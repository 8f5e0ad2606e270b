//! Leads a transaction to an end: back to where nothing had begun, or forward past the tidying up.
//!
//! Each step back looks at the disk first, and does nothing where its step forward was not made or was already taken
//! back: so leading back can itself be interrupted and begun again. Whatever came to lie under a name of ours and is
//! not ours goes back to its place, or where that is taken, out of the project; only what stands elsewhere or can be
//! made again is removed.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Conflict, DisplacedContent, Failure, Note, Outcome, Recovered, Version};
use super::hands::{Hands, is_same_file, stands};
use super::record::{Mark, Record};
use super::script::{Aside, Commit, Script, Staged, holds};
use crate::workspace::hash::hash_entry;

/// Leads an interrupted transaction of an earlier run to an end.
pub(super) fn recover(record: &Record, hands: &Hands<'_>) -> Recovered {
    let plan = record.intent.plan.clone();
    if record.has(Mark::Done) {
        finish(record, hands);
        return Recovered { plan, outcome: Outcome::Completed };
    }
    let missing = missing(record);
    if !missing.is_empty() {
        // What cannot be told is told again.
        let _ = record.mark(Mark::Conflicted, hands);
        return Recovered { plan, outcome: Outcome::Stuck(missing) };
    }
    let conflicts = roll_back(record, None, hands).conflicts;
    let outcome = if conflicts.is_empty() { Outcome::RolledBack } else { Outcome::Conflicted(conflicts) };
    Recovered { plan, outcome }
}

/// The places whose content before the plan stands nowhere any more: leading the others back would make half a state.
fn missing(record: &Record) -> Vec<PathBuf> {
    if !record.has(Mark::Staged) || record.has(Mark::Restored) {
        return Vec::new();
    }
    let is_gone = |commit: &&Commit| match commit {
        Commit::Replace { temp, aside, .. } => !stands(temp) && !stands(aside),
        Commit::SetAside { path, aside, .. } => !stands(path) && !stands(aside),
        Commit::Rename { from, to, .. } => !stands(from) && !stands(to),
        Commit::Place { .. } => false,
    };
    let gone = record.intent.script.commits.iter().filter(is_gone);
    gone.filter_map(|commit| commit.paths().find(|path| !is_ours(path)).cloned()).collect()
}

fn is_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(Script::OWN.as_bytes()))
}

/// Removes what a done transaction left in the project, but for what others wrote to it. What cannot be removed now is
/// tried again at the next start, for then the record still lacks its last mark.
pub(super) fn finish(record: &Record, hands: &Hands<'_>) -> Vec<Note> {
    let script = &record.intent.script;
    let mut attic = Attic::of(record);
    let mut clear = |Aside { at, path, hash }: Aside<'_>| {
        if !stands(at) || holds(at, hash) { hands.remove(at) } else { attic.keep(path, at) }
    };
    let cleared = script.commits.iter().filter_map(Commit::aside).try_for_each(&mut clear);
    let tidied = cleared.and_then(|()| script.tidy_dirs(hands));
    let _ = tidied.and_then(|()| record.mark(Mark::Finished, hands));
    attic.files.into_iter().map(|(path, kept)| Note::WrittenLate { path, kept }).collect()
}

/// How far a transaction was taken back.
pub(super) struct RolledBack {
    /// The files that are not as before.
    pub(super) conflicts: Vec<Conflict>,
    /// What has to be tried again at the next start.
    pub(super) failure: Option<Failure>,
}

/// Takes back whatever was done, last step first. `made` is how many steps were, where that is known: the one after them
/// may have been made in part.
pub(super) fn roll_back(record: &Record, made: Option<usize>, hands: &Hands<'_>) -> RolledBack {
    let script = &record.intent.script;
    let mut attic = Attic::of(record);
    let done = if record.has(Mark::Staged) {
        let begun = record.unmark(Mark::Done, hands);
        begun.and_then(|()| restore(record, made, &mut attic, hands)).and_then(|()| clear(record, &mut attic, hands))
    } else {
        script.staged.iter().try_for_each(|staged| hands.remove(&staged.temp))
    };
    let done = done.and_then(|()| script.dirs.iter().rev().try_for_each(|dir| hands.remove_if_empty(dir)));
    let conflicts = conflicts(record, &attic);
    if done.is_ok() && conflicts.is_empty() {
        record.forget();
    } else if done.is_ok() {
        let _ = record.mark(Mark::Conflicted, hands);
    }
    RolledBack { conflicts, failure: done.err() }
}

/// Takes the steps back; after a failure the others are taken back all the same.
fn restore(record: &Record, made: Option<usize>, attic: &mut Attic, hands: &Hands<'_>) -> Result<(), Failure> {
    if record.has(Mark::Restored) {
        return Ok(());
    }
    let mut back = |(index, commit): (usize, &Commit)| match (made.map(|made| index.cmp(&made)), commit) {
        (Some(Ordering::Greater), _) => Ok(()),
        // Another file stands where this one was, and this one in the way of the next that goes back.
        (Some(Ordering::Less), Commit::Rename { from, to, .. })
            if stands(from) && stands(to) && !is_same_file(from, to) =>
        {
            attic.keep(from, to)
        }
        _ => take_back(commit, hands),
    };
    let backwards = record.intent.script.commits.iter().enumerate().rev();
    let failures: Vec<Failure> = backwards.filter_map(|step| back(step).err()).collect();
    failures.into_iter().next().map_or(Ok(()), Err)?;
    // From here on, a missing file of ours was cleared away, and says nothing about its step.
    record.mark(Mark::Restored, hands)
}

/// Takes one step back if it was made; what others put into its place stays there.
fn take_back(commit: &Commit, hands: &Hands<'_>) -> Result<(), Failure> {
    match commit {
        Commit::SetAside { path, aside, .. } if stands(aside) => hands.rename_if_free(aside, path),
        // Of a circle, the file that waits under a name of ours says by its absence neither that it was moved on nor
        // that it was not yet moved.
        Commit::Rename { from, to, hash } if stands(to) && (!is_ours(from) || holds(to, hash)) => {
            hands.rename_if_free(to, from)
        }
        Commit::Place { temp, path, .. } if stands(path) => hands.rename_if_free(path, temp),
        Commit::Replace { temp, path, aside, hash, .. } if stands(aside) => {
            if holds(path, hash) {
                hands.rename_if_free(path, temp)?;
                give_back(temp, path, hash, hands)?;
            }
            hands.rename_if_free(aside, path)
        }
        Commit::Replace { temp, path, hash, .. } if stands(temp) && !holds(temp, hash) => {
            if holds(path, hash) {
                hands.swap(temp, path)?;
                // Saved between the look and the step: that is what the place is for.
                return if holds(temp, hash) { Ok(()) } else { hands.swap(temp, path).map(drop) };
            }
            hands.rename_if_free(temp, path)
        }
        _ => Ok(()),
    }
}

/// Puts back what was taken and turns out not to be ours.
fn give_back(temp: &Path, path: &Path, hash: &str, hands: &Hands<'_>) -> Result<(), Failure> {
    if holds(temp, hash) { Ok(()) } else { hands.rename_if_free(temp, path) }
}

/// Takes everything away that lies under names of ours.
fn clear(record: &Record, attic: &mut Attic, hands: &Hands<'_>) -> Result<(), Failure> {
    let script = &record.intent.script;
    for commit in &script.commits {
        if let Commit::SetAside { path, aside, .. } | Commit::Replace { path, aside, .. } = commit {
            put_away(aside, path, attic, hands)?;
        }
    }
    let changed: BTreeSet<PathBuf> = conflicts(record, attic).into_iter().map(|conflict| conflict.path).collect();
    for staged in &script.staged {
        let Staged { temp, path, before, hash } = staged;
        let is_wanted = changed.contains(path) || before.as_ref().is_some_and(|before| changed.contains(before));
        match holds(temp, hash) {
            true if is_wanted => attic.keep(path, temp)?,
            true => hands.remove(temp)?,
            false => put_away(temp, path, attic, hands)?,
        }
    }
    Ok(())
}

/// Brings what is not ours to its place, unless another has it.
fn put_away(from: &Path, path: &Path, attic: &mut Attic, hands: &Hands<'_>) -> Result<(), Failure> {
    if !stands(from) {
        return Ok(());
    }
    if !stands(path) {
        hands.rename_if_free(from, path)?;
    }
    match hash_entry(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(hash) if holds(path, hash.as_str()) => hands.remove(from),
        _ => attic.keep(path, from),
    }
}

/// Contents whose places others have taken meanwhile, kept outside the project for good.
struct Attic {
    dir: PathBuf,
    number: u64,
    /// Whose they are, and where they lie.
    files: Vec<(PathBuf, PathBuf)>,
}

impl Attic {
    fn of(record: &Record) -> Self {
        Self { dir: record.dir.with_file_name("kept"), number: record.number, files: Vec::new() }
    }

    fn keep(&mut self, path: &Path, from: &Path) -> Result<(), Failure> {
        let failed = |source| Failure { doing: "keep a copy of", path: path.to_owned(), source };
        Hands::FREE.make_private_dirs(&self.dir)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let places = (1..).map(|count| self.dir.join(format!("{:08}-{count}-{name}", self.number)));
        let place = places.into_iter().find(|place| !stands(place)).expect("there are more numbers than files");
        move_out(from, &place).map_err(failed)?;
        self.files.push((path.to_owned(), place));
        Ok(())
    }
}

/// Moves a file, to another file system if need be.
fn move_out(from: &Path, to: &Path) -> io::Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    if fs::symlink_metadata(from)?.is_symlink() {
        fs::write(to, fs::read_link(from)?.as_os_str().as_encoded_bytes())?;
    } else {
        fs::copy(from, to)?;
        fs::File::open(to)?.sync_all()?;
    }
    fs::remove_file(from)
}

/// Compares the disk with what stood there before the transaction.
fn conflicts(record: &Record, attic: &Attic) -> Vec<Conflict> {
    if !record.has(Mark::Staged) {
        return Vec::new();
    }
    let script = &record.intent.script;
    let before: BTreeMap<&PathBuf, &String> = record.intent.before.iter().map(|(path, hash)| (path, hash)).collect();
    let differing = before.iter().filter(|(path, hash)| !holds(path, hash)).map(|(path, _)| *path);
    let targets = script.commits.iter().filter_map(Commit::target).filter(|path| !is_ours(path));
    let left = targets.filter(|path| !before.contains_key(path) && stands(path));
    let kept = attic.files.iter().map(|(path, _)| path);
    let paths: BTreeSet<&PathBuf> = differing.chain(left).chain(kept).collect();
    let version = |path: &PathBuf, place: &PathBuf| {
        let is_new = script.staged.iter().any(|staged| staged.path == *path && holds(place, &staged.hash));
        match before.get(path) {
            Some(hash) if holds(place, hash) => Version::BeforePlan,
            _ if is_new => Version::OfPlan,
            _ => Version::Other,
        }
    };
    let kept = |path: &PathBuf| {
        let files = attic.files.iter().filter(|(known, _)| known == path);
        files.map(|(path, place)| DisplacedContent { version: version(path, place), place: place.clone() }).collect()
    };
    paths.into_iter().map(|path| Conflict { kept: kept(path), path: path.clone() }).collect()
}
