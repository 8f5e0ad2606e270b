//! The questions that the house asks its servers, typed.

use std::sync::Arc;
use std::time::Duration;

use lsp_types::{Diagnostic, DocumentSymbolResponse, GotoDefinitionResponse, PrepareRenameResponse};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::convert::{Reader, Unusable, WireEdit, uri};
use super::pushed_diagnostics::Pushes;
use super::{Answer, Executed, Feature, Location, LspError, Place, Prepared, Quirk, Readiness, Server, Symbol, locked};
use crate::plan::Problem;
use crate::syntax::IndentWidth;
use crate::text::AbsPath;

const PULL: &str = "textDocument/diagnostic";
const PUSH: &str = "textDocument/publishDiagnostics";
/// How long pushed diagnostics must have been quiet to count as the last ones.
const QUIET: Duration = Duration::from_millis(400);
/// How long a server that has pushed for a file before may take to push again.
const SILENCE: Duration = Duration::from_secs(2);
/// How long a server that is asked for actions may take to push for the first time.
const PUSH_PATIENCE: Duration = Duration::from_secs(10);
/// How often a server that never announces its readiness is asked again.
const SETTLING: Duration = Duration::from_millis(500);
/// How often a server is asked for edits that answers about old texts, and how long it gets in between.
const MOST_TIMES: usize = 4;
const CATCHING_UP: Duration = Duration::from_millis(100);

impl Server {
    /// Asks for a rename; nothing where the server answers `null`, which gives no reason.
    pub async fn rename(&self, place: &Place, new_name: &str) -> Result<Option<Answer>, LspError> {
        self.must_offer(Feature::Rename)?;
        if self.spec().readiness == Readiness::Settled {
            return self.settled_rename(place, new_name).await;
        }
        self.rename_once(place, new_name).await
    }

    /// Asks whether something can be renamed at a place, and what.
    pub async fn prepare_rename(&self, place: &Place) -> Result<Prepared, LspError> {
        const METHOD: &str = "textDocument/prepareRename";
        self.must_offer(Feature::PrepareRename)?;
        let found: Option<PrepareRenameResponse> = self.ask(METHOD, self.at(place).await?).await?;
        self.read(METHOD, |reader| reader.prepared(&place.path, found))
    }

    /// Asks where what stands at a place is declared, in languages where that is not where it is defined.
    pub async fn declaration(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        self.places(Feature::Declaration, "textDocument/declaration", place).await
    }

    pub async fn definition(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        self.places(Feature::Definition, "textDocument/definition", place).await
    }

    /// Asks what is known of what stands at a place; nothing where nothing is.
    pub async fn hover(&self, place: &Place) -> Result<Option<String>, LspError> {
        let answer: Value = self.ask("textDocument/hover", self.at(place).await?).await?;
        let contents = &answer["contents"];
        Ok(contents["value"].as_str().or_else(|| contents.as_str()).map(str::to_owned))
    }

    /// Asks where the type of what stands at a place is declared; several for a union.
    pub async fn type_definition(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        self.places(Feature::TypeDefinition, "textDocument/typeDefinition", place).await
    }

    /// Asks who implements or overrides what stands at a place.
    pub async fn implementation(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        self.places(Feature::Implementation, "textDocument/implementation", place).await
    }

    /// Asks for all uses of what stands at a place, its declaration included.
    pub async fn references(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        self.places(Feature::References, "textDocument/references", place).await
    }

    /// Asks what has to change when files or folders are about to be renamed. Paths that none of the
    /// server's filters takes are not asked about; if no path is left, the feature is not offered.
    pub async fn will_rename_files(&self, moves: &[(AbsPath, AbsPath)]) -> Result<Answer, LspError> {
        const METHOD: &str = "workspace/willRenameFiles";
        self.must_offer(Feature::WillRenameFiles)?;
        let wanted: Vec<_> = moves.iter().filter(|(from, _)| self.wants_rename_of(from)).collect();
        if wanted.is_empty() {
            return Err(self.not_offered(Feature::WillRenameFiles));
        }
        let files: Vec<_> = wanted.iter().map(|(from, to)| json!({"oldUri": uri(from), "newUri": uri(to)})).collect();
        Ok(self.ask_for_edits(METHOD, json!({"files": files})).await?.unwrap_or_default())
    }

    /// Returns what the server finds wrong with a file in the text that it sees, overlays included, and what it only
    /// suggests.
    pub async fn suggestions(&self, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
        match self.spec().has(Quirk::TsserverDiagnostics) {
            true => self.tsserver_suggestions(path).await,
            false => self.diagnostics(path).await,
        }
    }

