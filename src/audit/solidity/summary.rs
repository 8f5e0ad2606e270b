//! What a function does with all that it calls inside its contract.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::body::{Body, Families};
use super::code::Code;
use super::effects::{Effects, Internal, What, effects};
use super::refs::{Base, Ref};
use crate::audit::sources::{Source, Sources};
use crate::solidity::{DefinitionId, DefinitionKind, Model, SourceId};
use crate::syntax::contracts::Unit;
use crate::text::{RelPath, Span};

/// Functions of one project, looked into as they are asked for.
pub(in crate::audit) struct Analyst<'s> {
    pub model: Arc<Model>,
    pub(super) sources: &'s Sources,
    families: Families,
    read: RefCell<BTreeMap<SourceId, Option<Rc<Read>>>>,
    known: RefCell<BTreeMap<Key, Rc<Summary>>>,
}

/// A function, and the contract that runs.
type Key = (DefinitionId, Option<DefinitionId>);

/// One file with what it declares, and where its functions stand.
pub(super) struct Read {
    source: Arc<Source>,
    pub(super) unit: Unit,
    /// The number of a function's node by the start of its name or keyword.
    nodes: BTreeMap<usize, usize>,
}

/// All that a function does.
#[derive(Debug, Default)]
pub(in crate::audit) struct Summary {
    pub(super) effects: Effects,
    pub(super) loops: Vec<Span>,
    /// What the functions do that it calls, with the way there.
    pub(super) deep: Vec<Deep>,
    /// What else they do.
    pub(super) acts: Vec<Act>,
    /// Whether it gives others control, by itself or through what it calls.
    pub(super) leaves: bool,
}

