//! Every file below a directory, whatever any ignore file says.

use std::io;
use std::path::PathBuf;

use super::contain::OutsideRoot;
use crate::text::{AbsPath, PathError};

/// One file, link or other thing that is no directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeEntry {
    pub path: AbsPath,
    pub kind: EntryKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    File,
    /// A symbolic link, to a file or a directory; it is not followed.
    Link,
    /// A pipe, socket or device.
    Other,
}

/// Why a directory could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error("`{path}` is not a directory")]
    NotADirectory { path: AbsPath },
    #[error("cannot list `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Lists all that lies below `dir`, hidden and ignored files and nested repositories included, sorted.
pub(super) fn everything_below(dir: &AbsPath) -> Result<Vec<TreeEntry>, ListError> {
    if !dir.as_path().is_dir() {
        return Err(ListError::NotADirectory { path: dir.clone() });
    }
    let mut found = Vec::new();
    let mut open = vec![dir.as_path().to_owned()];
    while let Some(dir) = open.pop() {
        let failed = |source| ListError::Io { path: dir.clone(), source };
        for item in std::fs::read_dir(&dir).map_err(failed)? {
            let item = item.map_err(failed)?;
            let kind = item.file_type().map_err(failed)?;
            if kind.is_dir() {
                open.push(item.path());
                continue;
            }
            found.push(TreeEntry { path: AbsPath::new(item.path())?, kind: EntryKind::of(kind) });
        }
    }
    found.sort();
    Ok(found)
}

impl EntryKind {
    fn of(kind: std::fs::FileType) -> Self {
        if kind.is_symlink() {
            Self::Link
        } else if kind.is_file() {
            Self::File
        } else {
            Self::Other
        }
    }
}
