//! Errors that go up from the functions that raise them, through the handlers on their way.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use super::class::{ErrorClass, Item};
use super::follow::{Follower, Link, Loaded, Outcome};
use super::site::{Runs, Why};
use crate::declarations::id::Id;
use crate::declarations::index::FoundDeclaration;
use crate::refactor::Refusal;
use crate::workspace::locked;

/// What a function can raise, and what could not be followed.
#[derive(Debug, Default)]
pub(super) struct Solved {
    pub errors: Vec<Raised>,
    /// Nearest first; operations of the language are last.
    pub unknown: Vec<Unfollowed>,
    /// How many functions were looked into.
    pub functions: usize,
}

/// An error that one function raises, and how it comes up.
#[derive(Debug)]
pub(super) struct Raised {
    pub error: String,
    pub function: FoundDeclaration,
    /// Where it is raised, in bytes.
    pub at: Vec<usize>,
    /// The calls that lead there, the function that was asked about first.
    pub path: Vec<FoundDeclaration>,
}

/// What may raise anything.
#[derive(Debug)]
pub(super) struct Unfollowed {
    pub why: Why,
    pub written: String,
    pub function: FoundDeclaration,
    pub at: Vec<usize>,
}

/// So many functions are looked into.
const MOST: usize = 600;

/// Something that goes up.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Carried {
    Error(ErrorClass),
    Unknown(Why, String),
}

struct Origin {
    function: Id,
    at: usize,
    carried: Carried,
}

/// A call by which errors go up: of which function, in which one, by which of its links.
struct Edge {
    caller: Id,
    guards: Vec<usize>,
}

#[derive(Default)]
struct Flow {
    loaded: HashMap<Id, Arc<Loaded>>,
    origins: Vec<Origin>,
    /// Who calls a function.
    callers: HashMap<Id, Vec<Edge>>,
    /// What comes up to a function, and through which of those that it calls.
    reached: HashMap<Id, BTreeMap<usize, Option<Id>>>,
    open: VecDeque<(Id, usize)>,
}

/// The functions that were looked into, as long as every file stands.
#[derive(Default)]
pub(super) struct Memory(Mutex<HashMap<Id, Arc<Loaded>>>);

/// Finds what a function can raise, or the making of a class's objects.
pub(super) async fn solved(
    follower: &mut Follower<'_>,
    memory: &Memory,
    root: &FoundDeclaration,
) -> Result<Solved, Refusal> {
    let mut flow = Flow::default();
    let mut open = VecDeque::new();
    flow.add(Arc::new(follower.root(root).await?), &mut open);
    while let Some(found) = open.pop_front() {
        let id = found.row().id;
        if flow.loaded.len() >= MOST || flow.loaded.contains_key(&id) {
            continue;
        }
        let known = locked(&memory.0).get(&id).cloned();
        let loaded = match known {
            Some(loaded) => loaded,
            None => Arc::new(follower.load(&found).await?),
        };
        locked(&memory.0).insert(id, Arc::clone(&loaded));
        flow.add(loaded, &mut open);
    }
    flow.begin();
    flow.rise();
    Ok(flow.answer(root.row().id))
}

impl Flow {
    fn add(&mut self, loaded: Arc<Loaded>, open: &mut VecDeque<FoundDeclaration>) {
        let callees = loaded.links.iter().filter_map(|link| match &link.outcome {
            Outcome::Runs { callee, .. } => Some(callee.clone()),
            _ => None,
        });
        open.extend(callees);
        self.loaded.insert(loaded.found.row().id, loaded);
    }

    /// Notes what every function raises by itself, and whom it calls.
    fn begin(&mut self) {
        let mut functions: Vec<Id> = self.loaded.keys().copied().collect();
        functions.sort();
        for id in functions {
            let Some(loaded) = self.loaded.get(&id) else { continue };
            let mut own: Vec<(usize, Carried, Vec<usize>)> = Vec::new();
            for link in &loaded.links {
                match &link.outcome {
                    Outcome::Raises(class) => own.push((link.at, Carried::Error(class.clone()), link.guards.clone())),
                    Outcome::Unknown(why, written) => {
                        own.push((link.at, Carried::Unknown(*why, written.clone()), link.guards.clone()));
                    }
                    Outcome::Runs { .. } => own.extend(self.called(link)),
                }
            }
            let edges: Vec<(Id, Edge)> = loaded.links.iter().filter_map(|link| self.edge(id, link)).collect();
            for (callee, edge) in edges {
                self.callers.entry(callee).or_default().push(edge);
            }
            for (at, carried, guards) in own {
                let number = self.origins.len();
                self.origins.push(Origin { function: id, at, carried });
                self.reach((id, number), None, &guards);
            }
        }
    }

