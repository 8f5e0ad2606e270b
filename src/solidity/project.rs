//! A project's sources as one value that can be changed and asked what they mean.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use semver::Version;

use crate::solidity::engine::{Engine, Inputs};
use crate::solidity::header::Header;
use crate::solidity::imports::Imports;
use crate::solidity::model::{FileFacts, Model, Problem};
use crate::solidity::source_id::SourceId;
use crate::solidity::unit::Input;
use crate::solidity::version::Versions;
use crate::solidity::{extract, guard, version};

/// Sources with their meaning, which is renewed where something changed.
#[derive(Default)]
pub struct Project {
    sources: BTreeMap<SourceId, Source>,
    imports: Imports,
    engine: Option<Engine>,
    /// What the sources say; nothing after a change.
    model: Option<Arc<Model>>,
}

/// Sources that are compiled together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilationUnit {
    pub sources: Vec<SourceId>,
    /// For each import that no dot begins, where it leads, as the compiler takes it: `context:prefix=target`.
    pub remappings: Vec<String>,
}

struct Source {
    text: Arc<str>,
    header: Header,
    versions: Versions,
    refused: Option<guard::Limit>,
}

impl Project {
    pub fn new(sources: impl IntoIterator<Item = (SourceId, Arc<str>)>, imports: Imports) -> Self {
        let sources = sources.into_iter().map(|(id, text)| (id, Source::read(text))).collect();
        Self { sources, imports, engine: None, model: None }
    }

    pub fn imports(&self) -> &Imports {
        &self.imports
    }

    pub fn set_imports(&mut self, imports: Imports) {
        if self.imports != imports {
            self.imports = imports;
            self.model = None;
        }
    }

    /// Adds a source or gives it another text.
    pub fn set(&mut self, id: SourceId, text: Arc<str>) {
        if self.text(&id) != Some(&*text) {
            self.sources.insert(id, Source::read(text));
            self.model = None;
        }
    }

    pub fn remove(&mut self, id: &SourceId) {
        if self.sources.remove(id).is_some() {
            self.model = None;
        }
    }

    pub fn contains(&self, id: &SourceId) -> bool {
        self.sources.contains_key(id)
    }

    pub fn text(&self, id: &SourceId) -> Option<&str> {
        self.sources.get(id).map(|source| &*source.text)
    }

    pub fn ids(&self) -> impl Iterator<Item = &SourceId> {
        self.sources.keys()
    }

    /// Returns the imports of a source as they are written.
    pub fn header(&self, id: &SourceId) -> Option<&Header> {
        self.sources.get(id).map(|source| &source.header)
    }

    /// Returns what the sources mean now. What cannot be read is among the problems of its file.
    pub fn model(&mut self) -> Arc<Model> {
        if let Some(model) = &self.model {
            return Arc::clone(model);
        }
        let model = Arc::new(self.bind());
        self.model = Some(Arc::clone(&model));
        model
    }

    /// Returns the sources that changes in some may have an effect on: those, and all that import them.
    pub fn affected(&self, changed: &BTreeSet<SourceId>) -> BTreeSet<SourceId> {
        if changed.is_empty() {
            return BTreeSet::new();
        }
        let resolved = self.resolved();
        let edges = edges(&resolved);
        let mut affected = changed.clone();
        loop {
            let reaches = |id: &&SourceId| edges.get(*id).into_iter().flatten().any(|target| affected.contains(target));
            let more: Vec<SourceId> =
                edges.keys().filter(|id| !affected.contains(*id)).filter(reaches).cloned().collect();
            if more.is_empty() {
                return affected;
            }
            affected.extend(more);
        }
    }

    /// Returns what a compiler has to be given to read some sources: those, and what they import; by the version that each
    /// is compiled with, which is `wanted` where the sources allow it.
    pub fn units(&self, roots: &BTreeSet<SourceId>, wanted: Option<&Version>) -> BTreeMap<Version, CompilationUnit> {
        let resolved = self.resolved();
        let (edges, versions) = (edges(&resolved), self.versions());
        let units = version::units(roots.iter(), &versions, &edges, wanted);
        let unit = |(version, sources): (Version, BTreeSet<SourceId>)| {
            let remapping = |id: &SourceId| {
                let imports = resolved.get(id).into_iter().flatten().filter(|(path, _)| !path.starts_with('.'));
                imports.map(|(path, target)| format!("{id}:{path}={target}")).collect::<Vec<_>>()
            };
            let remappings = sources.iter().flat_map(remapping).collect();
            (version, CompilationUnit { sources: sources.into_iter().collect(), remappings })
        };
        units.into_iter().map(unit).collect()
    }

