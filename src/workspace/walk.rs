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
use std::sync::atomic::{AtomicUsize, Ordering as AtomicOrdering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ignore::gitignore::Gitignore;
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::locked;
use super::marks::Marks;
use super::open::{is_harmless, read_text};
use super::outside::{Outside, Watched};
use super::parallel::{cores, for_each};
use super::stamp::{Stamp, TICK};
use super::tracked::Repository;
use super::watch::Watch;
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::workspace::unread::Unread;

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

impl Change {
    /// Returns for how long the file, or the directory that it was deleted from, has stayed as it is; nothing where neither is
    /// there.
    pub fn age(&self) -> Option<Duration> {
        let here = self.path.as_path();
        let metadata = here.symlink_metadata().or_else(|_| here.parent().unwrap_or(here).symlink_metadata()).ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let age = now.saturating_sub(Stamp::new(&metadata).last_change());
        Some(Duration::from_nanos(u64::try_from(age).unwrap_or(u64::MAX)))
    }
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

/// Lists the files below `root`, sorted by path; nothing but the reason where there are too many.
pub fn files(root: &AbsPath) -> Result<Vec<FileEntry>, TooLarge> {
    let walk = Walk::through(root);
    walk.cut.map_or(Ok(walk.files), Err)
}

/// Why a tree was not walked to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    #[error("`{root}` holds more than {most} files and directories")]
    Entries { root: AbsPath, most: usize },
    #[error("`{root}` could not be looked through within {} s", after.as_secs())]
    Time { root: AbsPath, after: Duration },
}

/// How far a walk goes.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Files and directories that are not left out.
    pub(super) entries: usize,
    pub(super) time: Duration,
}

/// A project of a hundred thousand files is walked in about a second.
const BOUNDS: Bounds = Bounds { entries: 500_000, time: Duration::from_secs(60) };

/// What one walk found.
#[derive(Default)]
pub(super) struct Walk {
    /// Sorted by path.
    pub(super) files: Vec<FileEntry>,
    marks: Marks,
    watching: Mutex<Watching>,
    /// What could not be looked at.
    pub(super) unread: Vec<Unread>,
    /// Why it did not come to its end.
    pub(super) cut: Option<TooLarge>,
}

/// How a walk learns that another would find the same.
enum Watching {
    /// By looking; so often it was asked.
    Not(usize),
    By(Watch),
    /// By looking, for the system does not watch.
    Never,
}

impl Default for Watching {
    fn default() -> Self {
        Self::Not(0)
    }
}

/// So many questions are answered by looking at every file: a watch costs more than they do.
const LOOKS: usize = 3;

impl Walk {
    /// The same with other files; what would show a change is told by the walk itself.
    pub(super) fn with_files(&self, files: Vec<FileEntry>) -> Self {
        Self { files, unread: self.unread.clone(), cut: self.cut.clone(), ..Self::default() }
    }

    pub(super) fn through(root: &AbsPath) -> Self {
        Self::within(root, BOUNDS)
    }

    pub(super) fn within(root: &AbsPath, bounds: Bounds) -> Self {
        let found = Arc::new(Mutex::new(Self::default()));
        let unruled = Arc::new(Mutex::new(Vec::new()));
        let limit = Limit { root, bounds, seen: AtomicUsize::new(0), begun: Instant::now() };
        if has_harmless_rules(root.as_path()) {
            gather(&obedient(root, &unruled), &limit, &found);
        } else {
            locked(&unruled).push(root.as_path().to_owned());
        }
        for dir in std::mem::take(&mut *locked(&unruled)) {
            gather(&unruly(&dir), &limit, &found);
        }
        let mut walk = std::mem::take(&mut *locked(&found));
        if walk.cut.is_some() {
            return walk;
        }
        for path in ignore_files_above(root.as_path()) {
            walk.marks.note(path);
        }
        add_tracked(root, &mut walk);
        walk.settle();
        walk.files.sort_unstable_by(|a: &FileEntry, b| a.path.cmp(&b.path));
        walk
    }

