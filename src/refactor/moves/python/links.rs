//! What Python files take from each other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::moves::Moves;
use super::namespaces;
use super::naming::Naming;
use super::place::Place;
use super::project_modules::{Member, Named, World};
use super::source::{Bound, Source};
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, Links};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::{FromImport, Import, ImportKind, Imported};
use crate::text::{AbsPath, Span, Text};

/// The modules of a project at one moment.
pub(crate) struct Modules<'a> {
    world: World<'a>,
    mentioning: &'a dyn Fn(&str) -> Vec<AbsPath>,
    /// The directories from which those that hold modules are imported.
    roots: RefCell<BTreeMap<Place, Place>>,
}

/// Looks at the modules of a project, some of whose files have other texts than on the disk.
pub(crate) fn with_modules<T>(
    session: &Session,
    texts: &BTreeMap<AbsPath, Arc<Text>>,
    work: impl FnOnce(&Modules<'_>) -> T,
) -> T {
    let disk = session.disk();
    let files = disk.files();
    let read = |path: &AbsPath| texts.get(path).cloned().or_else(|| disk.read(path).ok());
    let paths = files.iter().map(|entry| &entry.path).chain(texts.keys());
    let tree = super::ModuleTree::new(disk.root(), paths, &read);
    let mentioning = |word: &str| disk.files_mentioning(word);
    work(&Modules { world: World::new(&tree, &read), mentioning: &mentioning, roots: RefCell::default() })
}

impl Modules<'_> {
    /// Plays the imports of a module: says which name is asked for before it exists, if one is.
    pub(crate) fn failure(&self, path: &AbsPath) -> Option<String> {
        let source = self.world.source(path)?;
        let failure = super::cycles::Player::new(&self.world).failure(&source.place)?;
        let circle: Vec<String> = failure.running.iter().map(|place| format!("`{place}`")).collect();
        Some(format!("`{}` of `{}` is asked for before it exists: {}", failure.name, failure.module, circle.join(", ")))
    }

    fn file(&self, place: &Place) -> Option<AbsPath> {
        self.world.source_of(place).map(|source| source.path.clone())
    }

    fn modules(&self, source: &Source, import: &Import, found: &mut Vec<Link>) {
        let ImportKind::Modules(items) = &import.kind else { return };
        for item in items {
            let named = self.world.absolute(&source.directory, &item.path.texts());
            let named = named.filter(|named| named.found == item.path.parts.len());
            found.push(Link {
                statement: import.span,
                item: item.span,
                source: item.path.span,
                taken: LinkedName::Module,
                local: Some(item.bound().span),
                module: named.and_then(|named| self.file(&named.place)),
                form: LinkForm::Import,
            });
        }
    }

    fn from(&self, source: &Source, (import, from): (&Import, &FromImport), found: &mut Vec<Link>) {
        let named = self.world.origin(&source.directory, from);
        let module = named.as_ref().and_then(|named| self.file(&named.place));
        let link = |item, taken, local, module| Link {
            statement: import.span,
            item,
            source: from.source,
            taken,
            local,
            module,
            form: LinkForm::Import,
        };
        let Imported::Names(items) = &from.imported else {
            found.push(link(import.span, LinkedName::Star, None, module));
            return;
        };
        for item in items {
            let member = named.as_ref().map(|named| self.world.member(&named.place, &item.name.text));
            let local = Some(item.bound().span);
            found.push(match member {
                Some(Member::Module(place)) => link(item.span, LinkedName::Module, local, self.file(&place)),
                _ => link(item.span, LinkedName::Name(item.name.text.clone()), local, module.clone()),
            });
        }
    }

    fn named(&self, target: &AbsPath) -> Result<(Place, Named), String> {
        let unknown = || format!("`{target}` is not a module");
        let (place, _) = self.world.tree.module_at(target).ok_or_else(unknown)?;
        let place = if place.name() == "__init__" { place.parent().unwrap_or_default() } else { place };
        let root = self.root_of(&place);
        Ok((place.clone(), Named { place, root: Some(root), found: 0 }))
    }

    fn root_of(&self, place: &Place) -> Place {
        let directory = place.parent().unwrap_or_default();
        if let Some(known) = self.roots.borrow().get(&directory) {
            return known.clone();
        }
        let root = namespaces::root_of(&self.world, place, self.mentioning);
        self.roots.borrow_mut().insert(directory, root.clone());
        root
    }

    fn naming<T>(&self, work: impl FnOnce(&Naming<'_>) -> T) -> T {
        let moves = Moves::none();
        work(&Naming { before: self.world.tree, after: self.world.tree, moves: &moves })
    }
}

impl Links for Modules<'_> {
    fn of(&self, code: &Code) -> Vec<Link> {
        let Some(source) = self.world.source(&code.path) else { return Vec::new() };
        let mut found = Vec::new();
        for import in &source.imports {
            match &import.kind {
                ImportKind::Modules(_) => self.modules(&source, import, &mut found),
                ImportKind::From(from) => self.from(&source, (import, from), &mut found),
            }
        }
        found
    }

    fn source(&self, (code, link): (&Code, &Link), importer: &AbsPath, target: &AbsPath) -> Result<String, String> {
        let source = self.world.source(importer).ok_or_else(|| format!("`{importer}` cannot be read"))?;
        let written = link.source.of(code.text()).unwrap_or_default();
        let level = written.len() - written.trim_start_matches('.').len();
        if level == 0 {
            return self.plain_source(importer, target);
        }
        let (place, named) = self.named(target)?;
        let relative = self.naming(|naming| naming.relative(&source, &place, level));
        match relative {
            Some(origin) => Ok(origin.text()),
            None => self.naming(|naming| naming.absolute(&source, &named)).map(joined).map_err(|it| it.to_string()),
        }
    }

    fn plain_source(&self, importer: &AbsPath, target: &AbsPath) -> Result<String, String> {
        let source = self.world.source(importer).ok_or_else(|| format!("`{importer}` cannot be read"))?;
        let (_, named) = self.named(target)?;
        self.naming(|naming| naming.absolute(&source, &named)).map(joined).map_err(|refused| refused.to_string())
    }

    fn members(&self, code: &Code, module: &AbsPath, name: &str) -> Vec<Span> {
        let found = self.world.source(&code.path).zip(self.named(module).ok());
        let Some((source, (wanted, _))) = found else { return Vec::new() };
        let names = source.names();
        let mut spans = Vec::new();
        for one in names.uses.iter().filter(|one| one.members.iter().any(|member| member.text == name)) {
            let bound =
                names.resolve(one, &one.name.text).and_then(|scope| names.scopes[scope].bound.get(&one.name.text));
            let imported = bound.into_iter().flatten().filter(|binding| binding.is_import);
            for binding in imported {
                let Some((_, bound)) = source.bound_at(binding.span.start) else { continue };
                let Member::Module(place) = self.world.bound(&source, Bound::clone(&bound)) else { continue };
                let walked = self.world.walk(&place, &one.members);
                let reached =
                    walked.iter().zip(&one.members).find(|(at, member)| **at == wanted && member.text == name);
                spans.extend(reached.map(|(_, member)| Span::new(one.name.span.start, member.span.end)));
            }
        }
        spans.sort();
        spans.dedup();
        spans
    }
}

fn joined(names: Vec<String>) -> String {
    names.join(".")
}
