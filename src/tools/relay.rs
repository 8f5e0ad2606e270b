//! Progress of a project's servers, told to those who wait just now.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::sink::{Counted, Sink};
use crate::lsp::ServerName;
use crate::lsp::provision::{InstallStep, Progress};

/// Servers outlive the calls that they work for: the listeners change, the relay stays.
#[derive(Default)]
pub(super) struct Relay(Mutex<BTreeMap<u64, Arc<dyn Sink>>>);

/// Stops listening when it is dropped.
pub(super) struct Listening<'a> {
    relay: &'a Relay,
    number: u64,
}

impl Relay {
    pub(super) fn listen(&self, sink: Arc<dyn Sink>) -> Listening<'_> {
        let mut sinks = self.sinks();
        let number = sinks.last_key_value().map_or(0, |(last, _)| last + 1);
        sinks.insert(number, sink);
        Listening { relay: self, number }
    }

    fn sinks(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<dyn Sink>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        self.relay.sinks().remove(&self.number);
    }
}

impl Progress for Relay {
    fn step(&self, server: &ServerName, step: InstallStep<'_>) {
        let Some(line) = step.told(server) else { return };
        for sink in self.sinks().values() {
            match step {
                InstallStep::Counted { done, of, .. } => sink.count(&line, Counted { done, of }),
                _ => sink.note(&line),
            }
        }
    }
}
