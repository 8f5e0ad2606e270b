//! Whether a new name is free wherever it would be seen. What might clash is refused: the rules are coarser than the
//! language's, never finer.

use std::collections::{BTreeMap, BTreeSet};

use crate::solidity::model::{Definition, DefinitionId, DefinitionKind, Model, Reference, Target};
use crate::solidity::renaming::{Renaming, Unrenamable};
use crate::solidity::source_id::SourceId;
use crate::text::Span;

/// Checks that no declaration or use of `new_name` meets the renamed ones. Functions that can share the name with them,
/// since they take something else, are returned.
pub(super) fn check(model: &Model, renaming: &Renaming, new_name: &str) -> Result<BTreeSet<DefinitionId>, Unrenamable> {
    let mut found = Found {
        declared: model.definitions().filter(|(_, one)| one.name == new_name).collect(),
        used: model.references.iter().filter(|one| model.name_of(one) == new_name).collect(),
    };
    if let Some((file, span)) = instruction(model, renaming, new_name) {
        return Err(taken(model, new_name, (&file, span), "assembly has an instruction of that name"));
    }
    let overloads = found.take_overloads(model, renaming);
    if found.declared.is_empty() && found.used.is_empty() {
        return Ok(overloads);
    }
    let check = Check { model, renaming, found, visible: visible(model, renaming) };
    for id in &renaming.definitions {
        if let Some((file, span, why)) = check.clash(*id) {
            return Err(taken(model, new_name, (&file, span), why));
        }
    }
    Ok(overloads)
}

pub(super) fn taken(model: &Model, name: &str, (file, span): (&SourceId, Span), why: &'static str) -> Unrenamable {
    Unrenamable::Taken { name: name.to_owned(), at: model.place(file, span.start), why }
}

/// What bears the new name already.
struct Found<'m> {
    declared: Vec<(DefinitionId, &'m Definition)>,
    used: Vec<&'m Reference>,
}

impl Found<'_> {
    /// Takes out the functions that take something else than each of the renamed ones, with their uses.
    fn take_overloads(&mut self, model: &Model, renaming: &Renaming) -> BTreeSet<DefinitionId> {
        let is_function = |one: &Definition| one.kind == DefinitionKind::Function && one.parameters.is_some();
        let renamed: Vec<&Definition> = renaming.definitions.iter().map(|id| model.definition(*id)).collect();
        if !renamed.iter().all(|one| is_function(one)) {
            return BTreeSet::new();
        }
        let is_overload =
            |one: &Definition| is_function(one) && renamed.iter().all(|other| other.parameters != one.parameters);
        let overloads: BTreeSet<DefinitionId> =
            self.declared.iter().filter(|(_, one)| is_overload(one)).map(|(id, _)| *id).collect();
        let is_known = |one: &Reference| {
            let meant = one.target.definitions();
            !meant.is_empty() && meant.iter().all(|id| overloads.contains(id))
        };
        self.declared.retain(|(id, _)| !overloads.contains(id));
        self.used.retain(|one| !is_known(one));
        overloads
    }
}

struct Check<'m> {
    model: &'m Model,
    renaming: &'m Renaming,
    found: Found<'m>,
    /// The files in which a renamed name that no contract holds can be seen.
    visible: BTreeSet<SourceId>,
}

