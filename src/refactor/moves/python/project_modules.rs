//! A project's Python code at one moment: what an import means, and what a module's members are.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::place::Place;
use super::source::{Bound, Source};
use super::tree::ModuleTree;
use crate::syntax::python::{FromImport, Word, dunder_all};
use crate::text::{AbsPath, Text};

/// The modules and their texts, before the move or after it.
pub(super) struct World<'a> {
    pub(super) tree: &'a ModuleTree,
    /// Gives the text of a file by its path in this world.
    read: &'a dyn Fn(&AbsPath) -> Option<Arc<Text>>,
    sources: RefCell<BTreeMap<AbsPath, Option<Rc<Source>>>>,
    /// Per directory the roots that its files import from.
    roots: RefCell<BTreeMap<Place, Rc<Vec<Place>>>>,
    members: RefCell<BTreeMap<(Place, String), Member>>,
}

/// What a name in a module stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Member {
    Module(Place),
    /// Something that is no module, or that is not known to be one.
    Value,
    Missing,
}

/// A module as an import statement names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) place: Place,
    /// The root of an absolute name; nothing for a relative one.
    pub(super) root: Option<Place>,
    /// How many parts of the name (of a relative one: all) lie on modules that exist.
    pub(super) found: usize,
}

impl<'a> World<'a> {
    pub(super) fn new(tree: &'a ModuleTree, read: &'a dyn Fn(&AbsPath) -> Option<Arc<Text>>) -> Self {
        Self { tree, read, sources: RefCell::default(), roots: RefCell::default(), members: RefCell::default() }
    }

    /// Reads a Python file; nothing where it cannot be read or is none.
    pub(super) fn source(&self, path: &AbsPath) -> Option<Rc<Source>> {
        if let Some(known) = self.sources.borrow().get(path) {
            return known.clone();
        }
        let read = || {
            let (place, _) = self.tree.module_at(path)?;
            Some(Rc::new(Source::new(path.clone(), place, (self.read)(path)?)))
        };
        let source = read();
        self.sources.borrow_mut().insert(path.clone(), source.clone());
        source
    }

    /// Returns the source of a module or of a package's `__init__`.
    pub(super) fn source_of(&self, place: &Place) -> Option<Rc<Source>> {
        self.tree.files_of(place).iter().find_map(|path| self.source(path))
    }

    /// Returns the module that `from … import` imports from; nothing for one outside the project.
    pub(super) fn origin(&self, directory: &Place, from: &FromImport) -> Option<Named> {
        let names = from.module.as_ref().map(|module| module.texts()).unwrap_or_default();
        if from.level == 0 {
            return self.absolute(directory, &names);
        }
        let base = directory.upwards().nth(from.level - 1)?;
        Some(Named { place: base.join_all(names.iter().copied()), root: None, found: names.len() })
    }

    /// Returns the module that a dotted name means in a file of `directory`; nothing for one outside the
    /// project.
    pub(super) fn absolute(&self, directory: &Place, names: &[&str]) -> Option<Named> {
        if !self.tree.has_name(names.first()?) {
            return None;
        }
        let known = self.roots.borrow().get(directory).cloned();
        let roots = known.unwrap_or_else(|| {
            let roots = Rc::new(self.tree.roots_for(directory));
            self.roots.borrow_mut().insert(directory.clone(), roots.clone());
            roots
        });
        let (root, found) = self.tree.root_for(names, &roots)?;
        Some(Named { place: root.join_all(names.iter().copied()), root: Some(root), found })
    }

    /// Returns what `name` is when it is asked of the module at `place`.
    pub(super) fn member(&self, place: &Place, name: &str) -> Member {
        let question = (place.clone(), name.to_owned());
        if let Some(known) = self.members.borrow().get(&question) {
            return known.clone();
        }
        let member = self.member_guarded(place, name, &mut Vec::new());
        self.members.borrow_mut().insert(question, member.clone());
        member
    }

