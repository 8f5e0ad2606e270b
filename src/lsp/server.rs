//! One running server: its process, its documents, and its restarts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client::Conversation;
use super::convert::{self, Measure};
use super::documents::{Documents, Notice};
use super::embedded;
use super::restarts::{Restarts, Turn};
use super::standing::{AsOf, Asked};
use super::transport::{Connector, connector};
use super::{Feature, Guard, Launch, LspError, Quirk, ServerName, ServerSpec, locked};
use crate::text::{AbsPath, Encoding, Text, quoted};
use crate::workspace::{Change, ChangeKind, Disk, Outside, ReadError};

/// A language server that works on one project. It is restarted after a death, with its documents
/// and overlays, unless it dies too often (see [`Restarts`]); the request that was under way fails all the same, for nobody knows what killed it.
pub struct Server {
    spec: ServerSpec,
    pub(super) disk: Disk,
    root_uri: String,
    connect: Connector,
    state: Mutex<State>,
    /// Held while a new process is started, so that one restart serves all who wait.
    reviving: tokio::sync::Mutex<()>,
    restarts: Mutex<Restarts>,
    is_shut_down: AtomicBool,
    /// Held while a command runs: edits that the server sends belong to it.
    pub(super) executing: tokio::sync::Mutex<()>,
}

/// The conversation, with what was told in it.
struct State {
    conversation: Arc<Conversation>,
    documents: Documents,
    /// How many diagnostics the server had pushed when a document changed last.
    last_change: u64,
    /// How often texts have changed, by overlays or on the disk.
    changes: u64,
    /// How often the texts changed that overlays are laid over: on the disk, or by drafts.
    base_changes: u64,
    /// How often it was asked what it finds in a file.
    checks: u64,
    /// As of which of these changes files were read anew.
    anew: BTreeMap<AbsPath, u64>,
}

/// How long a server may take to read its list of files again; one that takes longer is started anew.
const RENEWAL: Duration = Duration::from_secs(10);

impl Server {
    /// Starts a server's process for `project`, or the embedded server that its entry names, and says `initialize`.
    pub async fn start(
        spec: &ServerSpec,
        launch: Launch,
        project: &Disk,
        guard: &Guard,
    ) -> Result<Arc<Self>, LspError> {
        let connect = match &spec.embedded {
            Some(embedded) => embedded::connector(spec.name.clone(), embedded.clone()),
            None => connector(spec.name.clone(), launch, project.root().clone(), guard.clone()),
        };
        Self::connect(spec, connect, project).await
    }

    /// Begins a conversation with whatever `connect` connects to, a server inside this program perhaps.
    pub async fn connect(spec: &ServerSpec, connect: Connector, project: &Disk) -> Result<Arc<Self>, LspError> {
        let workspace = spec.workspace.as_ref().and_then(|folder| AbsPath::new(folder).ok());
        let root_uri = convert::uri(workspace.as_ref().unwrap_or(project.root()));
        let conversation = Conversation::begin(spec, &root_uri, connect().await?).await?;
        let state = State {
            conversation: Arc::new(conversation),
            documents: Documents::default(),
            last_change: 0,
            changes: 0,
            base_changes: 0,
            checks: 0,
            anew: BTreeMap::new(),
        };
        Ok(Arc::new(Self {
            spec: spec.clone(),
            disk: project.clone(),
            root_uri,
            connect,
            state: Mutex::new(state),
            reviving: tokio::sync::Mutex::default(),
            restarts: Mutex::default(),
            is_shut_down: AtomicBool::new(false),
            executing: tokio::sync::Mutex::default(),
        }))
    }

    pub fn name(&self) -> &ServerName {
        &self.spec.name
    }

    pub fn spec(&self) -> &ServerSpec {
        &self.spec
    }

    /// Quotes the server's words; those of one inside this program are our own.
    pub fn quoted(&self, words: &str) -> String {
        if self.spec.embedded.is_some() { words.to_owned() } else { quoted(words) }
    }

