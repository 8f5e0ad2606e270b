//! What a server sent that is not LSP: how much, and the last of it.

use crate::lsp::locked;
use crate::text::quoted;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::Mutex;

/// What a server sent that is not LSP: how much, and the last of it.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<FaultLog>>);

#[derive(Default)]
pub(crate) struct FaultLog {
    count: usize,
    last: VecDeque<String>,
}

pub(crate) const FAULTS_KEPT: usize = 5;

pub(crate) const FAULT_BYTES: usize = 200;

impl Faults {
    pub(super) fn add(&self, what: &str, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(FAULT_BYTES)]);
        let mut log = locked(&self.0);
        log.count += 1;
        if log.last.len() == FAULTS_KEPT {
            log.last.pop_front();
        }
        log.last.push_back(format!("{what}: {}", quoted(&shown)));
    }

    /// Returns a sentence about them, empty where there are none.
    pub(super) fn describe(&self) -> String {
        let log = locked(&self.0);
        match log.last.back() {
            None => String::new(),
            Some(last) => format!("it sent {} malformed messages, the last: {last}", log.count),
        }
    }
}
