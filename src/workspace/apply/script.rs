//! The single steps that carry a plan out, in their order, with all names chosen beforehand.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::check::Checked;
use super::error::{Failure, Stopped};
use super::hands::{Content, Hands, Swaps, stands};
use crate::workspace::hash::hash_entry;

/// Directories are made first, then files staged, then the commits made one by one; at the very end,
/// after the plan is done, what was set aside goes, and directories that lost their files.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Script {
    /// Outer before inner; none of them stood before.
    pub(super) dirs: Vec<PathBuf>,
    pub(super) staged: Vec<Staged>,
    pub(super) commits: Vec<Commit>,
    /// Inner before outer.
    pub(super) emptied: Vec<PathBuf>,
}

/// A new text beside the place that it is meant for.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Staged {
    pub(super) temp: PathBuf,
    pub(super) path: PathBuf,
    /// Where the file lies now that this is the new text of.
    pub(super) before: Option<PathBuf>,
    pub(super) hash: String,
}

/// One change that others can see. `hash` is that of what moves.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Commit {
    /// Takes a file out of the way, to be deleted when all is done.
    SetAside { path: PathBuf, aside: PathBuf, hash: String },
    /// Moves a file that stays as it is.
    Rename { from: PathBuf, to: PathBuf, hash: String },
    /// Puts a staged file where none is.
    Place { temp: PathBuf, path: PathBuf, hash: String },
    /// Puts a staged file in place of another, whose hash is `before`: the two change places, or where they cannot, the
    /// other goes aside first.
    Replace { temp: PathBuf, path: PathBuf, aside: PathBuf, hash: String, before: String },
}

/// What stood at `path` before its step, with the hash that it had when the plan was made.
pub(super) struct Aside<'a> {
    pub(super) at: &'a Path,
    pub(super) path: &'a Path,
    pub(super) hash: &'a str,
}

impl Script {
    /// How the names of our own files in a project begin.
    pub(super) const OWN: &str = ".lspwright-";

    pub(super) fn new(checked: &Checked<'_>, tag: &str) -> Self {
        let mut names = Names { tag, next: 0 };
        let mut staged = Vec::new();
        let (mut replaced, mut placed, mut vacated) = (Vec::new(), Vec::new(), Vec::new());
        let aside = |path: &PathBuf, names: &mut Names<'_>| Commit::SetAside {
            path: path.clone(),
            aside: names.beside(path),
            hash: hash_of(checked, path),
        };
        for (before, edit) in &checked.edits {
            let path = checked.moves.get(before).unwrap_or(before);
            let temp = names.beside(path);
            let hash = edit.after().hash().as_str().to_owned();
            if path == before {
                let (aside, before) = (names.beside(path), hash_of(checked, before));
                let (temp, path, hash) = (temp.clone(), path.clone(), hash.clone());
                replaced.push(Commit::Replace { temp, path, aside, hash, before });
            } else {
                vacated.push(aside(before, &mut names));
                placed.push(Commit::Place { temp: temp.clone(), path: path.clone(), hash: hash.clone() });
            }
            staged.push(Staged { temp, path: path.clone(), before: Some(before.clone()), hash });
        }
        for (path, text) in &checked.creates {
            let (temp, hash) = (names.beside(path), text.hash().as_str().to_owned());
            placed.push(Commit::Place { temp: temp.clone(), path: path.clone(), hash: hash.clone() });
            staged.push(Staged { temp, path: path.clone(), before: None, hash });
        }
        vacated.extend(checked.deletes.iter().map(|path| aside(path, &mut names)));
        let renames = renames(checked, &mut names);
        let commits = vacated.into_iter().chain(renames).chain(placed).chain(replaced).collect();
        Self { dirs: missing_dirs(checked), staged, commits, emptied: emptied_dirs(checked) }
    }
}

impl Staged {
    /// Returns what the file is to hold.
    pub(super) fn content(&self, checked: &Checked<'_>) -> Content {
        match &self.before {
            Some(before) => {
                let bytes = checked.edits.get(before).map_or_else(Vec::new, |edit| edit.after().encode());
                Content { bytes, like: Some(before.clone()), mode: None }
            }
            None => {
                let bytes = checked.creates.get(&self.path).map_or_else(Vec::new, |text| text.encode());
                Content { bytes, like: None, mode: checked.create_modes.get(&self.path).copied() }
            }
        }
    }
}

impl Script {
    /// Removes what a plan that nobody else knows of set aside.
    pub(super) fn tidy(&self, hands: &Hands<'_>) -> Result<(), Failure> {
        self.commits.iter().filter_map(Commit::aside).try_for_each(|aside| hands.remove(aside.at))?;
        self.tidy_dirs(hands)
    }

    /// Removes the directories that a done plan leaves without files.
    pub(super) fn tidy_dirs(&self, hands: &Hands<'_>) -> Result<(), Failure> {
        self.emptied.iter().try_for_each(|dir| hands.remove_if_empty(dir))
    }
}

/// Chooses names for files of ours, in the directory of the file that they belong to: only there can a
/// rename be sure to stay within one file system.
struct Names<'a> {
    tag: &'a str,
    next: usize,
}

impl Names<'_> {
    fn beside(&mut self, path: &Path) -> PathBuf {
        self.next += 1;
        path.with_file_name(format!("{}{}-{}", Script::OWN, self.tag, self.next))
    }
}

fn hash_of(checked: &Checked<'_>, path: &Path) -> String {
    checked.hashes.get(path).map(|hash| hash.as_str().to_owned()).unwrap_or_default()
}

