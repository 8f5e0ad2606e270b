//! The servers of one project, each started once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::{Options, SessionError};
use crate::lsp::{Server, ServerName};
use crate::workspace::Disk;

/// Cells by name: two askers of one server wait for one start, askers of two do not wait for each other.
#[derive(Default)]
pub(super) struct Servers(Mutex<BTreeMap<ServerName, Arc<OnceCell<Arc<Server>>>>>);

impl Servers {
    pub(super) async fn get(
        &self,
        name: &ServerName,
        options: &Options,
        disk: &Disk,
    ) -> Result<Arc<Server>, SessionError> {
        let cell = {
            let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(name.clone()).or_default())
        };
        let server = cell.get_or_try_init(|| options.start(name, disk)).await?;
        Ok(Arc::clone(server))
    }

    /// Returns those that have been started.
    pub(super) fn running(&self) -> Vec<Arc<Server>> {
        let cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cells.values().filter_map(|cell| cell.get().cloned()).collect()
    }
}
