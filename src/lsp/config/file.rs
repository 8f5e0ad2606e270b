//! The shape of one `servers.toml`, and how a later one is laid over an earlier one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::super::spec::{
    Checker, CommandUse, Feature, Install, NeedsTrust, Quirk, Readiness, Timeouts, Trust, Versions,
};
use super::refactorers::Refactorer;
use crate::text::LineBreaks;

/// One file, as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) servers: BTreeMap<String, Entry>,
    #[serde(default)]
    pub(super) routes: Vec<Route>,
    #[serde(default)]
    pub(super) refactorers: BTreeMap<String, Refactorer>,
}

/// What a file says about one server; what it leaves out stays as the files before had it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) enabled: Option<bool>,
    pub(super) command: Option<Vec<String>>,
    pub(super) embedded: Option<String>,
    pub(super) env: Option<BTreeMap<String, String>>,
    /// LSP language ids, each with its extensions (without dots).
    pub(super) languages: Option<BTreeMap<String, Vec<String>>>,
    pub(super) root_markers: Option<Vec<String>>,
    pub(super) workspace: Option<String>,
    pub(super) install: Option<Install>,
    pub(super) install_megabytes: Option<u64>,
    pub(super) versions: Option<Versions>,
    pub(super) initialization_options: Option<Value>,
    pub(super) settings: Option<Value>,
    pub(super) readiness: Option<Readiness>,
    pub(super) line_breaks: Option<Breaks>,
    pub(super) quirks: Option<BTreeSet<Quirk>>,
    pub(super) commands: Option<BTreeMap<String, CommandUse>>,
    pub(super) checker: Option<Checker>,
    pub(super) needs_trust: Option<NeedsTrust>,
    pub(super) without_trust: Option<String>,
    /// Laid over the rest where the project is not trusted.
    pub(super) untrusted: Option<Box<Self>>,
    #[serde(default)]
    pub(super) timeouts: Limits,
}

/// Which servers answer in some languages, in order of preference.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Route {
    pub(super) languages: Vec<String>,
    /// For every feature that `features` does not name.
    pub(super) servers: Option<Vec<String>>,
    #[serde(default)]
    pub(super) features: BTreeMap<Feature, Vec<String>>,
}

/// Which characters end a line for a server.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Breaks {
    Lsp,
    Ecmascript,
}

/// Timeouts in whole seconds.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Limits {
    start: Option<u64>,
    ready: Option<u64>,
    request: Option<u64>,
    project: Option<u64>,
    shutdown: Option<u64>,
}

impl Entry {
    /// Lays `over` on this entry: values replace; variables, options and settings are merged key by key.
    pub(super) fn lay(&mut self, over: Self) {
        replace(&mut self.enabled, over.enabled);
        if over.command.is_some() || over.embedded.is_some() {
            self.command = over.command;
            self.embedded = over.embedded;
        }
        if let Some(env) = over.env {
            self.env.get_or_insert_default().extend(env);
        }
        replace(&mut self.languages, over.languages);
        replace(&mut self.root_markers, over.root_markers);
        replace(&mut self.workspace, over.workspace);
        replace(&mut self.install, over.install);
        replace(&mut self.install_megabytes, over.install_megabytes);
        replace(&mut self.versions, over.versions);
        merge_option(&mut self.initialization_options, over.initialization_options);
        merge_option(&mut self.settings, over.settings);
        replace(&mut self.readiness, over.readiness);
        replace(&mut self.line_breaks, over.line_breaks);
        replace(&mut self.quirks, over.quirks);
        if let Some(commands) = over.commands {
            self.commands.get_or_insert_default().extend(commands);
        }
        replace(&mut self.checker, over.checker);
        replace(&mut self.needs_trust, over.needs_trust);
        replace(&mut self.without_trust, over.without_trust);
        if let Some(untrusted) = over.untrusted {
            self.untrusted.get_or_insert_default().lay(*untrusted);
        }
        self.timeouts.lay(over.timeouts);
    }
}

impl Entry {
    /// Makes the entry that holds for projects that are trusted, or for all others.
    pub(super) fn hold_for(&mut self, trust: Trust) {
        match (trust, self.untrusted.take()) {
            (Trust::Nothing, Some(untrusted)) => self.lay(*untrusted),
            (Trust::Nothing, None) => {}
            (Trust::Project, _) => (self.needs_trust, self.without_trust) = (None, None),
        }
    }
}

impl Limits {
    fn lay(&mut self, over: Self) {
        replace(&mut self.start, over.start);
        replace(&mut self.ready, over.ready);
        replace(&mut self.request, over.request);
        replace(&mut self.project, over.project);
        replace(&mut self.shutdown, over.shutdown);
    }

    pub(super) fn timeouts(self) -> Timeouts {
        let usual = Timeouts::default();
        let or = |seconds: Option<u64>, usual| seconds.map_or(usual, Duration::from_secs);
        Timeouts {
            start: or(self.start, usual.start),
            ready: or(self.ready, usual.ready),
            request: or(self.request, usual.request),
            project: or(self.project, usual.project),
            shutdown: or(self.shutdown, usual.shutdown),
        }
    }
}

impl From<Breaks> for LineBreaks {
    fn from(breaks: Breaks) -> Self {
        match breaks {
            Breaks::Lsp => Self::Lsp,
            Breaks::Ecmascript => Self::EcmaScript,
        }
    }
}

fn replace<T>(old: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *old = new;
    }
}

fn merge_option(old: &mut Option<Value>, new: Option<Value>) {
    match (old.as_mut(), new) {
        (_, None) => {}
        (Some(old), Some(new)) => merge(old, new),
        (None, new) => *old = new,
    }
}

/// Merges JSON objects key by key; anything else is replaced.
fn merge(old: &mut Value, new: Value) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in new {
                merge(old.entry(key).or_insert(Value::Null), value);
            }
        }
        (old, new) => *old = new,
    }
}
