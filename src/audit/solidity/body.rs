//! A function's code beside what the names in it mean.

use std::collections::BTreeMap;

use super::code::{Code, ExprId, Kind};
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Model, SourceId, Target, Visibility};

/// One function as it runs in one contract.
pub(super) struct Body<'m> {
    pub model: &'m Model,
    pub families: &'m Families,
    pub file: SourceId,
    pub text: &'m str,
    pub code: &'m Code,
    pub function: DefinitionId,
    /// The contract that runs, which may override what is called.
    pub context: Option<DefinitionId>,
}

/// What overrides each other, by the first of each family.
#[derive(Default)]
pub(super) struct Families(BTreeMap<DefinitionId, Vec<DefinitionId>>);

/// What a call leads to.
#[derive(Debug, Default)]
pub(super) struct Callee {
    /// Several where overloads cannot be told apart.
    pub internal: Vec<DefinitionId>,
    pub how: &'static str,
    /// How the call leaves the contract, and what it is aimed at.
    pub external: Option<External>,
    /// The receiver is the first argument.
    pub is_bound: bool,
    pub is_push: bool,
    pub is_pop: bool,
    pub event: Option<DefinitionId>,
    pub error: Option<DefinitionId>,
    /// `require`, `assert` or `revert`.
    pub check: Option<&'static str>,
    /// Nothing is known of what the name means.
    pub is_lost: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct External {
    pub kind: &'static str,
    pub function: Option<DefinitionId>,
}

/// What stands before the dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Value,
    This,
    Super,
    Contract(DefinitionId),
    Module,
}

const LOW_LEVEL: &[(&str, &str)] = &[
    ("AddressCall", "call"),
    ("AddressDelegatecall", "delegatecall"),
    ("AddressStaticcall", "staticcall"),
    ("AddressCallcode", "callcode"),
    ("AddressSend", "send"),
    ("AddressTransfer", "transfer"),
];

impl Families {
    pub(super) fn of(model: &Model) -> Self {
        let mut families = Self::default();
        for (id, definition) in model.definitions() {
            let overrides = matches!(
                definition.kind,
                DefinitionKind::Function | DefinitionKind::Modifier | DefinitionKind::StateVariable
            );
            if overrides && definition.container.is_some() {
                families.0.entry(model.family_of(id)).or_default().push(id);
            }
        }
        families
    }

    fn members(&self, model: &Model, id: DefinitionId) -> &[DefinitionId] {
        self.0.get(&model.family_of(id)).map_or(&[], Vec::as_slice)
    }

    /// Returns what is run of a family by the first contract of a line that has it.
    pub(super) fn first_of(&self, model: &Model, id: DefinitionId, line: &[DefinitionId]) -> DefinitionId {
        let family = self.members(model, id);
        let overrides = |contract: &DefinitionId| {
            family.iter().copied().find(|one| {
                let definition = model.definition(*one);
                definition.container == Some(*contract)
                    && (definition.body.is_some() || definition.kind == DefinitionKind::StateVariable)
            })
        };
        line.iter().find_map(overrides).unwrap_or(id)
    }
}

