//! What each server is known to have loaded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::lsp::ServerName;
use crate::text::AbsPath;
use crate::workspace::{Change, ChangeKind, Files};

/// Per server, what it is known to have loaded.
#[derive(Default)]
pub(super) struct Covered(Mutex<BTreeMap<ServerName, Loaded>>);

#[derive(Default)]
struct Loaded {
    files: BTreeSet<AbsPath>,
    /// The walk of which it has loaded every file that it can.
    walk: Option<Files>,
    /// The directories of the configurations whose projects it has loaded, and which leave nothing to other ones.
    projects: BTreeSet<AbsPath>,
}

impl Covered {
    pub(super) fn has(&self, server: &ServerName, file: &AbsPath) -> bool {
        self.lock().get(server).is_some_and(|loaded| loaded.files.contains(file))
    }

    pub(super) fn add(&self, server: &ServerName, files: impl IntoIterator<Item = AbsPath>) {
        self.lock().entry(server.clone()).or_default().files.extend(files);
    }

    pub(super) fn has_project(&self, server: &ServerName, directory: &AbsPath) -> bool {
        self.lock().get(server).is_some_and(|loaded| loaded.projects.contains(directory))
    }

    pub(super) fn add_project(&self, server: &ServerName, directory: AbsPath) {
        self.lock().entry(server.clone()).or_default().projects.insert(directory);
    }

    pub(super) fn has_all(&self, server: &ServerName, walk: &Files) -> bool {
        let covered = self.lock();
        covered.get(server).and_then(|loaded| loaded.walk.as_ref()).is_some_and(|known| known.is(walk))
    }

    pub(super) fn add_all(&self, server: &ServerName, walk: Files) {
        self.lock().entry(server.clone()).or_default().walk = Some(walk);
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
            for loaded in covered.values_mut() {
                loaded.files.remove(&change.path);
                loaded.walk = None;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ServerName, Loaded>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
