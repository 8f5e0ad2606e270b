//! One conversation with one server process, from `initialize` to its death.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_lsp::{AnyRequest, ErrorCode, LspService, MainLoop, ResponseError, ServerSocket};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::compat::TokioAsyncReadCompatExt as _;
use tower::Service as _;

use crate::lsp::child::ProcessGroup;
use crate::lsp::faults::Faults;
use crate::lsp::initialize::initialize_params;
use crate::lsp::outbox::{Outbox, pump_out};
use crate::lsp::peer::Peer;
use crate::lsp::sanitize::{RawResult, Results, pump_in};
use crate::lsp::standing::{AsOf, Asked, Standing};
use crate::lsp::transport::{Pipes, Process, Stderr};
use crate::lsp::{Location, LspError, Quirk, ServerName, ServerSpec, locked};
use crate::text::AbsPath;

/// A conversation. Dropping it ends the server at once, with all that the server started.
pub(super) struct Conversation {
    server: ServerName,
    socket: Mutex<Socket>,
    results: Arc<Results>,
    faults: Faults,
    pub(super) peer: Arc<Peer>,
    /// How many notifications the server was sent.
    told: AtomicU64,
    /// All that the server finds in a file.
    pub(super) findings: Standing<AbsPath, Arc<Vec<Value>>>,
    /// What was asked about places before.
    pub(super) places: Standing<Asked, Vec<Location>>,
    /// What the server offered when it was asked last, by the question's params. Some can say more only of that.
    pub(super) offered: Standing<String, Vec<Value>>,
    /// The files of which tsserver was told how they are laid out.
    pub(super) laid_out: Standing<AbsPath, ()>,
    death: watch::Receiver<Option<Death>>,
    group: Option<ProcessGroup>,
    stderr: Stderr,
    _stop: oneshot::Sender<()>,
}

/// async-lsp's queue, with the id that its next request will get.
// Invariant: requests are queued only here, one at a time; async-lsp counts their ids up from 0.
struct Socket {
    queue: ServerSocket,
    next_id: i32,
}

/// How a server ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Death {
    pub(super) status: String,
    pub(super) stderr: String,
}

/// A request on its way; cancels it on the wire when dropped before the answer is there.
struct Flight<'a> {
    conversation: &'a Conversation,
    id: i32,
    is_landed: bool,
}

/// What the loop's pipe holds before the server has to wait.
const PIPE_BYTES: usize = 1 << 18;
/// Of so many files what is found is kept.
const FILES_KEPT: usize = 256;
/// So many questions' answers are kept.
const QUESTIONS_KEPT: usize = 16_384;
/// How long a server that is ready may take to say that it does not know a method.
const READY_ANSWER: Duration = Duration::from_secs(60);
/// How long what a dead process wrote may take to be read to its end.
const DRAIN: Duration = Duration::from_millis(300);

impl Conversation {
    /// Says `initialize` and `initialized`; a server that ends before is one that failed to start.
    pub(super) async fn begin(spec: &ServerSpec, root_uri: &str, pipes: Pipes) -> Result<Self, LspError> {
        let folders = json!([{"uri": root_uri, "name": root_uri.rsplit('/').next().unwrap_or_default()}]);
        let peer = Arc::new(Peer::new(spec, folders.clone()));
        let conversation = Self::listen(spec, peer, pipes);
        let params = initialize_params(spec, root_uri, &folders);
        let answer: Value = match conversation.ask("initialize", params, spec.timeouts.start).await {
            Err(LspError::Died { server, status, stderr, .. }) => {
                return Err(LspError::StartFailed { server, reason: format!("it ended at once ({status})"), stderr });
            }
            Err(LspError::Refused { message, .. }) => return Err(conversation.failed_to_start(message)),
            Err(LspError::TimedOut { after, .. }) => {
                let reason = format!("it did not answer `initialize` within {} s", after.as_secs_f32());
                return Err(conversation.failed_to_start(reason));
            }
            other => other?,
        };
        locked(&conversation.peer.capabilities).start(answer["capabilities"].clone());
        conversation.tell("initialized", json!({}));
        if spec.has(Quirk::PushedSettings) {
            conversation.tell("workspace/didChangeConfiguration", json!({"settings": spec.settings}));
        }
        Ok(conversation)
    }

