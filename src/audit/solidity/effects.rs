//! What one function does by itself: what it reads and writes, calls, emits and reverts with, in order.

use super::body::{Body, Callee};
use super::code::{Assembly, ExprId, Kind, Reads, Role, Step, Used};
use super::one_line;
use super::refs::{Base, Ref};
use crate::solidity::{DefinitionId, DefinitionKind, Mutability, Target};

/// All that a function does, in the order in which it is evaluated.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub events: Vec<Event>,
    /// How many events there are before a modifier's body runs.
    pub body_at: Option<usize>,
}

/// One thing that a function does.
#[derive(Debug)]
pub(super) struct Event {
    pub at: usize,
    pub what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Read(Ref),
    Write(Ref),
    Internal(Internal),
    Outward(Outward),
    Emit(String, Option<DefinitionId>),
    /// How it reverts, and with what.
    Revert(&'static str, String),
    /// A call of which nothing is known but how it is written.
    Lost(String),
}

/// A call inside the contract.
#[derive(Debug)]
pub(super) struct Internal {
    /// Several where overloads cannot be told apart.
    pub functions: Vec<DefinitionId>,
    pub how: &'static str,
    /// For each parameter the places of the storage that it points to.
    pub args: Vec<Vec<Ref>>,
    pub written: String,
}

/// A call that leaves the contract.
#[derive(Debug)]
pub(super) struct Outward {
    pub kind: &'static str,
    pub function: Option<DefinitionId>,
    pub written: String,
    pub is_tried: bool,
    /// What is called can change nothing, and nothing can be changed through it.
    pub is_static: bool,
}

/// What is done with what an expression stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write,
    Both,
}

pub(super) fn effects(body: &Body<'_>) -> Effects {
    let mut walker = Walker { body, effects: Effects::default(), is_tried: false };
    for step in &body.code.steps {
        match step {
            Step::Expr(role, expr) => walker.step(*role, *expr),
            Step::Revert(span) => {
                let written = one_line(span.of(body.text).unwrap_or_default());
                let reason = written.trim_start_matches("revert").trim_matches([';', ' ', '(', ')']);
                walker.push(span.start, What::Revert("revert", reason.to_owned()));
            }
            Step::Assembly(at) => walker.assembly(&body.code.assembly[*at]),
        }
    }
    walker.effects
}

struct Walker<'b, 'm> {
    body: &'b Body<'m>,
    effects: Effects,
    is_tried: bool,
}

impl Walker<'_, '_> {
    fn push(&mut self, at: usize, what: What) {
        self.effects.events.push(Event { at, what });
    }

    fn step(&mut self, role: Role, expr: ExprId) {
        let at = self.body.code.exprs[expr].span.start;
        match role {
            Role::Body => self.effects.body_at = Some(self.effects.events.len()),
            Role::Emit => {
                let id = self.body.signal(expr);
                self.push(at, What::Emit(self.written(expr), id));
            }
            Role::Revert => self.push(at, What::Revert("error", self.written(expr))),
            Role::Try => {
                self.is_tried = true;
                self.visit(expr, Use::Read);
                self.is_tried = false;
            }
            Role::Plain if self.written(expr) == "throw" => self.push(at, What::Revert("throw", String::new())),
            Role::Plain | Role::Return | Role::Invocation => self.visit(expr, Use::Read),
        }
    }

    /// Writes what is called, without the value and the gas that go along.
    fn called(&self, callee: ExprId) -> String {
        match &self.body.code.exprs[callee].kind {
            Kind::Options(inner, _) => self.called(*inner),
            Kind::Call { callee: inner, .. } => match &self.body.code.exprs[*inner].kind {
                Kind::Member(function, name) if matches!(name.as_str(), "value" | "gas") => self.called(*function),
                _ => self.written(callee),
            },
            _ => self.written(callee),
        }
    }

    fn written(&self, expr: ExprId) -> String {
        one_line(self.body.code.text(expr, self.body.text))
    }

    fn access(&mut self, place: Ref, at: usize, used: Use) {
        if used != Use::Write {
            self.push(at, What::Read(place.clone()));
        }
        if used != Use::Read {
            self.push(at, What::Write(place));
        }
    }

