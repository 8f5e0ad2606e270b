//! Whether modules that import each other in a circle still find what they need.
//!
//! Python runs a module at its first import, the packages around it first. Whoever imports a module that
//! is still running gets what it has bound so far (Python reference § The import system). Here that is
//! played through, before the move and after it; only what fails after it alone counts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::loading::{Event, events};
use super::place::Place;
use super::project_modules::{Member, World};
use super::source::{Bound, Source, bounds_of};
use crate::syntax::python::{Import, ImportKind, Imported};

/// A name that is asked for before it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) module: Place,
    pub(super) name: String,
    /// The modules that were running, the outermost first.
    pub(super) running: Vec<Place>,
}

/// Plays imports of modules, each in a fresh interpreter.
pub(super) struct Player<'w, 'a> {
    world: &'w World<'a>,
    scripts: RefCell<BTreeMap<Place, Rc<Script>>>,
}

/// What a module does while it is imported, with every import looked up.
#[derive(Default)]
struct Script {
    steps: Vec<(Step, Guard)>,
    /// Every name that it comes to bind.
    binds: BTreeSet<String>,
}

enum Step {
    /// Imports a module: the packages around it first, itself last.
    Import(Vec<Place>),
    Star(Place),
    Take(Place, String),
    Bind(String),
    Ask(Place, String),
}

/// Whether a module goes on where a step fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    Caught,
    Open,
}

impl<'w, 'a> Player<'w, 'a> {
    pub(super) fn new(world: &'w World<'a>) -> Self {
        Self { world, scripts: RefCell::default() }
    }

    /// Plays the import of a module; says how it fails, if it does.
    pub(super) fn failure(&self, entry: &Place) -> Option<Failure> {
        let mut interpreter = Interpreter { player: self, states: BTreeMap::new(), running: Vec::new() };
        interpreter.import(&self.around(entry)).err()
    }

    /// Returns the packages around a module, the outermost first, and the module itself.
    fn around(&self, place: &Place) -> Vec<Place> {
        let root = self.world.tree.root_of(place);
        let mut around: Vec<Place> = place.upwards().take_while(|up| *up != root && up.is_below(&root)).collect();
        around.reverse();
        around
    }

    fn script(&self, place: &Place) -> Rc<Script> {
        if let Some(known) = self.scripts.borrow().get(place) {
            return known.clone();
        }
        let script = self.world.source_of(place).map(|source| self.read(&source)).unwrap_or_default();
        let script = Rc::new(script);
        self.scripts.borrow_mut().insert(place.clone(), script.clone());
        script
    }

    fn read(&self, source: &Source) -> Script {
        let mut script = Script::default();
        for event in events(source) {
            match event {
                Event::Bind(name) => script.bind(name),
                Event::Import { import, is_guarded } => {
                    self.import(source, (import, Guard::of(is_guarded)), &mut script);
                }
                Event::Ask { name, member, is_guarded } => {
                    let asked = self.asked(source, name);
                    let step = asked.map(|place| (Step::Ask(place, member.to_owned()), Guard::of(is_guarded)));
                    script.steps.extend(step);
                }
            }
        }
        script
    }

    fn import(&self, source: &Source, (import, guard): (&Import, Guard), script: &mut Script) {
        match &import.kind {
            ImportKind::Modules(items) => {
                let named = items.iter().filter_map(|item| self.world.absolute(&source.directory, &item.path.texts()));
                script.steps.extend(named.map(|named| (Step::Import(self.around(&named.place)), guard)));
            }
            ImportKind::From(from) => {
                let Some(named) = self.world.origin(&source.directory, from) else { return script.bind_all(import) };
                script.steps.push((Step::Import(self.around(&named.place)), guard));
                match &from.imported {
                    Imported::Star => script.steps.push((Step::Star(named.place), guard)),
                    Imported::Names(items) => {
                        let take = |name: &str| (Step::Take(named.place.clone(), name.to_owned()), guard);
                        script.steps.extend(items.iter().map(|item| take(&item.name.text)));
                    }
                }
            }
        }
        script.bind_all(import);
    }

