//! What a server says that it can do: at the start, and registered later.

use std::collections::BTreeMap;
use std::time::SystemTime;

use globset::{GlobBuilder, GlobMatcher};
use serde_json::Value;

use super::{Feature, convert};
use crate::text::{AbsPath, Encoding};
use crate::workspace::{Outside, Watched};

const WATCHED_FILES: &str = "workspace/didChangeWatchedFiles";

/// The capabilities of one running server (LSP 3.17 § ServerCapabilities, § client/registerCapability).
#[derive(Debug, Default)]
pub(super) struct Capabilities {
    /// As `initialize` answered.
    at_start: Value,
    /// Method and options by the registration's id.
    registered: BTreeMap<String, (String, Value)>,
    /// What the server wants to hear of, each with when it first said so.
    watched: Outside,
}

impl Capabilities {
    /// Takes what `initialize` answered.
    pub(super) fn start(&mut self, at_start: Value) {
        self.at_start = at_start;
    }

    /// Takes the params of `client/registerCapability`.
    pub(super) fn register(&mut self, params: &Value) {
        for one in params["registrations"].as_array().into_iter().flatten() {
            if let (Some(id), Some(method)) = (one["id"].as_str(), one["method"].as_str()) {
                if method == WATCHED_FILES {
                    self.watch(&one["registerOptions"]);
                }
                self.registered.insert(id.into(), (method.into(), one["registerOptions"].clone()));
            }
        }
    }

    /// Takes the params of `client/unregisterCapability`, whose key the protocol itself misspells.
    pub(super) fn unregister(&mut self, params: &Value) {
        let named = params["unregisterations"].as_array().or_else(|| params["unregistrations"].as_array());
        for id in named.into_iter().flatten().filter_map(|one| one["id"].as_str()) {
            self.registered.remove(id);
        }
    }

    /// Takes the options of `workspace/didChangeWatchedFiles` (LSP 3.17 § DidChangeWatchedFilesRegistrationOptions), as far as
    /// a pattern is relative to a directory, and a name, `*` or `**/*`.
    fn watch(&mut self, options: &Value) {
        for glob in options["watchers"].as_array().into_iter().flatten().map(|watcher| &watcher["globPattern"]) {
            let base = glob["baseUri"].as_str().or_else(|| glob["baseUri"]["uri"].as_str());
            let Some(dir) = base.and_then(|uri| convert::path(uri).ok()) else { continue };
            let place = match glob["pattern"].as_str() {
                Some("*") => Watched::Directory(dir),
                Some("**/*") => Watched::Tree(dir),
                Some(name) if !name.contains(['*', '?', '{', '[']) => match dir.join(name) {
                    Ok(file) => Watched::File(file),
                    Err(_) => continue,
                },
                _ => continue,
            };
            self.watched.entry(place).or_insert_with(SystemTime::now);
        }
    }

    /// Returns what the server wants to hear of outside of a directory.
    pub(super) fn watched_outside(&self, root: &AbsPath) -> Outside {
        let is_outside = |place: &Watched| match place {
            Watched::File(path) | Watched::Directory(path) | Watched::Tree(path) => {
                path != root && !path.is_below(root)
            }
        };
        let outside = self.watched.iter().filter(|(place, _)| is_outside(place));
        outside.map(|(place, moment)| (place.clone(), *moment)).collect()
    }

    pub(super) fn offers(&self, feature: Feature) -> bool {
        match feature {
            Feature::PrepareRename => self.options(Feature::Rename).any(|options| options["prepareProvider"] == true),
            // Any server may push diagnostics unasked; nothing announces it.
            Feature::Diagnostics => true,
            other => self.options(other).next().is_some(),
        }
    }

    /// Tells whether diagnostics can be asked for rather than waited for.
    pub(super) fn pulls_diagnostics(&self) -> bool {
        self.options(Feature::Diagnostics).next().is_some()
    }

    /// Tells whether an action may be asked for its edit later.
    pub(super) fn resolves_actions(&self) -> bool {
        self.options(Feature::CodeAction).any(|options| options["resolveProvider"] == true)
    }