    /// Waits until the server has read the project (`LspError::NotReady` after the deadline).
    pub async fn ready(&self) -> Result<(), LspError> {
        let conversation = self.living().await?;
        if !conversation.peer.watcher.is_again() {
            return self.ready_in(&conversation).await;
        }
        match tokio::time::timeout(RENEWAL, self.ready_in(&conversation)).await {
            Ok(ready) => ready,
            Err(_) => self.begin_anew(&conversation).await,
        }
    }

    /// Returns what the server says that it cannot do or read of the project; nothing where all is well.
    pub fn complaint(&self) -> Option<String> {
        self.conversation().peer.watcher.complaint()
    }

    /// Tells whether the server has announced a feature, at the start or since.
    pub fn offers(&self, feature: Feature) -> bool {
        locked(&self.conversation().peer.capabilities).offers(feature)
    }

    /// Tells whether the server has announced a command for `workspace/executeCommand`.
    pub fn has_command(&self, command: &str) -> bool {
        locked(&self.conversation().peer.capabilities).has_command(command)
    }

    pub fn is_open(&self, path: &AbsPath) -> bool {
        locked(&self.state).documents.is_open(path)
    }

    /// Returns the text that the server sees: the open document's, else the disk's.
    pub fn seen(&self, path: &AbsPath) -> Result<Arc<Text>, LspError> {
        if let Some(text) = locked(&self.state).documents.text(path) {
            return Ok(text);
        }
        self.on_disk(path)
    }

    /// Returns the version under which the server was sent an open document's text.
    pub(super) fn sent(&self, path: &AbsPath) -> Option<i32> {
        locked(&self.state).documents.version(path)
    }

    /// Opens documents with the disk's text. One that is open gets the disk's text; an overlay stays.
    pub async fn open(&self, paths: &[AbsPath]) -> Result<(), LspError> {
        self.living().await?;
        let measure = self.measure();
        for path in paths {
            let text = self.on_disk(path)?;
            let language = self.language(path);
            self.change(|documents| documents.open(path, text, language, measure).into_iter().collect());
        }
        self.change(Documents::shrink);
        Ok(())
    }

    /// Shows a text in the place of the disk's; a document that is not open is opened as it stands on the disk first, for
    /// the reason that [`Self::overlay`] has.
    pub async fn show(&self, path: &AbsPath, saved: Option<Arc<Text>>, text: &Arc<Text>) -> Result<(), LspError> {
        self.living().await?;
        let (language, measure) = (self.language(path), self.measure());
        let first = saved.filter(|_| !self.is_open(path));
        for text in first.iter().chain([text]) {
            self.change(|documents| documents.open(path, Arc::clone(text), language, measure).into_iter().collect());
        }
        locked(&self.state).base_changes += 1;
        Ok(())
    }

    pub async fn close(&self, paths: &[AbsPath]) {
        for path in paths {
            self.change(|documents| documents.close(path).into_iter().collect());
        }
        locked(&self.state).base_changes += 1;
    }

    /// Lays a text in memory over a file, which need not exist. One that does is opened as it is first: basedpyright
    /// (1.40.1) takes a document that is opened with another text for unchanged by what it knows of other files.
    pub async fn overlay(&self, path: &AbsPath, text: Arc<Text>) -> Result<(), LspError> {
        self.living().await?;
        if self.on_disk(path).is_ok() && !self.is_open(path) {
            self.open(std::slice::from_ref(path)).await?;
        }
        let (language, measure) = (self.language(path), self.measure());
        self.change(|documents| documents.overlay(path, text, language, measure).into_iter().collect());
        locked(&self.state).changes += 1;
        Ok(())
    }

    /// Tells whether what the server finds in a file may be of texts that are gone (see [`Quirk::KeepsFindings`]).
    pub fn may_be_behind(&self, path: &AbsPath) -> bool {
        let state = locked(&self.state);
        self.spec.has(Quirk::KeepsFindings) && state.changes > state.anew.get(path).copied().unwrap_or_default()
    }

