//! One running server: its process, its documents, and its one restart.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Answer, Executed, Feature, Guard, Launch, Location, LspError, Place, Prepared, ServerName, ServerSpec, Symbol,
};
use crate::plan::Problem;
use crate::text::{AbsPath, Text};
use crate::workspace::{Change, Disk};

/// A language server that works on one project.
pub struct Server {
    spec: ServerSpec,
    disk: Disk,
}

impl Server {
    pub async fn start(
        spec: &ServerSpec,
        launch: Launch,
        project: &Disk,
        guard: &Guard,
    ) -> Result<Arc<Self>, LspError> {
        let _ = (launch, guard);
        Ok(Arc::new(Self { spec: spec.clone(), disk: project.clone() }))
    }
    pub async fn ready(&self) -> Result<(), LspError> {
        self.todo()
    }
    pub fn offers(&self, feature: Feature) -> bool {
        let _ = feature;
        false
    }
    pub fn name(&self) -> &ServerName {
        &self.spec.name
    }
    pub fn spec(&self) -> &ServerSpec {
        &self.spec
    }
    pub fn is_open(&self, path: &AbsPath) -> bool {
        let _ = path;
        false
    }
    /// The text that the server sees: the overlay, the open document, or the disk's.
    pub fn seen(&self, path: &AbsPath) -> Result<Arc<Text>, LspError> {
        self.disk.read(path).map_err(|error| LspError::Unreadable { path: path.clone(), reason: error.to_string() })
    }
    pub async fn open(&self, paths: &[AbsPath]) -> Result<(), LspError> {
        let _ = paths;
        self.todo()
    }
    pub async fn close(&self, paths: &[AbsPath]) {
        let _ = paths;
    }
    pub async fn overlay(&self, path: &AbsPath, text: Arc<Text>) -> Result<(), LspError> {
        let _ = (path, text);
        self.todo()
    }
    pub async fn drop_overlays(&self) {}
    pub async fn tell_changes(&self, changes: &[Change]) {
        let _ = changes;
    }
    pub async fn rename(&self, place: &Place, new_name: &str) -> Result<Option<Answer>, LspError> {
        let _ = (place, new_name);
        self.todo()
    }
    pub async fn prepare_rename(&self, place: &Place) -> Result<Prepared, LspError> {
        let _ = place;
        self.todo()
    }
    pub async fn definition(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        let _ = place;
        self.todo()
    }
    pub async fn implementation(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        let _ = place;
        self.todo()
    }
    /// The declaration included.
    pub async fn references(&self, place: &Place) -> Result<Vec<Location>, LspError> {
        let _ = place;
        self.todo()
    }
    pub async fn will_rename_files(&self, moves: &[(AbsPath, AbsPath)]) -> Result<Answer, LspError> {
        let _ = moves;
        self.todo()
    }
    pub async fn diagnostics(&self, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
        let _ = path;
        self.todo()
    }
    pub async fn document_symbols(&self, path: &AbsPath) -> Result<Vec<Symbol>, LspError> {
        let _ = path;
        self.todo()
    }
    pub async fn execute(&self, command: &str, arguments: Vec<Value>) -> Result<Value, LspError> {
        Ok(self.execute_captured(command, arguments).await?.value)
    }
    pub async fn execute_captured(&self, command: &str, arguments: Vec<Value>) -> Result<Executed, LspError> {
        let _ = (command, arguments);
        self.todo()
    }
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, LspError> {
        let _ = (method, params);
        self.todo()
    }
    pub async fn shutdown(&self) {}
    fn todo<T>(&self) -> Result<T, LspError> {
        Err(LspError::NotOffered { server: self.spec.name.clone(), feature: Feature::Rename })
    }
}