    /// Returns the versions that each readable source allows.
    fn versions(&self) -> BTreeMap<SourceId, Versions> {
        let readable = self.sources.iter().filter(|(_, source)| source.refused.is_none());
        readable.map(|(id, source)| (id.clone(), source.versions)).collect()
    }

    fn bind(&mut self) -> Model {
        let resolved = self.resolved();
        let edges = edges(&resolved);
        let versions = self.versions();
        let input = |id: &SourceId| {
            let source = self.sources.get(id).filter(|source| source.refused.is_none())?;
            let imports = resolved.get(id).cloned().unwrap_or_default();
            Some((id.clone(), Input { text: Arc::clone(&source.text), imports }))
        };
        let inputs: Inputs = version::units(versions.keys(), &versions, &edges, None)
            .into_iter()
            .map(|(version, ids)| (version, ids.iter().filter_map(input).collect()))
            .collect();
        let mut model = Model { files: self.file_facts(&resolved), ..Model::default() };
        match self.renewed(inputs) {
            Some(units) => extract::join(&mut model, units.values().map(AsRef::as_ref)),
            None => {
                for facts in model.files.values_mut() {
                    facts.problems.push(Problem::of_whole("the binder could not be started"));
                }
            }
        }
        model
    }

    fn renewed(&mut self, inputs: Inputs) -> Option<BTreeMap<Version, Arc<extract::UnitFacts>>> {
        if self.engine.is_none() {
            self.engine = Engine::start().ok();
        }
        let renewed = self.engine.as_ref()?.renew(inputs.clone());
        if renewed.is_some() {
            return renewed;
        }
        // The thread died; a new one starts from the texts.
        self.engine = Engine::start().ok();
        self.engine.as_ref()?.renew(inputs)
    }

    /// Returns where each import path of each source leads, for those that lead somewhere.
    fn resolved(&self) -> BTreeMap<SourceId, BTreeMap<String, SourceId>> {
        let exists = |id: &SourceId| self.sources.contains_key(id);
        let of_source = |(id, source): (&SourceId, &Source)| {
            let leads = |path: &String| self.imports.resolve(id, path, exists).map(|target| (path.clone(), target));
            let imports = source.header.imports.iter().filter_map(|import| leads(&import.path)).collect();
            (id.clone(), imports)
        };
        self.sources.iter().map(of_source).collect()
    }

    fn file_facts(&self, resolved: &BTreeMap<SourceId, BTreeMap<String, SourceId>>) -> BTreeMap<SourceId, FileFacts> {
        let of_source = |(id, source): (&SourceId, &Source)| {
            let leads = |path: &str| resolved.get(id).and_then(|imports| imports.get(path)).cloned();
            let imports = source.header.imports.iter().map(|import| (import.clone(), leads(&import.path))).collect();
            let problems = source.refused.iter().map(|limit| Problem::of_whole(limit.to_string())).collect();
            let text = Arc::clone(&source.text);
            (id.clone(), FileFacts { text, versions: Vec::new(), imports, problems, is_bound: false })
        };
        self.sources.iter().map(of_source).collect()
    }
}

fn edges(resolved: &BTreeMap<SourceId, BTreeMap<String, SourceId>>) -> BTreeMap<SourceId, Vec<SourceId>> {
    resolved.iter().map(|(id, imports)| (id.clone(), imports.values().cloned().collect())).collect()
}

impl Source {
    fn read(text: Arc<str>) -> Self {
        let refused = guard::check(&text).err();
        let header = if refused.is_some() { Header::default() } else { Header::read(&text) };
        let versions = Versions::allowed(&header.pragmas);
        Self { text, header, versions, refused }
    }
}
