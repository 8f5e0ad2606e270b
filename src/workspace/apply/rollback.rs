//! Leads a transaction to an end: back to where nothing had begun, or forward past the tidying up.
//!
//! Each step back looks at the disk first, and does nothing where its step forward was not made or was
//! already taken back: so leading back can itself be interrupted and begun again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::{Conflict, Failure, Outcome, Recovered};
use super::hands::{Hands, stands};
use super::journal::{Mark, Record};
use super::script::Commit;
use crate::workspace::hash::hash_entry;

/// Leads an interrupted transaction of an earlier run to an end.
pub(super) fn recover(record: &Record, hands: &Hands<'_>) -> Recovered {
    let plan = record.intent.plan.clone();
    if record.has(Mark::Done) {
        finish(record, hands);
        return Recovered { plan, outcome: Outcome::Completed };
    }
    let conflicts = roll_back(record, hands);
    let outcome = if conflicts.is_empty() { Outcome::RolledBack } else { Outcome::Conflicted(conflicts) };
    Recovered { plan, outcome }
}

/// Removes what a done transaction left in the project. What cannot be removed now is tried again at the
/// next start, for then the record still lacks its last mark.
pub(super) fn finish(record: &Record, hands: &Hands<'_>) {
    let _ = record.intent.script.tidy(hands).and_then(|()| record.mark(Mark::Finished, hands));
}

/// Takes back whatever was done, last step first, and returns the files that are not as before.
pub(super) fn roll_back(record: &Record, hands: &Hands<'_>) -> Vec<Conflict> {
    let script = &record.intent.script;
    let mut saved = Saved { dir: record.dir.join("saved"), files: Vec::new() };
    let mut failures = Vec::new();
    if record.has(Mark::Staged) {
        let backwards = script.commits.iter().rev();
        failures.extend(backwards.filter_map(|commit| take_back(commit, &mut saved, hands).err()));
    }
    failures.extend(script.staged.iter().filter_map(|staged| hands.remove(&staged.temp).err()));
    failures.extend(script.dirs.iter().rev().filter_map(|dir| hands.remove_if_empty(dir).err()));
    let conflicts = conflicts(record, &saved);
    if conflicts.is_empty() && failures.is_empty() {
        record.forget();
    } else if failures.is_empty() {
        let _ = record.mark(Mark::Conflicted, hands);
    }
    conflicts
}

/// Takes one step back if it was made.
fn take_back(commit: &Commit, saved: &mut Saved, hands: &Hands<'_>) -> Result<(), Failure> {
    match commit {
        Commit::Replace { temp, aside, .. } if stands(temp) => hands.remove(aside),
        Commit::Replace { path, aside, hash, .. } if stands(aside) => {
            if !stands(path) || holds(path, hash) {
                hands.rename_over(aside, path)
            } else {
                saved.keep(path, aside)
            }
        }
        Commit::SetAside { path, aside, .. } if stands(aside) => {
            if stands(path) {
                saved.keep(path, aside)
            } else {
                hands.rename_new(aside, path)
            }
        }
        Commit::Place { temp, path, hash } if !stands(temp) && holds(path, hash) => hands.remove(path),
        Commit::Rename { from, to, hash } if !stands(from) && holds(to, hash) => hands.rename_new(to, from),
        _ => Ok(()),
    }
}

fn holds(path: &Path, hash: &str) -> bool {
    hash_entry(path).is_ok_and(|now| now.as_str() == hash)
}

/// Contents from before the plan whose places somebody else has taken meanwhile.
struct Saved {
    dir: PathBuf,
    files: Vec<(PathBuf, PathBuf)>,
}

impl Saved {
    fn keep(&mut self, path: &Path, aside: &Path) -> Result<(), Failure> {
        let place = self.dir.join(format!("{}", self.files.len() + 1));
        let failed = |source| Failure { doing: "keep a copy of", path: path.to_owned(), source };
        fs::create_dir_all(&self.dir).and_then(|()| fs::copy(aside, &place)).map_err(failed)?;
        self.files.push((path.to_owned(), place));
        fs::remove_file(aside).map_err(failed)
    }
}

/// Compares the disk with what stood there before the transaction.
fn conflicts(record: &Record, saved: &Saved) -> Vec<Conflict> {
    if !record.has(Mark::Staged) {
        return Vec::new();
    }
    let before: BTreeMap<&PathBuf, &String> = record.intent.before.iter().map(|(path, hash)| (path, hash)).collect();
    let differing = before.iter().filter(|(path, hash)| !holds(path, hash)).map(|(path, _)| *path);
    let targets = record.intent.script.commits.iter().filter_map(Commit::target);
    let left = targets.filter(|path| !before.contains_key(path) && stands(path));
    let kept = |path: &PathBuf| saved.files.iter().find(|(known, _)| known == path).map(|(_, place)| place.clone());
    differing.chain(left).map(|path| Conflict { saved: kept(path), path: path.clone() }).collect()
}
