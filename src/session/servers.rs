//! The servers of one project, each started once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::lsp::{Server, ServerName};
use crate::session::Options;
use crate::session::error::SessionError;
use crate::workspace::Disk;

/// Cells by name: two askers of one server wait for one start, askers of two do not wait for each other.
#[derive(Default)]
pub(super) struct Servers {
    /// How often somebody would have asked, where nobody may.
    missed: Option<AtomicUsize>,
    cells: Mutex<BTreeMap<ServerName, Arc<OnceCell<Arc<Server>>>>>,
    /// Those of whom it was told what they lack.
    told: Mutex<BTreeSet<ServerName>>,
}

impl Servers {
    /// Stands for servers that nobody asks.
    pub(super) fn none() -> Self {
        Self { missed: Some(AtomicUsize::default()), ..Self::default() }
    }

    pub(super) fn are_there(&self) -> bool {
        self.missed.is_none()
    }

    /// Tells whether they may be asked, and counts where they may not.
    pub(super) fn may_be_asked(&self) -> bool {
        if let Some(missed) = &self.missed {
            missed.fetch_add(1, Ordering::Relaxed);
        }
        self.are_there()
    }

    /// Returns how often somebody would have asked in vain.
    pub(super) fn missed(&self) -> usize {
        self.missed.as_ref().map_or(0, |missed| missed.load(Ordering::Relaxed))
    }

    pub(super) async fn get(
        &self,
        name: &ServerName,
        options: &Options,
        disk: &Disk,
    ) -> Result<Arc<Server>, SessionError> {
        let cell = {
            let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(name.clone()).or_default())
        };
        let server = cell.get_or_try_init(|| options.start(name, disk)).await?;
        Ok(Arc::clone(server))
    }

    /// Returns what those that have been started lack for want of trust, each once.
    pub(super) fn untold(&self) -> Vec<(ServerName, String)> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let running = self.running();
        let lacking = running.iter().filter_map(|server| Some((server.name(), server.spec().without_trust.clone()?)));
        lacking.filter(|(name, _)| told.insert((*name).clone())).map(|(name, lack)| (name.clone(), lack)).collect()
    }

    /// Returns those that have been started.
    pub(super) fn running(&self) -> Vec<Arc<Server>> {
        let cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.values().filter_map(|cell| cell.get().cloned()).collect()
    }
}
