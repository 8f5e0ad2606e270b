//! What happens in the background, as log messages (MCP 2025-11-25 § Logging); they went with 2026-07-28.

#![expect(deprecated, reason = "clients of the versions before 2026-07-28 know no other way")]

use std::sync::{Arc, Mutex};

use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::{Peer, RoleServer};

use crate::workspace::locked;

/// What a client wants to hear; nothing before it has said so.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Option<LoggingLevel>>>);

impl Log {
    pub(super) fn set(&self, level: LoggingLevel) {
        *locked(&self.0) = Some(level);
    }

    /// Tells a client that wants to know.
    pub(super) fn tell(&self, peer: &Peer<RoleServer>, note: &str) {
        if !matches!(*locked(&self.0), Some(LoggingLevel::Debug | LoggingLevel::Info)) {
            return;
        }
        let (peer, message) = (peer.clone(), LoggingMessageNotificationParam::new(LoggingLevel::Info, note.into()));
        tokio::spawn(async move { peer.notify_logging_message(message).await });
    }
}
