//! The client's roots (MCP 2025-11-25 § Roots): asked for once, and again when the client says that they are others.

use std::sync::Mutex;
use std::time::Duration;

use rmcp::service::{Peer, RoleServer};
use tokio::time::timeout;

use crate::text::AbsPath;
use crate::workspace::{can_hold_a_project, locked, named_root};

/// How long a client may take to say what its roots are; one that is late has none for now.
const PATIENCE: Duration = Duration::from_secs(2);

/// The roots as they were said last; nothing where they have to be asked for.
#[derive(Default)]
pub(super) struct Roots(Mutex<Option<Vec<AbsPath>>>);

impl Roots {
    /// Returns the client's roots; where it does not speak of any, the directory that it started this program in. Roots
    /// that are no files of this machine are left out.
    #[expect(deprecated, reason = "clients of the versions before 2026-07-28 have no other way to say where they work")]
    pub(super) async fn of(&self, peer: &Peer<RoleServer>, dir: Option<&AbsPath>) -> Vec<AbsPath> {
        let here = || dir.filter(|dir| can_hold_a_project(dir)).into_iter().cloned().collect();
        if peer.peer_info().is_none_or(|client| client.capabilities.roots.is_none()) {
            return here();
        }
        if let Some(known) = locked(&self.0).clone() {
            return known;
        }
        let Ok(Ok(listed)) = timeout(PATIENCE, peer.list_roots()).await else { return here() };
        let roots: Vec<AbsPath> = listed.roots.iter().filter_map(|root| named_root(&root.uri, None).ok()).collect();
        *locked(&self.0) = Some(roots.clone());
        roots
    }

    /// Asks again the next time.
    pub(super) fn forget(&self) {
        locked(&self.0).take();
    }
}