    fn visit(&mut self, expr: ExprId, used: Use) {
        let at = self.body.code.exprs[expr].span.start;
        let is_chain = matches!(self.body.code.exprs[expr].kind, Kind::Name(_) | Kind::Member(..) | Kind::Index(..));
        let places = if is_chain { self.body.refs(expr) } else { Vec::new() };
        if !places.is_empty() {
            self.inside(expr);
            for place in places {
                self.access(place, at, used);
            }
            return;
        }
        match &self.body.code.exprs[expr].kind {
            Kind::Member(inner, _) => self.visit(*inner, Use::Read),
            Kind::Index(inner, indices) => {
                self.visit(*inner, used);
                self.all(indices);
            }
            Kind::Call { callee, args } => self.call(expr, *callee, args),
            Kind::Options(inner, values) => {
                self.all(values);
                self.visit(*inner, Use::Read);
            }
            Kind::Assign { left, right, reads } => self.assign(*left, *right, *reads),
            Kind::Update(operand) => self.visit(*operand, Use::Both),
            Kind::Delete(operand) => self.visit(*operand, Use::Write),
            Kind::Tuple(parts) => parts.iter().for_each(|part| self.visit(*part, used)),
            Kind::Ternary([condition, then, otherwise]) => {
                self.visit(*condition, Use::Read);
                self.visit(*then, used);
                self.visit(*otherwise, used);
            }
            Kind::Operation(parts) | Kind::List(parts) => self.all(parts),
            Kind::Name(_) | Kind::New | Kind::Type | Kind::Literal | Kind::Unknown => {}
        }
    }

    fn all(&mut self, exprs: &[ExprId]) {
        for expr in exprs {
            self.visit(*expr, Use::Read);
        }
    }

    /// Visits what is evaluated on the way to a place: keys, and calls that return a pointer.
    fn inside(&mut self, expr: ExprId) {
        match &self.body.code.exprs[expr].kind {
            Kind::Member(inner, _) => self.inside(*inner),
            Kind::Index(inner, indices) => {
                self.inside(*inner);
                self.all(indices);
            }
            Kind::Name(_) => {}
            Kind::Tuple(parts) if parts.len() == 1 => self.inside(parts[0]),
            Kind::Ternary([condition, then, otherwise]) => {
                self.visit(*condition, Use::Read);
                self.inside(*then);
                self.inside(*otherwise);
            }
            _ => self.visit(expr, Use::Read),
        }
    }

    fn assign(&mut self, left: ExprId, right: ExprId, reads: Reads) {
        self.visit(right, Use::Read);
        self.target(left, if reads == Reads::Not { Use::Write } else { Use::Both });
    }

    /// Writes what stands on the left; a pointer that is led elsewhere changes nothing in the storage.
    fn target(&mut self, left: ExprId, used: Use) {
        match &self.body.code.exprs[left].kind {
            Kind::Tuple(parts) => parts.iter().for_each(|part| self.target(*part, used)),
            Kind::Name(_) if self.is_pointer(left) => {}
            _ => self.visit(left, used),
        }
    }

    fn is_pointer(&self, expr: ExprId) -> bool {
        let Some(id) = self.body.defined(self.body.code.exprs[expr].span.start) else { return false };
        let from = self.body.model.definition(id).name_span.start;
        let is_local = self.body.model.definition(id).kind != DefinitionKind::StateVariable;
        let local = self.body.code.locals.iter().find(|local| local.from == from);
        is_local && local.is_some_and(|local| self.body.is_pointer(local))
    }

    fn call(&mut self, expr: ExprId, callee: ExprId, args: &[ExprId]) {
        let called = self.body.callee(callee);
        self.receiver(callee, &called);
        if let Some(check) = called.check {
            return self.check(expr, check, args);
        }
        self.all(args);
        let at = self.body.code.exprs[expr].span.start;
        if called.is_push || called.is_pop {
            let Kind::Member(inner, _) = &self.body.code.exprs[callee].kind else { return };
            for place in self.body.refs(*inner) {
                self.access(place.then(if called.is_push { "[]" } else { "" }), at, Use::Write);
            }
            return;
        }
        if let Some(event) = called.event {
            return self.push(at, What::Emit(self.written(callee), Some(event)));
        }
        if called.error.is_some() {
            return self.push(at, What::Revert("error", self.written(callee)));
        }
        if let Some(external) = called.external {
            let (kind, function) = (external.kind, external.function);
            let is_static = self.body.is_static(kind, function);
            let outward = Outward { kind, function, written: self.called(callee), is_tried: self.is_tried, is_static };
            self.push(at, What::Outward(outward));
        }
        if called.is_lost {
            self.push(at, What::Lost(self.written(callee)));
        }
        if !called.internal.is_empty() {
            let args = self.arguments(callee, args, called.is_bound);
            let internal =
                Internal { functions: called.internal, how: called.how, args, written: self.written(callee) };
            self.push(at, What::Internal(internal));
        }
    }

    /// Visits what stands before the arguments.
    fn receiver(&mut self, callee: ExprId, called: &Callee) {
        match &self.body.code.exprs[callee].kind {
            Kind::Member(inner, _) if called.is_push || called.is_pop => self.inside(*inner),
            Kind::Member(inner, _) => self.visit(*inner, Use::Read),
            Kind::Options(inner, values) => {
                self.all(values);
                self.receiver(*inner, called);
            }
            Kind::Call { callee: inner, args } if called.external.is_some() => {
                self.all(args);
                match &self.body.code.exprs[*inner].kind {
                    Kind::Member(function, _) => self.receiver(*function, called),
                    _ => self.visit(*inner, Use::Read),
                }
            }
            Kind::Name(_) | Kind::New | Kind::Type => {
                // A variable that holds a function is read.
                if called.how == "function_pointer" || called.external.is_some() {
                    self.visit(callee, Use::Read);
                }
            }
            Kind::Tuple(parts) if parts.len() == 1 => self.receiver(parts[0], called),
            _ => self.visit(callee, Use::Read),
        }
    }