    /// Tells whether `command` can be executed.
    pub(super) fn has_command(&self, command: &str) -> bool {
        self.options(Feature::ExecuteCommand)
            .any(|options| options["commands"].as_array().is_some_and(|all| all.iter().any(|one| one == command)))
    }

    /// Returns what `character` counts in this server's positions.
    pub(super) fn encoding(&self) -> Encoding {
        match self.at_start["positionEncoding"].as_str() {
            Some("utf-8") => Encoding::Utf8,
            Some("utf-32") => Encoding::Utf32,
            _ => Encoding::Utf16,
        }
    }

    /// Tells whether the server wants to hear before `path` is renamed; `kind` is `file` or `folder`.
    pub(super) fn wants_rename_of(&self, path: &AbsPath, kind: &str) -> bool {
        self.options(Feature::WillRenameFiles).any(|options| match options["filters"].as_array() {
            Some(filters) => filters.iter().any(|filter| filter_takes(filter, path, kind)),
            None => true,
        })
    }

    /// Returns the options under which `feature` is offered; `true` stands for options that say nothing.
    fn options(&self, feature: Feature) -> impl Iterator<Item = &Value> {
        let (pointer, method) = wire_names(feature);
        let at_start = self.at_start.pointer(pointer).filter(|value| !value.is_null() && *value != false);
        let registered = self.registered.values().filter(move |(name, _)| name == method).map(|(_, options)| options);
        at_start.into_iter().chain(registered)
    }
}

/// Where a feature stands in the capabilities of the start, and which method registers it later.
fn wire_names(feature: Feature) -> (&'static str, &'static str) {
    match feature {
        Feature::Rename | Feature::PrepareRename => ("/renameProvider", "textDocument/rename"),
        Feature::WillRenameFiles => ("/workspace/fileOperations/willRename", "workspace/willRenameFiles"),
        Feature::Definition => ("/definitionProvider", "textDocument/definition"),
        Feature::Declaration => ("/declarationProvider", "textDocument/declaration"),
        Feature::References => ("/referencesProvider", "textDocument/references"),
        Feature::Implementation => ("/implementationProvider", "textDocument/implementation"),
        Feature::DocumentSymbol => ("/documentSymbolProvider", "textDocument/documentSymbol"),
        Feature::WorkspaceSymbol => ("/workspaceSymbolProvider", "workspace/symbol"),
        Feature::CodeAction => ("/codeActionProvider", "textDocument/codeAction"),
        Feature::Diagnostics => ("/diagnosticProvider", "textDocument/diagnostic"),
        Feature::ExecuteCommand => ("/executeCommandProvider", "workspace/executeCommand"),
        Feature::TypeHierarchy => ("/typeHierarchyProvider", "textDocument/prepareTypeHierarchy"),
        Feature::CallHierarchy => ("/callHierarchyProvider", "textDocument/prepareCallHierarchy"),
        Feature::Hover => ("/hoverProvider", "textDocument/hover"),
        Feature::TypeDefinition => ("/typeDefinitionProvider", "textDocument/typeDefinition"),
        Feature::Formatting => ("/documentFormattingProvider", "textDocument/formatting"),
    }
}

/// LSP 3.17 § FileOperationFilter. A glob that cannot be read takes everything: the server is asked.
fn filter_takes(filter: &Value, path: &AbsPath, kind: &str) -> bool {
    let pattern = &filter["pattern"];
    let right_scheme = filter["scheme"].as_str().is_none_or(|scheme| scheme == "file");
    let right_kind = pattern["matches"].as_str().is_none_or(|matches| matches == kind);
    right_scheme && right_kind && matcher(pattern).is_none_or(|glob| glob.is_match(path.as_path()))
}

fn matcher(pattern: &Value) -> Option<GlobMatcher> {
    let mut builder = GlobBuilder::new(pattern["glob"].as_str()?);
    builder.literal_separator(true).case_insensitive(pattern["options"]["ignoreCase"] == true);
    builder.build().ok().map(|glob| glob.compile_matcher())
}