impl Body<'_> {
    /// Returns what the name at an offset means, where that is one thing.
    pub(super) fn defined(&self, at: usize) -> Option<DefinitionId> {
        match self.target(at)? {
            Target::Definitions(ids) => ids.into_iter().next(),
            _ => None,
        }
    }

    /// Returns what the name at an offset refers to, through imports under whatever name.
    pub(super) fn target(&self, at: usize) -> Option<Target> {
        let reference = self.model.reference_at(&self.file, at).filter(|reference| reference.span.start == at)?;
        Some(match &reference.target {
            Target::Definitions(ids) => {
                Target::Definitions(ids.iter().flat_map(|id| self.model.behind_imports(*id)).collect())
            }
            other => other.clone(),
        })
    }

    pub(super) fn member_target(&self, expr: ExprId) -> Option<Target> {
        let Kind::Member(_, name) = &self.code.exprs[expr].kind else { return None };
        self.target(self.code.exprs[expr].span.end.checked_sub(name.len())?)
    }

    fn target_of(&self, expr: ExprId) -> Option<Target> {
        match &self.code.exprs[expr].kind {
            Kind::Name(_) => self.target(self.code.exprs[expr].span.start),
            Kind::Member(..) => self.member_target(expr),
            _ => None,
        }
    }

    /// Tells whether an expression is a value, not the name of a contract, a library or a file.
    pub(super) fn is_value(&self, expr: ExprId) -> bool {
        matches!(self.receiver(expr), Receiver::Value | Receiver::This)
    }

    fn receiver(&self, expr: ExprId) -> Receiver {
        if let Kind::Name(name) = &self.code.exprs[expr].kind {
            match name.as_str() {
                "this" => return Receiver::This,
                "super" => return Receiver::Super,
                _ => {}
            }
        }
        let Some(Target::Definitions(ids)) = self.target_of(expr) else { return Receiver::Value };
        let Some(id) = ids.first().copied() else { return Receiver::Value };
        match self.model.definition(id).kind {
            DefinitionKind::Contract | DefinitionKind::Interface | DefinitionKind::Library => Receiver::Contract(id),
            DefinitionKind::ImportedFile => Receiver::Module,
            _ => Receiver::Value,
        }
    }

    /// Returns what a call leads to; `callee` is what stands before the arguments.
    pub(super) fn callee(&self, callee: ExprId) -> Callee {
        match &self.code.exprs[callee].kind {
            Kind::Options(inner, _) => self.callee(*inner),
            Kind::Tuple(parts) if parts.len() == 1 => self.callee(parts[0]),
            // `x.call.value(v)(…)` and `x.f.gas(g)(…)` of old compilers.
            Kind::Call { callee: inner, .. } => match &self.code.exprs[*inner].kind {
                Kind::Member(function, name) if matches!(name.as_str(), "value" | "gas") => self.callee(*function),
                _ => Callee::default(),
            },
            Kind::New => self.created(callee),
            Kind::Name(name) => self.called(name, self.target_of(callee).as_ref(), None),
            Kind::Member(inner, name) => {
                self.called(name, self.member_target(callee).as_ref(), Some(self.receiver(*inner)))
            }
            _ => Callee::default(),
        }
    }

    fn created(&self, callee: ExprId) -> Callee {
        let span = self.code.exprs[callee].span;
        let references = self.model.references_of(&self.file);
        let from = references.partition_point(|one| one.span.start < span.start);
        let named = references[from..].iter().take_while(|one| one.span.end <= span.end);
        let contract = named.filter_map(|one| match &one.target {
            Target::Definitions(ids) => ids.first().and_then(|id| self.model.behind_imports(*id).into_iter().next()),
            _ => None,
        });
        let contract = contract.last().filter(|id| self.model.definition(*id).kind == DefinitionKind::Contract);
        let external = contract.map(|contract| External { kind: "new", function: Some(contract) });
        Callee { external, ..Callee::default() }
    }

    fn called(&self, name: &str, target: Option<&Target>, receiver: Option<Receiver>) -> Callee {
        match target {
            Some(Target::Definitions(ids)) if !ids.is_empty() => self.called_definitions(ids, receiver),
            Some(Target::BuiltIn(built_in)) => built(built_in),
            // What is not understood is taken for what leaves the contract.
            _ => match receiver {
                Some(Receiver::Value | Receiver::This) => {
                    let low_level = LOW_LEVEL.iter().find(|(_, kind)| *kind == name);
                    let kind = low_level.map_or("unresolved", |(_, kind)| kind);
                    match name {
                        "push" => Callee { is_push: true, ..Callee::default() },
                        "pop" => Callee { is_pop: true, ..Callee::default() },
                        _ => Callee { external: Some(External { kind, function: None }), ..Callee::default() },
                    }
                }
                _ => Callee { is_lost: true, ..Callee::default() },
            },
        }
    }

    fn called_definitions(&self, ids: &[DefinitionId], receiver: Option<Receiver>) -> Callee {
        let definition = self.model.definition(ids[0]);
        match definition.kind {
            DefinitionKind::Function | DefinitionKind::Modifier => self.called_functions(ids, receiver),
            DefinitionKind::Event => Callee { event: Some(ids[0]), ..Callee::default() },
            DefinitionKind::Error => Callee { error: Some(ids[0]), ..Callee::default() },
            DefinitionKind::Contract if self.is_base(ids[0]) && self.is_constructor() => self.base_constructor(ids[0]),
            DefinitionKind::StateVariable if matches!(receiver, Some(Receiver::Value | Receiver::This)) => {
                let kind = if receiver == Some(Receiver::This) { "this" } else { "typed" };
                Callee { external: Some(External { kind, function: Some(ids[0]) }), ..Callee::default() }
            }
            DefinitionKind::StateVariable
            | DefinitionKind::Variable
            | DefinitionKind::Parameter
            | DefinitionKind::ReturnParameter
            | DefinitionKind::StructMember => self.pointer(ids[0], definition),
            _ => Callee::default(),
        }
    }

    /// A call of what a variable of a function's type holds.
    fn pointer(&self, id: DefinitionId, definition: &Definition) -> Callee {
        let written =
            definition.type_span.and_then(|span| span.of(self.model.text(&definition.file)?)).unwrap_or_default();
        match () {
            () if written.contains("external") => Callee {
                external: Some(External { kind: "function_pointer", function: Some(id) }),
                ..Callee::default()
            },
            () if written.starts_with("function") => {
                Callee { internal: vec![id], how: "function_pointer", ..Callee::default() }
            }
            () => Callee::default(),
        }
    }

    fn called_functions(&self, ids: &[DefinitionId], receiver: Option<Receiver>) -> Callee {
        let definition = self.model.definition(ids[0]);
        let home = definition.container;
        let kind = home.map(|home| self.model.definition(home).kind);
        let is_open = matches!(definition.visibility, Some(Visibility::Public | Visibility::External));
        let plain = |internal: Vec<DefinitionId>, how| Callee { internal, how, ..Callee::default() };
        match (kind, receiver) {
            (Some(DefinitionKind::Library), receiver) if is_open && receiver.is_some() && home != self.home() => {
                let external = Some(External { kind: "library", function: Some(ids[0]) });
                Callee { external, is_bound: receiver == Some(Receiver::Value), ..plain(ids.to_vec(), "library") }
            }
            (Some(DefinitionKind::Library) | None, Some(Receiver::Value)) => {
                Callee { is_bound: true, ..plain(ids.to_vec(), "using_for") }
            }
            (Some(DefinitionKind::Library), _) => plain(ids.to_vec(), "library"),
            (None, _) => plain(ids.to_vec(), "free"),
            (_, Some(Receiver::Super)) => plain(vec![self.above(ids[0])], "super"),
            (_, Some(Receiver::This)) => {
                Callee { external: Some(External { kind: "this", function: Some(ids[0]) }), ..Callee::default() }
            }
            (_, Some(Receiver::Contract(contract))) if self.is_base(contract) => plain(ids.to_vec(), "base"),
            (_, Some(Receiver::Value)) => {
                Callee { external: Some(External { kind: "typed", function: Some(ids[0]) }), ..Callee::default() }
            }
            _ => {
                let now: Vec<DefinitionId> = ids.iter().map(|id| self.dispatched(*id)).collect();
                let how = if definition.kind == DefinitionKind::Modifier {
                    "modifier"
                } else if self.model.definition(now[0]).container == self.home() {
                    "own"
                } else {
                    "inherited"
                };
                plain(now, how)
            }
        }
    }

    fn base_constructor(&self, contract: DefinitionId) -> Callee {
        let constructor = self.model.members(contract).find(|(_, it)| it.kind == DefinitionKind::Constructor);
        let internal = constructor.map(|(id, _)| id).into_iter().collect();
        Callee { internal, how: "constructor", ..Callee::default() }
    }

    fn home(&self) -> Option<DefinitionId> {
        self.model.definition(self.function).container
    }

    fn is_constructor(&self) -> bool {
        self.model.definition(self.function).kind == DefinitionKind::Constructor
    }

    /// Tells whether the function's own contract is `contract` or inherits from it.
    fn is_base(&self, contract: DefinitionId) -> bool {
        self.home().is_some_and(|home| self.model.linearised(home).contains(&contract))
    }

    /// Returns what a virtual call runs in this contract.
    fn dispatched(&self, id: DefinitionId) -> DefinitionId {
        let line = self.context.map_or(&[][..], |context| self.model.linearised(context));
        self.first_of(id, line)
    }

    /// Returns what `super` runs in this contract: the next one behind the function's own.
    fn above(&self, id: DefinitionId) -> DefinitionId {
        let line = self.context.map_or(&[][..], |context| self.model.linearised(context));
        let own = line.iter().position(|contract| Some(*contract) == self.home());
        self.first_of(id, own.map_or(&[], |own| &line[own + 1..]))
    }

    fn first_of(&self, id: DefinitionId, line: &[DefinitionId]) -> DefinitionId {
        self.families.first_of(self.model, id, line)
    }
}

fn built(built_in: &str) -> Callee {
    let name = built_in.split('(').next().unwrap_or_default();
    if let Some((_, kind)) = LOW_LEVEL.iter().find(|(known, _)| *known == name) {
        return Callee { external: Some(External { kind, function: None }), ..Callee::default() };
    }
    match name {
        "ArrayPush" => Callee { is_push: true, ..Callee::default() },
        "ArrayPop" => Callee { is_pop: true, ..Callee::default() },
        "Selfdestruct" | "Suicide" => {
            Callee { external: Some(External { kind: "selfdestruct", function: None }), ..Callee::default() }
        }
        "Require" => Callee { check: Some("require"), ..Callee::default() },
        "Assert" => Callee { check: Some("assert"), ..Callee::default() },
        "Revert" => Callee { check: Some("revert"), ..Callee::default() },
        _ => Callee::default(),
    }
}
