//! The client's side of the conversation: what a server asks and tells, and how it is answered.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_lsp::router::Router;
use async_lsp::{AnyNotification, AnyRequest, ErrorCode, ResponseError};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::capabilities::Capabilities;
use super::pushed_diagnostics::Pushes;
use super::readiness::Watcher;
use super::sanitize::TOO_LARGE;
use super::{Quirk, ServerSpec, convert, locked};

/// What one running server has told and sent so far.
pub(super) struct Peer {
    settings: Value,
    folders: Value,
    pub(super) capabilities: Mutex<Capabilities>,
    pub(super) watcher: Watcher,
    /// The diagnostics pushed last, by file; sends on every push.
    pub(super) pushed: watch::Sender<Pushes>,
    /// How many pushes there were.
    pub(super) pushes: AtomicU64,
    /// How often the server has said that what it finds has changed.
    refreshes: AtomicU64,
    /// How long the first push was waited for in vain.
    unheard: Mutex<Duration>,
    /// Edits sent by `workspace/applyEdit` while a command runs; nothing while none does.
    captured: Mutex<Option<Vec<Value>>>,
    errors: Mutex<VecDeque<String>>,
    /// The program that the server asks may end without it (see [`Quirk::OutlivesTsserver`]).
    outlives_tsserver: bool,
    /// Why that program ended, as far as the server has said so.
    ended: Mutex<Option<&'static str>>,
}

/// The time during which edits are kept.
pub(super) struct Capture(Arc<Peer>);

const OUT_OF_MEMORY: &str = "tsserver ran out of memory; `maxTsServerMemory` in the server's `initialization-options` gives it \
                             more, in megabytes";
const REFRESH: &str = "workspace/diagnostic/refresh";
const ERRORS_KEPT: usize = 5;
/// Of a longer error the rest is left out; in characters.
const ERROR_LENGTH: usize = 2_000;
/// No command sends more edits.
const EDITS_CAPTURED: usize = 1_000;

impl Peer {
    /// `folders` is the answer to `workspace/workspaceFolders`.
    pub(super) fn new(spec: &ServerSpec, folders: Value) -> Self {
        Self {
            settings: spec.settings.clone(),
            folders,
            capabilities: Mutex::default(),
            watcher: Watcher::new(spec.readiness.clone()),
            pushed: watch::Sender::default(),
            pushes: AtomicU64::new(0),
            refreshes: AtomicU64::new(0),
            unheard: Mutex::default(),
            captured: Mutex::default(),
            errors: Mutex::default(),
            outlives_tsserver: spec.has(Quirk::OutlivesTsserver),
            ended: Mutex::default(),
        }
    }

