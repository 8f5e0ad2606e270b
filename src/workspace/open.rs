//! The one way in which files are opened for reading: regular ones, of bounded size, without waiting.
//!
//! A project is a stranger's: where a source or a configuration should be, it may hold a pipe that nobody writes to,
//! a device without an end, or a link to either. `tests/tidy.rs` sees to it that nobody opens files past this room.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

use super::contain::{contain, dunce};
use crate::text::AbsPath;

/// No source, configuration or plan is larger, in bytes.
pub(super) const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Opens a regular file, links followed, and says how it stands.
///
/// # Errors
/// `InvalidInput` for a directory, pipe, socket or device: none of them is waited for, or changed by the look.
pub(super) fn open(path: &Path) -> io::Result<(File, Metadata)> {
    // Looked at first, because a device may act on being opened; and again, for it may have been swapped in between.
    regular(&std::fs::metadata(path)?)?;
    let file = without_waiting().open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata))
}

/// Appends a file of at most `most` bytes to `bytes`, whole.
///
/// # Errors
/// Those of [`open`], and `FileTooLarge`.
pub(super) fn read_opened(file: File, metadata: &Metadata, most: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let too_large =
        || io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {} MiB", most.div_ceil(1 << 20)));
    if metadata.len() > most {
        return Err(too_large());
    }
    bytes.reserve(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // Some files say that they are empty and never end (proc(5)), others grow.
    let read = file.take(most + 1).read_to_end(bytes)?;
    if read as u64 > most { Err(too_large()) } else { Ok(()) }
}

/// Reads a file wherever it lies: one that the user names, or of the program's own.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (file, metadata) = open(path)?;
    let mut bytes = Vec::new();
    read_opened(file, &metadata, MOST_BYTES, &mut bytes)?;
    Ok(bytes)
}

/// Reads a text (UTF-8) wherever it lies: one that the user names, or of the program's own.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Tells whether others may open what stands at `path`, if anything does: a regular file of bounded size.
pub(super) fn is_harmless(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |metadata| metadata.is_file() && metadata.len() <= MOST_BYTES)
}

/// Reads a text (UTF-8) of the project at `root`, links followed: a configuration, of which no plan is made.
///
/// # Errors
/// A path that leads out of the project, and what is no regular file or larger than [`MOST_BYTES`].
pub fn read_text_of_project(root: &AbsPath, path: &AbsPath) -> io::Result<String> {
    let real = AbsPath::new(dunce(root.as_path())?).map_err(io::Error::other)?;
    let path = path.rebased(root, &real).unwrap_or_else(|| path.clone());
    read_text(contain(&real, &path).map_err(io::Error::other)?.as_path())
}

fn regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind = if metadata.is_dir() { "a directory" } else { "a pipe, socket or device" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {kind}, not a file")))
}

/// A pipe is opened without a writer, a terminal does not become ours.
#[cfg(unix)]
fn without_waiting() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    options
}

#[cfg(not(unix))]
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(all(test, unix))]
mod tests;
