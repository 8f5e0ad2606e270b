//! From slang's trees and bindings, which cannot leave their thread, to values that can.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use semver::Version;
use slang_solidity::backend::SemanticAnalysis;
use slang_solidity::backend::binder::{Definition as Bound, Resolution, Typing};
use slang_solidity::backend::types::{Type, TypeId};
use slang_solidity::cst::{NodeId, NonterminalKind};

use crate::solidity::loaded::Loaded;
use crate::solidity::model::{Definition, DefinitionId, DefinitionKind, Model, Problem, Reference, Target, ids};
use crate::solidity::shape::{Identifier, Item, Shape};
use crate::solidity::source_id::SourceId;
use crate::solidity::{docs, families};

/// What the sources of one version say; the numbers of definitions count within.
#[derive(Debug, Default)]
pub(super) struct UnitFacts {
    version: Option<Version>,
    files: BTreeMap<SourceId, Vec<Problem>>,
    is_bound: bool,
    definitions: Vec<Definition>,
    references: Vec<Reference>,
    bases: BTreeMap<DefinitionId, Vec<DefinitionId>>,
}

/// Reads everything out of an analysis, or what the trees alone say where there is none.
pub(super) fn facts(
    version: &Version,
    live: &BTreeMap<SourceId, Loaded>,
    analysis: Option<&Rc<SemanticAnalysis>>,
) -> UnitFacts {
    let mut reader =
        Reader { version, analysis, by_node: HashMap::new(), by_item: Vec::new(), facts: UnitFacts::default() };
    for (source, loaded) in live {
        reader.declarations(source, &loaded.shape, &loaded.text);
    }
    for (at, (source, loaded)) in live.iter().enumerate() {
        reader.references(source, &loaded.shape, at);
    }
    reader.linearisations();
    let files = live.iter().map(|(source, loaded)| (source.clone(), loaded.problems.clone())).collect();
    UnitFacts { version: Some(version.clone()), files, is_bound: analysis.is_some(), ..reader.facts }
}

struct Reader<'a> {
    version: &'a Version,
    analysis: Option<&'a Rc<SemanticAnalysis>>,
    /// The definitions by the nodes that slang knows them by.
    by_node: HashMap<NodeId, DefinitionId>,
    /// For each file the definition of each of its items.
    by_item: Vec<Vec<Option<DefinitionId>>>,
    facts: UnitFacts,
}

/// One declaration on its way: where it stands, and by which node slang knows it.
struct Found {
    definition: Definition,
    node: NodeId,
    item: Option<usize>,
    /// The item around.
    around: Option<usize>,
}