    /// Lists what lies below `root`, ignored or not, and in places outside of it, as far as it is `wanted`.
    pub(super) fn unruled(root: &AbsPath, outside: &Outside, wanted: impl Fn(&AbsPath) -> bool) -> Self {
        let found = Arc::new(Mutex::new(Self::default()));
        let limit = Limit { root, bounds: BOUNDS, seen: AtomicUsize::new(0), begun: Instant::now() };
        gather(&unruly(root.as_path()), &limit, &found);
        for place in outside.keys().filter(|place| place.packages().is_none()) {
            match place {
                Watched::Directory(dir) => gather(unruly(dir.as_path()).max_depth(Some(1)), &limit, &found),
                Watched::Tree(dir) => gather(&unruly(dir.as_path()), &limit, &found),
                Watched::File(path) => {
                    let mut found = locked(&found);
                    found.marks.note(path.as_path().to_owned());
                    if let Ok(metadata) = fs::symlink_metadata(path.as_path()) {
                        found.files.push(FileEntry { path: path.clone(), stamp: Stamp::new(&metadata) });
                    }
                }
            }
        }
        let mut walk = std::mem::take(&mut *locked(&found));
        walk.files.retain(|file| wanted(&file.path));
        walk.files.sort_unstable_by(|a: &FileEntry, b| a.path.cmp(&b.path));
        walk.files.dedup_by(|a, b| a.path == b.path);
        walk.settle();
        walk
    }

    pub(super) fn dirs(&self) -> impl Iterator<Item = &Path> {
        self.marks.dirs()
    }

    /// Has another place show that something changed.
    pub(super) fn note_mark(&mut self, path: PathBuf) {
        self.marks.note(path);
    }

    fn note(&mut self, entry: &DirEntry) {
        match entry.file_type() {
            Some(kind) if kind.is_dir() => self.marks.note_dir(entry.path().to_owned()),
            Some(kind) if kind.is_file() => {
                let Ok(metadata) = entry.metadata() else { return };
                let path = match AbsPath::new(entry.path()) {
                    Ok(path) => path,
                    Err(error) => return self.unread.push(Unread::file(entry.path(), error)),
                };
                if has_other_names(&metadata) {
                    self.marks.note(entry.path().to_owned());
                }
                self.files.push(FileEntry { path, stamp: Stamp::new(&metadata) });
            }
            _ => {}
        }
    }

    /// Takes the stamps of files that changed just now again, as soon as they say something: else the next look
    /// would find these files changed, and servers would be asked twice.
    fn settle(&mut self) {
        let mut young = self.files.iter_mut().filter(|file| !file.stamp.is_settled()).peekable();
        if young.peek().is_some() {
            std::thread::sleep(TICK);
        }
        for file in young {
            if let Ok(metadata) = fs::symlink_metadata(file.path.as_path()) {
                file.stamp = Stamp::new(&metadata);
            }
        }
    }

    /// Tells, without reading a directory, whether another walk of `root` would find the same.
    pub(super) fn holds(&self, root: &AbsPath) -> bool {
        let mut watching = locked(&self.watching);
        match &mut *watching {
            Watching::By(watch) if watch.is_quiet() && self.marks.others_stand() => return true,
            Watching::Not(looks) if *looks >= LOOKS => {
                // Before the look: what changes in between is seen by one of the two.
                let watch = Watch::over(root.as_path(), self.marks.dirs());
                *watching = watch.map_or(Watching::Never, Watching::By);
            }
            Watching::Not(looks) => *looks += 1,
            Watching::By(_) | Watching::Never => {}
        }
        let holds = self.stands();
        if !holds {
            // What the watch told is used up.
            *watching = Watching::default();
        }
        holds
    }

    /// Tells whether the system itself says that another walk would find the same: no file has to be looked at for that, but
    /// the few that nobody watches.
    pub(super) fn is_known_to_hold(&self) -> bool {
        let is_quiet = matches!(&*locked(&self.watching), Watching::By(watch) if watch.has_no_news());
        is_quiet && self.cut.is_none() && self.marks.others_stand()
    }

    /// Looks at every file and directory again.
    fn stands(&self) -> bool {
        let is_same = |file: &FileEntry| {
            let now = fs::symlink_metadata(file.path.as_path());
            now.is_ok_and(|metadata| file.stamp.same(&Stamp::new(&metadata)))
        };
        let parts: Vec<&[FileEntry]> = self.files.chunks(1_000).collect();
        let look = |part: &&[FileEntry]| if part.iter().all(is_same) { Ok(()) } else { Err(()) };
        for_each(&parts, cores(), look).is_ok() && self.marks.stand()
    }
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

/// How far one walk goes.
struct Limit<'a> {
    root: &'a AbsPath,
    bounds: Bounds,
    seen: AtomicUsize,
    begun: Instant,
}

impl Limit<'_> {
    /// Counts one more entry, and tells what is too much by now.
    fn beyond(&self) -> Option<TooLarge> {
        let Bounds { entries, time } = self.bounds;
        if self.seen.fetch_add(1, AtomicOrdering::Relaxed) >= entries {
            return Some(TooLarge::Entries { root: self.root.clone(), most: entries });
        }
        (self.begun.elapsed() > time).then(|| TooLarge::Time { root: self.root.clone(), after: time })
    }
}