    fn arguments(&self, callee: ExprId, args: &[ExprId], is_bound: bool) -> Vec<Vec<Ref>> {
        let receiver = match &self.body.code.exprs[callee].kind {
            Kind::Member(inner, _) if is_bound => Some(self.body.refs(*inner)),
            _ => None,
        };
        receiver.into_iter().chain(args.iter().map(|arg| self.body.refs(*arg))).collect()
    }

    /// `require(condition, reason)`; the reason is a text or an error.
    fn check(&mut self, expr: ExprId, check: &'static str, args: &[ExprId]) {
        let (conditions, reasons) = if check == "revert" { args.split_at(0) } else { args.split_at(args.len().min(1)) };
        self.all(conditions);
        let at = self.body.code.exprs[expr].span.start;
        let error = reasons.first().and_then(|reason| match &self.body.code.exprs[*reason].kind {
            Kind::Call { callee, args } => Some((*callee, args.clone())),
            _ => None,
        });
        match error.filter(|(callee, _)| self.body.callee(*callee).error.is_some()) {
            Some((callee, args)) => {
                self.all(&args);
                self.push(at, What::Revert("error", self.written(callee)));
            }
            None => {
                self.all(reasons);
                let reason = reasons.first().map(|reason| self.written(*reason)).unwrap_or_default();
                self.push(at, What::Revert(check, reason));
            }
        }
    }

    fn assembly(&mut self, assembly: &Assembly) {
        match assembly {
            Assembly::Slot { .. } => {}
            Assembly::Name { name, span, used } => {
                let is_slot = span.of(self.body.text).is_some_and(|it| it.ends_with(".slot"));
                let used = if *used == Used::Written && is_slot { Use::Write } else { Use::Read };
                for place in self.body.in_assembly(name, span.start) {
                    self.access(place, span.start, used);
                }
            }
            Assembly::Call { name, span, args } => self.built_in(name, span.start, args),
        }
    }

    fn built_in(&mut self, name: &str, at: usize, args: &[crate::text::Span]) {
        const OUTWARD: &[&str] =
            &["call", "delegatecall", "staticcall", "callcode", "create", "create2", "selfdestruct", "suicide"];
        let written =
            |at: usize| args.get(at).and_then(|span| span.of(self.body.text)).map(one_line).unwrap_or_default();
        if let Some(kind) = OUTWARD.iter().find(|known| **known == name) {
            // The address stands behind the gas.
            let written = if name.starts_with("create") { name.to_owned() } else { written(1) };
            let is_static = *kind == "staticcall";
            let outward = Outward { kind, function: None, written, is_tried: false, is_static };
            return self.push(at, What::Outward(outward));
        }
        let slot = written(0);
        // Slots of variables are found by their names.
        let is_computed = !slot.contains(".slot") && !slot.contains("_slot");
        match name {
            "sstore" | "tstore" if is_computed => self.push(at, What::Write(Ref::of(Base::Slot(slot)))),
            "sload" | "tload" if is_computed => self.push(at, What::Read(Ref::of(Base::Slot(slot)))),
            "log0" | "log1" | "log2" | "log3" | "log4" => self.push(at, What::Emit(name.to_owned(), None)),
            _ => {}
        }
    }
}

impl Body<'_> {
    /// Tells whether a call is compiled to `staticcall`: since 0.5 that is how `view` and `pure` functions and getters
    /// of other contracts are called.
    fn is_static(&self, kind: &str, function: Option<DefinitionId>) -> bool {
        const FIRST: semver::Version = semver::Version::new(0, 5, 0);
        let versions = self.model.files().get(&self.file).map(|facts| facts.versions.as_slice()).unwrap_or_default();
        let called = function.map(|id| self.model.definition(id));
        let changes_nothing = called.is_some_and(|it| {
            it.kind == DefinitionKind::StateVariable
                || it.kind == DefinitionKind::Function
                    && matches!(it.mutability, Some(Mutability::View | Mutability::Pure))
        });
        let is_call = matches!(kind, "typed" | "this");
        kind == "staticcall" || is_call && changes_nothing && versions.iter().all(|version| *version >= FIRST)
    }

    /// Returns what an event's or an error's name means.
    fn signal(&self, expr: ExprId) -> Option<DefinitionId> {
        match &self.code.exprs[expr].kind {
            Kind::Name(_) => self.defined(self.code.exprs[expr].span.start),
            Kind::Member(..) => match self.member_target(expr)? {
                Target::Definitions(ids) => ids.into_iter().next(),
                _ => None,
            },
            _ => None,
        }
    }
}
