//! The modules and packages of a project, and the directories from which they are imported.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::text::{AbsPath, Text};

/// Every Python file of a project.
#[derive(Debug, Clone)]
pub struct ModuleTree {
    root: AbsPath,
    files: BTreeSet<AbsPath>,
}

impl ModuleTree {
    /// Takes a project's files (those of other languages are looked through for hints, or passed over);
    /// `read` gives the texts of `pyproject.toml` and its like.
    pub fn new<'a>(
        root: &AbsPath,
        files: impl IntoIterator<Item = &'a AbsPath>,
        read: &dyn Fn(&AbsPath) -> Option<Arc<Text>>,
    ) -> Self {
        let _ = read;
        Self { root: root.clone(), files: files.into_iter().cloned().collect() }
    }

    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    pub fn files(&self) -> &BTreeSet<AbsPath> {
        &self.files
    }
}