    fn member_guarded(&self, place: &Place, name: &str, asked: &mut Vec<(Place, String)>) -> Member {
        let question = (place.clone(), name.to_owned());
        let child = place.join(name);
        let submodule = || {
            let is_inside =
                self.tree.entry(place).is_some_and(|entry| entry.package.is_some() || entry.module.is_none());
            if is_inside && self.tree.exists(&child) { Member::Module(child.clone()) } else { Member::Missing }
        };
        if asked.contains(&question) {
            return submodule();
        }
        asked.push(question);
        let Some(source) = self.source_of(place) else { return submodule() };
        if let Some(explicit) = self.explicit(&source, name, asked) {
            return explicit;
        }
        match submodule() {
            Member::Missing => self.starred(&source, name, asked),
            found => found,
        }
    }

    /// Returns the modules that a module's members lead through, itself first, as long as they are modules.
    pub(super) fn walk(&self, place: &Place, members: &[Word]) -> Vec<Place> {
        let texts: Vec<&str> = members.iter().map(|word| word.text.as_str()).collect();
        self.walked(place, &texts)
    }

    /// Returns the module that members lead to; the one before the first that is none.
    pub(super) fn walk_texts(&self, place: &Place, members: &[&str]) -> Place {
        self.walked(place, members).pop().unwrap_or_default()
    }

    fn walked(&self, place: &Place, members: &[&str]) -> Vec<Place> {
        let mut nodes = vec![place.clone()];
        for name in members {
            match self.member(&nodes[nodes.len() - 1], name) {
                Member::Module(next) => nodes.push(next),
                _ => break,
            }
        }
        nodes
    }

    /// Returns what the module's own statements bind a name to.
    fn explicit(&self, source: &Source, name: &str, asked: &mut Vec<(Place, String)>) -> Option<Member> {
        if !holds_word(source.str(), name) {
            return None;
        }
        let bindings = source.names().scopes[0].bound.get(name)?;
        let mut found = None;
        for binding in bindings {
            let bound = if binding.is_import { source.bound_at(binding.span.start) } else { None };
            let member = bound.map_or(Member::Value, |(_, bound)| self.bound_guarded(source, bound, asked));
            // A module that is set to nothing where it cannot be imported is still that module.
            if !matches!((&found, &member), (Some(Member::Module(_)), Member::Value | Member::Missing)) {
                found = Some(member);
            }
        }
        Some(found.unwrap_or(Member::Value))
    }

    fn starred(&self, source: &Source, name: &str, asked: &mut Vec<(Place, String)>) -> Member {
        for (_, from) in source.stars() {
            let Some(named) = self.origin(&source.directory, from) else { continue };
            if !self.exports(&named.place, name) {
                continue;
            }
            let member = self.member_guarded(&named.place, name, asked);
            if member != Member::Missing {
                return member;
            }
        }
        Member::Missing
    }

    /// Tells whether a star import from `place` would bring `name`, if there is such a name.
    fn exports(&self, place: &Place, name: &str) -> bool {
        let Some(source) = self.source_of(place) else { return false };
        if !holds_word(source.str(), "__all__") {
            return !name.starts_with('_');
        }
        let listed = dunder_all(source.tree(), source.str());
        listed.is_empty() || listed.iter().any(|(entry, _)| entry == name)
    }

    /// Returns what an import statement binds a name to.
    pub(super) fn bound(&self, source: &Source, bound: Bound<'_>) -> Member {
        self.bound_guarded(source, bound, &mut Vec::new())
    }

    fn bound_guarded(&self, source: &Source, bound: Bound<'_>, asked: &mut Vec<(Place, String)>) -> Member {
        match bound {
            Bound::Module(item) => {
                let names = item.path.texts();
                let Some(named) = self.absolute(&source.directory, &names) else { return Member::Value };
                match (&item.alias, named.root) {
                    (None, Some(root)) => Member::Module(root.join(names[0])),
                    _ if named.found == names.len() => Member::Module(named.place),
                    _ => Member::Value,
                }
            }
            Bound::Name(from, item) => {
                let Some(named) = self.origin(&source.directory, from) else { return Member::Value };
                match self.member_guarded(&named.place, &item.name.text, asked) {
                    Member::Missing => Member::Value,
                    found => found,
                }
            }
        }
    }
}

/// Tells whether `word` stands in `text`, quickly and at most too often.
fn holds_word(text: &str, word: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}
