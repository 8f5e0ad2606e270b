//! Directories for what lives only as long as a process: nobody but the user can put anything into them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Returns where they lie below the system's directory for temporary files; it need not be there.
#[cfg(unix)]
pub(super) fn home() -> PathBuf {
    std::env::temp_dir().join(format!("lspwright-{}", rustix::process::geteuid().as_raw()))
}

/// Returns where they lie below the system's directory for temporary files; it need not be there.
#[cfg(not(unix))]
pub(super) fn home() -> PathBuf {
    std::env::temp_dir().join("lspwright")
}

/// Returns the directory for sockets and the like, made where it is not there: the user's runtime directory (XDG Base
/// Directory Specification 0.8), or else one among the temporary files.
///
/// # Errors
/// Where it cannot be made, or others can write to it.
pub fn runtime_dir() -> io::Result<PathBuf> {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let given = given.filter(|dir| dir.is_absolute() && is_own(dir).is_ok()).map(|dir| dir.join("lspwright"));
    let dir = given.unwrap_or_else(home);
    prepare(&dir).map(|()| dir)
}

/// Makes the directory, or takes the one that is there if nobody else can have put anything into it.
pub(super) fn prepare(home: &Path) -> io::Result<()> {
    match private(home) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => is_own(home),
        done => done,
    }
}

#[cfg(unix)]
pub(super) fn is_own(home: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let data = fs::symlink_metadata(home)?;
    let is_private = data.is_dir() && data.uid() == rustix::process::geteuid().as_raw() && data.mode() & 0o022 == 0;
    if is_private { Ok(()) } else { Err(io::Error::other("others can write to it, or it is not a directory of yours")) }
}

#[cfg(not(unix))]
pub(super) fn is_own(home: &Path) -> io::Result<()> {
    fs::symlink_metadata(home).map(drop)
}

pub(super) fn private(dir: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has a mode to set"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Locks a file, made where it is not there, as long as what is returned is open; nothing where another process holds it.
pub fn take(lock: &Path) -> io::Result<Option<File>> {
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(lock)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens a log to be written on, made where it is not there; one of more than `most` bytes begins anew.
pub fn log_file(path: &Path, most: u64) -> io::Result<File> {
    let is_long = fs::metadata(path).is_ok_and(|data| data.len() > most);
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    OpenOptions::new().create(true).append(!is_long).write(true).truncate(is_long).open(path)
}
