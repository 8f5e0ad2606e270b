//! The files of a project as its last walk found them.

use std::ops::Deref;
use std::sync::Arc;

use crate::text::AbsPath;
use crate::workspace::walk::{FileEntry, Walk};

/// The files that one walk found, sorted by path.
#[derive(Clone)]
pub struct Files(pub(super) Arc<Walk>);

impl Files {
    /// Tells whether both come from one walk.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Tells whether a file is among them.
    pub fn holds(&self, path: &AbsPath) -> bool {
        self.0.files.binary_search_by(|file| file.path.cmp(path)).is_ok()
    }
}

impl Deref for Files {
    type Target = [FileEntry];

    fn deref(&self) -> &[FileEntry] {
        &self.0.files
    }
}