type Clash = (SourceId, Span, &'static str);

impl Check<'_> {
    fn clash(&self, id: DefinitionId) -> Option<Clash> {
        let one = self.model.definition(id);
        match one.kind {
            DefinitionKind::StructMember | DefinitionKind::EnumMember => self.beside(one).or_else(|| self.attached()),
            _ if self.model.is_local(one) => self.in_function(one),
            _ => match one.container.map(|id| (id, self.model.definition(id).kind)) {
                None => self.in_files(),
                Some((contract, DefinitionKind::Contract | DefinitionKind::Interface)) => self.in_hierarchy(contract),
                Some((library, DefinitionKind::Library)) => self.in_hierarchy(library).or_else(|| self.attached()),
                Some(_) => self.beside(one),
            },
        }
    }

    /// Looks for a declaration in the same parameter list, struct or enumeration.
    fn beside(&self, one: &Definition) -> Option<Clash> {
        let other = self.found.declared.iter().find(|(_, other)| other.container == one.container)?;
        Some((other.1.file.clone(), other.1.name_span, "it is declared beside"))
    }

    /// Looks for a member access that a new member could take over, or that takes over the new member.
    fn attached(&self) -> Option<Clash> {
        let member = self.found.used.iter().find(|one| self.is_member(one) && self.is_function(one))?;
        Some((member.file.clone(), member.span, "a function of that name is called on a value"))
    }

    fn in_function(&self, one: &Definition) -> Option<Clash> {
        let function = self.model.definition(one.container?);
        let inside = |file: &SourceId, span: Span| *file == function.file && function.span.contains(span);
        let declared = self.found.declared.iter().find(|(_, other)| inside(&other.file, other.name_span));
        let used = self.found.used.iter().find(|one| inside(&one.file, one.span) && !self.is_member(one));
        let declared =
            declared.map(|(_, other)| (other.file.clone(), other.name_span, "it is declared in the same function"));
        declared
            .or_else(|| used.map(|one| (one.file.clone(), one.span, "it means something else in the same function")))
    }

    fn in_hierarchy(&self, contract: DefinitionId) -> Option<Clash> {
        let heirs: BTreeSet<DefinitionId> = self
            .model
            .hierarchies()
            .filter(|(_, bases)| bases.contains(&contract))
            .map(|(heir, _)| heir)
            .chain([contract])
            .collect();
        let related: BTreeSet<DefinitionId> =
            heirs.iter().flat_map(|heir| self.model.linearised(*heir)).chain([&contract]).copied().collect();
        let is_member = |one: &Definition| one.container.is_some_and(|container| related.contains(&container));
        if let Some((_, other)) = self.found.declared.iter().find(|(_, other)| is_member(other)) {
            return Some((other.file.clone(), other.name_span, "a contract of the same hierarchy declares it"));
        }
        let heirs: Vec<&Definition> = heirs.iter().map(|heir| self.model.definition(*heir)).collect();
        let inside =
            |file: &SourceId, span: Span| heirs.iter().any(|heir| heir.file == *file && heir.span.contains(span));
        let captured = self
            .found
            .used
            .iter()
            .find(|one| inside(&one.file, one.span) && !self.is_member(one) && !self.means_local(one));
        if let Some(one) = captured {
            return Some((one.file.clone(), one.span, "it means something else in the same hierarchy"));
        }
        self.shadowed()
    }

    fn in_files(&self) -> Option<Clash> {
        let is_seen = |file: &SourceId| self.visible.contains(file);
        let top = self.found.declared.iter().find(|(_, other)| is_seen(&other.file) && other.container.is_none());
        if let Some((_, other)) = top {
            return Some((other.file.clone(), other.name_span, "it is declared where the renamed one is seen"));
        }
        let free = |one: &&&Reference| is_seen(&one.file) && !self.is_member(one) && !self.means_local(one);
        if let Some(one) = self.found.used.iter().find(free) {
            return Some((one.file.clone(), one.span, "it means something else where the renamed one is seen"));
        }
        self.shadowed()
    }

    /// Looks for a declaration between a renamed use and what it refers to.
    fn shadowed(&self) -> Option<Clash> {
        let model = self.model;
        let outer = |one: &Definition| one.container.map(|id| model.definition(id));
        let scope = |one: &Definition| match outer(one)?.kind {
            // Fields and parameters of events hide nothing.
            DefinitionKind::Struct | DefinitionKind::Enum | DefinitionKind::Event | DefinitionKind::Error => None,
            DefinitionKind::Contract | DefinitionKind::Interface | DefinitionKind::Library => Some(self.heirs(one)),
            _ => Some(vec![(one.file.clone(), outer(one)?.span)]),
        };
        let hides = |one: &Definition| {
            scope(one).into_iter().flatten().any(|(file, span)| {
                let uses = self.renaming.spans.get(&file).into_iter().flatten();
                uses.into_iter().any(|used| span.contains(*used) && !self.is_member_at(&file, *used))
            })
        };
        let (_, other) = self.found.declared.iter().find(|(_, other)| hides(other))?;
        Some((other.file.clone(), other.name_span, "it hides the renamed one where that is used"))
    }

    /// Returns the contracts in which a member of one can be used by its bare name.
    fn heirs(&self, one: &Definition) -> Vec<(SourceId, Span)> {
        let Some(container) = one.container else { return Vec::new() };
        let heirs = self.model.hierarchies().filter(|(_, bases)| bases.contains(&container)).map(|(heir, _)| heir);
        let spans = heirs.chain([container]).map(|heir| self.model.definition(heir));
        spans.map(|heir| (heir.file.clone(), heir.span)).collect()
    }

    fn is_member(&self, one: &Reference) -> bool {
        self.is_member_at(&one.file, one.span)
    }

    fn is_member_at(&self, file: &SourceId, span: Span) -> bool {
        let before = self.model.text(file).and_then(|text| text.get(..span.start)).unwrap_or_default();
        before.trim_end().ends_with('.')
    }

    fn means_local(&self, one: &Reference) -> bool {
        let ids = one.target.definitions();
        !ids.is_empty() && ids.iter().all(|id| self.model.is_local(self.model.definition(*id)))
    }

    fn is_function(&self, one: &Reference) -> bool {
        let function = |id: &DefinitionId| self.model.definition(*id).kind == DefinitionKind::Function;
        one.target == Target::Unknown || one.target.definitions().iter().any(function)
    }
}