/// Walks, and adds what was found.
fn gather(builder: &WalkBuilder, limit: &Limit<'_>, found: &Arc<Mutex<Walk>>) {
    builder.build_parallel().run(|| {
        let mut batch = Batch { found: Arc::clone(found), own: Walk::default() };
        Box::new(move |entry| {
            batch.own.cut = limit.beyond();
            if batch.own.cut.is_some() {
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) => batch.own.note(&entry),
                Err(error) => batch.own.unread.extend(Unread::of_walk(&error)),
            }
            WalkState::Continue
        })
    });
}

/// A walk that obeys ignore files. Directories whose ignore files must not be opened are left out and named in `unruled`.
fn obedient(root: &AbsPath, unruled: &Arc<Mutex<Vec<PathBuf>>>) -> WalkBuilder {
    let (mut builder, unruled) = (unruly(root.as_path()), Arc::clone(unruled));
    builder.git_ignore(true).git_exclude(true).parents(obeys_parents(root.as_path())).filter_entry(move |entry| {
        if entry.depth() == 0 || !is_directory(entry) {
            return true;
        }
        if is_skipped(entry) {
            return false;
        }
        let is_ruled = has_harmless_rules(entry.path());
        if !is_ruled {
            locked(&unruled).push(entry.path().to_owned());
        }
        is_ruled
    });
    builder
}

/// A walk below a directory that reads no ignore file: a rule that nobody can read hides nothing.
fn unruly(dir: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(dir);
    builder
        .standard_filters(false)
        .require_git(false)
        .follow_links(false)
        .threads(cores())
        .filter_entry(|entry| entry.depth() == 0 || !is_directory(entry) || !is_skipped(entry));
    builder
}

/// Tells whether the ignore files that git would read in a directory may be opened: none is a pipe, a device, or huge.
fn has_harmless_rules(dir: &Path) -> bool {
    let mut rules = vec![dir.join(".gitignore"), dir.join(".git/info/exclude")];
    rules.extend(of_worktree(&dir.join(".git")).into_iter().flatten());
    rules.iter().all(|path| is_harmless(path))
}

/// Returns what the `ignore` crate (0.4) opens where `.git` is a file that names a worktree's repository.
fn of_worktree(git: &Path) -> Option<[PathBuf; 2]> {
    let metadata = git.metadata().ok()?;
    let pointer = if metadata.is_file() { read_text(git).ok()? } else { return None };
    let repository = PathBuf::from(pointer.lines().next()?.strip_prefix("gitdir: ")?);
    let common = repository.join("commondir");
    let shared = read_text(&common).unwrap_or_default();
    let shared = repository.join(shared.lines().next().unwrap_or_default());
    Some([common, shared.join("info/exclude")])
}

/// Tells whether ignore files above the root count: only those of the repository that the root lies in,
/// and not where they hide the root itself (a home directory kept in git ignores all that is in it).
fn obeys_parents(root: &Path) -> bool {
    let above = ignore_files_above(root);
    let hides_root = |rules: &PathBuf| {
        let (rules, _) = Gitignore::new(rules);
        rules.matched_path_or_any_parents(root, true).is_ignore()
    };
    !above.is_empty() && above.iter().all(|rules| is_harmless(rules)) && !above.iter().any(hides_root)
}

/// Returns where ignore files of the repository that the root lies in may stand above the root.
fn ignore_files_above(root: &Path) -> Vec<PathBuf> {
    let Some(repository) = Repository::around(root) else { return Vec::new() };
    let above = root.ancestors().skip(1).take_while(|dir| dir.starts_with(&repository.top));
    above.map(|dir| dir.join(".gitignore")).collect()
}

/// Adds the files that ignore files hide although git tracks them.
fn add_tracked(root: &AbsPath, walk: &mut Walk) {
    let Some(repository) = Repository::around(root.as_path()) else { return };
    walk.marks.note(repository.index());
    walk.marks.note(repository.exclude());
    let Some(names) = repository.tracked() else { return };
    let known: HashSet<&Path> = walk.files.iter().map(|file| file.path.as_path()).collect();
    let is_installed = |path: &Path| path.iter().any(|part| SKIPPED.iter().any(|name| part == *name));
    let paths = names.iter().filter(|name| !is_installed(Path::new(name))).map(|name| repository.top.join(name));
    let hidden: Vec<PathBuf> =
        paths.filter(|path| path.starts_with(root.as_path()) && !known.contains(path.as_path())).collect();
    for path in hidden {
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if let (true, Ok(name)) = (metadata.is_file(), AbsPath::new(&path)) {
            walk.files.push(FileEntry { path: name, stamp: Stamp::new(&metadata) });
            // Its directory may be ignored whole.
            walk.marks.note(path);
        }
    }
}

