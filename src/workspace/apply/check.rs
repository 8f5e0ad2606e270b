//! Whether the disk is still as the plan has it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::error::{ApplyError, Failure, Note};
use super::hands::{is_same_file, stands};
use super::job::Job;
use super::places::{entry, file};
use crate::plan::{FileEdit, Plan};
use crate::text::{AbsPath, ContentHash, Text};
use crate::workspace::hash::hash_entry;

/// A plan with all its paths resolved, found to fit the disk.
pub(super) struct Checked<'a> {
    pub(super) root: AbsPath,
    /// By the path of the real file, links followed.
    pub(super) edits: BTreeMap<PathBuf, &'a FileEdit>,
    /// By the path of the entry: a link in the last place is not followed.
    pub(super) moves: BTreeMap<PathBuf, PathBuf>,
    pub(super) creates: BTreeMap<PathBuf, &'a Text>,
    pub(super) deletes: BTreeSet<PathBuf>,
    /// What stands now at every path of the basis.
    pub(super) hashes: BTreeMap<PathBuf, ContentHash>,
    pub(super) delete_modes: Vec<(AbsPath, u32)>,
    pub(super) create_modes: BTreeMap<PathBuf, u32>,
    hard_linked: Vec<AbsPath>,
    /// Where moved links that lead somewhere now will lie.
    live_links: Vec<AbsPath>,
}

impl<'a> Checked<'a> {
    pub(super) fn new(job: &Job<'a>, root: &AbsPath) -> Result<Self, ApplyError> {
        let mut checked = Self {
            root: root.clone(),
            edits: BTreeMap::new(),
            moves: BTreeMap::new(),
            creates: BTreeMap::new(),
            deletes: BTreeSet::new(),
            hashes: BTreeMap::new(),
            delete_modes: Vec::new(),
            create_modes: BTreeMap::new(),
            hard_linked: Vec::new(),
            live_links: Vec::new(),
        };
        checked.resolve(job)?;
        checked.refuse_stale(job.plan)?;
        checked.refuse_taken_targets(job.plan)?;
        checked.look_at_links(job.plan)?;
        Ok(checked)
    }

    fn resolve(&mut self, job: &Job<'a>) -> Result<(), ApplyError> {
        let (mut edited, mut left) = (Names::default(), Names::default());
        for (path, edit) in job.plan.edits() {
            let real = file(&self.root, path)?;
            edited.claim(&real, path)?;
            self.edits.insert(real, edit);
        }
        for (path, step) in job.plan.moves() {
            let (from, to) = (self.entry(path)?, self.entry(&step.to)?);
            left.claim(&from, path)?;
            self.moves.insert(from, to);
        }
        for path in job.plan.deletes().keys() {
            let entry = self.entry(path)?;
            left.claim(&entry, path)?;
            edited.claim(&entry, path)?;
            self.deletes.insert(entry);
        }
        for (path, text) in job.plan.creates() {
            let entry = self.entry(path)?;
            self.creates.insert(entry, text);
        }
        for (path, mode) in job.modes {
            let entry = self.entry(path)?;
            self.create_modes.insert(entry, *mode);
        }
        Ok(())
    }

    fn entry(&self, path: &AbsPath) -> Result<PathBuf, ApplyError> {
        entry(&self.root, path)
    }

    /// Compares every file of the basis, and names all that differ.
    fn refuse_stale(&mut self, plan: &Plan) -> Result<(), ApplyError> {
        let mut changed = BTreeSet::new();
        let edited = plan.edits().iter().map(|(path, edit)| (path, edit.before.hash(), true));
        let moved = plan.moves().iter().map(|(path, step)| (path, &step.before, false));
        let deleted = plan.deletes().iter().map(|(path, text)| (path, text.hash(), false));
        for (path, hash, follows) in edited.chain(moved).chain(deleted) {
            let place = if follows { file(&self.root, path)? } else { self.entry(path)? };
            match hash_entry(&place) {
                Ok(now) if now == *hash => {
                    self.hashes.insert(place, now);
                }
                Err(source) if stands(&place) => {
                    return Err(Failure { doing: "read", path: place, source }.into());
                }
                Ok(_) | Err(_) => {
                    changed.insert(path.clone());
                }
            }
        }
        if changed.is_empty() { Ok(()) } else { Err(ApplyError::Stale { changed: changed.into_iter().collect() }) }
    }

