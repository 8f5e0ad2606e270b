//! Where copies of projects lie, and what language servers write while they run: below one directory of the user's, each
//! beside a lock that its process holds, so that what a killed process left behind is known for what it is, and swept.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::apply::Failure;
use super::private_dir::{home, is_own, prepare, private};

const LOCK: &str = "lock";

/// A directory that is gone when dropped.
pub struct ScratchDir {
    path: PathBuf,
    /// Locked as long as this process lives; goes after the directory.
    lock: NamedTempFile,
}

impl ScratchDir {
    /// # Errors
    /// Where it cannot be made, or others can write to the directory above it.
    pub fn new() -> Result<Self, Failure> {
        let home = home();
        let failed = |source| Failure { doing: "create a directory in", path: home.clone(), source };
        let made = prepare(&home).and_then(|()| locked_file(&home)).and_then(|lock| {
            let path = lock.path().with_extension("");
            private(&path)?;
            Ok(Self { path: path.canonicalize()?, lock })
        });
        made.map_err(failed)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // What stays is swept at a later start, by its lock.
        self.lock.disable_cleanup(remove_tree(&self.path).is_err());
    }
}

/// Removes the directories of processes that are gone.
pub fn sweep_scratch_dirs() {
    let home = home();
    if is_own(&home).is_err() {
        return;
    }
    for entry in fs::read_dir(&home).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != LOCK) {
            continue;
        }
        // The lock goes last: a sweep that ends in the middle is taken up again.
        let Ok(lock) = open_lock(&path) else { continue };
        if lock.try_lock().is_ok() && remove_tree(&path.with_extension("")).is_ok() {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Makes a lock of a name that nobody has, and holds it.
fn locked_file(home: &Path) -> io::Result<NamedTempFile> {
    loop {
        let lock = tempfile::Builder::new().prefix("scratch-").suffix(".lock").tempfile_in(home)?;
        lock.as_file().lock()?;
        // A sweep may have been faster, and has removed the name then.
        if lock.path().exists() {
            return Ok(lock);
        }
    }
}

#[cfg(unix)]
fn open_lock(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(open(path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn open_lock(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).open(path)
}

/// Removes a directory with all that is in it; links are removed, not followed.
fn remove_tree(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(dir)?;
            fs::remove_dir_all(dir)
        }
        done => done,
    }
}

/// Lets the directories be emptied that a command closed.
#[cfg(unix)]
fn open_up(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn open_up(_: &Path) -> io::Result<()> {
    Ok(())
}