fn is_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn is_skipped(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_str().unwrap_or_default();
    SKIPPED.contains(&name)
        || SKIPPED_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || SKIPPED_WITH.iter().any(|mark| entry.path().join(mark).exists())
}

/// Tells whether a file may be changed by a path that lies elsewhere.
#[cfg(unix)]
fn has_other_names(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// What one walking thread found; handed over when the thread is done.
struct Batch {
    found: Arc<Mutex<Walk>>,
    own: Walk,
}

impl Drop for Batch {
    fn drop(&mut self) {
        let mut found = locked(&self.found);
        found.files.append(&mut self.own.files);
        found.marks.append(&mut self.own.marks);
        found.unread.append(&mut self.own.unread);
        found.cut = found.cut.take().or(self.own.cut.take());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Bounds, TooLarge, Walk};
    use crate::text::AbsPath;

    #[test]
    fn a_walk_ends_where_there_is_too_much() {
        let dir = tempfile::tempdir().unwrap();
        for name in 0..100 {
            std::fs::write(dir.path().join(format!("{name}.py")), "").unwrap();
        }
        let root = AbsPath::new(dir.path()).unwrap();
        let bounds = Bounds { entries: 101, time: Duration::from_secs(60) };
        let whole = Walk::within(&root, bounds);
        assert_eq!((whole.files.len(), whole.cut), (100, None));
        let cut = Walk::within(&root, Bounds { entries: 50, ..bounds });
        assert_eq!(cut.cut, Some(TooLarge::Entries { root: root.clone(), most: 50 }));
        assert!(cut.files.len() <= 50);
        let late = Walk::within(&root, Bounds { time: Duration::ZERO, ..bounds });
        assert_eq!(late.cut, Some(TooLarge::Time { root, after: Duration::ZERO }));
    }

    /// What happens to a tree, and what that is called.
    #[cfg(target_os = "linux")]
    type Happening<'t> = (&'t str, Box<dyn Fn() + 't>);

    #[cfg(target_os = "linux")]
    #[test]
    fn a_watched_walk_holds_until_something_happens() {
        use super::{LOOKS, Watching, locked};
        use std::fs;
        use std::os::unix::fs::{FileExt as _, PermissionsExt as _};

        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap();
        let place = |path: &str| root.as_path().join(path);
        fs::create_dir_all(place("sub/deep")).unwrap();
        fs::create_dir(place("apart")).unwrap();
        for path in ["a.py", "sub/deep/b.py", "c.py", "d.py"] {
            fs::write(place(path), "one").unwrap();
        }
        let outside = tempfile::NamedTempFile::new().unwrap();
        fs::hard_link(outside.path(), place("linked.py")).unwrap();
        let opened = fs::File::options().write(true).open(place("sub/deep/b.py")).unwrap();
        let happens: Vec<Happening<'_>> = vec![
            ("written", Box::new(|| fs::write(place("a.py"), "two").unwrap())),
            ("written where it was open", Box::new(|| opened.write_all_at(b"two", 0).unwrap())),
            ("created", Box::new(|| fs::write(place("sub/new.py"), "").unwrap())),
            ("deleted", Box::new(|| fs::remove_file(place("c.py")).unwrap())),
            ("replaced", Box::new(|| fs::rename(place("sub/new.py"), place("d.py")).unwrap())),
            ("a directory moved", Box::new(|| fs::rename(place("sub/deep"), place("apart/deep")).unwrap())),
            ("hidden", Box::new(|| fs::write(place("apart/.gitignore"), "deep\n").unwrap())),
            ("written by its other name", Box::new(|| fs::write(outside.path(), "three").unwrap())),
            (
                "another mode",
                Box::new(|| fs::set_permissions(place("a.py"), fs::Permissions::from_mode(0o600)).unwrap()),
            ),
        ];
        let settled = || loop {
            std::thread::sleep(super::TICK * 2);
            let walk = Walk::through(&root);
            if (0..=LOOKS + 1).all(|_| walk.holds(&root)) {
                return walk;
            }
        };
        for (what, happen) in happens {
            let walk = settled();
            assert!(matches!(*locked(&walk.watching), Watching::By(_)), "not watched before: {what}");
            assert!(walk.is_known_to_hold(), "quiet before: {what}");
            happen();
            assert!(!walk.is_known_to_hold(), "{what}, known at once");
            assert!(!walk.holds(&root), "{what}");
            assert!(!walk.is_known_to_hold(), "{what}, told already");
            assert!(!walk.holds(&root), "{what}, asked again");
        }
        // A file is opened for writing and closed again without a change: a look says that all stands.
        let walk = settled();
        drop(fs::File::options().write(true).open(place("a.py")).unwrap());
        assert!(walk.holds(&root));
        assert!(matches!(*locked(&walk.watching), Watching::By(_)));
    }
}