    /// Starts the tasks that carry the conversation.
    fn listen(spec: &ServerSpec, peer: Arc<Peer>, pipes: Pipes) -> Self {
        let (results, faults) = (Arc::new(Results::default()), Faults::default());
        let (main_loop, queue) = MainLoop::new_client(|_| peer.service());
        let (stop, stopped) = oneshot::channel();
        let (dying, death) = watch::channel(None);
        let group = pipes.process.as_ref().map(Process::group);
        let stderr = pipes.process.as_ref().map(Process::stderr).unwrap_or_default();
        let (to_loop, from_server) = tokio::io::duplex(PIPE_BYTES);
        let (outbox, outgoing) = mpsc::unbounded_channel();
        let inward = tokio::spawn(pump_in(pipes.reader, to_loop, Arc::clone(&results), faults.clone()));
        tokio::spawn(pump_out(outgoing, pipes.writer));
        let running = main_loop.run_buffered(from_server.compat(), Outbox::new(outbox));
        let queue_in_use = queue.clone();
        tokio::spawn(async move {
            let death = supervise(running, pipes.process, stopped).await;
            // async-lsp 0.2.4 panics where its queue is gone before its loop.
            drop(queue_in_use);
            inward.abort();
            dying.send(Some(death)).ok();
        });
        Self {
            server: spec.name.clone(),
            socket: Mutex::new(Socket { queue, next_id: 0 }),
            results,
            faults,
            peer,
            told: AtomicU64::new(0),
            findings: Standing::new(FILES_KEPT),
            places: Standing::new(QUESTIONS_KEPT),
            offered: Standing::new(1),
            laid_out: Standing::new(FILES_KEPT),
            death,
            group,
            stderr,
            _stop: stop,
        }
    }

    pub(super) fn is_dead(&self) -> bool {
        self.death.borrow().is_some()
    }

    /// Waits until the server has ended.
    pub(super) async fn dead(&self) -> Death {
        let mut death = self.death.clone();
        let found = death.wait_for(Option::is_some).await.ok().and_then(|death| death.clone());
        found.unwrap_or_default()
    }