    /// Returns what the server finds wrong with a file in the text that it sees, overlays included.
    pub async fn diagnostics(&self, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
        if self.spec().has(Quirk::TsserverDiagnostics) {
            return self.tsserver_diagnostics(path).await;
        }
        let pulls = locked(&self.conversation().peer.capabilities).pulls_diagnostics();
        if pulls {
            return self.pulled_diagnostics(path).await;
        }
        let items = self.pushed(path, self.spec().timeouts.request).await?;
        self.diagnostics_of(PUSH, path, items)
    }

    /// Waits until the server has pushed diagnostics for each of these open documents, clean ones included.
    pub async fn read_through(&self, paths: &[AbsPath]) -> Result<(), LspError> {
        let conversation = self.conversation();
        let mut pushed = conversation.peer.pushed.subscribe();
        let within = self.spec().timeouts.project;
        let is_complete = |pushed: &Pushes| paths.iter().all(|path| pushed.get(path).is_some());
        tokio::select! {
            complete = tokio::time::timeout(within, pushed.wait_for(is_complete)) => match complete {
                Ok(_) => Ok(()),
                Err(_) => Err(self.timed_out(PUSH, within)),
            },
            death = conversation.dead() => Err(conversation.died(death)),
        }
    }

    pub async fn document_symbols(&self, path: &AbsPath) -> Result<Vec<Symbol>, LspError> {
        const METHOD: &str = "textDocument/documentSymbol";
        self.must_offer(Feature::DocumentSymbol)?;
        self.ensure_open(path).await?;
        let params = json!({"textDocument": {"uri": uri(path)}});
        let found: Option<DocumentSymbolResponse> = self.ask(METHOD, params).await?;
        self.read(METHOD, |reader| reader.symbols(path, found))
    }

    /// Runs a server's command and returns its result. Changes that it sends are not carried out.
    pub async fn execute(&self, command: &str, arguments: Vec<Value>) -> Result<Value, LspError> {
        self.execute_as(command, arguments).await
    }

    /// Runs a server's command and reads its result as `T`: a large one takes a tenth of a [`Value`]'s memory.
    pub async fn execute_as<T: DeserializeOwned>(&self, command: &str, arguments: Vec<Value>) -> Result<T, LspError> {
        self.execute_raw(command, arguments).await.map(|(result, _)| result)
    }

    /// Runs a server's command, and returns its result and the changes that it sent.
    pub async fn execute_captured(&self, command: &str, arguments: Vec<Value>) -> Result<Executed, LspError> {
        const METHOD: &str = "workspace/applyEdit";
        let (value, captured) = self.execute_raw(command, arguments).await?;
        let answer = |edit: Value| {
            let edit: WireEdit =
                serde_json::from_value(edit).map_err(|error| self.bad_answer(METHOD, error.to_string()))?;
            self.read(METHOD, |reader| reader.answer(edit))
        };
        Ok(Executed { value, answers: captured.into_iter().map(answer).collect::<Result<_, _>>()? })
    }

    async fn rename_once(&self, place: &Place, new_name: &str) -> Result<Option<Answer>, LspError> {
        const METHOD: &str = "textDocument/rename";
        let mut params = self.at(place).await?;
        params["newName"] = new_name.into();
        self.ask_for_edits(METHOD, params).await
    }

    /// Asks how a file would be written with this step of indentation; nothing where it stays as it is.
    pub async fn formatting(&self, path: &AbsPath, step: IndentWidth) -> Result<Option<Answer>, LspError> {
        const METHOD: &str = "textDocument/formatting";
        self.must_offer(Feature::Formatting)?;
        self.ensure_open(path).await?;
        let options = json!({"tabSize": step.width, "insertSpaces": !step.is_tab});
        let params = json!({"textDocument": {"uri": uri(path)}, "options": options});
        let Some(edits): Option<Value> = self.ask(METHOD, params).await? else { return Ok(None) };
        // The same edits as a `WorkspaceEdit` has them.
        let edit = json!({"changes": {uri(path): edits}});
        let edit = serde_json::from_value::<WireEdit>(edit);
        let edit = edit.map_err(|error| self.bad_answer(METHOD, error.to_string()))?;
        self.read(METHOD, |reader| reader.answer(edit)).map(Some)
    }

