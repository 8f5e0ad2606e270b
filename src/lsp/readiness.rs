//! When a server has read the project: an event with a deadline, never a sleep.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use super::Readiness;

/// Watches what a server says about its work.
pub(super) struct Watcher {
    rule: Readiness,
    state: watch::Sender<Progress>,
}

/// What is known so far.
#[derive(Debug, Clone, Default)]
struct Progress {
    /// The sign that the rule waits for has been seen.
    reached: bool,
    /// The tokens of what has begun and not ended.
    running: BTreeSet<String>,
    begun: bool,
    /// The sign was there once, and is waited for again.
    again: bool,
    /// The sign has stood while the server answered something.
    confirmed: bool,
    /// What the server says it cannot do or read.
    complaint: Option<String>,
}

/// No server works on so much at once: more is not kept in mind.
const MOST_RUNNING: usize = 10_000;
/// No token is longer.
const TOKEN_BYTES: usize = 1_000;

impl Watcher {
    pub(super) fn new(rule: Readiness) -> Self {
        Self { rule, state: watch::Sender::new(Progress::default()) }
    }

    /// Waits until the server has read the project, and again where it has begun anew. Unless the rule
    /// has an end of its own this waits for ever: the caller sets the deadline.
    pub(super) async fn ready(&self) {
        let mut state = self.state.subscribe();
        match &self.rule {
            Readiness::Immediate | Readiness::Settled => {}
            Readiness::Log { .. } | Readiness::Quiescent => drop(state.wait_for(|seen| seen.reached).await),
            Readiness::Progress { begins_within, .. } => {
                if let Some(seconds) = begins_within {
                    let begun = state.wait_for(|seen| seen.begun);
                    if tokio::time::timeout(Duration::from_secs(*seconds), begun).await.is_err() {
                        return;
                    }
                }
                drop(state.wait_for(|seen| seen.reached && seen.running.is_empty()).await);
            }
        }
    }

    /// Waits for the sign anew where there is one: files came or went, and the server reads its list of them
    /// again, a while after it was told (seen with pyright 1.1.414: 0.3 to 0.6 s, ended by the same line).
    pub(super) fn expect_again(&self) {
        if matches!(self.rule, Readiness::Log { .. }) {
            self.state.send_modify(|state| {
                state.again |= state.reached;
                state.reached = false;
            });
        }
    }

    /// Tells whether the sign is waited for that was there once.
    pub(super) fn is_again(&self) -> bool {
        let state = self.state.borrow();
        state.again && !state.reached
    }

    /// Tells whether the sign may be taken back at once: what the server hears first can make it begin anew.
    pub(super) fn is_hasty(&self) -> bool {
        matches!(self.rule, Readiness::Quiescent) && !self.state.borrow().confirmed
    }

    /// Tells whether the sign still stands now that the server has answered something.
    pub(super) fn confirm(&self) -> bool {
        self.state.send_modify(|state| state.confirmed = state.reached);
        self.state.borrow().reached
    }

    /// Returns what the server says it cannot do or read; nothing where all is well.
    pub(super) fn complaint(&self) -> Option<String> {
        self.state.borrow().complaint.clone()
    }

    /// Takes a notification of the server.
    pub(super) fn hear(&self, method: &str, params: &Value) {
        match (&self.rule, method) {
            (Readiness::Log { patterns }, "window/logMessage" | "window/showMessage") => {
                let message = params["message"].as_str().unwrap_or_default();
                if patterns.iter().any(|pattern| matches(pattern, message)) {
                    self.state.send_modify(|state| state.reached = true);
                }
            }
            (Readiness::Quiescent, "experimental/serverStatus") => {
                let is_well = params["health"].as_str().is_none_or(|health| health == "ok");
                let message = params["message"].as_str().filter(|_| !is_well);
                self.state.send_modify(|state| {
                    state.reached = params["quiescent"] == true;
                    state.confirmed &= state.reached;
                    state.complaint = message.map(str::to_owned);
                });
            }
            (Readiness::Progress { patterns, .. }, "$/progress") => self.progress(patterns, params),
            _ => {}
        }
    }

    fn progress(&self, patterns: &[String], params: &Value) {
        let token = params["token"].as_str().map_or_else(|| params["token"].to_string(), str::to_owned);
        let value = &params["value"];
        let title = value["title"].as_str().unwrap_or_default();
        let counts = |name: &str| patterns.iter().any(|pattern| matches(pattern, name));
        match value["kind"].as_str() {
            Some("begin") if patterns.is_empty() || counts(&token) || counts(title) => {
                self.state.send_modify(|state| {
                    state.begun = true;
                    if state.running.len() < MOST_RUNNING && token.len() < TOKEN_BYTES {
                        state.running.insert(token);
                    }
                });
            }
            Some("end") => self.state.send_modify(|state| state.reached |= state.running.remove(&token)),
            _ => {}
        }
    }
}

/// Tells whether `pattern` matches somewhere in `text`; `*` stands for any characters.
fn matches(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests;
