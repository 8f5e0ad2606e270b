//! The only place that changes anything on the disk for an apply.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::error::Failure;

/// Changes the disk, step by step; before each step the gate is asked, so that a test can stop any one.
pub(super) struct Hands<'a> {
    gate: &'a (dyn Fn() -> io::Result<()> + Sync),
    lasts: Lasts,
    swaps: Swaps,
}

/// Whether two names can change places in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swaps {
    Atomic,
    Unknown,
}

/// What is to outlive the machine's going down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasts {
    Everything,
    Nothing,
}

/// What a new file is to hold, and whose mode, owner and attributes it takes.
#[cfg_attr(not(unix), expect(dead_code, reason = "modes and owners are Unix's own"))]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// The file that this one replaces.
    pub(super) like: Option<PathBuf>,
    pub(super) mode: Option<u32>,
}

impl Hands<'static> {
    pub(super) const FREE: Self = Self { gate: &|| Ok(()), lasts: Lasts::Everything, swaps: Swaps::Atomic };
    /// For trees that live no longer than this process.
    pub(super) const FLEETING: Self = Self { gate: &|| Ok(()), lasts: Lasts::Nothing, swaps: Swaps::Atomic };
}

impl<'a> Hands<'a> {
    #[cfg(test)]
    pub(super) fn gated(gate: &'a (dyn Fn() -> io::Result<()> + Sync)) -> Self {
        Self { gate, lasts: Lasts::Everything, swaps: Swaps::Atomic }
    }

    /// As on a file system that does not let names change places.
    #[cfg(test)]
    pub(super) fn without_swaps(self) -> Self {
        Self { swaps: Swaps::Unknown, ..self }
    }

    fn step<T>(&self, doing: &'static str, path: &Path, change: impl FnOnce() -> io::Result<T>) -> Result<T, Failure> {
        (self.gate)().and_then(|()| change()).map_err(|source| Failure { doing, path: path.to_owned(), source })
    }

    pub(super) fn make_dir(&self, dir: &Path) -> Result<(), Failure> {
        self.step("create the directory", dir, || fs::create_dir(dir))
    }

    /// Makes a directory that only its owner can look into, with all above it.
    pub(super) fn make_private_dirs(&self, dir: &Path) -> Result<(), Failure> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        self.step("create the directory", dir, || builder.create(dir))
    }

    /// Writes a file that does not exist yet, down to the disk's own memory.
    pub(super) fn write_new(&self, path: &Path, content: &Content) -> Result<(), Failure> {
        let mut file = self.step("create", path, || create_new(path, content))?;
        self.step("write", path, || file.write_all(&content.bytes))?;
        self.step("set the permissions of", path, || take_after(&file, content))?;
        self.sync(path, || file.sync_all())
    }

    /// Lets two files change places in one step, so that nothing is replaced unseen; or tells that the file system
    /// cannot, having done nothing.
    pub(super) fn swap(&self, one: &Path, other: &Path) -> Result<Swaps, Failure> {
        self.step("replace", other, || if self.swaps == Swaps::Atomic { swap(one, other) } else { Ok(Swaps::Unknown) })
    }

    /// As [`Self::rename_new`], but leaves both as they are where something stands at `to`.
    pub(super) fn rename_if_free(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        match self.rename_new(from, to) {
            Err(failure) if failure.source.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// Renames, and fails where `to` is there already, unless it is `from` in other letters.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        self.step("move", from, || if is_same_file(from, to) { fs::rename(from, to) } else { rename_new(from, to) })
    }

    /// Removes a file; one that is gone already is fine.
    pub(super) fn remove(&self, path: &Path) -> Result<(), Failure> {
        self.step("remove", path, || match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
    }

    /// Removes a directory if it is there and empty.
    pub(super) fn remove_if_empty(&self, dir: &Path) -> Result<(), Failure> {
        self.step("remove the directory", dir, || {
            let _ = fs::remove_dir(dir);
            Ok(())
        })
    }

    /// Makes the names in a directory last.
    pub(super) fn sync_dir(&self, dir: &Path) -> Result<(), Failure> {
        self.sync(dir, || if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) })
    }

    fn sync(&self, path: &Path, sync: impl FnOnce() -> io::Result<()>) -> Result<(), Failure> {
        self.step("sync", path, || if self.lasts == Lasts::Everything { sync() } else { Ok(()) })
    }
}