    fn refuse_taken_targets(&self, plan: &Plan) -> Result<(), ApplyError> {
        let moved = plan.moves().iter().map(|(from, step)| (Some(from), &step.to));
        let created = plan.creates().keys().map(|path| (None, path));
        let mut taken = Vec::new();
        for (from, to) in moved.chain(created) {
            let place = self.entry(to)?;
            let is_source = match from {
                Some(from) => is_same_file(&self.entry(from)?, &place),
                None => false,
            };
            if stands(&place) && !self.moves.contains_key(&place) && !is_source {
                taken.push(to.clone());
            }
            if let Some(file) = nearest_standing(&place).filter(|above| !above.is_dir()) {
                return Err(ApplyError::BelowFile { path: to.clone(), file: file.to_owned() });
            }
        }
        if taken.is_empty() { Ok(()) } else { Err(ApplyError::TargetExists { paths: taken }) }
    }

    /// Renaming over a file asks nobody about its own mode; whoever took the write bits off meant it.
    pub(super) fn refuse_read_only(&self) -> Result<(), ApplyError> {
        let written = self.edits.keys().chain(&self.deletes);
        let is_read_only = |path: &&PathBuf| fs::metadata(path).is_ok_and(|data| data.permissions().readonly());
        let paths: Vec<AbsPath> = written.filter(is_read_only).map(AbsPath::new).collect::<Result<_, _>>()?;
        if paths.is_empty() { Ok(()) } else { Err(ApplyError::ReadOnly { paths }) }
    }

    fn look_at_links(&mut self, plan: &Plan) -> Result<(), ApplyError> {
        self.hard_linked.extend(plan.edits().keys().filter(|path| link_count(path.as_path()) > 1).cloned());
        for (from, step) in plan.moves() {
            let place = self.entry(from)?;
            if fs::symlink_metadata(&place).is_ok_and(|data| data.is_symlink()) && place.exists() {
                self.live_links.push(step.to.clone());
            }
        }
        for path in plan.deletes().keys() {
            let mode = mode_of(&self.entry(path)?);
            self.delete_modes.extend(mode.map(|mode| (path.clone(), mode)));
        }
        Ok(())
    }

    pub(super) fn changed(&self, plan: &Plan) -> Vec<AbsPath> {
        let edited = plan.edits().keys().filter_map(|path| plan.path_after(path));
        let moved = plan.moves().values().map(|step| step.to.clone());
        let all: BTreeSet<AbsPath> = edited.chain(moved).chain(plan.creates().keys().cloned()).collect();
        all.into_iter().collect()
    }

    /// What is to be told, once the plan is carried out.
    pub(super) fn notes(&self) -> Vec<Note> {
        let cut = self.hard_linked.iter().cloned().map(Note::HardLinkCut);
        let dangling = self.live_links.iter().filter(|path| !path.as_path().exists()).cloned().map(Note::LinkDangles);
        cut.chain(dangling).collect()
    }
}

/// Which path of the plan stands for which place, so that no place is meant twice under two names.
#[derive(Default)]
struct Names(BTreeMap<PathBuf, AbsPath>);

impl Names {
    fn claim(&mut self, place: &Path, path: &AbsPath) -> Result<(), ApplyError> {
        match self.0.insert(place.to_owned(), path.clone()) {
            Some(first) => Err(ApplyError::SameFile { first, second: path.clone() }),
            None => Ok(()),
        }
    }
}

/// Returns the nearest thing above `path` that is there.
fn nearest_standing(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|above| stands(above))
}

#[cfg(unix)]
fn link_count(path: &Path) -> u64 {
    fs::metadata(path).map_or(1, |data| std::os::unix::fs::MetadataExt::nlink(&data))
}

#[cfg(not(unix))]
fn link_count(_: &Path) -> u64 {
    1
}

#[cfg(unix)]
fn mode_of(path: &Path) -> Option<u32> {
    let permissions = fs::metadata(path).ok()?.permissions();
    Some(std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o7777)
}

#[cfg(not(unix))]
fn mode_of(_: &Path) -> Option<u32> {
    None
}