/// Something other than a read or a write that a called function does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Act {
    pub done: Done,
    /// The calls that lead there; the last one is of the function that does it.
    pub via: Vec<DefinitionId>,
    /// Where it stands in that function.
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Done {
    Outward { written: String, kind: &'static str, function: Option<DefinitionId> },
    Emit(String, Option<DefinitionId>),
    Revert(&'static str, String),
    Lost(String),
}

/// A place that a called function reads or writes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deep {
    pub is_write: bool,
    pub place: Ref,
    pub via: Vec<DefinitionId>,
}

/// Calls that go through more functions are not followed.
const DEEPEST: usize = 40;
/// A function that reaches more places is cut.
const MOST_PLACES: usize = 2000;

impl<'s> Analyst<'s> {
    /// Binds some files with all that they import.
    pub(in crate::audit) fn new(sources: &'s Sources, files: &[Arc<Source>]) -> Self {
        let model = super::project::bound(sources, files);
        let families = Families::of(&model);
        Self { model, sources, families, read: RefCell::default(), known: RefCell::default() }
    }

    pub(in crate::audit) fn source(&self, file: &SourceId) -> Option<Arc<Source>> {
        Some(Arc::clone(&self.read(file)?.source))
    }

    /// Returns what a function does where `context` is the contract that runs.
    pub(in crate::audit) fn summary(&self, function: DefinitionId, context: Option<DefinitionId>) -> Rc<Summary> {
        self.summary_within((function, context), &mut Vec::new())
    }

    fn summary_within(&self, key: Key, open: &mut Vec<DefinitionId>) -> Rc<Summary> {
        if let Some(known) = self.known.borrow().get(&key) {
            return Rc::clone(known);
        }
        let (effects, loops) = self.effects(key).unwrap_or_default();
        open.push(key.0);
        let (mut deep, mut acts) = (BTreeSet::new(), Vec::new());
        let mut leaves = false;
        let mut cut = false;
        for event in &effects.events {
            match &event.what {
                What::Outward(call) => leaves |= !call.is_static,
                What::Internal(call) => {
                    let (closed, entered): (Vec<&DefinitionId>, Vec<&DefinitionId>) =
                        call.functions.iter().partition(|callee| open.contains(callee) || open.len() > DEEPEST);
                    cut |= !closed.is_empty();
                    for callee in entered {
                        let inner = self.summary_within((*callee, self.context_of(*callee, key.1)), open);
                        leaves |= inner.leaves;
                        deep.extend(through(*callee, call, &inner));
                        acts.extend(acts_of(*callee, &inner));
                    }
                }
                _ => {}
            }
        }
        open.pop();
        let mut places = BTreeSet::new();
        let is_new = |deep: &Deep| places.len() < MOST_PLACES && places.insert((deep.is_write, deep.place.clone()));
        let mut deep: Vec<Deep> = deep.into_iter().collect();
        deep.sort_by_key(|deep| deep.via.len());
        let mut is_new = is_new;
        deep.retain(|deep| is_new(deep));
        deep.sort();
        let summary = Rc::new(Summary { effects, loops, deep, acts: nearest(acts), leaves });
        // Inside a circle what was cut depends on where the circle was entered.
        if !cut || open.is_empty() {
            self.known.borrow_mut().insert(key, Rc::clone(&summary));
        }
        summary
    }

    /// Libraries and free functions run for themselves, all others in the contract that runs.
    pub(super) fn context_of(&self, function: DefinitionId, context: Option<DefinitionId>) -> Option<DefinitionId> {
        let home = self.model.definition(function).container?;
        let is_inherited = context.is_some_and(|context| self.model.linearised(context).contains(&home));
        if is_inherited { context } else { Some(home) }
    }

    fn effects(&self, (function, context): Key) -> Option<(Effects, Vec<Span>)> {
        let definition = self.model.definition(function);
        let read = self.read(&definition.file)?;
        let node = read.nodes.get(&definition.name_span.start).or_else(|| read.nodes.get(&definition.span.start))?;
        let node = read.source.tree().nodes().get(*node)?;
        let code = Code::of(node, read.source.text());
        let file = definition.file.clone();
        let body = Body {
            model: &self.model,
            families: &self.families,
            file,
            text: read.source.text(),
            code: &code,
            function,
            context,
        };
        let found = effects(&body);
        Some((found, code.loops))
    }

    /// Returns a source without looking into it.
    pub(super) fn file(&self, file: &SourceId) -> Option<Arc<Source>> {
        self.sources.open(&RelPath::new(file.as_str()).ok()?)
    }

    /// Tells whether functions of a file were looked into.
    pub(super) fn is_read(&self, file: &SourceId) -> bool {
        self.read.borrow().contains_key(file)
    }

    pub(super) fn read(&self, file: &SourceId) -> Option<Rc<Read>> {
        if let Some(read) = self.read.borrow().get(file) {
            return read.clone();
        }
        let read = self.sources.open(&RelPath::new(file.as_str()).ok()?).map(|source| {
            let unit = Unit::of(source.tree(), source.text());
            let functions = unit.members().flat_map(|members| &members.functions);
            let nodes = functions.flat_map(|it| [(it.at, it.node), (it.span.start, it.node)]).collect();
            Rc::new(Read { source, unit, nodes })
        });
        self.read.borrow_mut().insert(file.clone(), read.clone());
        read
    }

    /// Tells whether two functions override one another.
    pub(super) fn overrides(&self, one: DefinitionId, other: DefinitionId) -> bool {
        self.model.family_of(one) == self.model.family_of(other)
    }

    /// Writes a place as it is seen from the function.
    pub(super) fn shown(&self, place: &Ref) -> String {
        format!("{}{}", self.variable(place), place.rest)
    }

    pub(super) fn variable(&self, place: &Ref) -> String {
        match &place.base {
            Base::Variable(id) => self.model.definition(*id).name.clone(),
            Base::Param(_, name) => name.clone(),
            Base::Slot(slot) => slot.clone(),
        }
    }

    /// Returns what runs where a contract's function is called from outside.
    pub(super) fn running(&self, function: DefinitionId, context: Option<DefinitionId>) -> DefinitionId {
        let line = context.map_or(&[][..], |context| self.model.linearised(context));
        self.families.first_of(&self.model, function, line)
    }

    /// Writes a function with its contract.
    pub(in crate::audit) fn named(&self, id: DefinitionId) -> String {
        let definition = self.model.definition(id);
        let own = match definition.kind {
            DefinitionKind::Constructor => "constructor",
            DefinitionKind::Receive => "receive",
            DefinitionKind::Fallback => "fallback",
            _ => definition.name.as_str(),
        };
        match definition.container {
            Some(container) => format!("{}.{own}", self.model.definition(container).name),
            None => own.to_owned(),
        }
    }
}

/// Carries what a called function does over to the caller: its pointers become what the caller handed over.
fn through(callee: DefinitionId, call: &Internal, inner: &Summary) -> Vec<Deep> {
    let own = inner.effects.events.iter().filter_map(|event| match &event.what {
        What::Read(place) => Some((false, place, Vec::new())),
        What::Write(place) => Some((true, place, Vec::new())),
        _ => None,
    });
    let deep = inner.deep.iter().map(|deep| (deep.is_write, &deep.place, deep.via.clone()));
    let carried = own.chain(deep).flat_map(|(is_write, place, via)| {
        let via: Vec<DefinitionId> = [callee].into_iter().chain(via).collect();
        led(place, &call.args).into_iter().map(move |place| Deep { is_write, place, via: via.clone() })
    });
    carried.collect()
}

/// Returns what a called function does beside reading and writing, and what it does so through others.
fn acts_of(callee: DefinitionId, inner: &Summary) -> Vec<Act> {
    let own = inner.effects.events.iter().filter_map(|event| {
        let done = match &event.what {
            What::Outward(call) => {
                Done::Outward { written: call.written.clone(), kind: call.kind, function: call.function }
            }
            What::Emit(name, id) => Done::Emit(name.clone(), *id),
            What::Revert(kind, error) => Done::Revert(kind, error.clone()),
            What::Lost(name) => Done::Lost(name.clone()),
            What::Read(_) | What::Write(_) | What::Internal(_) => return None,
        };
        Some(Act { done, via: vec![callee], at: event.at })
    });
    let deep = inner.acts.iter().map(|act| Act { via: [&[callee], act.via.as_slice()].concat(), ..act.clone() });
    own.chain(deep).collect()
}

/// Leaves of what is done alike in one function the one that the fewest calls lead to.
fn nearest(mut acts: Vec<Act>) -> Vec<Act> {
    acts.sort_by(|a, b| (a.via.len(), a).cmp(&(b.via.len(), b)));
    let mut seen = BTreeSet::new();
    acts.retain(|act| seen.len() < MOST_PLACES && seen.insert((act.done.clone(), act.via.last().copied())));
    acts
}

fn led(place: &Ref, args: &[Vec<Ref>]) -> Vec<Ref> {
    match &place.base {
        Base::Param(index, _) => args.get(*index).into_iter().flatten().map(|arg| arg.then(&place.rest)).collect(),
        _ => vec![place.clone()],
    }
}