impl Reader<'_> {
    fn declarations(&mut self, source: &SourceId, shape: &Shape, text: &str) {
        let mut found: Vec<Found> = Vec::new();
        let named: HashMap<usize, Identifier> = self.named(source, shape, text, &mut found);
        for (at, item) in shape.items.iter().enumerate() {
            if let (Some(kind), false) = (unnamed(item.kind), named.contains_key(&at)) {
                let word = crate::text::Span::new(item.span.start, item.span.start + unnamed_word(item, text));
                let mut definition = definition(source, kind, (String::new(), word), Some(item));
                self.take(&shape.taken_by(at), &mut definition);
                found.push(Found { definition, node: item.node, item: Some(at), around: item.parent });
            }
        }
        found.sort_by_key(|one| (one.definition.span.start, std::cmp::Reverse(one.definition.span.end)));
        let first = self.facts.definitions.len();
        let mut by_item = vec![None; shape.items.len()];
        for (id, one) in ids(first).zip(&found) {
            self.by_node.insert(one.node, id);
            if let Some(item) = one.item {
                by_item[item] = Some(id);
            }
        }
        for mut one in found {
            one.definition.container = declared_around(shape, &by_item, one.around);
            self.legacy_constructor(&mut one.definition);
            self.facts.definitions.push(one.definition);
        }
        self.by_item.push(by_item);
    }

    /// Collects what slang knows by a name; returns the items among it.
    fn named(
        &self,
        source: &SourceId,
        shape: &Shape,
        text: &str,
        found: &mut Vec<Found>,
    ) -> HashMap<usize, Identifier> {
        let mut named = HashMap::new();
        let Some(analysis) = self.analysis else { return named };
        let binder = analysis.binder();
        let bound = |node: &NodeId| binder.find_definition_by_identifier_node_id(*node);
        found.extend(shape.identifiers.iter().filter_map(|(node, identifier)| {
            let bound = bound(node)?;
            let at = shape.by_node.get(&bound.node_id()).copied();
            let item = at.map(|at| &shape.items[at]);
            let name = identifier.span.of(text).unwrap_or_default().to_owned();
            let mut definition = definition(source, kind(bound, item), (name, identifier.span), item);
            self.types(bound, &mut definition);
            if let Some(at) = at {
                if definition.parameters.is_none() && takes(definition.kind) {
                    self.take(&shape.taken_by(at), &mut definition);
                }
                named.insert(at, *identifier);
            }
            let around = item.map_or(identifier.within, |item| item.parent);
            Some(Found { definition, node: bound.node_id(), item: at, around })
        }));
        named
    }

    /// Before 0.5 a function with its contract's name is the constructor.
    fn legacy_constructor(&self, definition: &mut Definition) {
        let of_contract = definition.container.and_then(|id| self.facts.definitions.get(id.0 as usize));
        let is_namesake = of_contract
            .is_some_and(|contract| contract.kind == DefinitionKind::Contract && contract.name == definition.name);
        if is_namesake && definition.kind == DefinitionKind::Function && *self.version < Version::new(0, 5, 0) {
            definition.kind = DefinitionKind::Constructor;
        }
    }

    fn types(&self, bound: &Bound, definition: &mut Definition) {
        let Some(analysis) = self.analysis else { return };
        let type_id = match (bound, analysis.binder().node_typing(bound.node_id())) {
            (Bound::StateVariable(variable), _) => variable.getter_type_id,
            (_, Typing::Resolved(type_id)) => Some(type_id),
            _ => None,
        };
        let Some(Type::Function(function)) = type_id.map(|id| analysis.types().get_type_by_id(id)) else { return };
        sign(definition, &function.parameter_types, analysis);
    }

    /// Events, errors, modifiers and constructors have no type of their own: their parameters have.
    fn take(&self, parameters: &[NodeId], definition: &mut Definition) {
        let Some(analysis) = self.analysis else { return };
        let types: Option<Vec<TypeId>> = parameters
            .iter()
            .map(|node| match analysis.binder().node_typing(*node) {
                Typing::Resolved(type_id) => Some(type_id),
                _ => None,
            })
            .collect();
        if let Some(types) = types {
            sign(definition, &types, analysis);
        }
    }

    fn references(&mut self, source: &SourceId, shape: &Shape, file: usize) {
        let Some(analysis) = self.analysis else { return };
        let binder = analysis.binder();
        let mut references: Vec<Reference> = shape
            .identifiers
            .iter()
            .filter_map(|(node, identifier)| {
                let bound = binder.find_reference_by_identifier_node_id(*node)?;
                let within = declared_around(shape, &self.by_item[file], identifier.within);
                let target = self.target(&bound.resolution, identifier.is_yul);
                let (file, span, is_yul) = (source.clone(), identifier.span, identifier.is_yul);
                Some(Reference { file, span, target, within, is_yul })
            })
            .collect();
        references.sort_by_key(|one| one.span);
        self.facts.references.append(&mut references);
    }

    fn target(&self, resolution: &Resolution, is_yul: bool) -> Target {
        let known = |node: &NodeId| self.by_node.get(node).copied();
        let target = match resolution {
            Resolution::Unresolved => Target::Unknown,
            Resolution::BuiltIn(built_in) => Target::BuiltIn(bare(&format!("{built_in:?}")).to_owned()),
            Resolution::Definition(node) => known(node).map_or(Target::Unknown, |id| Target::Definitions(vec![id])),
            Resolution::Ambiguous(nodes) => {
                let mut found: Vec<DefinitionId> = nodes.iter().filter_map(known).collect();
                found.sort();
                found.dedup();
                if found.is_empty() { Target::Unknown } else { Target::Definitions(found) }
            }
        };
        match target {
            // slang 1.3.7 takes an instruction for a function of the contract that has its name.
            Target::Definitions(ids) if is_yul && self.are_functions(&ids) => Target::BuiltIn("Yul".to_owned()),
            other => other,
        }
    }

    fn are_functions(&self, ids: &[DefinitionId]) -> bool {
        ids.iter().all(|id| self.facts.definitions[id.0 as usize].kind == DefinitionKind::Function)
    }

    fn linearisations(&mut self) {
        let Some(analysis) = self.analysis else { return };
        let known = |node: &NodeId| self.by_node.get(node).copied();
        let all = analysis.binder().linearisations();
        self.facts.bases = all
            .iter()
            .filter_map(|(node, bases)| Some((known(node)?, bases.iter().filter_map(known).collect())))
            .collect();
    }
}

