//! A copy of a project, to try things on.
//!
//! What lies in the copy and what is only linked to: the project's own files are copied, ignored ones
//! too; installed packages and virtual environments are links to the originals, as are big directories
//! of which git knows nothing. Left out are version control's own files, caches, and what is no file
//! (pipes, sockets, devices). Links inside the project lead to the copies of what they led to. A project
//! that lies inside a repository finds what stands around it there (configuration, packages installed
//! further up) as links.
//!
//! Big files that the plan leaves alone cost nothing ([`Purpose`] says how), and what would cost too much all
//! the same is refused before anything is copied.
//!
//! A copy lies in `lspwright-UID` in the temporary directory, beside a lock that its process holds (`scratch_dir`):
//! opening a session removes those whose lock can be taken. What a copy is for says what becomes of big files that
//! the plan leaves alone: language servers get a link, since they write to no data; where commands run, which may
//! write anywhere, they share their blocks with the original (a reflink) or are left out. A hard link would let a
//! command write into the user's file.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::apply::{ApplyError, Failure, apply_to_copy};
use super::disk::Disk;
use super::drafts::plan_of_drafts;
#[cfg(target_os = "linux")]
use super::open::open;
use super::parallel::{cores, for_each};
use super::scratch_dir::ScratchDir;
use crate::plan::{Move, Parts, Plan, PlanError};
use crate::text::{AbsPath, PathError};

/// A temporary copy of a project's tree; gone when dropped.
pub struct ShadowCopy {
    /// Held for its end.
    _dir: ScratchDir,
    original: AbsPath,
    root: AbsPath,
}

