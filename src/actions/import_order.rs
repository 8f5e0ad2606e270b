//! Imports that fixes brought out of their order, put back into it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fix::Fix;
use super::fixes::Work;
use crate::lsp::Server;
use crate::text::AbsPath;

/// The code of imports that stand in another order than the project asks for: ruff's.
const UNSORTED: &str = "I001";

impl Work<'_> {
    /// Puts the imports in order in the files in which they were until now. Where they were not, nobody asked for it.
    pub(super) async fn restore_import_order(&mut self) {
        let changed = self.changed();
        for server in self.servers.clone() {
            let mut files = BTreeSet::new();
            for path in &changed {
                if self.is_out_of_order(&server, path).await {
                    files.insert(path.clone());
                }
            }
            if !files.is_empty() {
                self.repeat(&server, (&Fix::OrganizeImports, &files), &mut BTreeSet::new()).await;
            }
        }
    }

    /// Tells whether a server finds the imports of a file unsorted now, and did not at first.
    async fn is_out_of_order(&mut self, server: &Arc<Server>, path: &AbsPath) -> bool {
        if !is_unsorted(server, path).await {
            return false;
        }
        let (before, now) = self.texts_of(path);
        self.lay(path, &before).await;
        let was_unsorted = is_unsorted(server, path).await;
        self.lay(path, &now).await;
        !was_unsorted
    }
}

async fn is_unsorted(server: &Server, path: &AbsPath) -> bool {
    let found = server.findings(path).await.unwrap_or_default();
    found.iter().any(|(problem, ..)| problem.code.as_deref() == Some(UNSORTED))
}
