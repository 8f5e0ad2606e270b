//! Which files take a name that they want from another file's imports.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::place::Place;
use super::project_modules::{Member, World};
use super::source::{Bound, Source};
use crate::syntax::python::{ImportKind, Imported, dunder_all};

/// The files that may use what others import, and what they import from.
pub(super) struct Reexports<'a> {
    sources: &'a [Rc<Source>],
    importers: OnceCell<BTreeMap<Place, Vec<usize>>>,
}

impl<'a> Reexports<'a> {
    /// Takes the files that mention a name of interest; they are looked through when it matters.
    pub(super) fn of(sources: &'a [Rc<Source>]) -> Self {
        Self { sources, importers: OnceCell::new() }
    }

    fn importers(&self, world: &World<'_>) -> &BTreeMap<Place, Vec<usize>> {
        self.importers.get_or_init(|| {
            let mut importers: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
            for (at, source) in self.sources.iter().enumerate() {
                let places: BTreeSet<Place> = imported_places(world, source).into_iter().collect();
                for place in places {
                    importers.entry(place).or_default().push(at);
                }
            }
            importers
        })
    }

    /// Tells whether the file's `__all__` lists `name`.
    pub(super) fn lists(source: &Source, name: &str) -> bool {
        let listed = || dunder_all(source.tree(), source.str()).iter().any(|(entry, _)| entry == name);
        source.str().contains("__all__") && listed()
    }

    /// Tells whether `name`, bound by an import at the top of a file, is part of what the file offers.
    pub(super) fn uses(&self, world: &World<'_>, source: &Source, name: &str) -> bool {
        if Self::lists(source, name) {
            return true;
        }
        let root = world.tree.root_of(&source.place);
        let dotted = world.tree.dotted(&source.place, &root).map(|dotted| format!("{dotted}.{name}"));
        if dotted.is_some_and(|dotted| self.sources.iter().any(|other| in_string(other, &dotted))) {
            return true;
        }
        let importers = self.importers(world).get(&source.place).into_iter().flatten();
        importers.map(|at| &self.sources[*at]).any(|other| takes(world, other, &source.place, name))
    }
}

fn imported_places(world: &World<'_>, source: &Source) -> Vec<Place> {
    let mut places = Vec::new();
    for import in &source.imports {
        match &import.kind {
            ImportKind::Modules(items) => {
                let named = items.iter().filter_map(|item| world.absolute(&source.directory, &item.path.texts()));
                places.extend(named.map(|named| named.place));
            }
            ImportKind::From(from) => {
                let Some(named) = world.origin(&source.directory, from) else { continue };
                if let Imported::Names(items) = &from.imported {
                    places.extend(items.iter().map(|item| named.place.join(&item.name.text)));
                }
                places.push(named.place);
            }
        }
    }
    places
}

fn in_string(source: &Source, dotted: &str) -> bool {
    source.str().contains(dotted)
        && source.strings().any(|(span, _)| span.of(source.str()).is_some_and(|content| content.contains(dotted)))
}

/// Tells whether a file takes `name` from the module at `place`.
fn takes(world: &World<'_>, source: &Source, place: &Place, name: &str) -> bool {
    for import in &source.imports {
        let ImportKind::From(from) = &import.kind else { continue };
        let from_there = || world.origin(&source.directory, from).is_some_and(|named| named.place == *place);
        let is_wanted = match &from.imported {
            Imported::Star => true,
            Imported::Names(items) => items.iter().any(|item| item.name.text == name),
        };
        if is_wanted && from_there() {
            return true;
        }
    }
    let binds = |bound: Bound<'_>| world.bound(source, bound) == Member::Module(place.clone());
    let text = source.str();
    let names_it = || source.has_member(name) || source.strings().any(|(span, _)| span.of(text) == Some(name));
    let is_dotted = |bound: Bound<'_>| {
        matches!(bound, Bound::Module(item) if item.alias.is_none() && {
            world.absolute(&source.directory, &item.path.texts()).is_some_and(|named| named.place == *place)
        })
    };
    names_it() && source.bounds().any(|(_, bound)| is_dotted(bound) || binds(bound))
}
