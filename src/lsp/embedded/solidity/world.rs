//! What the Solidity server knows: the project's sources, the open documents over them, and how imports are found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_lsp::ClientSocket;
use lsp_types::notification::PublishDiagnostics;
use lsp_types::request::RegisterCapability;
use lsp_types::{Registration, RegistrationParams};
use serde_json::{Value, json};

use super::refused::Refused;
use crate::lsp::convert;
use crate::lsp::embedded::{loading, read_layout};
use crate::solidity::{Imports, Layout, Model, Project, SourceId};
use crate::text::{AbsPath, Encoding, LineBreaks, LineIndex, Position, Span};
use crate::workspace::Disk;

pub(super) struct World {
    client: ClientSocket,
    disk: Option<Disk>,
    layout: Layout,
    encoding: Encoding,
    /// Whether the client asks for diagnostics rather than being told.
    pub(super) pulls: bool,
    /// Whether the client can be asked to watch files.
    watches: bool,
    documents: BTreeMap<SourceId, Arc<str>>,
    project: Project,
    is_loaded: bool,
}

/// A place that a request names.
pub(super) struct At {
    pub(super) model: Arc<Model>,
    pub(super) file: SourceId,
    pub(super) offset: usize,
}

impl World {
    pub(super) fn new(client: ClientSocket) -> Self {
        Self {
            client,
            disk: None,
            layout: Layout::default(),
            encoding: Encoding::default(),
            pulls: false,
            watches: false,
            documents: BTreeMap::new(),
            project: Project::new([], Imports::default()),
            is_loaded: false,
        }
    }

    pub(super) fn begin(&mut self, root: Option<AbsPath>, encoding: Encoding, pulls: bool, watches: bool) {
        self.disk = root.and_then(|root| Disk::open(&root).ok());
        (self.encoding, self.pulls, self.watches) = (encoding, pulls, watches);
        self.forget();
    }

    /// Drops everything that can be read again.
    pub(super) fn forget(&mut self) {
        self.project = Project::new([], Imports::default());
        self.is_loaded = false;
    }

    pub(super) fn watch(&self) {
        if !self.watches {
            return;
        }
        let globs = ["**/*.sol", "**/remappings.txt", "**/foundry.toml", "**/hardhat.config.*"];
        let watchers: Vec<Value> = globs.iter().map(|glob| json!({"globPattern": glob})).collect();
        let method = "workspace/didChangeWatchedFiles".to_owned();
        let options = Some(json!({"watchers": watchers}));
        let registration = Registration { id: "solidity-files".to_owned(), method, register_options: options };
        let params = RegistrationParams { registrations: vec![registration] };
        let asked = self.client.request::<RegisterCapability>(params);
        // An editor that does not watch tells nothing; what is open is known all the same.
        drop(asked);
    }

    /// Returns what everything means, after reading what is not read yet.
    pub(super) fn model(&mut self) -> Arc<Model> {
        self.load();
        self.project.model()
    }

    /// Returns what everything would mean if some sources had other texts.
    pub(super) fn model_with(&mut self, texts: BTreeMap<SourceId, Arc<str>>) -> Arc<Model> {
        let before: Vec<(SourceId, Arc<str>)> =
            texts.keys().filter_map(|file| Some((file.clone(), self.project.text(file)?.into()))).collect();
        for (file, text) in texts {
            self.project.set(file, text);
        }
        let model = self.project.model();
        for (file, text) in before {
            self.project.set(file, text);
        }
        model
    }

    /// Returns the sources by name; a folder's are those below it.
    pub(super) fn below(&self, path: &AbsPath) -> Vec<SourceId> {
        let prefix = format!("{}/", path.as_str());
        let is_meant = |id: &&SourceId| id.as_str() == path.as_str() || id.as_str().starts_with(&prefix);
        self.project.ids().filter(is_meant).cloned().collect()
    }

    pub(super) fn imports(&self) -> &Imports {
        self.project.imports()
    }

    pub(super) fn is_library(&self, file: &SourceId) -> bool {
        self.layout.is_library(file.as_str())
    }

    /// Shortens the names of the project's files in a message.
    pub(super) fn shown(&self, message: &str) -> String {
        match &self.disk {
            Some(disk) => message.replace(&format!("{}/", disk.root()), ""),
            None => message.to_owned(),
        }
    }

    /// Reads the place that `textDocument` and `position` name.
    pub(super) fn at(&mut self, params: &Value) -> Result<At, Refused> {
        let file = self.file(params)?;
        let model = self.model();
        let text = model
            .text(&file)
            .ok_or_else(|| Refused(self.shown(&format!("`{file}` is not a source of the project"))))?;
        let number = |key: &str| params["position"][key].as_u64().and_then(|number| u32::try_from(number).ok());
        let position = number("line").zip(number("character")).map(|(line, character)| Position { line, character });
        let lines = LineIndex::new(text, LineBreaks::Lsp);
        let offset = position.and_then(|position| lines.offset(text, position, self.encoding));
        let offset = offset.ok_or_else(|| Refused("the position lies outside the text".to_owned()))?;
        Ok(At { model, file, offset })
    }