    /// Makes the server read files anew as it sees them: the same text again would not be read.
    pub async fn read_anew(&self, paths: &BTreeSet<AbsPath>) -> Result<(), LspError> {
        for path in paths {
            let text = self.seen(path)?;
            let other = Arc::new(Text::new(format!("{}\n", text.as_str())));
            for text in [other, text] {
                self.overlay(path, text).await?;
            }
        }
        let mut state = locked(&self.state);
        let changes = state.changes;
        state.anew.extend(paths.iter().map(|path| (path.clone(), changes)));
        Ok(())
    }

    /// Takes all overlays away: the server sees the disk's texts again.
    pub async fn drop_overlays(&self) {
        let overlays = locked(&self.state).documents.overlays();
        let measure = self.measure();
        for path in overlays {
            let text = self.on_disk(&path).ok();
            self.change(|documents| documents.uncover(&path, text, measure).into_iter().collect());
        }
    }

    /// Tells the server what happened to files on the disk, and brings its open documents up to date.
    pub async fn tell_changes(&self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        if self.is_told_of_all() {
            self.hear_of_watches().await;
        }
        let comes_or_goes = |change: &Change| change.kind != ChangeKind::Changed && self.lists(&change.path);
        let configures = |change: &Change| self.spec.is_configured_by(&change.path);
        if changes.iter().any(|change| comes_or_goes(change) || configures(change)) {
            self.conversation().peer.watcher.expect_again();
        }
        {
            let mut state = locked(&self.state);
            state.changes += 1;
            state.base_changes += 1;
        }
        // Before the texts that may speak of the new files: what tsserver looks for in vain it watches for, and hears of that
        // watch's files only where typescript-language-server knows the watch by then.
        let params = convert::watched_changes(changes);
        self.change(|_| vec![Notice { method: "workspace/didChangeWatchedFiles", params }]);
        let measure = self.measure();
        for Change { path, kind } in changes {
            let text = self.on_disk(path).ok().filter(|_| *kind != ChangeKind::Deleted);
            self.change(|documents| renewed(documents, path, text, measure).into_iter().collect());
        }
        self.look_again(changes).await;
    }

    /// Returns what a server of scripts wants to hear of outside of the project; nothing where it watches the disk itself.
    pub fn watched_outside(&self) -> Option<Outside> {
        self.is_told_of_all().then(|| locked(&self.conversation().peer.capabilities).watched_outside(self.disk.root()))
    }

    /// Tells whether the server is one of scripts that learns of what happens on the disk from its client alone.
    pub(super) fn is_told_of_all(&self) -> bool {
        self.spec.has(Quirk::TsserverRequests) && !self.spec.has(Quirk::WatchesDisk)
    }

    /// Ends the server and starts it again: what it stands on has changed.
    pub async fn start_again(&self) -> Result<(), LspError> {
        let conversation = self.conversation();
        self.begin_anew(&conversation).await
    }

    /// Tells whether the server may miss some of the changes for good (see [`Quirk::WatchesDisk`]).
    pub fn may_miss(&self, changes: &[Change]) -> bool {
        let is_missed = |change: &Change| match change.kind {
            ChangeKind::Changed => self.spec.root_markers.iter().any(|marker| marker == change.path.file_name()),
            ChangeKind::Created | ChangeKind::Deleted => self.lists(&change.path),
        };
        self.spec.has(Quirk::WatchesDisk) && changes.iter().any(is_missed)
    }