    /// Asks for a `WorkspaceEdit`; nothing for `null`. A server whose answer is about other versions of documents than
    /// the ones that it was sent is asked again, a few times.
    async fn ask_for_edits(&self, method: &str, params: Value) -> Result<Option<Answer>, LspError> {
        for _ in 1..MOST_TIMES {
            let Some(edit): Option<WireEdit> = self.ask(method, params.clone()).await? else { return Ok(None) };
            match self.try_read(|reader| reader.answer(edit))? {
                Err(Unusable::Outdated(_)) => tokio::time::sleep(CATCHING_UP).await,
                Err(Unusable::Bad(reason)) => return Err(self.bad_answer(method, reason)),
                Ok(answer) => return Ok(Some(answer)),
            }
        }
        let Some(edit): Option<WireEdit> = self.ask(method, params).await? else { return Ok(None) };
        self.read(method, |reader| reader.answer(edit)).map(Some)
    }

    /// Asks until two answers in a row are the same.
    async fn settled_rename(&self, place: &Place, new_name: &str) -> Result<Option<Answer>, LspError> {
        let settle = async {
            let mut last = self.rename_once(place, new_name).await?;
            loop {
                tokio::time::sleep(SETTLING).await;
                let next = self.rename_once(place, new_name).await?;
                if next == last {
                    return Ok(next);
                }
                last = next;
            }
        };
        let after = self.spec().timeouts.ready;
        let late = |_| LspError::NotReady { server: self.name().clone(), after };
        tokio::time::timeout(after, settle).await.map_err(late)?
    }

    async fn places(&self, feature: Feature, method: &str, place: &Place) -> Result<Vec<Location>, LspError> {
        self.must_offer(feature)?;
        let mut params = self.at(place).await?;
        if feature == Feature::References {
            params["context"] = json!({"includeDeclaration": true});
        }
        let (conversation, standing) = (self.living().await?, self.standing(feature, method, &params));
        if let Some((asked, as_of)) = &standing {
            let known = conversation.places.get(asked, as_of.whatever_is_said());
            if let Some(known) = known.or_else(|| conversation.places.get(asked, *as_of)) {
                return Ok(known);
            }
        }
        let found: Option<GotoDefinitionResponse> = self.ask(method, params).await?;
        let found = self.read(method, |reader| reader.locations(found))?;
        if let Some((asked, as_of)) = standing {
            // More may be found when more files have been checked.
            let is_whole = feature != Feature::References && !found.is_empty();
            let as_of = if is_whole { as_of.whatever_is_said() } else { as_of };
            conversation.places.put(asked, as_of, found.clone());
        }
        Ok(found)
    }

    async fn execute_raw<T: DeserializeOwned>(
        &self,
        command: &str,
        arguments: Vec<Value>,
    ) -> Result<(T, Vec<Value>), LspError> {
        let _executing = self.executing.lock().await;
        let capture = self.living().await?.peer.capture();
        let params = json!({"command": command, "arguments": arguments});
        let result = self.ask("workspace/executeCommand", params).await?;
        Ok((result, capture.taken()))
    }

    async fn pulled_diagnostics(&self, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
        if !self.spec().has(Quirk::DiagnosticsWithoutOpen) {
            self.ensure_open(path).await?;
        }
        let items = self.pull(path).await?;
        self.diagnostics_of(PULL, path, items)
    }

    async fn pull(&self, path: &AbsPath) -> Result<Value, LspError> {
        let mut report: Value = self.ask(PULL, json!({"textDocument": {"uri": uri(path)}})).await?;
        self.note_check();
        Ok(report["items"].take())
    }

    /// Returns what the server finds in an open document, as it says it.
    pub(super) async fn raw_diagnostics(&self, path: &AbsPath) -> Result<Arc<Vec<Value>>, LspError> {
        let list = |mut found: Value| Arc::new(found.as_array_mut().map(std::mem::take).unwrap_or_default());
        if self.spec().has(Quirk::TsserverDiagnostics) {
            return self.tsserver_pushed(path).await;
        }
        let conversation = self.living().await?;
        if !locked(&conversation.peer.capabilities).pulls_diagnostics() {
            return Ok(list(self.pushed(path, self.push_patience()).await?));
        }
        let as_of = conversation.now_in(path);
        if let Some(known) = conversation.findings.get(path, as_of).filter(|_| !self.spec().has(Quirk::WatchesDisk)) {
            return Ok(known);
        }
        let found = list(self.pull(path).await?);
        conversation.findings.put(path.clone(), as_of, Arc::clone(&found));
        Ok(found)
    }

    /// How long the server may take to say what it finds in a file.
    pub(super) fn push_patience(&self) -> Duration {
        PUSH_PATIENCE.min(self.spec().timeouts.request)
    }

    pub(super) fn unheard(&self, after: Duration) -> LspError {
        LspError::Unheard { server: self.name().clone(), after }
    }