    /// Returns the file that `textDocument` names.
    pub(super) fn file(&self, params: &Value) -> Result<SourceId, Refused> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        self.id_of(uri).ok_or_else(|| Refused(format!("`{uri}` is not a file")))
    }

    pub(super) fn path_of(&self, uri: &str) -> Option<AbsPath> {
        let path = convert::path(uri).ok()?;
        Some(match &self.disk {
            Some(disk) => disk.contain(&path).unwrap_or(path),
            None => path,
        })
    }

    fn id_of(&self, uri: &str) -> Option<SourceId> {
        self.path_of(uri).map(|path| SourceId::new(path.as_str()))
    }

    /// Returns a span as the client counts.
    pub(super) fn range(&self, model: &Model, file: &SourceId, span: Span) -> Value {
        self.ranges(model, file, [span]).pop().unwrap_or_default()
    }

    /// Returns spans of one file as the client counts.
    pub(super) fn ranges(&self, model: &Model, file: &SourceId, spans: impl IntoIterator<Item = Span>) -> Vec<Value> {
        let text = model.text(file).unwrap_or_default();
        let lines = LineIndex::new(text, LineBreaks::Lsp);
        let position = |offset: usize| {
            let found = lines.position(text, offset.min(text.len()), self.encoding);
            let found = found.unwrap_or(Position { line: 0, character: 0 });
            json!({"line": found.line, "character": found.character})
        };
        spans.into_iter().map(|span| json!({"start": position(span.start), "end": position(span.end)})).collect()
    }

    pub(super) fn uri(file: &SourceId) -> String {
        AbsPath::new(file.as_str()).map(|path| convert::uri(&path)).unwrap_or_default()
    }

    /// Takes in a document that a client opens, and returns its source.
    pub(super) fn opened(&mut self, params: &Value) -> Option<SourceId> {
        let text = params["textDocument"]["text"].as_str().unwrap_or_default();
        let text = Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text));
        let file = self.file(params).ok()?;
        self.take(file.clone(), text);
        Some(file)
    }

    /// Takes in what a client changes in an open document, and returns its source.
    pub(super) fn changed(&mut self, params: &Value) -> Option<SourceId> {
        let file = self.file(params).ok()?;
        let mut text = self.documents.get(&file)?.to_string();
        for change in params["contentChanges"].as_array().into_iter().flatten() {
            let new = change["text"].as_str().unwrap_or_default();
            match self.span(&text, &change["range"]) {
                Some(span) => text.replace_range(span.start..span.end, new),
                None => text = new.to_owned(),
            }
        }
        self.take(file.clone(), text.into());
        Some(file)
    }

    pub(super) fn closed(&mut self, params: &Value) {
        if let Ok(file) = self.file(params)
            && self.documents.remove(&file).is_some()
        {
            self.reread(&file);
        }
    }

    /// Takes in what happened on the disk.
    pub(super) fn watched(&mut self, params: &Value) {
        let uris = params["changes"].as_array().into_iter().flatten().filter_map(|change| change["uri"].as_str());
        let files: Vec<SourceId> = uris.filter_map(|uri| self.id_of(uri)).collect();
        if files.iter().any(|file| Layout::is_read_from(file.as_str())) {
            self.forget();
        }
        if !self.is_loaded {
            return;
        }
        for file in files.iter().filter(|file| file.as_str().ends_with(".sol")) {
            if !self.documents.contains_key(file) {
                self.reread(file);
            }
        }
        self.complete();
    }

    fn span(&self, text: &str, range: &Value) -> Option<Span> {
        let range: lsp_types::Range = serde_json::from_value(range.clone()).ok()?;
        let lines = LineIndex::new(text, LineBreaks::Lsp);
        let offset = |at: lsp_types::Position| {
            lines.offset(text, Position { line: at.line, character: at.character }, self.encoding)
        };
        Some(Span::new(offset(range.start)?, offset(range.end)?))
    }

    fn take(&mut self, file: SourceId, text: Arc<str>) {
        self.documents.insert(file.clone(), Arc::clone(&text));
        if self.is_loaded {
            self.project.set(file, text);
            self.complete();
        }
    }

    /// Tells the client what is wrong with a file.
    pub(super) fn publish(&self, file: &SourceId, items: Vec<Value>) {
        let told = json!({"uri": Self::uri(file), "diagnostics": items});
        if let Ok(told) = serde_json::from_value(told) {
            // A client that is gone needs no news.
            let _ = self.client.notify::<PublishDiagnostics>(told);
        }
    }

    fn reread(&mut self, file: &SourceId) {
        match self.read(file) {
            Some(text) => self.project.set(file.clone(), text),
            None => self.project.remove(file),
        }
    }

    fn read(&self, file: &SourceId) -> Option<Arc<str>> {
        let open = self.documents.get(file).map(Arc::clone);
        open.or_else(|| loading::read_source(self.disk.as_ref()?, file))
    }

    fn load(&mut self) {
        if self.is_loaded {
            return;
        }
        self.is_loaded = true;
        let mut files: BTreeSet<SourceId> = self.documents.keys().cloned().collect();
        if let Some(disk) = &self.disk {
            // What the session knows of the disk is not what this server was told.
            disk.scan();
            self.layout = read_layout(disk);
            files.extend(loading::own_sources(disk, &self.layout));
        }
        let read = |file: SourceId| self.read(&file).map(|text| (file, text));
        let sources: Vec<(SourceId, Arc<str>)> = files.into_iter().filter_map(read).collect();
        self.project = Project::new(sources, self.layout.imports());
        self.complete();
    }

    /// Reads what is imported and not read yet, and what that imports.
    fn complete(&mut self) {
        let mut project = std::mem::take(&mut self.project);
        loading::complete(&mut project, |file| self.read(file));
        self.project = project;
    }
}