/// What a copy is for.
// A hard link or a symbolic one would let a command write into the original: where commands run, a big file shares its
// blocks with the original (a reflink, which parts when written to), or is not there. Servers write to no data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Language servers read it: big files are links to the originals.
    Reading,
    /// Commands run in it, which may write anywhere: big files are reflinks, or where there are none, left out.
    Running,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum ShadowError {
    #[error("`{root}` is too big for a copy: {reason}")]
    TooBig { root: AbsPath, reason: String },
    #[error(transparent)]
    Copy(#[from] Failure),
    #[error("the plan does not fit the copy: {0}")]
    Apply(#[from] ApplyError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Directories that are linked to as they are.
const LINKED: &[&str] = &[".venv", ".yarn", "bower_components", "site-packages"];
/// Directories that nobody misses.
const LEFT_OUT: &[&str] =
    &[".git", ".hg", ".jj", ".svn", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".tox", "__pycache__"];
/// A directory that git ignores is linked to if it holds more files than this.
const MANY_FILES: usize = 2000;
/// Files of more bytes are big: no source of a program is.
const BIG: u64 = 16 * 1024 * 1024;
/// More files than this are not copied.
const MOST_FILES: usize = 100_000;
/// More bytes than this are not copied.
const MOST_BYTES: u64 = 2 * 1024 * 1024 * 1024;

impl ShadowCopy {
    /// Copies the project as it stands.
    pub fn new(disk: &Disk, purpose: Purpose) -> Result<Self, ShadowError> {
        Self::with_plan(disk, &Plan::default(), purpose)
    }

    /// Copies the project and carries `plan` out on the copy.
    pub fn with_plan(disk: &Disk, plan: &Plan, purpose: Purpose) -> Result<Self, ShadowError> {
        let copy = Self::before_plan(disk, plan, purpose)?;
        apply_to_copy(&rebased(plan, disk, &copy)?, &copy.root)?;
        Ok(copy)
    }

    /// Copies the project as it is where `plan` was made: with its drafts, unless the plan is one of what they hide.
    pub fn before_plan(disk: &Disk, plan: &Plan, purpose: Purpose) -> Result<Self, ShadowError> {
        let dir = ScratchDir::new()?;
        let root = AbsPath::new(surround(disk.root().as_path(), dir.path())?)?;
        let copy = Self { _dir: dir, original: disk.root().clone(), root };
        let drafts = if disk.shows(plan) { disk.drafts() } else { Vec::new() };
        let drafts = drafts.into_iter().map(|(path, draft)| {
            let saved = disk.read_saved(&path).ok();
            (path, saved, draft.text)
        });
        let drafts = rebased(&plan_of_drafts(drafts)?, disk, &copy)?;
        let touched = [&drafts, &rebased(plan, disk, &copy)?].map(touched);
        Tree::new(disk, &copy, touched.concat(), purpose).copy()?;
        apply_to_copy(&drafts, &copy.root)?;
        Ok(copy)
    }

    /// Carries out a plan that was made for the copy.
    pub fn carry_out(&self, plan: &Plan) -> Result<(), ShadowError> {
        Ok(apply_to_copy(plan, &self.root)?)
    }

    /// Returns the root of the copy.
    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Returns where a path of the copy lies in the project; other paths stay as they are.
    pub fn original_of(&self, path: &AbsPath) -> AbsPath {
        path.rebased(&self.root, &self.original).unwrap_or_else(|| path.clone())
    }

    /// Returns where a path of the project lies in the copy; other paths stay as they are.
    pub fn copy_of(&self, path: &AbsPath) -> AbsPath {
        path.rebased(&self.original, &self.root).unwrap_or_else(|| path.clone())
    }
}

/// Makes the directories above the copy's root. Inside a repository they stand as there, down from its
/// top, with links to all that lies beside the way.
fn surround(original: &Path, base: &Path) -> Result<PathBuf, Failure> {
    let top = original.ancestors().find(|dir| dir.join(".git").exists()).unwrap_or(original);
    let way: Vec<&Path> = original.ancestors().take_while(|dir| dir.starts_with(top)).collect();
    let mut here = base.join(top.file_name().unwrap_or("root".as_ref()));
    make_dir(&here)?;
    for pair in way.windows(2).rev() {
        let [below, above] = pair else { continue };
        for beside in children(above)?.iter().filter(|child| child.as_path() != *below && !child.ends_with(".git")) {
            link(beside, &here.join(beside.file_name().unwrap_or_default()))?;
        }
        here = here.join(below.file_name().unwrap_or_default());
        make_dir(&here)?;
    }
    Ok(here)
}

/// Addresses a plan to the copy.
fn rebased(plan: &Plan, disk: &Disk, copy: &ShadowCopy) -> Result<Plan, PlanError> {
    let there = |path: &AbsPath| copy.copy_of(&disk.as_real(path));
    let parts = plan.clone().into_parts();
    let shift = |(from, step): (AbsPath, Move)| (there(&from), Move { to: there(&step.to), ..step });
    Plan::new(Parts {
        edits: parts.edits.into_iter().map(|(path, edit)| (there(&path), edit)).collect(),
        moves: parts.moves.into_iter().map(shift).collect(),
        creates: parts.creates.into_iter().map(|(path, text)| (there(&path), text)).collect(),
        deletes: parts.deletes.into_iter().map(|(path, text)| (there(&path), text)).collect(),
        warnings: Vec::new(),
    })
}

/// Returns the files that a plan reads or changes.
fn touched(plan: &Plan) -> Vec<AbsPath> {
    plan.basis().into_keys().chain(plan.creates().keys().cloned()).collect()
}

/// A tree on its way into the copy.
struct Tree<'a> {
    from: &'a Path,
    to: &'a Path,
    /// Directories, of the original, that hold files that git does not ignore or that the plan touches.
    known: BTreeSet<PathBuf>,
    /// The files of the original that the plan reads or changes.
    touched: BTreeSet<PathBuf>,
    purpose: Purpose,
    /// Files yet to be copied, from and to.
    files: Vec<(PathBuf, PathBuf)>,
    bytes: u64,
}

/// What becomes of a directory.
enum Fate {
    Copied,
    Linked,
    LeftOut,
    /// A real directory with links to what is installed in it.
    Packages,
}

impl<'a> Tree<'a> {
    fn new(disk: &'a Disk, copy: &'a ShadowCopy, touched: Vec<AbsPath>, purpose: Purpose) -> Self {
        let files = disk.files();
        let touched: Vec<AbsPath> = touched.iter().map(|path| copy.original_of(path)).collect();
        let mut known = BTreeSet::new();
        for path in files.iter().map(|file| &file.path).chain(&touched) {
            for dir in path.as_path().ancestors().skip(1) {
                if !known.insert(dir.to_owned()) {
                    break;
                }
            }
        }
        let touched = touched.into_iter().map(|path| path.as_path().to_owned()).collect();
        let (from, to) = (disk.root().as_path(), copy.root.as_path());
        Self { from, to, known, touched, purpose, files: Vec::new(), bytes: 0 }
    }

    fn copy(mut self) -> Result<(), ShadowError> {
        let (from, to) = (self.from, self.to);
        self.descend(from, to)?;
        let copy = |(from, to): &(PathBuf, PathBuf)| attempt("copy", from, || fs::copy(from, to)).map(drop);
        Ok(for_each(&self.files, cores(), copy)?)
    }

    fn descend(&mut self, from: &Path, to: &Path) -> Result<(), ShadowError> {
        for child in children(from)? {
            let target = to.join(child.file_name().unwrap_or_default());
            let data = attempt("read", &child, || fs::symlink_metadata(&child))?;
            let kind = data.file_type();
            if kind.is_symlink() {
                self.copy_link(&child, &target)?;
            } else if kind.is_dir() {
                self.copy_dir(&child, &target)?;
            } else if kind.is_file() {
                self.copy_file(child, target, data.len())?;
            }
        }
        Ok(())
    }

    /// Notes a file to be copied; a big one that the plan leaves alone comes in without a copy, or not at all.
    fn copy_file(&mut self, from: PathBuf, to: PathBuf, bytes: u64) -> Result<(), ShadowError> {
        if bytes > BIG && !self.touched.contains(&from) {
            return match self.purpose {
                Purpose::Reading => Ok(link(&from, &to)?),
                Purpose::Running => Ok(reflink(&from, &to)?),
            };
        }
        self.files.push((from, to));
        self.bytes = self.bytes.saturating_add(bytes);
        let reason = if self.files.len() > MOST_FILES {
            format!("it has more than {MOST_FILES} files beside installed packages")
        } else if self.bytes > MOST_BYTES {
            format!("its files of up to {} MiB have more than {} GiB together", BIG >> 20, MOST_BYTES >> 30)
        } else {
            return Ok(());
        };
        Err(ShadowError::TooBig { root: AbsPath::new(self.from)?, reason })
    }

    fn copy_dir(&mut self, from: &Path, to: &Path) -> Result<(), ShadowError> {
        match self.fate(from) {
            Fate::LeftOut => Ok(()),
            Fate::Linked => Ok(link(from, to)?),
            Fate::Packages => Ok(self.copy_packages(from, to)?),
            Fate::Copied => {
                make_dir(to)?;
                self.descend(from, to)
            }
        }
    }

    fn fate(&self, dir: &Path) -> Fate {
        let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if self.known.contains(dir) {
            Fate::Copied
        } else if name == "node_modules" {
            Fate::Packages
        } else if LINKED.contains(&name) || dir.join("pyvenv.cfg").exists() {
            Fate::Linked
        } else if LEFT_OUT.contains(&name) || dir.join("CACHEDIR.TAG").exists() {
            Fate::LeftOut
        } else if holds_more_than(dir, MANY_FILES) {
            Fate::Linked
        } else {
            Fate::Copied
        }
    }

    /// Links to each package by itself: those of the project's own that are linked here (workspaces) have
    /// to lead into the copy, and caches that tools keep beside the packages must not be the original's.
    fn copy_packages(&mut self, from: &Path, to: &Path) -> Result<(), Failure> {
        make_dir(to)?;
        for child in children(from)? {
            let name = child.file_name().unwrap_or_default();
            let target = to.join(name);
            if child.is_symlink() {
                self.copy_link(&child, &target)?;
            } else if name.as_encoded_bytes().starts_with(b"@") && child.is_dir() {
                self.copy_packages(&child, &target)?;
            } else if name != ".cache" {
                link(&child, &target)?;
            }
        }
        Ok(())
    }

    /// Makes a link that leads to the copy of what the original leads to, or else to the same place.
    fn copy_link(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        let text = attempt("read", from, || fs::read_link(from))?;
        let target = from.parent().unwrap_or(from).join(&text);
        let target = AbsPath::new(&target).map_or(target, |path| path.as_path().to_owned());
        let inside = target.strip_prefix(self.from).ok();
        match inside {
            Some(_) if text.is_relative() => make_link(&text, to, target.is_dir()),
            Some(rest) => make_link(&self.to.join(rest), to, target.is_dir()),
            None => make_link(&target, to, target.is_dir()),
        }
    }
}

fn children(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    attempt("list", dir, || fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.path())).collect())
}

