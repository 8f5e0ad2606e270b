//! Which files of a project import which: along these ways types come from one file to another.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::python::{ModuleTree, Resolver};
use super::script;
use crate::session::Session;
use crate::syntax::python::{Import, ImportKind, Imported, imports, lex};
use crate::syntax::{Family, Language};
use crate::text::AbsPath;
use crate::workspace::{FileEntry, Files, Stamp, gather};

/// The importers of every Python file and script of a project.
pub struct Importers {
    by: BTreeMap<AbsPath, BTreeSet<AbsPath>>,
    /// Scripts that all others see without importing them.
    globals: BTreeSet<AbsPath>,
    read: BTreeMap<AbsPath, (Stamp, Arc<Read>)>,
}

/// What one text shows.
enum Read {
    Python(Vec<Import>),
    Script(script::Imports),
}

impl Importers {
    /// Returns them as of the disk's last walk. Files that stand as before are not read again.
    pub fn of(session: &Session) -> Arc<Self> {
        session.kept(|files, earlier| Self::renewed(session, files, earlier))
    }

    /// Tells whether the imports of a language are known here.
    pub fn knows(family: Family) -> bool {
        matches!(family, Family::Python | Family::Script)
    }

    /// Returns the files that what stands in `files` may come to, in the order of their distance; `files` are not among
    /// them.
    pub fn reached<'a>(&'a self, files: impl IntoIterator<Item = &'a AbsPath>) -> Vec<&'a AbsPath> {
        self.reached_where(files, |_, _| true)
    }

    /// As [`Importers::reached`], as far as values go: what a file of TypeScript declares for all is types, which a file of
    /// JavaScript that does not import it has no word for.
    pub fn reached_by_values<'a>(&'a self, files: impl IntoIterator<Item = &'a AbsPath>) -> Vec<&'a AbsPath> {
        self.reached_where(files, |global, other| !is_typed(global) || is_typed(other))
    }

