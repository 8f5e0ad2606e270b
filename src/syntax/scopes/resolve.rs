//! What every occurrence of a name means, once the names are known.

use std::collections::{BTreeSet, HashMap};

use crate::syntax::Family;

use super::graph::{Graph, Occurrence, Role, ScopeKind};

/// What an occurrence means: the bindings that give the name, or nothing in this text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Target {
    /// The occurrences that bind it, in order.
    Bound(Vec<usize>),
    /// The occurrences that share a name which this text does not bind, in order.
    Free(Vec<usize>),
}

/// The targets of all occurrences of a graph.
#[derive(Debug)]
pub(super) struct Resolution {
    pub(super) targets: Vec<Target>,
    /// For each occurrence, its place in `targets`.
    pub(super) of: Vec<usize>,
    /// For each occurrence, the number of the scope and name that it found: one number for all name spaces.
    pub(super) symbols: Vec<usize>,
}

impl Resolution {
    pub(super) fn target(&self, occurrence: usize) -> &Target {
        &self.targets[self.of[occurrence]]
    }

    /// Returns the number of the target; occurrences with the same number mean the same. One target can
    /// have two numbers, where it is found through different name spaces.
    pub(super) fn number(&self, occurrence: usize) -> usize {
        self.of[occurrence]
    }
}

/// Looks every occurrence up under these names, one for each.
pub(super) fn resolve(graph: &Graph, names: &[&str], family: Family) -> Resolution {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let names: Vec<usize> = names
        .iter()
        .map(|name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        })
        .collect();
    let table = Table::new(graph, &names, family);
    let found: Vec<Option<(usize, u8)>> = (0..names.len()).map(|at| table.look_up(at)).collect();
    collect(graph, &names, &found)
}

/// Groups the occurrences by what they found.
fn collect(graph: &Graph, names: &[usize], found: &[Option<(usize, u8)>]) -> Resolution {
    let mut bindings: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    let mut free: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, occurrence) in graph.occurrences.iter().enumerate() {
        match found[at] {
            Some((scope, _)) if occurrence.is_binding() => bindings.entry((scope, names[at])).or_default().push(at),
            Some(_) => {}
            None => free.entry(names[at]).or_default().push(at),
        }
    }
    let mut numbers: HashMap<(Option<(usize, u8)>, usize), usize> = HashMap::new();
    let mut symbols: HashMap<(Option<usize>, usize), usize> = HashMap::new();
    let mut resolution = Resolution { targets: Vec::new(), of: Vec::new(), symbols: Vec::new() };
    for (at, place) in found.iter().enumerate() {
        let next = symbols.len();
        let symbol = *symbols.entry((place.map(|(scope, _)| scope), names[at])).or_insert(next);
        resolution.symbols.push(symbol);
        let number = *numbers.entry((*place, names[at])).or_insert_with(|| {
            resolution.targets.push(match place {
                Some((scope, meanings)) => {
                    let all = bindings.get(&(*scope, names[at])).map(Vec::as_slice).unwrap_or_default();
                    let meant = |at: &usize| graph.occurrences[*at].meanings.bits() & meanings != 0;
                    Target::Bound(all.iter().copied().filter(meant).collect())
                }
                None => Target::Free(free.get(&names[at]).cloned().unwrap_or_default()),
            });
            resolution.targets.len() - 1
        });
        resolution.of.push(number);
    }
    resolution
}