fn holds_more_than(dir: &Path, limit: usize) -> bool {
    let mut left = limit;
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
            let Some(fewer) = left.checked_sub(1) else { return true };
            left = fewer;
        }
    }
    false
}

fn make_dir(dir: &Path) -> Result<(), Failure> {
    attempt("create the directory", dir, || fs::create_dir(dir))
}

fn link(original: &Path, at: &Path) -> Result<(), Failure> {
    make_link(original, at, original.is_dir())
}

/// Makes a file that shares its blocks with the original until one of them is written to; leaves it out where the file
/// system cannot.
#[cfg(target_os = "linux")]
fn reflink(from: &Path, to: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let (original, metadata) = attempt("copy", from, || open(from))?;
    let mode = metadata.permissions().mode();
    let copy = attempt("create", to, || fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(to))?;
    rustix::fs::ioctl_ficlone(&copy, &original).or_else(|_| attempt("remove", to, || fs::remove_file(to)))
}

#[cfg(target_os = "macos")]
fn reflink(from: &Path, to: &Path) -> Result<(), Failure> {
    use rustix::fs::{CWD, CloneFlags, fclonefileat};
    let original = attempt("copy", from, || fs::File::open(from))?;
    let _ = fclonefileat(&original, CWD, to, CloneFlags::empty());
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn reflink(_: &Path, _: &Path) -> Result<(), Failure> {
    Ok(())
}

#[cfg(unix)]
fn make_link(target: &Path, at: &Path, _is_dir: bool) -> Result<(), Failure> {
    attempt("create the link", at, || std::os::unix::fs::symlink(target, at))
}

#[cfg(windows)]
fn make_link(target: &Path, at: &Path, is_dir: bool) -> Result<(), Failure> {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    attempt("create the link", at, || if is_dir { symlink_dir(target, at) } else { symlink_file(target, at) })
}

fn attempt<T>(doing: &'static str, path: &Path, act: impl FnOnce() -> io::Result<T>) -> Result<T, Failure> {
    act().map_err(|source| Failure { doing, path: path.to_owned(), source })
}