    /// Waits until the server has pushed for this file after the last change of any document, and then
    /// has been quiet for a moment: many push twice, syntax first. One that pushed for the file before
    /// and stays silent now has nothing new to say.
    async fn pushed(&self, path: &AbsPath, patience: Duration) -> Result<Value, LspError> {
        let was_open = self.is_open(path);
        self.ensure_open(path).await?;
        let conversation = self.conversation();
        let mark = self.last_change();
        let mut pushed = conversation.peer.pushed.subscribe();
        let is_known = was_open && pushed.borrow().get(path).is_some();
        let after = match is_known {
            true => SILENCE,
            // Who never says anything is not waited for again and again.
            false if conversation.peer.is_mute(patience) => QUIET,
            false => patience,
        };
        let is_fresh = |pushed: &Pushes| pushed.get(path).is_some_and(|one| one.serial > mark);
        tokio::select! {
            fresh = tokio::time::timeout(after, pushed.wait_for(is_fresh)) => {
                if fresh.is_err() && !is_known {
                    conversation.peer.waited(after);
                    return Err(self.unheard(patience));
                }
            }
            death = conversation.dead() => return Err(conversation.died(death)),
        }
        while let Ok(Ok(())) = tokio::time::timeout(QUIET, pushed.changed()).await {}
        let found = pushed.borrow().get(path).cloned();
        let forgotten = || self.bad_answer(PUSH, "there are more than are kept".to_owned());
        Ok(found.ok_or_else(forgotten)?.diagnostics())
    }

    fn diagnostics_of(&self, method: &str, path: &AbsPath, items: Value) -> Result<Vec<Problem>, LspError> {
        let diagnostics: Option<Vec<Diagnostic>> =
            serde_json::from_value(items).map_err(|error| self.bad_answer(method, error.to_string()))?;
        self.read(method, |reader| reader.problems(path, diagnostics.unwrap_or_default()))
    }

    /// Returns the params that name a place, after making sure that the server has the document open.
    async fn at(&self, place: &Place) -> Result<Value, LspError> {
        self.ensure_open(&place.path).await?;
        let text = self.seen(&place.path)?;
        let position = self.measure().position(&text, place.offset);
        let position = position.ok_or_else(|| LspError::NoPlace { path: place.path.clone(), offset: place.offset })?;
        Ok(json!({"textDocument": {"uri": uri(&place.path)}, "position": position}))
    }

    pub(super) async fn ensure_open(&self, path: &AbsPath) -> Result<(), LspError> {
        if self.is_open(path) { Ok(()) } else { self.open(std::slice::from_ref(path)).await }
    }

    fn wants_rename_of(&self, path: &AbsPath) -> bool {
        let kind = if path.as_path().is_dir() { "folder" } else { "file" };
        locked(&self.conversation().peer.capabilities).wants_rename_of(path, kind)
    }

    pub(super) fn must_offer(&self, feature: Feature) -> Result<(), LspError> {
        if self.offers(feature) { Ok(()) } else { Err(self.not_offered(feature)) }
    }

    fn not_offered(&self, feature: Feature) -> LspError {
        LspError::NotOffered { server: self.name().clone(), feature }
    }

    /// Reads an answer through the texts that the server saw. A file that is not UTF-8 is not the server's
    /// fault, though only its answer leads there.
    pub(super) fn read<T, E: Into<Unusable>>(
        &self,
        method: &str,
        read: impl FnOnce(&Reader<'_>) -> Result<T, E>,
    ) -> Result<T, LspError> {
        self.try_read(read)?.map_err(|unusable| match unusable {
            Unusable::Bad(reason) | Unusable::Outdated(reason) => self.bad_answer(method, reason),
        })
    }

    /// As [`Server::read`], for one who can do something about an answer that is of no use.
    pub(super) fn try_read<T, E: Into<Unusable>>(
        &self,
        read: impl FnOnce(&Reader<'_>) -> Result<T, E>,
    ) -> Result<Result<T, Unusable>, LspError> {
        let not_utf8 = std::cell::RefCell::new(None);
        let seen = |path: &AbsPath| {
            self.seen(path).map_err(|error| {
                let reason = error.to_string();
                if matches!(error, LspError::NotUtf8 { .. }) {
                    not_utf8.replace(Some(error));
                }
                reason
            })
        };
        let sent = |path: &AbsPath| self.sent(path);
        let outcome = read(&Reader::new(&self.disk, self.measure(), &seen, &sent));
        match (outcome, not_utf8.take()) {
            (Err(_), Some(not_utf8)) => Err(not_utf8),
            (outcome, _) => Ok(outcome.map_err(Into::into)),
        }
    }
}