    /// Does it, where `sees` tells of a script that all see and of another whether that one does.
    fn reached_where<'a>(
        &'a self,
        files: impl IntoIterator<Item = &'a AbsPath>,
        sees: impl Fn(&AbsPath, &AbsPath) -> bool,
    ) -> Vec<&'a AbsPath> {
        let mut open: VecDeque<&AbsPath> = files.into_iter().collect();
        let mut seen: BTreeSet<&AbsPath> = open.iter().copied().collect();
        let mut found: Vec<&AbsPath> = Vec::new();
        let mut are_all_seen = [false; 2];
        while let Some(path) = open.pop_front() {
            let done = &mut are_all_seen[usize::from(is_typed(path))];
            let is_seen = self.globals.contains(path) && !std::mem::replace(done, true);
            let everybody = self.read.iter().filter(|(_, (_, read))| is_seen && matches!(**read, Read::Script(_)));
            let everybody = everybody.map(|(other, _)| other).filter(|other| sees(path, other));
            for importer in self.direct(path).chain(everybody) {
                if seen.insert(importer) {
                    found.push(importer);
                    open.push_back(importer);
                }
            }
        }
        found
    }

    /// Returns the files that import a file themselves, sorted.
    pub fn direct(&self, file: &AbsPath) -> impl Iterator<Item = &AbsPath> {
        self.by.get(file).into_iter().flatten()
    }

    /// Returns the files that may take a name of a module of Python by an import: those that import it, or a module that takes
    /// all of it.
    pub fn takers<'a>(&'a self, file: &'a AbsPath) -> BTreeSet<&'a AbsPath> {
        let mut open = vec![file];
        let mut found = BTreeSet::new();
        while let Some(path) = open.pop() {
            for importer in self.direct(path) {
                if found.insert(importer) && self.takes_all(importer) {
                    open.push(importer);
                }
            }
        }
        found
    }

    /// Tells whether a module of Python has a star import, of whatever module.
    fn takes_all(&self, file: &AbsPath) -> bool {
        let is_star =
            |import: &Import| matches!(&import.kind, ImportKind::From(from) if from.imported == Imported::Star);
        let read = self.read.get(file).map(|(_, read)| &**read);
        matches!(read, Some(Read::Python(imports)) if imports.iter().any(is_star))
    }

    /// Returns the files whose imports have one of these words as the name of a module or of what is taken from one: a file
    /// that comes or goes may change which module they mean.
    pub fn naming<'a>(&'a self, stems: &'a BTreeSet<&'a str>) -> impl Iterator<Item = &'a AbsPath> {
        let names = |(_, (_, read)): &(&AbsPath, &(Stamp, Arc<Read>))| match &**read {
            Read::Python(imports) => imports.iter().any(|import| names_one(import, stems)),
            Read::Script(imports) => imports.stems().any(|stem| stems.contains(stem)),
        };
        self.read.iter().filter(move |entry| !stems.is_empty() && names(entry)).map(|(path, _)| path)
    }

    fn renewed(session: &Session, files: &Files, earlier: Option<&Self>) -> Self {
        let known = |entry: &FileEntry| {
            let (stamp, read) = earlier?.read.get(&entry.path)?;
            stamp.same(&entry.stamp).then(|| Arc::clone(read))
        };
        let wanted: Vec<&FileEntry> = files.iter().filter(|entry| family(&entry.path).is_some()).collect();
        let read = |entry: &&FileEntry| known(entry).or_else(|| read(session, &entry.path));
        let texts = gather(&wanted, &AtomicBool::new(false), read).unwrap_or_default();
        let read =
            wanted.iter().zip(texts).filter_map(|(entry, read)| Some((entry.path.clone(), (entry.stamp, read?))));
        let mut renewed = Self { by: BTreeMap::new(), globals: BTreeSet::new(), read: read.collect() };
        renewed.lead_python(session, files);
        renewed.lead_scripts(session);
        renewed
    }

    fn lead_python(&mut self, session: &Session, files: &Files) {
        let disk = session.disk();
        let read = |path: &AbsPath| disk.read(path).ok();
        let tree = ModuleTree::new(disk.root(), files.iter().map(|entry| &entry.path), &read);
        let resolver = Resolver::new(&tree, &read);
        for (path, (_, read)) in &self.read {
            let Read::Python(imports) = &**read else { continue };
            for imported in resolver.imported(path, imports) {
                self.by.entry(imported).or_default().insert(path.clone());
            }
        }
    }

    fn lead_scripts(&mut self, session: &Session) {
        script::resolver(session.sources(), |resolve| {
            for (path, (_, read)) in &self.read {
                let Read::Script(imports) = &**read else { continue };
                if imports.is_global {
                    self.globals.insert(path.clone());
                }
                for imported in resolve(path, imports) {
                    self.by.entry(imported).or_default().insert(path.clone());
                }
            }
        });
    }
}

fn is_typed(path: &AbsPath) -> bool {
    Language::of_path(path).is_some_and(Language::is_typed_script)
}

fn names_one(import: &Import, stems: &BTreeSet<&str>) -> bool {
    let is_one = |word: &str| stems.contains(word);
    match &import.kind {
        ImportKind::Modules(items) => items.iter().any(|item| item.path.texts().into_iter().any(is_one)),
        ImportKind::From(from) => {
            let in_module = from.module.as_ref().is_some_and(|module| module.texts().into_iter().any(is_one));
            let is_taken = || match &from.imported {
                Imported::Star => false,
                Imported::Names(items) => items.iter().any(|item| is_one(&item.name.text)),
            };
            in_module || is_taken()
        }
    }
}

fn family(path: &AbsPath) -> Option<Family> {
    Language::of_path(path).map(Language::family).filter(|family| Importers::knows(*family))
}

fn read(session: &Session, path: &AbsPath) -> Option<Arc<Read>> {
    let (text, language) = (session.disk().read(path).ok()?, Language::of_path(path)?);
    let text = text.as_str();
    Some(Arc::new(match family(path)? {
        Family::Python => Read::Python(imports(text, &lex(text))),
        _ => Read::Script(script::Imports::of(language, text)),
    }))
}