    /// Asks any method that the typed features do not cover, and returns the bare result.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, LspError> {
        self.ask(method, params).await
    }

    /// Says `shutdown` and `exit`; kills what has not gone after the deadline. It is not restarted after.
    pub async fn shutdown(&self) {
        self.is_shut_down.store(true, Ordering::Release);
        let conversation = self.conversation();
        conversation.end(self.spec.timeouts.shutdown).await;
    }

    /// Asks with the deadline of the method's kind. A server that has just changed its mind about the
    /// texts is asked again, a few times (LSP 3.17 § ErrorCodes, ContentModified and ServerCancelled).
    pub(super) async fn ask<T: serde::de::DeserializeOwned>(&self, method: &str, params: Value) -> Result<T, LspError> {
        const ASK_AGAIN: [i32; 2] = [-32801, -32802];
        const MOST_TIMES: usize = 4;
        let conversation = self.living().await?;
        let within = self.deadline(method);
        for _ in 1..MOST_TIMES {
            match conversation.ask(method, params.clone(), within).await {
                Err(LspError::Refused { code, .. }) if ASK_AGAIN.contains(&code) => {}
                other => return self.judged(other),
            }
        }
        self.judged(conversation.ask(method, params, within).await)
    }

    pub(super) fn bad_answer(&self, method: &str, reason: String) -> LspError {
        LspError::BadAnswer { server: self.spec.name.clone(), method: method.into(), reason }
    }

    pub(super) fn timed_out(&self, method: &str, after: Duration) -> LspError {
        self.conversation().timed_out(method, after)
    }

    /// Returns how many diagnostics the server had pushed when a document changed last.
    pub(super) fn last_change(&self) -> u64 {
        locked(&self.state).last_change
    }

    pub(super) fn measure(&self) -> Measure {
        let encoding = match self.spec.has(Quirk::CodePointPositions) {
            true => Encoding::Utf32,
            false => locked(&self.conversation().peer.capabilities).encoding(),
        };
        Measure { encoding, breaks: self.spec.line_breaks, counts_mark: self.spec.has(Quirk::CountsByteOrderMark) }
    }

    /// Returns as of when and in which texts the answer to a question is right; nothing where the server may say another
    /// thing though it has been told nothing. Where it does not matter which documents are open, an answer stands again once
    /// what was laid over the disk for another question is gone: pyright forgets all types with every change of a text.
    pub(super) fn standing(&self, feature: Feature, words: &str, params: &Value) -> Option<(Asked, AsOf)> {
        let (overlaid, as_of) = match (self.spec.has(Quirk::WatchesDisk), self.spec.has(Quirk::AnswersWithoutOpen)) {
            (true, _) => return None,
            (false, true) => {
                let state = locked(&self.state);
                (state.documents.overlaid(), AsOf { told: state.base_changes, said: 1 + state.checks })
            }
            // It may go through all files for this one, and for another learn more by itself.
            (false, false) if feature == Feature::Implementation => (0, self.conversation().now()),
            (false, false) => return None,
        };
        Some((Asked { overlaid, question: format!("{words} {params}") }, as_of))
    }

    /// Remembers that a file was checked: pyright reads types in strings then that it passed over before.
    pub(super) fn note_check(&self) {
        locked(&self.state).checks += 1;
    }

    pub(super) fn conversation(&self) -> Arc<Conversation> {
        Arc::clone(&locked(&self.state).conversation)
    }

    /// Returns the conversation with a server that lives, after a restart if need be.
    pub(super) async fn living(&self) -> Result<Arc<Conversation>, LspError> {
        if self.is_shut_down.load(Ordering::Acquire) {
            return Err(LspError::ShutDown { server: self.spec.name.clone() });
        }
        if !self.conversation().is_dead() {
            return Ok(self.conversation());
        }
        let _reviving = self.reviving.lock().await;
        let conversation = self.conversation();
        if !conversation.is_dead() {
            return Ok(conversation);
        }
        let turn = locked(&self.restarts).turn(Instant::now());
        match turn {
            Turn::Never(_) => return self.judged(Err(conversation.died(conversation.dead().await))),
            Turn::After(pause) => tokio::time::sleep(pause).await,
        }
        locked(&self.restarts).note(Instant::now());
        self.revive().await
    }

    /// Ends a conversation that has lost its thread, and begins another one.
    async fn begin_anew(&self, old: &Arc<Conversation>) -> Result<(), LspError> {
        let _reviving = self.reviving.lock().await;
        if Arc::ptr_eq(&self.conversation(), old) {
            old.end(self.spec.timeouts.shutdown).await;
            self.revive().await?;
        }
        Ok(())
    }

    /// Starts the server once more, with all its documents.
    async fn revive(&self) -> Result<Arc<Conversation>, LspError> {
        let revived = Conversation::begin(&self.spec, &self.root_uri, (self.connect)().await?).await?;
        let revived = Arc::new(revived);
        {
            let mut state = locked(&self.state);
            for notice in state.documents.reopen() {
                revived.tell(notice.method, notice.params);
            }
            state.conversation = Arc::clone(&revived);
            state.last_change = 0;
        }
        self.ready_in(&revived).await?;
        Ok(revived)
    }

    /// Tells whether a file is one of those that the server lists: of its languages, not below a hidden
    /// directory.
    fn lists(&self, path: &AbsPath) -> bool {
        let below = path.relative_to(self.disk.root());
        let is_hidden = below.is_some_and(|path| path.as_str().split('/').any(|part| part.starts_with('.')));
        !is_hidden && self.spec.speaks_of(path)
    }

    async fn ready_in(&self, conversation: &Conversation) -> Result<(), LspError> {
        let after = self.spec.timeouts.ready;
        tokio::select! {
            biased;
            waited = tokio::time::timeout(after, conversation.settled()) => {
                waited.map_err(|_| LspError::NotReady { server: self.spec.name.clone(), after })
            }
            death = conversation.dead() => self.judged(Err(conversation.died(death))),
        }
    }

    /// Adds to the report of a death whether another restart is out of the question.
    fn judged<T>(&self, answer: Result<T, LspError>) -> Result<T, LspError> {
        answer.map_err(|error| match error {
            LspError::Died { server, status, stderr, .. } => {
                let too_often = match locked(&self.restarts).turn(Instant::now()) {
                    Turn::Never(too_often) => Some(too_often),
                    Turn::After(_) => None,
                };
                LspError::Died { server, status, stderr, too_often }
            }
            other => other,
        })
    }

    /// Changes the documents and tells the server, both in one step.
    fn change(&self, change: impl FnOnce(&mut Documents) -> Vec<Notice>) {
        let mut state = locked(&self.state);
        let notices = change(&mut state.documents);
        if !notices.is_empty() {
            state.last_change = state.conversation.peer.pushes.load(Ordering::Acquire);
        }
        for notice in notices {
            state.conversation.tell(notice.method, notice.params);
        }
    }

    fn on_disk(&self, path: &AbsPath) -> Result<Arc<Text>, LspError> {
        let read = match self.disk.read(path) {
            Err(ReadError::Outside(_)) => self.disk.read_outside(path),
            other => other,
        };
        read.map_err(|error| match error {
            ReadError::NotUtf8 { path, source } => LspError::NotUtf8 { path, source },
            other => LspError::Unreadable { path: path.clone(), reason: other.to_string() },
        })
    }

    fn language(&self, path: &AbsPath) -> &str {
        let fallback = || self.spec.languages.first().map_or("plaintext", String::as_str);
        self.spec.extensions.get(path.extension()).map_or_else(fallback, String::as_str)
    }

    fn deadline(&self, method: &str) -> Duration {
        let timeouts = self.spec.timeouts;
        match method {
            "textDocument/rename"
            | "textDocument/references"
            | "textDocument/implementation"
            | "textDocument/diagnostic"
            | "workspace/willRenameFiles"
            | "workspace/symbol"
            | "workspace/executeCommand" => timeouts.project,
            _ => timeouts.request,
        }
    }
}

/// Brings one open document up to date with the disk; `text` is nothing where the file is gone.
fn renewed(documents: &mut Documents, path: &AbsPath, text: Option<Arc<Text>>, measure: Measure) -> Option<Notice> {
    if !documents.is_open(path) || documents.is_overlay(path) {
        return None;
    }
    match text {
        // An open document keeps its language.
        Some(text) => documents.open(path, text, "", measure),
        None => documents.close(path),
    }
}