    /// Asks, and reads the answer as `T`.
    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        params: Value,
        within: Duration,
    ) -> Result<T, LspError> {
        let raw = self.ask_raw(method, params, within).await?;
        raw.parse().map_err(|reason| self.bad_answer(method, reason))
    }

    /// Asks, and returns the answer as it came. When the deadline passes, or the caller drops the
    /// future, the server is told to cancel (LSP 3.17 § $/cancelRequest).
    pub(super) async fn ask_raw(&self, method: &str, params: Value, within: Duration) -> Result<RawResult, LspError> {
        let (asked, (mut flight, answer)) = (Instant::now(), self.send(method, params));
        let answered = tokio::time::timeout(within, answer).await;
        let Ok(answered) = answered else { return Err(self.timed_out(method, within)) };
        flight.is_landed = true;
        tracing::debug!(server = %self.server, method, took = ?asked.elapsed(), "answered");
        let result = self.results.take(flight.id);
        match answered {
            Ok(_) => result.ok_or_else(|| self.bad_answer(method, "the result is not there".into())),
            Err(error) if is_stopped(&error) => Err(self.died(self.dead().await)),
            Err(error) => Err(self.refused(method, error)),
        }
    }

    /// Waits until the server is ready. A sign that can be taken back is believed when it still stands behind an answer:
    /// between two steps of its start, rust-analyzer 1.95 has nothing to do. A method that nobody knows is answered by
    /// all (LSP 3.17 § $ Notifications and Requests), and at once.
    pub(super) async fn settled(&self) {
        loop {
            self.peer.watcher.ready().await;
            if !self.peer.watcher.is_hasty() {
                return;
            }
            match self.ask_raw("$/lspwright/answer", Value::Null, READY_ANSWER).await {
                // Whether it knows the method does not matter.
                Ok(_) | Err(LspError::Refused { .. }) if !self.peer.watcher.confirm() => {}
                // One that does not answer will not answer what is asked next, and that is told.
                _ => return,
            }
        }
    }

    /// Queues a notification; one to a dead server is dropped.
    pub(super) fn tell(&self, method: &str, params: Value) {
        let notification = serde_json::from_value(json!({"method": method, "params": params}));
        let notification = notification.expect("a method and params are a notification");
        self.told.fetch_add(1, Ordering::AcqRel);
        let _: ControlFlow<_> = LspService::notify(&mut locked(&self.socket).queue, notification);
    }

    /// Returns how many notifications the server was sent.
    pub(super) fn told(&self) -> u64 {
        self.told.load(Ordering::Acquire)
    }

    /// Returns as of when an answer is right that the server gives now and that hangs on the project's texts alone.
    pub(super) fn now(&self) -> AsOf {
        AsOf { told: self.told(), said: 0 }
    }

    /// The same of what the server finds in a file: what it pushes is numbered; for what it is asked for, it says when
    /// that has changed.
    pub(super) fn now_in(&self, path: &AbsPath) -> AsOf {
        let pushed = self.peer.pushed.borrow().get(path).map_or(0, |found| found.serial);
        AsOf { told: self.told(), said: pushed + self.peer.refreshes() }
    }

    /// Says `shutdown` and `exit`, and kills what does not go.
    pub(super) async fn end(&self, within: Duration) {
        if !self.is_dead() {
            self.ask_raw("shutdown", Value::Null, within).await.ok();
            self.tell("exit", Value::Null);
            tokio::time::timeout(within, self.dead()).await.ok();
        }
        if let Some(group) = &self.group {
            group.kill();
        }
    }

    fn failed_to_start(&self, reason: String) -> LspError {
        let said = [self.peer.errors(), self.stderr.text()].join("\n");
        LspError::StartFailed { server: self.server.clone(), reason, stderr: said.trim().to_owned() }
    }

    pub(super) fn bad_answer(&self, method: &str, reason: String) -> LspError {
        LspError::BadAnswer { server: self.server.clone(), method: method.into(), reason }
    }

    pub(super) fn died(&self, death: Death) -> LspError {
        let Death { status, stderr } = death;
        let status = self.peer.ended().map_or(status, str::to_owned);
        LspError::Died { server: self.server.clone(), status, stderr, too_often: None }
    }

    /// Queues a request. Its id is known because nothing else queues requests (see [`Socket`]).
    fn send(
        &self,
        method: &str,
        params: Value,
    ) -> (Flight<'_>, impl Future<Output = Result<Value, ResponseError>> + use<>) {
        let request = serde_json::from_value(json!({"id": 0, "method": method, "params": params}));
        let request: AnyRequest = request.expect("an id, a method and params are a request");
        let mut socket = locked(&self.socket);
        let id = socket.next_id;
        socket.next_id += 1;
        self.results.expect(id);
        let answer = socket.queue.call(request);
        (Flight { conversation: self, id, is_landed: false }, answer)
    }

    pub(super) fn timed_out(&self, method: &str, after: Duration) -> LspError {
        LspError::TimedOut { server: self.server.clone(), method: method.into(), after, faults: self.faults.describe() }
    }

    fn refused(&self, method: &str, error: ResponseError) -> LspError {
        const CANCELLED: i32 = -32800;
        let (server, method) = (self.server.clone(), method.to_owned());
        match error.code.0 {
            CANCELLED => LspError::Cancelled { server, method },
            // Some servers append the whole stack of their own program; that of TypeScript says in front of all that it failed.
            code => {
                let mut lines = error.message.lines();
                let first = lines.next().unwrap_or_default();
                let is_of_program = first.contains("TypeScript Server Error");
                let message = lines.next().filter(|_| is_of_program).unwrap_or(first).to_owned();
                LspError::Refused { server, method, code, message }
            }
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            group.kill();
        }
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        if self.is_landed {
            return;
        }
        self.conversation.results.take(self.id);
        self.conversation.tell("$/cancelRequest", json!({"id": self.id}));
    }
}

/// Tells whether an error is async-lsp's own word for a loop that has ended.
fn is_stopped(error: &ResponseError) -> bool {
    error.code == ErrorCode::INTERNAL_ERROR && error.message == "forwarding service stopped"
}

/// Drives the loop until the server has ended or nobody talks to it any more, and clears up.
async fn supervise<T>(
    running: impl Future<Output = T>,
    process: Option<Process>,
    stopped: oneshot::Receiver<()>,
) -> Death {
    let mut running = Box::pin(running);
    let Some(mut process) = process else {
        tokio::select! { _ = &mut running => {}, _ = stopped => {} }
        return Death { status: "it closed the connection".into(), stderr: String::new() };
    };
    tokio::select! {
        _ = &mut running => {}
        () = process.ended() => drop(tokio::time::timeout(DRAIN, &mut running).await),
        _ = stopped => {}
    }
    // From here on every pending request fails, and waits for what is found out below.
    drop(running);
    let (status, stderr) = process.finish().await;
    Death { status, stderr }
}
