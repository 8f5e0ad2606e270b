//! What of a project could not be read, and may hold what nobody has seen.

use std::io;
use std::path::Path;

/// A file or a directory below the root that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// As far as it can be shown: its name may be no UTF-8.
    pub path: String,
    pub is_dir: bool,
    pub reason: String,
}

impl Unread {
    pub(super) fn file(path: &Path, reason: impl ToString) -> Self {
        Self { path: path.to_string_lossy().into_owned(), is_dir: false, reason: reason.to_string() }
    }

    /// Reads the error of a walk; nothing where what it speaks of is gone by now.
    pub(super) fn of_walk(error: &ignore::Error) -> Option<Self> {
        let reason = error.io_error().filter(|why| why.kind() != io::ErrorKind::NotFound)?;
        let path = path_of(error)?;
        let is_dir = std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
        Some(Self { is_dir, ..Self::file(path, reason) })
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}