/// Tells whether something, be it a dangling link, stands at `path`.
pub(super) fn stands(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(unix)]
fn create_new(path: &Path, content: &Content) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    // Nobody else may look into the copy of a private file before it has that file's mode.
    options.write(true).create_new(true).mode(if content.like.is_some() { 0o600 } else { 0o666 });
    options.open(path)
}

#[cfg(not(unix))]
fn create_new(path: &Path, _: &Content) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(unix)]
fn take_after(file: &File, content: &Content) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    if let Some(like) = &content.like {
        let (old, new) = (fs::metadata(like)?, file.metadata()?);
        if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
            // Only root may give files away; anybody else's copy is their own.
            let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        }
        take_attributes(like, file)?;
        // Last: a change of owner takes set-user-id bits away.
        file.set_permissions(old.permissions())?;
    }
    content.mode.map_or(Ok(()), |mode| file.set_permissions(fs::Permissions::from_mode(mode)))
}

#[cfg(not(unix))]
fn take_after(_: &File, _: &Content) -> io::Result<()> {
    Ok(())
}

/// Gives `file` the extended attributes of `like`, access control lists among them (on Linux, they are attributes).
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn take_attributes(like: &Path, file: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr};
    let old = attributes(like)?;
    for (name, value) in &old {
        match fsetxattr(file, name.as_slice(), value, XattrFlags::empty()) {
            // What only the system may set, it sets itself on a new file (labels).
            Err(_) if !is_users(name) => {}
            done => done?,
        }
    }
    // A directory may hand an access control list on to new files that the old one does not have.
    if !old.iter().any(|(name, _)| name == ACCESS_LIST) {
        let _ = fremovexattr(file, ACCESS_LIST);
    }
    Ok(())
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
fn take_attributes(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

/// Tells whether losing the attribute would lose something of the user's.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn is_users(name: &[u8]) -> bool {
    name == ACCESS_LIST || name.starts_with(b"user.") || cfg!(target_os = "macos")
}

/// Reads the attributes that hold for any content of the file: not the signatures of this one (IMA, EVM).
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn attributes(path: &Path) -> io::Result<Vec<(Vec<u8>, Vec<u8>)>> {
    use rustix::fs::{getxattr, listxattr};
    use rustix::io::Errno;
    let names = match sized(|buffer| listxattr(path, buffer)) {
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Vec::new()),
        names => names?,
    };
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let names = names.filter(|name| !matches!(*name, b"security.ima" | b"security.evm"));
    let mut found = Vec::new();
    for name in names {
        match sized(|buffer| getxattr(path, name, buffer)) {
            Ok(value) => found.push((name.to_vec(), value)),
            Err(_) if !is_users(name) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

/// Reads what tells its size only as it is read.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn sized(read: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut buffer = vec![0; 1024];
    loop {
        match read(&mut buffer) {
            Err(rustix::io::Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
            Err(error) => return Err(error),
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
        }
    }
}

#[cfg(unix)]
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |path| fs::symlink_metadata(path).map(|data| (data.dev(), data.ino())).ok();
    // Two names in one directory that differ in case only are one file; two hard links are two.
    let in_other_letters = one.to_string_lossy().to_lowercase() == other.to_string_lossy().to_lowercase();
    in_other_letters && id(one).is_some() && id(one) == id(other) && !has_both_names(one, other)
}

#[cfg(not(unix))]
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let in_other_letters = one.to_string_lossy().to_lowercase() == other.to_string_lossy().to_lowercase();
    in_other_letters && !has_both_names(one, other)
}

/// Tells whether the directory really lists both names, as a case-sensitive one can.
fn has_both_names(one: &Path, other: &Path) -> bool {
    let lists = |path: &Path| {
        let names = path.parent().and_then(|dir| fs::read_dir(dir).ok());
        names.is_some_and(|mut names| {
            names.any(|name| name.is_ok_and(|name| Some(&*name.file_name()) == path.file_name()))
        })
    };
    lists(one) && lists(other)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(one: &Path, other: &Path) -> io::Result<Swaps> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(Swaps::Unknown),
        done => done.map(|()| Swaps::Atomic).map_err(io::Error::from),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn swap(_: &Path, _: &Path) -> io::Result<Swaps> {
    Ok(Swaps::Unknown)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // File systems that do not know the flag.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => checked_rename(from, to),
        done => done.map_err(io::Error::from),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    checked_rename(from, to)
}

fn checked_rename(from: &Path, to: &Path) -> io::Result<()> {
    if stands(to) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}