    /// Returns the service that async-lsp's loop hands the server's messages to. Everything is taken
    /// raw: one that is not as it should be must not end the loop.
    pub(super) fn service(self: &Arc<Self>) -> Router<Arc<Self>> {
        let mut router = Router::new(Arc::clone(self));
        router.unhandled_request(|peer, request| std::future::ready(peer.answer(&request)));
        router.unhandled_notification(|peer, notification| {
            // What is answered from then on is nothing, whatever was asked.
            if peer.hear(notification) { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
        });
        router.unhandled_event(|_, _| ControlFlow::Continue(()));
        router
    }

    /// Keeps the edits that the server asks to apply, and tells it that they were applied, until the
    /// returned value is dropped.
    pub(super) fn capture(self: &Arc<Self>) -> Capture {
        *locked(&self.captured) = Some(Vec::new());
        Capture(Arc::clone(self))
    }

    /// Tells whether nothing was ever pushed, though somebody waited as long as this.
    pub(super) fn is_mute(&self, patience: Duration) -> bool {
        self.pushes.load(Ordering::Acquire) == 0 && *locked(&self.unheard) >= patience
    }

    /// Notes that somebody waited in vain.
    pub(super) fn waited(&self, patience: Duration) {
        let mut longest = locked(&self.unheard);
        *longest = patience.max(*longest);
    }

    /// Returns how often the server has said that what it finds has changed (LSP 3.17 § Diagnostics Refresh).
    pub(super) fn refreshes(&self) -> u64 {
        self.refreshes.load(Ordering::Acquire)
    }

    /// Returns the errors that the server showed last, one per line.
    pub(super) fn errors(&self) -> String {
        locked(&self.errors).iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    fn answer(&self, request: &AnyRequest) -> Result<Value, ResponseError> {
        let params = &request.params;
        match request.method.as_str() {
            "workspace/configuration" => Ok(self.configuration(params)),
            "workspace/workspaceFolders" => Ok(self.folders.clone()),
            "client/registerCapability" => {
                locked(&self.capabilities).register(params);
                Ok(Value::Null)
            }
            "client/unregisterCapability" => {
                locked(&self.capabilities).unregister(params);
                Ok(Value::Null)
            }
            "workspace/applyEdit" => Ok(self.apply_edit(params)),
            TOO_LARGE => Err(self.refuse_large(params)),
            "window/showDocument" => Ok(json!({"success": false})),
            // typescript-language-server 5 and 6 ask the editor to begin a rename after a refactoring.
            "window/workDoneProgress/create" | "window/showMessageRequest" | "_typescript.rename" => Ok(Value::Null),
            REFRESH => {
                self.refreshes.fetch_add(1, Ordering::AcqRel);
                Ok(Value::Null)
            }
            method if method.starts_with("workspace/") && method.ends_with("/refresh") => Ok(Value::Null),
            method => Err(ResponseError::new(ErrorCode::METHOD_NOT_FOUND, format!("no method `{method}`"))),
        }
    }

    /// One answer per item, `null` for a section that is not known (LSP 3.17 § workspace/configuration).
    fn configuration(&self, params: &Value) -> Value {
        let items = params["items"].as_array().into_iter().flatten();
        items.map(|item| section(&self.settings, item["section"].as_str().unwrap_or_default())).collect()
    }

    /// Nothing is ever applied; a command is told so all the same, because some servers stop otherwise.
    fn apply_edit(&self, params: &Value) -> Value {
        match locked(&self.captured).as_mut() {
            Some(captured) if captured.len() < EDITS_CAPTURED => {
                captured.push(params["edit"].clone());
                json!({"applied": true})
            }
            Some(captured) => {
                // Not left out without a word: this can be read by nobody.
                captured.truncate(EDITS_CAPTURED);
                captured.push("more edits than are taken".into());
                json!({"applied": false, "failureReason": "these are too many"})
            }
            None => json!({"applied": false, "failureReason": "this client plans changes and applies none"}),
        }
    }

    /// An edit that was too large is not left out: what is captured in its place can be read by nobody.
    fn refuse_large(&self, params: &Value) -> ResponseError {
        if params["method"] == "workspace/applyEdit"
            && let Some(captured) = locked(&self.captured).as_mut()
        {
            captured.push("an edit that was too large".into());
        }
        ResponseError::new(ErrorCode::REQUEST_FAILED, "the message was too large".to_owned())
    }

    /// Returns why the program that the server asks ended, which the server goes on without.
    pub(super) fn ended(&self) -> Option<&'static str> {
        *locked(&self.ended)
    }

    /// Takes a message; tells whether it says that the program that the server asks has ended.
    fn hear(&self, notification: AnyNotification) -> bool {
        let AnyNotification { method, params, .. } = notification;
        self.watcher.hear(&method, &params);
        match method.as_str() {
            "textDocument/publishDiagnostics" => self.take_diagnostics(params),
            "window/showMessage" | "window/logMessage" if params["type"] == 1 => {
                self.take_error(&params);
                return self.outlives_tsserver && self.tells_end(params["message"].as_str().unwrap_or_default());
            }
            _ => {}
        }
        false
    }

    /// Seen with typescript-language-server 5.3: `[tsserver] Exited. Code: null. Signal: SIGABRT`. It ends tsserver itself by
    /// `SIGTERM`, and ends with it where that has a code.
    fn tells_end(&self, message: &str) -> bool {
        let mut ended = locked(&self.ended);
        if message.contains("heap out of memory") {
            *ended = Some(OUT_OF_MEMORY);
        }
        let has_ended = message.contains("[tsserver] Exited") && message.contains("Signal: SIG");
        if !has_ended || message.contains("SIGTERM") {
            return false;
        }
        ended.get_or_insert("tsserver ended");
        true
    }

    fn take_diagnostics(&self, mut params: Value) {
        let Ok(path) = convert::path(params["uri"].as_str().unwrap_or_default()) else { return };
        let diagnostics = params["diagnostics"].take();
        let serial = self.pushes.fetch_add(1, Ordering::AcqRel) + 1;
        self.pushed.send_modify(|pushed| pushed.put(path, serial, &diagnostics));
    }

    fn take_error(&self, params: &Value) {
        let mut errors = locked(&self.errors);
        if errors.len() == ERRORS_KEPT {
            errors.pop_front();
        }
        errors.push_back(params["message"].as_str().unwrap_or_default().chars().take(ERROR_LENGTH).collect());
    }
}

impl Capture {
    pub(super) fn taken(self) -> Vec<Value> {
        locked(&self.0.captured).take().unwrap_or_default()
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        locked(&self.0.captured).take();
    }
}

/// Returns the part of `settings` that a dotted section names; the empty one names all of it.
fn section(settings: &Value, name: &str) -> Value {
    if name.is_empty() {
        return settings.clone();
    }
    if let Some(found) = settings.get(name) {
        return found.clone();
    }
    let inside = name.match_indices('.').find_map(|(at, _)| Some((settings.get(&name[..at])?, &name[at + 1..])));
    inside.map_or(Value::Null, |(settings, rest)| section(settings, rest))
}

#[cfg(test)]
mod tests;
