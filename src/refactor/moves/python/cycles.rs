//! Whether modules that import each other in a circle still find what they need.
//!
//! Python runs a module at its first import, the packages around it first. Whoever imports a module that
//! is still running gets what it has bound so far (Python reference § The import system). Here that is
//! played through, before the move and after it; only what fails after it alone counts.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::loading::{Event, events};
use super::place::Place;
use super::source::{Bound, Source, bounds_of};
use super::world::{Member, World};
use crate::syntax::python::{FromImport, Import, ImportKind, Imported};

/// A name that is asked for before it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) module: Place,
    pub(super) name: String,
    /// The modules that were running, the outermost first.
    pub(super) running: Vec<Place>,
}

/// Plays the import of a module in a fresh interpreter.
pub(super) fn failure(world: &World<'_>, entry: &Place) -> Option<Failure> {
    let mut interpreter = Interpreter { world, states: BTreeMap::new(), running: Vec::new() };
    interpreter.import(entry).err()
}

#[derive(Default)]
struct State {
    bound: BTreeSet<String>,
    is_done: bool,
}

struct Interpreter<'w, 'a> {
    world: &'w World<'a>,
    states: BTreeMap<Place, State>,
    running: Vec<Place>,
}

/// Deeper chains of imports are not followed: they are taken to be right.
const MOST_RUNNING: usize = 300;

impl Interpreter<'_, '_> {
    /// Imports a module, the packages around it first.
    fn import(&mut self, place: &Place) -> Result<(), Failure> {
        let root = self.world.tree.root_of(place);
        let mut around: Vec<Place> = place.upwards().take_while(|up| *up != root && up.is_below(&root)).collect();
        around.reverse();
        for one in around {
            self.load(&one)?;
        }
        Ok(())
    }

    fn load(&mut self, place: &Place) -> Result<(), Failure> {
        if self.states.contains_key(place) || self.running.len() > MOST_RUNNING {
            return Ok(());
        }
        self.states.insert(place.clone(), State::default());
        if let Some(source) = self.world.source_of(place) {
            self.running.push(place.clone());
            let outcome = self.run(place, &source);
            self.running.pop();
            if let Err(failure) = outcome {
                self.states.remove(place);
                return Err(failure);
            }
        }
        self.states.entry(place.clone()).or_default().is_done = true;
        if let Some(parent) = place.parent() {
            self.bind(&parent, place.name());
        }
        Ok(())
    }

    fn run(&mut self, place: &Place, source: &Rc<Source>) -> Result<(), Failure> {
        for event in events(source) {
            match event {
                Event::Bind(name) => self.bind(place, name),
                Event::Import { import, is_guarded } => {
                    let outcome = self.statement(place, source, import);
                    if !is_guarded {
                        outcome?;
                    }
                    for bound in bounds_of(import) {
                        self.bind(place, &bound.word().text);
                    }
                }
                Event::Ask { name, member, is_guarded } => {
                    let outcome = self.ask(source, name, member);
                    if !is_guarded {
                        outcome?;
                    }
                }
            }
        }
        Ok(())
    }

    fn bind(&mut self, place: &Place, name: &str) {
        if let Some(state) = self.states.get_mut(place)
            && !state.bound.contains(name)
        {
            state.bound.insert(name.to_owned());
        }
    }

    fn statement(&mut self, place: &Place, source: &Source, import: &Import) -> Result<(), Failure> {
        match &import.kind {
            ImportKind::Modules(items) => {
                for item in items {
                    let named = self.world.absolute(&source.directory, &item.path.texts());
                    if let Some(named) = named {
                        self.import(&named.place)?;
                    }
                }
                Ok(())
            }
            ImportKind::From(from) => self.from(place, source, from),
        }
    }

    fn from(&mut self, place: &Place, source: &Source, from: &FromImport) -> Result<(), Failure> {
        let Some(named) = self.world.origin(&source.directory, from) else { return Ok(()) };
        self.import(&named.place)?;
        let Imported::Names(items) = &from.imported else {
            let brought: Vec<String> =
                self.states.get(&named.place).map(|state| state.bound.iter().cloned().collect()).unwrap_or_default();
            for name in brought {
                self.bind(place, &name);
            }
            return Ok(());
        };
        for item in items {
            self.take(&named.place, &item.name.text)?;
        }
        Ok(())
    }

    /// Takes a name from a module: what it has bound, or a submodule, or it fails.
    fn take(&mut self, place: &Place, name: &str) -> Result<(), Failure> {
        let has = self.states.get(place).is_none_or(|state| state.bound.contains(name));
        if has {
            return Ok(());
        }
        let child = place.join(name);
        if self.world.tree.is_package(place) && self.world.tree.exists(&child) {
            return self.load(&child);
        }
        self.fail_if_late(place, name)
    }

    /// Asks a module for an attribute while the asking module runs.
    fn ask(&mut self, source: &Source, name: &str, member: &str) -> Result<(), Failure> {
        let bound = source.bounds().map(|(_, bound)| bound).find(|bound| bound.word().text == name);
        let Some(bound) = bound else { return Ok(()) };
        let place = match bound {
            Bound::Module(item) if item.alias.is_none() => self
                .world
                .absolute(&source.directory, &item.path.texts())
                .and_then(|named| Some(named.root?.join(name))),
            _ => match self.world.bound(source, bound) {
                Member::Module(place) => Some(place),
                _ => None,
            },
        };
        let Some(place) = place else { return Ok(()) };
        if self.states.get(&place).is_none_or(|state| state.is_done || state.bound.contains(member)) {
            return Ok(());
        }
        self.fail_if_late(&place, member)
    }

    /// Fails where a module that still runs binds the name only later.
    fn fail_if_late(&self, place: &Place, name: &str) -> Result<(), Failure> {
        let is_running = self.states.get(place).is_some_and(|state| !state.is_done);
        let Some(source) = self.world.source_of(place).filter(|_| is_running) else { return Ok(()) };
        let comes_later = events(&source).iter().any(|event| match event {
            Event::Bind(bound) => *bound == name,
            Event::Import { import, .. } => bounds_of(import).iter().any(|bound| bound.word().text == name),
            Event::Ask { .. } => false,
        });
        if !comes_later {
            return Ok(());
        }
        let from = self.running.iter().position(|one| one == place).unwrap_or_default();
        Err(Failure { module: place.clone(), name: name.to_owned(), running: self.running[from..].to_vec() })
    }
}