/// Returns the files with a renamed place, and all that take in every name of one of them.
fn visible(model: &Model, renaming: &Renaming) -> BTreeSet<SourceId> {
    let mut importers: BTreeMap<&SourceId, Vec<&SourceId>> = BTreeMap::new();
    for (file, facts) in &model.files {
        let of_all = facts.imports.iter().filter(|(import, _)| import.is_of_all);
        for target in of_all.filter_map(|(_, target)| target.as_ref()) {
            importers.entry(target).or_default().push(file);
        }
    }
    let mut seen = BTreeSet::new();
    let mut open: Vec<&SourceId> = renaming.spans.keys().collect();
    while let Some(file) = open.pop() {
        if seen.insert(file.clone()) {
            open.extend(importers.get(file).into_iter().flatten());
        }
    }
    seen
}

/// Finds a renamed place in assembly, where instructions cannot be names.
fn instruction(model: &Model, renaming: &Renaming, new_name: &str) -> Option<(SourceId, Span)> {
    if !INSTRUCTIONS.contains(&new_name) {
        return None;
    }
    let is_renamed = |one: &&Reference| renaming.spans.get(&one.file).is_some_and(|spans| spans.contains(&one.span));
    let used = model.references.iter().filter(|one| one.is_yul).find(is_renamed);
    let is_yul = |one: &&Definition| {
        matches!(one.kind, DefinitionKind::YulFunction | DefinitionKind::YulParameter | DefinitionKind::YulVariable)
    };
    let declared = renaming.definitions.iter().map(|id| model.definition(*id)).find(is_yul);
    let used = used.map(|one| (one.file.clone(), one.span));
    used.or_else(|| declared.map(|one| (one.file.clone(), one.name_span)))
}

/// The built-in functions of Yul, of all versions.
const INSTRUCTIONS: &[&str] = &[
    "add",
    "addmod",
    "address",
    "and",
    "balance",
    "basefee",
    "blobbasefee",
    "blobhash",
    "blockhash",
    "byte",
    "call",
    "callcode",
    "calldatacopy",
    "calldataload",
    "calldatasize",
    "caller",
    "callvalue",
    "chainid",
    "clz",
    "codecopy",
    "codesize",
    "coinbase",
    "create",
    "create2",
    "delegatecall",
    "difficulty",
    "div",
    "eq",
    "exp",
    "extcodecopy",
    "extcodehash",
    "extcodesize",
    "gas",
    "gaslimit",
    "gasprice",
    "gt",
    "invalid",
    "iszero",
    "keccak256",
    "log0",
    "log1",
    "log2",
    "log3",
    "log4",
    "lt",
    "mcopy",
    "mload",
    "mod",
    "msize",
    "mstore",
    "mstore8",
    "mul",
    "mulmod",
    "not",
    "number",
    "or",
    "origin",
    "pop",
    "prevrandao",
    "return",
    "returndatacopy",
    "returndatasize",
    "revert",
    "sar",
    "sdiv",
    "selfbalance",
    "selfdestruct",
    "sgt",
    "sha3",
    "shl",
    "shr",
    "signextend",
    "sload",
    "slt",
    "smod",
    "sstore",
    "staticcall",
    "stop",
    "sub",
    "suicide",
    "timestamp",
    "tload",
    "tstore",
    "xor",
];
