//! Files outside of the root that a server reads, as it names them when it asks to be told what happens to them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::text::AbsPath;

/// Where packages are installed.
pub(super) const PACKAGES: &str = "node_modules";

/// What a server wants to hear of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watched {
    File(AbsPath),
    /// The files that lie in a directory.
    Directory(AbsPath),
    /// All files below a directory.
    Tree(AbsPath),
}

/// Places outside of the root, each with the moment from which on the server wants to hear of it.
pub type Outside = BTreeMap<Watched, SystemTime>;

impl Watched {
    /// Tells whether a file lies in it.
    pub(super) fn holds(&self, path: &AbsPath) -> bool {
        match self {
            Self::File(file) => file == path,
            Self::Directory(dir) => path.parent().as_ref() == Some(dir),
            Self::Tree(dir) => path.is_below(dir),
        }
    }

    /// Returns the directory where it holds installed packages, which are marked, not listed.
    pub(super) fn packages(&self) -> Option<PathBuf> {
        match self {
            Self::Tree(dir) if dir.as_path().iter().any(|part| part == PACKAGES) => Some(dir.as_path().to_owned()),
            _ => None,
        }
    }
}