/// Orders the moves so that each target is free when its turn comes: the last of a chain first; of a
/// circle, one file waits under a name of ours.
fn renames(checked: &Checked<'_>, names: &mut Names<'_>) -> Vec<Commit> {
    let untouched = checked.moves.iter().filter(|(from, _)| !checked.edits.contains_key(*from));
    let mut left: BTreeMap<&PathBuf, &PathBuf> = untouched.collect();
    let (mut ordered, mut waiting) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let ready: Vec<&PathBuf> =
            left.iter().filter(|(from, to)| *from == *to || !left.contains_key(*to)).map(|(from, _)| *from).collect();
        for from in &ready {
            let to = left.remove(*from).map_or_else(|| (*from).clone(), PathBuf::clone);
            ordered.push(Commit::Rename { from: (*from).clone(), to, hash: hash_of(checked, from) });
        }
        if ready.is_empty() {
            let Some((from, to)) = left.pop_first() else { break };
            let (temp, hash) = (names.beside(from), hash_of(checked, from));
            ordered.push(Commit::Rename { from: from.clone(), to: temp.clone(), hash: hash.clone() });
            waiting.push(Commit::Rename { from: temp, to: to.clone(), hash });
        }
    }
    ordered.extend(waiting);
    ordered
}

/// The directories that targets need and that do not stand.
fn missing_dirs(checked: &Checked<'_>) -> Vec<PathBuf> {
    let targets = checked.moves.values().chain(checked.creates.keys());
    let above = targets.flat_map(|path| path.ancestors().skip(1).take_while(|dir| !stands(dir)));
    let dirs: BTreeSet<PathBuf> = above.map(Path::to_owned).collect();
    dirs.into_iter().collect()
}

/// The directories below the root that files leave.
fn emptied_dirs(checked: &Checked<'_>) -> Vec<PathBuf> {
    let root = checked.root.as_path();
    let left = checked.moves.keys().chain(&checked.deletes);
    let above = left.flat_map(|path| path.ancestors().skip(1).take_while(|dir| *dir != root && dir.starts_with(root)));
    let dirs: BTreeSet<PathBuf> = above.map(Path::to_owned).collect();
    dirs.into_iter().rev().collect()
}

impl Commit {
    /// Makes the step, and looks at what it took out of its place: only there can nobody save over it any more.
    pub(super) fn carry_out(&self, hands: &Hands<'_>) -> Result<(), Stopped> {
        match self {
            Self::SetAside { path, aside, hash } => {
                hands.rename_new(path, aside).map_err(|failure| overtaken(failure, path))?;
                unless_changed(aside, hash, path)
            }
            Self::Rename { from, to, hash } => {
                hands.rename_new(from, to).map_err(|failure| overtaken(failure, to))?;
                unless_changed(to, hash, from)
            }
            Self::Place { temp, path, .. } => hands.rename_new(temp, path).map_err(|failure| overtaken(failure, path)),
            Self::Replace { temp, path, aside, before, .. } => {
                let swapped = hands.swap(temp, path).map_err(|failure| overtaken(failure, path))?;
                if swapped == Swaps::Atomic {
                    return unless_changed(temp, before, path);
                }
                hands.rename_new(path, aside).map_err(|failure| overtaken(failure, path))?;
                unless_changed(aside, before, path)?;
                hands.rename_new(temp, path).map_err(|failure| overtaken(failure, path))
            }
        }
    }

    /// Looks once more at what stands aside and at what was put in its place.
    pub(super) fn look_again(&self) -> Result<(), Stopped> {
        match self {
            Self::SetAside { path, aside, hash } => unless_changed(aside, hash, path),
            Self::Place { path, hash, .. } => unless_changed(path, hash, path),
            Self::Replace { path, hash, before, .. } => {
                self.aside().map_or(Ok(()), |aside| unless_changed(aside.at, before, path))?;
                unless_changed(path, hash, path)
            }
            Self::Rename { .. } => Ok(()),
        }
    }

    /// The file that this step, once made, keeps beside its place.
    pub(super) fn aside(&self) -> Option<Aside<'_>> {
        match self {
            Self::SetAside { path, aside, hash } => Some(Aside { at: aside, path, hash }),
            Self::Replace { temp, path, aside, before, .. } => {
                Some(Aside { at: if stands(aside) { aside } else { temp }, path, hash: before })
            }
            Self::Rename { .. } | Self::Place { .. } => None,
        }
    }

    /// The place that this step fills.
    pub(super) fn target(&self) -> Option<&PathBuf> {
        match self {
            Self::Rename { to: path, .. } | Self::Place { path, .. } | Self::Replace { path, .. } => Some(path),
            Self::SetAside { .. } => None,
        }
    }

    /// The names that this step changes.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        match self {
            Self::SetAside { path, aside, .. } => [path, aside],
            Self::Rename { from, to, .. } => [from, to],
            Self::Place { temp, path, .. } | Self::Replace { temp, path, .. } => [temp, path],
        }
        .into_iter()
    }
}

pub(super) fn holds(path: &Path, hash: &str) -> bool {
    hash_entry(path).is_ok_and(|now| now.as_str() == hash)
}

fn unless_changed(now_at: &Path, hash: &str, path: &Path) -> Result<(), Stopped> {
    if holds(now_at, hash) { Ok(()) } else { Err(Stopped::Overtaken(path.to_owned())) }
}

/// A place that was there to be left or free to be filled, and is not any more, was changed by others.
fn overtaken(failure: Failure, path: &Path) -> Stopped {
    match failure.source.kind() {
        ErrorKind::NotFound | ErrorKind::AlreadyExists => Stopped::Overtaken(path.to_owned()),
        _ => Stopped::Failed(failure),
    }
}
