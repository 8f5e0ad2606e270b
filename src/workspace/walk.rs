//! Which files a project has, and which of them changed between two looks.
//!
//! Left out, because no plan may need them: what git ignores (by the root's own ignore files, and those above
//! it only inside the same repository) and does not track, version control's and package managers' directories, virtual
//! environments, caches that carry a `CACHEDIR.TAG`, and links (what they lead to inside the root is listed
//! under its own path). Hidden files are listed; `.ignore` files, which are for search tools, hide nothing.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::gitignore::Gitignore;
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::locked;
use super::parallel::cores;
use super::stamp::Stamp;
use super::tracked::tracked;
use crate::syntax::Language;
use crate::text::AbsPath;

/// One file of the project, as the last walk saw it.
#[derive(Debug, Clone)]
pub struct FileEntry {
    pub path: AbsPath,
    pub stamp: Stamp,
}

impl FileEntry {
    /// Returns the language that the file's name tells.
    pub fn language(&self) -> Option<Language> {
        Language::of_path(&self.path)
    }
}

/// What happened to a file between two walks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    pub path: AbsPath,
    pub kind: ChangeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Created,
    Changed,
    Deleted,
}

/// Directories that never hold a project's own sources, by name.
const SKIPPED: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".venv",
    ".yarn",
    "__pycache__",
    "bower_components",
    "node_modules",
    "site-packages",
];
const SKIPPED_ENDINGS: &[&str] = &[".dist-info", ".egg-info"];
/// Files that mark a directory as a virtual environment (PEP 405) or a cache (bford.info/cachedir).
const SKIPPED_WITH: &[&str] = &["pyvenv.cfg", "CACHEDIR.TAG"];

/// Lists the files below `root`, sorted by path.
pub fn files(root: &AbsPath) -> Vec<FileEntry> {
    let found = Arc::new(Mutex::new(Vec::new()));
    builder(root).build_parallel().run(|| {
        let mut batch = Batch { found: Arc::clone(&found), entries: Vec::new() };
        Box::new(move |entry| {
            batch.entries.extend(entry.ok().and_then(|entry| file_entry(&entry)));
            WalkState::Continue
        })
    });
    let mut files = std::mem::take(&mut *locked(&found));
    add_tracked(root, &mut files);
    files.sort_unstable_by(|a: &FileEntry, b| a.path.cmp(&b.path));
    files
}

/// What changed between two walks, both sorted by path.
pub(super) fn changes(before: &[FileEntry], after: &[FileEntry]) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.path.cmp(&b.path),
        };
        let gone = if order.is_le() { old.next() } else { None };
        let come = if order.is_ge() { new.next() } else { None };
        let (entry, kind) = match (gone, come) {
            (Some(a), Some(b)) if a.stamp.same(&b.stamp) => continue,
            (_, Some(b)) if gone.is_some() => (b, ChangeKind::Changed),
            (_, Some(b)) => (b, ChangeKind::Created),
            (Some(a), None) => (a, ChangeKind::Deleted),
            (None, None) => return changes,
        };
        changes.push(Change { path: entry.path.clone(), kind });
    }
}

fn builder(root: &AbsPath) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root.as_path());
    builder
        .hidden(false)
        .ignore(false)
        .git_global(false)
        .require_git(false)
        .parents(obeys_parents(root.as_path()))
        .follow_links(false)
        .threads(cores())
        .filter_entry(|entry| entry.depth() == 0 || !is_skipped(entry));
    builder
}

/// Tells whether ignore files above the root count: only those of the repository that the root lies in,
/// and not where they hide the root itself (a home directory kept in git ignores all that is in it).
fn obeys_parents(root: &Path) -> bool {
    let Some(top) = root.ancestors().find(|dir| dir.join(".git").exists()) else { return false };
    let above = root.ancestors().skip(1).take_while(|dir| dir.starts_with(top));
    let hides_root = |dir: &Path| {
        let (rules, _) = Gitignore::new(dir.join(".gitignore"));
        rules.matched_path_or_any_parents(root, true).is_ignore()
    };
    top != root && !above.into_iter().any(hides_root)
}

/// Adds the files that ignore files hide although git tracks them.
fn add_tracked(root: &AbsPath, files: &mut Vec<FileEntry>) {
    let Some((top, names)) = tracked(root.as_path()) else { return };
    let known: HashSet<&Path> = files.iter().map(|file| file.path.as_path()).collect();
    let is_installed = |path: &Path| path.iter().any(|part| SKIPPED.iter().any(|name| part == *name));
    let paths = names.iter().filter(|name| !is_installed(Path::new(name))).map(|name| top.join(name));
    let hidden: Vec<PathBuf> =
        paths.filter(|path| path.starts_with(root.as_path()) && !known.contains(path.as_path())).collect();
    files.extend(hidden.iter().filter_map(|path| {
        let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(FileEntry { path: AbsPath::new(path).ok()?, stamp: Stamp::new(&metadata) })
    }));
}

fn is_skipped(entry: &DirEntry) -> bool {
    if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return false;
    }
    let name = entry.file_name().to_str().unwrap_or_default();
    SKIPPED.contains(&name)
        || SKIPPED_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || SKIPPED_WITH.iter().any(|mark| entry.path().join(mark).exists())
}

fn file_entry(entry: &DirEntry) -> Option<FileEntry> {
    if !entry.file_type()?.is_file() {
        return None;
    }
    let stamp = Stamp::new(&entry.metadata().ok()?);
    Some(FileEntry { path: AbsPath::new(entry.path()).ok()?, stamp })
}

/// What one walking thread found; handed over when the thread is done.
struct Batch {
    found: Arc<Mutex<Vec<FileEntry>>>,
    entries: Vec<FileEntry>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        locked(&self.found).append(&mut self.entries);
    }
}
