//! What a tool notes while it works, sent as MCP progress.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::text::one_line;
use crate::tools::Sink;

/// How long a silent tool stays silent: clients take silence for a hang.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A sink that sends notes to the client that asked for them.
pub(super) struct Progress {
    /// Nothing once the call is answered.
    notes: Mutex<Option<UnboundedSender<String>>>,
}

impl Progress {
    /// Begins to send; nothing is sent where the client gave no token.
    pub(super) fn to(peer: Peer<RoleServer>, token: Option<ProgressToken>) -> (Arc<Self>, JoinHandle<()>) {
        let (notes, received) = unbounded_channel();
        let sending = tokio::spawn(send(peer, token, received));
        (Arc::new(Self { notes: Mutex::new(Some(notes)) }), sending)
    }

    /// Takes no more notes; the task that sends them ends with the last one.
    pub(super) fn end(&self) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Sink for Progress {
    fn note(&self, note: &str) {
        if let Some(notes) = self.notes.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            // Nobody listens once the connection is gone.
            let _ = notes.send(one_line(note).into_owned());
        }
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