/// Returns a built-in's name without the numbers of types behind it, which differ from one binding to the next.
fn bare(built_in: &str) -> &str {
    built_in.split(['(', '{', ' ']).next().unwrap_or_default()
}

/// Notes the types of a definition's parameters.
fn sign(definition: &mut Definition, types: &[TypeId], analysis: &SemanticAnalysis) {
    definition.parameters = Some(types.iter().map(|id| analysis.type_internal_name(*id)).collect());
    let types: Option<Vec<String>> = types.iter().map(|id| analysis.type_canonical_name(*id)).collect();
    definition.signature = types.map(|types| format!("{}({})", definition.name, types.join(",")));
}

/// Returns the definition of the innermost item that has one, from `item` outwards.
fn declared_around(shape: &Shape, by_item: &[Option<DefinitionId>], item: Option<usize>) -> Option<DefinitionId> {
    let outwards = std::iter::successors(item, |at| shape.items[*at].parent);
    outwards.into_iter().find_map(|at| by_item[at])
}

fn definition(
    source: &SourceId,
    kind: DefinitionKind,
    (name, name_span): (String, crate::text::Span),
    item: Option<&Item>,
) -> Definition {
    Definition {
        kind,
        file: source.clone(),
        name,
        name_span,
        span: item.map_or(name_span, |item| item.span),
        body: item.and_then(|item| item.body),
        container: None,
        visibility: item.and_then(|item| item.visibility),
        mutability: item.and_then(|item| item.mutability),
        is_abstract: item.is_some_and(|item| item.is_abstract),
        is_virtual: item.is_some_and(|item| item.is_virtual),
        is_override: item.is_some_and(|item| item.is_override),
        type_span: item.and_then(|item| item.type_span),
        parameters: None,
        signature: None,
    }
}

fn kind(bound: &Bound, item: Option<&Item>) -> DefinitionKind {
    match bound {
        Bound::Constant(_) => DefinitionKind::Constant,
        Bound::Contract(_) => DefinitionKind::Contract,
        Bound::Enum(_) => DefinitionKind::Enum,
        Bound::EnumMember(_) => DefinitionKind::EnumMember,
        Bound::Error(_) => DefinitionKind::Error,
        Bound::Event(_) => DefinitionKind::Event,
        Bound::Function(_) => DefinitionKind::Function,
        Bound::Import(_) => DefinitionKind::ImportedFile,
        Bound::ImportedSymbol(_) => DefinitionKind::ImportedSymbol,
        Bound::Interface(_) => DefinitionKind::Interface,
        Bound::Library(_) => DefinitionKind::Library,
        Bound::Modifier(_) => DefinitionKind::Modifier,
        Bound::Parameter(_) if item.is_some_and(|item| item.is_returned) => DefinitionKind::ReturnParameter,
        Bound::Parameter(_) => DefinitionKind::Parameter,
        Bound::StateVariable(_) => DefinitionKind::StateVariable,
        Bound::Struct(_) => DefinitionKind::Struct,
        Bound::StructMember(_) => DefinitionKind::StructMember,
        Bound::TypeParameter(_) => DefinitionKind::TypeParameter,
        Bound::UserDefinedValueType(_) => DefinitionKind::UserType,
        Bound::Variable(_) => DefinitionKind::Variable,
        Bound::YulFunction(_) => DefinitionKind::YulFunction,
        Bound::YulLabel(_) => DefinitionKind::YulLabel,
        Bound::YulParameter(_) => DefinitionKind::YulParameter,
        Bound::YulVariable(_) => DefinitionKind::YulVariable,
    }
}

/// Tells whether something is called with arguments, though it has no function's type.
fn takes(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Event | DefinitionKind::Error | DefinitionKind::Modifier)
}

/// What a declaration without a name is.
fn unnamed(kind: NonterminalKind) -> Option<DefinitionKind> {
    match kind {
        NonterminalKind::ConstructorDefinition => Some(DefinitionKind::Constructor),
        NonterminalKind::ReceiveFunctionDefinition => Some(DefinitionKind::Receive),
        NonterminalKind::FallbackFunctionDefinition | NonterminalKind::UnnamedFunctionDefinition => {
            Some(DefinitionKind::Fallback)
        }
        _ => None,
    }
}

/// Returns the length of the keyword that a declaration without a name begins with.
fn unnamed_word(item: &Item, text: &str) -> usize {
    let declaration = item.span.of(text).unwrap_or_default();
    declaration.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(declaration.len())
}

