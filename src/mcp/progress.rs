//! What a tool notes while it works, sent as MCP progress.

use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::tools::Sink;

/// How long a silent tool stays silent: clients take silence for a hang.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A sink that sends notes to the client that asked for them.
pub(super) struct Progress {
    notes: UnboundedSender<String>,
    sending: JoinHandle<()>,
}

impl Progress {
    /// Begins to send; nothing is sent where the client gave no token.
    pub(super) fn to(peer: Peer<RoleServer>, token: Option<ProgressToken>) -> Self {
        let (notes, received) = unbounded_channel();
        Self { notes, sending: tokio::spawn(send(peer, token, received)) }
    }

    /// Ends with the last note sent: none may follow the answer (MCP, Progress).
    pub(super) async fn end(self) {
        drop(self.notes);
        // A sender that broke leaves nothing to wait for.
        let _ = self.sending.await;
    }
}

impl Sink for Progress {
    fn note(&self, note: &str) {
        // Nobody listens once the connection is gone.
        let _ = self.notes.send(note.to_owned());
    }
}

async fn send(peer: Peer<RoleServer>, token: Option<ProgressToken>, mut notes: UnboundedReceiver<String>) {
    let mut count = 0.0;
    let mut last = "working".to_owned();
    loop {
        match tokio::time::timeout(HEARTBEAT, notes.recv()).await {
            Ok(None) => return,
            Ok(Some(note)) => last = note,
            Err(_) => {}
        }
        count += 1.0;
        let Some(token) = token.clone() else { continue };
        let progress = ProgressNotificationParam::new(token, count).with_message(last.clone());
        if peer.notify_progress(progress).await.is_err() {
            return;
        }
    }
}
