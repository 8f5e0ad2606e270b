//! What a tool notes while it works, sent as MCP progress.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::text::one_line;
use crate::tools::{Counted, Sink};

/// How long a silent tool stays silent: clients take silence for a hang.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A sink that sends notes to the client that asked for them.
pub(super) struct Progress {
    /// Nothing once the call is answered, or where nobody listens.
    notes: Mutex<Option<UnboundedSender<Note>>>,
}

/// A note, with how far the work is where that is known.
type Note = (String, Option<Counted>);

impl Progress {
    /// Begins to send; nothing is sent, and there is no task that would, where the client gave no token.
    pub(super) fn to(peer: Peer<RoleServer>, token: Option<ProgressToken>) -> (Arc<Self>, Option<JoinHandle<()>>) {
        let Some(token) = token else { return (Arc::new(Self { notes: Mutex::new(None) }), None) };
        let (notes, received) = unbounded_channel();
        let sending = tokio::spawn(send(peer, token, received));
        (Arc::new(Self { notes: Mutex::new(Some(notes)) }), Some(sending))
    }

    /// Takes no more notes; the task that sends them ends with the last one.
    pub(super) fn end(&self) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Progress {
    fn take(&self, note: &str, count: Option<Counted>) {
        if let Some(notes) = self.notes.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            // Nobody listens once the connection is gone.
            let _ = notes.send((one_line(note).into_owned(), count));
        }
    }
}

impl Sink for Progress {
    fn note(&self, note: &str) {
        self.take(note, None);
    }

    fn count(&self, note: &str, count: Counted) {
        self.take(note, Some(count));
    }
}

/// How far a call is. What is told never goes back (MCP 2025-11-25 § Progress); a total is told for what is counted just
/// now, behind all that came before it.
#[derive(Default)]
struct ProgressPath {
    /// Where what is counted just now began.
    base: usize,
    done: usize,
    counted: Option<Counted>,
}

impl ProgressPath {
    fn go(&mut self, count: Option<Counted>) -> Option<usize> {
        let goes_on = matches!((self.counted, count), (Some(before), Some(now)) if before.of == now.of && before.done <= now.done);
        if !goes_on {
            self.base = self.done;
        }
        self.counted = count;
        self.done = match count {
            Some(count) => (self.base + count.done).max(self.done + 1),
            None => self.done + 1,
        };
        count.map(|count| (self.base + count.of).max(self.done))
    }
}

async fn send(peer: Peer<RoleServer>, token: ProgressToken, mut notes: UnboundedReceiver<Note>) {
    let mut way = ProgressPath::default();
    let mut last: Note = ("working".to_owned(), None);
    loop {
        match tokio::time::timeout(HEARTBEAT, notes.recv()).await {
            Ok(None) => return,
            Ok(Some(note)) => last = note,
            // The same once more, as a sign of life.
            Err(_) => last.1 = None,
        }
        let total = way.go(last.1);
        let progress = ProgressNotificationParam::new(token.clone(), way.done as f64).with_message(last.0.clone());
        let progress = match total {
            Some(total) => progress.with_total(total as f64),
            None => progress,
        };
        if peer.notify_progress(progress).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, ProgressPath};

    #[test]
    fn progress_never_goes_back_and_has_a_total_where_something_is_counted() {
        let mut way = ProgressPath::default();
        let files = |done| Some(Counted { done, of: 10 });
        let told = [None, files(3), files(7), files(7), None, files(1), Some(Counted { done: 2, of: 4 })];
        let told: Vec<(usize, Option<usize>)> = told
            .into_iter()
            .map(|count| {
                let total = way.go(count);
                (way.done, total)
            })
            .collect();
        let expected =
            [(1, None), (4, Some(11)), (8, Some(11)), (9, Some(11)), (10, None), (11, Some(20)), (13, Some(15))];
        assert_eq!(told, expected);
    }
}