/// The bindings of every scope under one set of names.
struct Table<'g> {
    graph: &'g Graph,
    names: &'g [usize],
    family: Family,
    bound: HashMap<(usize, usize), Bound>,
    globals: BTreeSet<(usize, usize)>,
    nonlocals: BTreeSet<(usize, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Bound {
    meanings: u8,
    /// The first place from which the name is bound, in code that runs top down.
    from: usize,
}

impl<'g> Table<'g> {
    fn new(graph: &'g Graph, names: &'g [usize], family: Family) -> Self {
        let (globals, nonlocals) = (BTreeSet::new(), BTreeSet::new());
        let mut table = Self { graph, names, family, bound: HashMap::new(), globals, nonlocals };
        for (occurrence, name) in graph.occurrences.iter().zip(names) {
            match occurrence.role {
                Role::Global => table.globals.insert((occurrence.scope, *name)),
                Role::Nonlocal => table.nonlocals.insert((occurrence.scope, *name)),
                _ => false,
            };
        }
        // The bodies come last: what they bind depends on the parameters.
        for is_body in [false, true] {
            for (occurrence, name) in graph.occurrences.iter().zip(names) {
                if graph.scopes[occurrence.scope].head.is_some() == is_body {
                    table.bind(occurrence, *name);
                }
            }
        }
        table
    }

    fn bind(&mut self, occurrence: &Occurrence, name: usize) {
        let Role::Binding { from, .. } = occurrence.role else { return };
        let key = (occurrence.scope, name);
        if self.nonlocals.contains(&key) {
            return;
        }
        let home = self.home(occurrence, name);
        let (scope, from) = if self.globals.contains(&key) { (0, 0) } else { (home, from) };
        let new = Bound { meanings: 0, from };
        let bound = self.bound.entry((scope, name)).or_insert(new);
        bound.meanings |= occurrence.meanings.bits();
        bound.from = bound.from.min(from);
    }

    /// Returns the scope that a binding belongs to: a body's, to the parameters' where they share the name.
    fn home(&self, occurrence: &Occurrence, name: usize) -> usize {
        let meanings = occurrence.meanings.bits();
        let is_shared = |head: &usize| self.bound.get(&(*head, name)).is_some_and(|it| it.meanings & meanings != 0);
        self.graph.scopes[occurrence.scope].head.filter(is_shared).unwrap_or(occurrence.scope)
    }

    /// Returns the scope that an occurrence means, and in which name spaces.
    fn look_up(&self, at: usize) -> Option<(usize, u8)> {
        let occurrence = &self.graph.occurrences[at];
        let name = self.names[at];
        let key = (occurrence.scope, name);
        if occurrence.role == Role::Global || self.globals.contains(&key) {
            return self.bound.contains_key(&(0, name)).then_some((0, occurrence.meanings.bits()));
        }
        if occurrence.role == Role::Nonlocal || self.nonlocals.contains(&key) {
            return self.enclosing(occurrence.scope, name);
        }
        if occurrence.is_binding() {
            return Some((self.home(occurrence, name), occurrence.meanings.bits()));
        }
        match self.family {
            Family::Python => self.look_up_python(occurrence, name),
            _ => self.look_up_script(occurrence, name),
        }
    }

    fn look_up_script(&self, occurrence: &Occurrence, name: usize) -> Option<(usize, u8)> {
        let wanted = occurrence.meanings.bits();
        let meant = |scope: &usize| self.bound.get(&(*scope, name)).is_some_and(|bound| bound.meanings & wanted != 0);
        self.graph.outward(occurrence.scope).find(meant).map(|scope| (scope, wanted))
    }

    fn look_up_python(&self, occurrence: &Occurrence, name: usize) -> Option<(usize, u8)> {
        let mut early = None;
        let mut below = None;
        for scope in self.graph.outward(occurrence.scope) {
            let kind = self.graph.kind(scope);
            let is_visible = kind != ScopeKind::Class || below.is_none_or(|kind| kind == ScopeKind::Annotation);
            below = Some(kind);
            if !is_visible || self.nonlocals.contains(&(scope, name)) {
                continue;
            }
            if self.globals.contains(&(scope, name)) {
                return self.bound.contains_key(&(0, name)).then_some((0, 1)).or(early);
            }
            let Some(bound) = self.bound.get(&(scope, name)) else { continue };
            let runs_down = matches!(kind, ScopeKind::Class | ScopeKind::Module) && scope == occurrence.scope;
            if !runs_down || bound.from <= occurrence.span.start {
                return Some((scope, 1));
            }
            // A class body or a module that uses a name before it binds it means an outer one, if there is any.
            early = Some((scope, 1));
        }
        early
    }

    /// Returns the function around `scope` that binds a `nonlocal` name.
    fn enclosing(&self, scope: usize, name: usize) -> Option<(usize, u8)> {
        let outer = self.graph.outward(scope).skip(1);
        let mut functions = outer.filter(|scope| self.graph.kind(*scope) == ScopeKind::Function);
        functions.find(|scope| self.bound.contains_key(&(*scope, name))).map(|scope| (scope, 1))
    }
}
