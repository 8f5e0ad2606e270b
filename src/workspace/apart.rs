//! Files that a server may read beside those that a walk lists: ignored ones, as builds write them, and those that it names
//! outside of the root; and what shows that packages were installed. For servers that watch nothing themselves.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::marks::{Mark, mark};
use super::outside::{Outside, PACKAGES, Watched};
use super::walk::{Change, FileEntry, Walk, changes};
use crate::syntax::{Family, Language};
use crate::text::AbsPath;

/// Such files at one moment.
#[derive(Default)]
pub(super) struct Apart {
    walk: Walk,
    outside: Outside,
    /// Directories of packages below and above the root.
    packages: Vec<Mark>,
    /// Those that the server names outside of it.
    named: Vec<Mark>,
}

/// What happened to them.
#[derive(Debug, Default)]
pub struct ApartChanges {
    pub changes: Vec<Change>,
    /// Packages were installed, or went.
    pub packages: bool,
}

impl ApartChanges {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && !self.packages
    }
}

/// What package managers write into it when they have installed something.
const INSTALLED: [&str; 4] = ["", ".package-lock.json", ".modules.yaml", ".yarn-state.yml"];

impl Apart {
    /// Looks at what is not `listed`, both sorted by path.
    pub(super) fn of(root: &AbsPath, listed: &[FileEntry], outside: Outside) -> Self {
        let is_listed = |path: &AbsPath| listed.binary_search_by(|file| file.path.cmp(path)).is_ok();
        let mut walk = Walk::unruled(root, &outside, |path| is_read(path) && !is_listed(path));
        let packages: Vec<Mark> = package_dirs(root, &walk).into_iter().flat_map(installed).collect();
        let named: Vec<Mark> = outside.keys().filter_map(Watched::packages).flat_map(installed).collect();
        for (path, _) in packages.iter().chain(&named) {
            walk.note_mark(path.clone());
        }
        if walk.cut.is_some() {
            // Half a list would tell the other half deleted.
            walk.files.clear();
        }
        Self { walk, outside, packages, named }
    }

    /// Tells whether another look would find the same.
    pub(super) fn holds(&self, root: &AbsPath, outside: &Outside) -> bool {
        self.walk.cut.is_some() || self.outside.keys().eq(outside.keys()) && self.walk.holds(root)
    }

    /// Tells, where the system watches, that another look would find the same.
    pub(super) fn is_known_to_hold(&self, outside: &Outside) -> bool {
        self.outside.keys().eq(outside.keys()) && self.walk.is_known_to_hold()
    }

    /// Returns what happened since an earlier look. What was not wanted then is new only if it has changed since it was.
    pub(super) fn since(&self, earlier: &Self) -> ApartChanges {
        let is_news = |change: &Change| {
            let wanted = self.outside.iter().find(|(place, _)| place.holds(&change.path));
            let was_wanted = wanted.is_none_or(|(place, _)| earlier.outside.contains_key(place));
            was_wanted || wanted.is_some_and(|(_, moment)| self.is_younger(&change.path, *moment))
        };
        let mut changes = changes(&earlier.walk.files, &self.walk.files);
        changes.retain(is_news);
        let known: BTreeMap<&PathBuf, &Mark> = self.named.iter().map(|mark| (&mark.0, mark)).collect();
        let named = earlier.named.iter().filter_map(|mark| Some((mark, *known.get(&mark.0)?)));
        let are_same = self.packages.len() == earlier.packages.len()
            && self.packages.iter().zip(&earlier.packages).chain(named).all(|(one, other)| is_same(one, other));
        ApartChanges { changes, packages: !are_same }
    }

    fn is_younger(&self, path: &AbsPath, moment: SystemTime) -> bool {
        let moment = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let at = self.walk.files.binary_search_by(|file| file.path.cmp(path));
        at.is_ok_and(|at| self.walk.files[at].stamp.last_change() >= moment)
    }
}

/// Tells whether a server of scripts may read a file: the others watch for themselves, or have asked for nothing.
fn is_read(path: &AbsPath) -> bool {
    Language::of_path(path).is_some_and(|it| it.family() == Family::Script || it == Language::Json)
}

fn is_same(one: &Mark, other: &Mark) -> bool {
    one.0 == other.0 && one.1.map(|stamp| stamp.parts()) == other.1.map(|stamp| stamp.parts())
}

/// Returns the directories of packages below the root, its own apart, on which the session stands, and above it.
fn package_dirs(root: &AbsPath, walk: &Walk) -> Vec<PathBuf> {
    let own = root.as_path().join(PACKAGES);
    let inside = walk.dirs().map(|dir| dir.join(PACKAGES)).filter(|dir| *dir != own && dir.is_dir());
    let above = root.as_path().ancestors().skip(1).map(|dir| dir.join(PACKAGES));
    let mut dirs: Vec<PathBuf> = inside.chain(above).collect();
    dirs.sort();
    dirs
}

fn installed(dir: PathBuf) -> impl Iterator<Item = Mark> {
    INSTALLED.into_iter().map(move |name| mark(if name.is_empty() { dir.clone() } else { dir.join(name) }))
}
