//! Which files the servers have loaded, so that no answer misses one that nobody opened.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::lsp::{Quirk, Server};
use crate::session::Session;
use crate::session::error::SessionError;
use crate::syntax::Language;
use crate::text::AbsPath;

impl Session {
    /// Makes the server load every one of `files` that it reads, whichever project they belong to: those that mention a name
    /// may be of any kind.
    ///
    /// A tsserver loads a whole project with any file of it, and tells which files that are: only the first
    /// of each project, and files outside all projects, are opened. A server that answers without open
    /// files needs nothing; any other gets them all opened.
    pub async fn cover(&self, server: &Arc<Server>, files: &[AbsPath]) -> Result<(), SessionError> {
        if server.spec().has(Quirk::AnswersWithoutOpen) {
            return Ok(());
        }
        let files: Vec<AbsPath> = files.iter().filter(|path| server.spec().speaks_of(path)).cloned().collect();
        if !server.spec().has(Quirk::TsserverRequests) {
            server.open(&files).await?;
            if server.spec().has(Quirk::ReadsLate) {
                server.read_through(&files).await?;
            }
            return Ok(());
        }
        for file in &files {
            if self.covered.has(server.name(), file) {
                continue;
            }
            server.open(std::slice::from_ref(file)).await?;
            let mut loaded = self.project_files(server, file).await?;
            if loaded.is_inferred {
                // Asked in between, tsserver would read all of the project anew for each of them.
                let config = self.nearest_config(file);
                let is_like = |it: &&AbsPath| !self.covered.has(server.name(), it) && self.nearest_config(it) == config;
                let others: Vec<AbsPath> = files.iter().filter(is_like).cloned().collect();
                server.open(&others).await?;
                loaded.files.extend(others);
            }
            if let Some(directory) =
                loaded.config.filter(|config| self.has_all_below(config)).and_then(|it| it.parent())
            {
                self.covered.add_project(server.name(), directory);
            }
            self.covered.add(server.name(), loaded.files.into_iter().chain([file.clone()]));
        }
        Ok(())
    }

    /// As [`Session::cover`], for what types may lead to: JavaScript that no project has, and that does not ask for it
    /// (`@ts-check`), nobody compares any types in.
    pub async fn cover_typed(&self, server: &Arc<Server>, files: &[AbsPath]) -> Result<(), SessionError> {
        let is_loose = |file: &AbsPath| {
            let is_outside =
                || self.nearest_config(file).is_some_and(|it| self.covered.has_project(server.name(), &it));
            let is_checked = || self.disk().read(file).is_ok_and(|text| text.as_str().contains("@ts-check"));
            Language::of_path(file) == Some(Language::JavaScript)
                && !self.covered.has(server.name(), file)
                && is_outside()
                && !is_checked()
        };
        self.cover(server, &Vec::from_iter(files.iter().filter(|file| !is_loose(file)).cloned())).await
    }

    /// Tells whether a configuration is one that tsserver finds from below, and leaves no files to another one.
    fn has_all_below(&self, config: &AbsPath) -> bool {
        let text = self.disk().read(config);
        CONFIGS.contains(&config.file_name()) && text.is_ok_and(|text| !text.as_str().contains("references"))
    }

    /// Returns the directory of the configuration that tsserver looks into first for a file.
    fn nearest_config(&self, file: &AbsPath) -> Option<AbsPath> {
        let above = std::iter::successors(file.parent(), AbsPath::parent).take_while(|it| it.is_below(self.root()));
        let has_config = |it: &AbsPath| CONFIGS.iter().any(|name| it.as_path().join(name).is_file());
        above.chain([self.root().clone()]).find(has_config)
    }

    /// Makes a server of scripts load every file that it can read.
    pub async fn cover_all(&self, server: &Arc<Server>) -> Result<(), SessionError> {
        let walk = self.disk().files();
        if self.covered.has_all(server.name(), &walk) {
            return Ok(());
        }
        self.cover(server, &walk.iter().map(|entry| entry.path.clone()).collect::<Vec<_>>()).await?;
        self.covered.add_all(server.name(), walk);
        Ok(())
    }

    /// Asks tsserver for the project that `file` belongs to (its protocol.ts, `projectInfo`).
    async fn project_files(&self, server: &Arc<Server>, file: &AbsPath) -> Result<Loaded, SessionError> {
        let wanted = json!({ "file": file.as_str(), "needFileNameList": true });
        let answer = server.execute("typescript.tsserverRequest", vec![Value::from("projectInfo"), wanted]).await?;
        let names = answer.pointer("/body/fileNames").and_then(Value::as_array);
        let paths = names.into_iter().flatten().filter_map(Value::as_str).filter_map(|name| AbsPath::new(name).ok());
        let config = answer.pointer("/body/configFileName").and_then(Value::as_str);
        Ok(Loaded {
            files: paths.filter(|path| path.is_below(self.root())).collect(),
            config: config.and_then(|config| AbsPath::new(config).ok()),
            is_inferred: config.is_some_and(|config| config.contains("inferredProject")),
        })
    }
}

/// A project of tsserver.
struct Loaded {
    files: Vec<AbsPath>,
    config: Option<AbsPath>,
    /// Whether no configuration has the file: all such files of a root are one project.
    is_inferred: bool,
}

const CONFIGS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];