/// Joins what several versions say about the same sources.
pub(super) fn join<'u>(model: &mut Model, units: impl Iterator<Item = &'u UnitFacts>) {
    let units: Vec<&UnitFacts> = units.collect();
    for unit in &units {
        for (source, problems) in &unit.files {
            let Some(facts) = model.files.get_mut(source) else { continue };
            facts.versions.extend(unit.version.clone());
            let new = problems.iter().filter(|problem| !facts.problems.contains(problem));
            let new: Vec<Problem> = new.cloned().collect();
            facts.problems.extend(new);
            facts.is_bound |= unit.is_bound;
            if !unit.is_bound {
                facts.problems.push(Problem::of_whole("the binder gave up on the sources that this one belongs to"));
            }
        }
    }
    let numbers = number(model, &units);
    for (unit, numbers) in units.iter().zip(&numbers) {
        let new = |id: &DefinitionId| numbers[id.0 as usize];
        let renumbered = |reference: &Reference| Reference {
            target: match &reference.target {
                Target::Definitions(ids) => Target::Definitions(ids.iter().map(new).collect()),
                other => other.clone(),
            },
            within: reference.within.as_ref().map(new),
            ..reference.clone()
        };
        model.references.extend(unit.references.iter().map(renumbered));
        for (contract, bases) in &unit.bases {
            model.bases.insert(new(contract), bases.iter().map(new).collect());
        }
    }
    let documented = docs::references(model);
    model.references.extend(documented);
    fold_references(model);
    name_bases(model);
    families::find(model);
}

/// Gives the definitions of all units numbers of the model, one for each place; returns them unit by unit.
fn number(model: &mut Model, units: &[&UnitFacts]) -> Vec<Vec<DefinitionId>> {
    let place = |one: &Definition| (one.file.clone(), one.span.start, std::cmp::Reverse(one.span.end), one.name_span);
    let mut places = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        for (local, one) in unit.definitions.iter().enumerate() {
            places.entry(place(one)).or_insert((at, local));
        }
    }
    let numbered: BTreeMap<_, DefinitionId> = places.keys().cloned().zip(ids(0)).collect();
    let new: Vec<Vec<DefinitionId>> =
        units.iter().map(|unit| unit.definitions.iter().map(|one| numbered[&place(one)]).collect()).collect();
    for (at, local) in places.values() {
        let mut one = units[*at].definitions[*local].clone();
        one.container = one.container.map(|id| new[*at][id.0 as usize]);
        model.definitions.push(one);
    }
    new
}

/// Makes one reference of those that several versions see at one place, and notes who is used where.
fn fold_references(model: &mut Model) {
    model.references.sort_by(|a, b| (&a.file, a.span).cmp(&(&b.file, b.span)));
    let mut folded: Vec<Reference> = Vec::with_capacity(model.references.len());
    for reference in std::mem::take(&mut model.references) {
        match folded.last_mut() {
            Some(last) if last.file == reference.file && last.span == reference.span => merge(last, reference.target),
            _ => folded.push(reference),
        }
    }
    for (at, reference) in folded.iter().enumerate() {
        if let Target::Definitions(ids) = &reference.target {
            for id in ids {
                model.used.entry(*id).or_default().push(at);
            }
        }
    }
    model.references = folded;
}

/// Resolves what stands for a contract where a constructor calls its base: slang 1.3.7 leaves some of these open.
fn name_bases(model: &mut Model) {
    let top: BTreeMap<(SourceId, String), DefinitionId> = ids(0)
        .zip(&model.definitions)
        .filter(|(_, one)| one.container.is_none())
        .map(|(id, one)| ((one.file.clone(), one.name.clone()), id))
        .collect();
    let open = model.references.iter_mut().enumerate().filter(|(_, reference)| reference.target == Target::Unknown);
    for (at, reference) in open {
        let Some(text) = model.files.get(&reference.file).map(|facts| &facts.text) else { continue };
        let name = reference.span.of(text).unwrap_or_default().to_owned();
        let is_member = text[..reference.span.start].trim_end().ends_with('.');
        if let (Some(id), false) = (top.get(&(reference.file.clone(), name)), is_member) {
            reference.target = Target::Definitions(vec![*id]);
            model.used.entry(*id).or_default().push(at);
        }
    }
}

fn merge(last: &mut Reference, target: Target) {
    match (&mut last.target, target) {
        (Target::Definitions(ids), Target::Definitions(more)) => {
            ids.extend(more);
            ids.sort();
            ids.dedup();
        }
        (Target::Unknown, target) => last.target = target,
        _ => {}
    }
}