    /// Returns what a call leaves unknown beside what it runs.
    fn called(&self, link: &Link) -> Vec<(usize, Carried, Vec<usize>)> {
        let Outcome::Runs { callee, taken, then, written } = &link.outcome else { return Vec::new() };
        let mut own = Vec::new();
        let Some(called) = self.loaded.get(&callee.row().id) else {
            return vec![(link.at, Carried::Unknown(Why::TooMany, written.clone()), link.guards.clone())];
        };
        if is_deferred(called.runs, *taken) {
            own.push((link.at, Carried::Unknown(Why::Deferred, written.clone()), Vec::new()));
        }
        if let Some(kind) = then.filter(|_| called.runs != *taken) {
            own.push((link.at, Carried::Unknown(Why::Operation, kind.to_owned()), link.guards.clone()));
        }
        own
    }

    fn edge(&self, caller: Id, link: &Link) -> Option<(Id, Edge)> {
        let Outcome::Runs { callee, taken, .. } = &link.outcome else { return None };
        let called = self.loaded.get(&callee.row().id)?;
        // What is run elsewhere is not caught here.
        let guards = if is_deferred(called.runs, *taken) { Vec::new() } else { link.guards.clone() };
        Some((callee.row().id, Edge { caller, guards }))
    }

    /// Brings an origin to a function, unless the handlers take it out or it is there.
    fn reach(&mut self, (function, origin): (Id, usize), through: Option<Id>, guards: &[usize]) {
        let Some(loaded) = self.loaded.get(&function) else { return };
        let item = match &self.origins[origin].carried {
            Carried::Error(class) => Item::Error(class),
            Carried::Unknown(Why::Operation, _) => Item::Ordinary,
            Carried::Unknown(..) => Item::Anything,
        };
        let leaves = guards.iter().all(|guard| item.leaves(&loaded.guards[*guard]));
        let known = self.reached.entry(function).or_default();
        if leaves && !known.contains_key(&origin) {
            known.insert(origin, through);
            self.open.push_back((function, origin));
        }
    }

    fn rise(&mut self) {
        while let Some((function, origin)) = self.open.pop_front() {
            let edges = self.callers.remove(&function).unwrap_or_default();
            for edge in &edges {
                self.reach((edge.caller, origin), Some(function), &edge.guards);
            }
            self.callers.insert(function, edges);
        }
    }

    fn answer(&self, root: Id) -> Solved {
        let mut set = Solved { functions: self.loaded.len(), ..Solved::default() };
        let origins = self.reached.get(&root).into_iter().flat_map(BTreeMap::keys);
        let mut all: Vec<(usize, Vec<Id>)> = origins.map(|origin| (*origin, self.path(root, *origin))).collect();
        let place = |origin: usize| {
            let Origin { function, at, .. } = &self.origins[origin];
            (self.loaded.get(function).map(|loaded| loaded.found.module.path.as_str()), *at)
        };
        all.sort_by_key(|(origin, path)| (path.len(), place(*origin), *origin));
        let found = |path: &[Id]| -> Vec<FoundDeclaration> {
            path.iter().filter_map(|id| self.loaded.get(id)).map(|loaded| loaded.found.clone()).collect()
        };
        for (number, path) in all {
            let Origin { function, at, carried } = &self.origins[number];
            let Some(loaded) = self.loaded.get(function) else { continue };
            set.add(carried, (&loaded.found, *at), || found(&path));
        }
        set.unknown.sort_by_key(|one| one.why == Why::Operation);
        set
    }

    /// Returns the functions through which an origin comes up, the upper one first.
    fn path(&self, root: Id, origin: usize) -> Vec<Id> {
        let mut path = vec![root];
        let mut at = root;
        while let Some(Some(next)) = self.reached.get(&at).and_then(|known| known.get(&origin)) {
            path.push(*next);
            at = *next;
        }
        path
    }
}

impl Solved {
    /// Adds what one place raises to what the same function raises alike.
    fn add(
        &mut self,
        carried: &Carried,
        (function, at): (&FoundDeclaration, usize),
        path: impl Fn() -> Vec<FoundDeclaration>,
    ) {
        let is_here = |other: &FoundDeclaration| other.row().id == function.row().id;
        let places = match carried {
            Carried::Error(class) => {
                let known = self.errors.iter().position(|it| it.error == class.name && is_here(&it.function));
                let number = known.unwrap_or_else(|| {
                    let error = class.name.clone();
                    self.errors.push(Raised { error, function: function.clone(), at: Vec::new(), path: path() });
                    self.errors.len() - 1
                });
                &mut self.errors[number].at
            }
            Carried::Unknown(why, written) => {
                let is_it = |it: &Unfollowed| it.why == *why && it.written == *written && is_here(&it.function);
                let number = self.unknown.iter().position(is_it).unwrap_or_else(|| {
                    let (function, written) = (function.clone(), written.clone());
                    self.unknown.push(Unfollowed { why: *why, written, function, at: Vec::new() });
                    self.unknown.len() - 1
                });
                &mut self.unknown[number].at
            }
        };
        places.push(at);
    }
}

/// Tells whether a body is run later than it is called.
fn is_deferred(runs: Runs, taken: Runs) -> bool {
    runs != Runs::AtOnce && runs != taken
}
