//! What each server is known to have loaded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::lsp::ServerName;
use crate::text::AbsPath;
use crate::workspace::{Change, ChangeKind};

/// Per server, the files that it is known to have loaded.
#[derive(Default)]
pub(super) struct Covered(Mutex<BTreeMap<ServerName, BTreeSet<AbsPath>>>);

impl Covered {
    pub(super) fn has(&self, server: &ServerName, file: &AbsPath) -> bool {
        self.lock().get(server).is_some_and(|files| files.contains(file))
    }

    pub(super) fn add(&self, server: &ServerName, files: impl IntoIterator<Item = AbsPath>) {
        self.lock().entry(server.clone()).or_default().extend(files);
    }

    /// Forgets what changes may have moved to another project: all of it where a project file changed.
    pub(super) fn forget(&self, changes: &[Change]) {
        let is_project = |change: &Change| change.path.extension() == "json";
        let mut covered = self.lock();
        if changes.iter().any(is_project) {
            covered.clear();
            return;
        }
        let gone = changes.iter().filter(|change| change.kind != ChangeKind::Changed);
        for change in gone {
            for files in covered.values_mut() {
                files.remove(&change.path);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ServerName, BTreeSet<AbsPath>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
