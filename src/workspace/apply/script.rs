//! The single steps that carry a plan out, in their order, with all names chosen beforehand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::check::Checked;
use super::error::Failure;
use super::hands::{Hands, stands};

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
    /// Puts a staged file in place of another, which is kept aside.
    Replace { temp: PathBuf, path: PathBuf, aside: PathBuf, hash: String },
}

impl Script {
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
                let aside = names.beside(path);
                replaced.push(Commit::Replace { temp: temp.clone(), path: path.clone(), aside, hash: hash.clone() });
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

impl Script {
    /// Removes what a done plan leaves behind: files kept aside, and directories without files.
    pub(super) fn tidy(&self, hands: &Hands<'_>) -> Result<(), Failure> {
        self.commits.iter().filter_map(Commit::aside).try_for_each(|aside| hands.remove(aside))?;
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
        path.with_file_name(format!(".lspwright-{}-{}", self.tag, self.next))
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
    pub(super) fn carry_out(&self, hands: &Hands<'_>) -> Result<(), Failure> {
        match self {
            Self::SetAside { path, aside, .. } => hands.rename_new(path, aside),
            Self::Rename { from, to, .. } => hands.rename_new(from, to),
            Self::Place { temp, path, .. } => hands.rename_new(temp, path),
            Self::Replace { temp, path, aside, .. } => {
                hands.keep_beside(path, aside)?;
                hands.rename_over(temp, path)
            }
        }
    }

    /// The file that this step keeps aside.
    pub(super) fn aside(&self) -> Option<&PathBuf> {
        match self {
            Self::SetAside { aside, .. } | Self::Replace { aside, .. } => Some(aside),
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