    /// Returns the module that an imported name is, for one whose attribute is asked for.
    fn asked(&self, source: &Source, name: &str) -> Option<Place> {
        let bound = source.bounds().map(|(_, bound)| bound).find(|bound| bound.word().text == name)?;
        match bound {
            Bound::Module(item) if item.alias.is_none() => {
                let named = self.world.absolute(&source.directory, &item.path.texts())?;
                Some(named.root?.join(name))
            }
            _ => match self.world.bound(source, bound) {
                Member::Module(place) => Some(place),
                _ => None,
            },
        }
    }
}

impl Script {
    fn bind(&mut self, name: &str) {
        self.binds.insert(name.to_owned());
        self.steps.push((Step::Bind(name.to_owned()), Guard::Open));
    }

    fn bind_all(&mut self, import: &Import) {
        for bound in bounds_of(import) {
            self.bind(&bound.word().text);
        }
    }
}

impl Guard {
    fn of(is_guarded: bool) -> Self {
        if is_guarded { Self::Caught } else { Self::Open }
    }
}

#[derive(Default)]
struct State {
    bound: BTreeSet<String>,
    is_done: bool,
}

struct Interpreter<'p, 'w, 'a> {
    player: &'p Player<'w, 'a>,
    states: BTreeMap<Place, State>,
    running: Vec<Place>,
}

/// Deeper chains of imports are not followed: they are taken to be right.
const MOST_RUNNING: usize = 300;

impl Interpreter<'_, '_, '_> {
    fn import(&mut self, around: &[Place]) -> Result<(), Failure> {
        around.iter().try_for_each(|place| self.load(place))
    }

    fn load(&mut self, place: &Place) -> Result<(), Failure> {
        if self.states.contains_key(place) || self.running.len() > MOST_RUNNING {
            return Ok(());
        }
        self.states.insert(place.clone(), State::default());
        let script = self.player.script(place);
        self.running.push(place.clone());
        let outcome = self.run(place, &script);
        self.running.pop();
        if outcome.is_err() {
            self.states.remove(place);
            return outcome;
        }
        self.states.entry(place.clone()).or_default().is_done = true;
        if let Some(parent) = place.parent() {
            self.bind(&parent, place.name());
        }
        Ok(())
    }

    fn run(&mut self, place: &Place, script: &Script) -> Result<(), Failure> {
        for (step, guard) in &script.steps {
            let outcome = match step {
                Step::Import(around) => self.import(around),
                Step::Star(from) => {
                    self.star(place, from);
                    Ok(())
                }
                Step::Take(from, name) => self.take(from, name),
                Step::Ask(of, member) => self.ask(of, member),
                Step::Bind(name) => {
                    self.bind(place, name);
                    Ok(())
                }
            };
            if *guard == Guard::Open {
                outcome?;
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

    fn star(&mut self, place: &Place, from: &Place) {
        let brought = self.states.get(from).map(|state| state.bound.clone()).unwrap_or_default();
        if let Some(state) = self.states.get_mut(place) {
            state.bound.extend(brought);
        }
    }

    /// Takes a name from a module: what it has bound, or a submodule, or it fails.
    fn take(&mut self, place: &Place, name: &str) -> Result<(), Failure> {
        let has = self.states.get(place).is_none_or(|state| state.bound.contains(name));
        if has {
            return Ok(());
        }
        let child = place.join(name);
        if self.player.world.tree.is_package(place) && self.player.world.tree.exists(&child) {
            return self.load(&child);
        }
        self.fail_if_late(place, name)
    }

    /// Asks a module for an attribute while the asking module runs.
    fn ask(&self, place: &Place, member: &str) -> Result<(), Failure> {
        let state = self.states.get(place);
        if state.is_none_or(|state| state.is_done || state.bound.contains(member)) {
            return Ok(());
        }
        self.fail_if_late(place, member)
    }

    /// Fails where a module that still runs binds the name only later.
    fn fail_if_late(&self, place: &Place, name: &str) -> Result<(), Failure> {
        let is_running = self.states.get(place).is_some_and(|state| !state.is_done);
        if !is_running || !self.player.script(place).binds.contains(name) {
            return Ok(());
        }
        let from = self.running.iter().position(|one| one == place).unwrap_or_default();
        Err(Failure { module: place.clone(), name: name.to_owned(), running: self.running[from..].to_vec() })
    }
}
