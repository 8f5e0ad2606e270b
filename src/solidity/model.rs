//! What a project's sources declare, and what every name in them means.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::solidity::header::Import;
use crate::solidity::source_id::SourceId;
use crate::text::Span;

/// A definition of one model; another model gives others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub(super) u32);

/// Something that is declared in a source. Spans are bytes of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub kind: DefinitionKind,
    pub file: SourceId,
    /// Empty for constructors, `receive` and `fallback`.
    pub name: String,
    /// The name, or the word that stands for it (`constructor`).
    pub name_span: Span,
    /// The whole declaration without the comments before it.
    pub span: Span,
    /// The braces of a function or modifier with what they hold.
    pub body: Option<Span>,
    /// The innermost definition around.
    pub container: Option<DefinitionId>,
    pub visibility: Option<Visibility>,
    pub mutability: Option<Mutability>,
    pub is_abstract: bool,
    pub is_virtual: bool,
    pub is_override: bool,
    /// The type as it is written, for variables, parameters and members.
    pub type_span: Option<Span>,
    /// The types of the parameters, as the binder names them: enough to tell overloads apart.
    pub parameters: Option<Vec<String>>,
    /// `name(types)` with the ABI's types, for what is called and public variables; nothing where a type is unknown.
    pub signature: Option<String>,
}

/// What kind of thing is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefinitionKind {
    Contract,
    Interface,
    Library,
    Function,
    Constructor,
    Receive,
    /// `fallback`, and the unnamed function of versions before 0.6.
    Fallback,
    Modifier,
    Event,
    Error,
    Struct,
    StructMember,
    Enum,
    EnumMember,
    UserType,
    StateVariable,
    /// A constant outside contracts.
    Constant,
    Parameter,
    ReturnParameter,
    /// A parameter of a function type or of a mapping.
    TypeParameter,
    Variable,
    /// `import "…" as Name` and `import * as Name from "…"`.
    ImportedFile,
    /// `import {Name}` or `import {Name as Other}`.
    ImportedSymbol,
    YulFunction,
    YulParameter,
    YulVariable,
    YulLabel,
}

/// Who may use a function or a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    Public,
    External,
    Internal,
    Private,
}

/// What a function may do to the state, or when a variable is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutability {
    Pure,
    View,
    Payable,
    Constant,
    Immutable,
    Transient,
}

/// A name that refers to something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub file: SourceId,
    pub span: Span,
    pub target: Target,
    /// The innermost definition around.
    pub within: Option<DefinitionId>,
    /// Whether it stands in inline assembly.
    pub is_yul: bool,
}

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One definition; several where overloads or versions could not be told apart.
    Definitions(Vec<DefinitionId>),
    /// Something of the language, by the name of the binder.
    BuiltIn(String),
    Unknown,
}

impl Target {
    /// Returns the definitions that are meant.
    pub fn definitions(&self) -> &[DefinitionId] {
        match self {
            Self::Definitions(ids) => ids,
            Self::BuiltIn(_) | Self::Unknown => &[],
        }
    }
}

/// What is known of one source.
#[derive(Debug, Clone)]
pub struct FileFacts {
    pub text: Arc<str>,
    /// The version that it is read in; several where importers disagree.
    pub versions: Vec<semver::Version>,
    /// Its imports, each with the source that it leads to.
    pub imports: Vec<(Import, Option<SourceId>)>,
    pub problems: Vec<Problem>,
    /// Whether its names are resolved; where not, the problems say why.
    pub is_bound: bool,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub span: Span,
    pub message: String,
}

impl Problem {
    /// Something about a source that has no place in it.
    pub(super) fn of_whole(message: impl Into<String>) -> Self {
        Self { span: Span::at(0), message: message.into() }
    }
}

/// All of a project at one moment. Definitions and references stand in the order of their files and spans.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub(super) files: BTreeMap<SourceId, FileFacts>,
    pub(super) definitions: Vec<Definition>,
    pub(super) references: Vec<Reference>,
    /// Each contract's linearised bases, itself first.
    pub(super) bases: BTreeMap<DefinitionId, Vec<DefinitionId>>,
    /// For each definition the first of its override family; itself where it has none.
    pub(super) families: Vec<DefinitionId>,
    /// For each definition the references to it, by their places in `references`.
    pub(super) used: BTreeMap<DefinitionId, Vec<usize>>,
}

impl Model {
    pub fn files(&self) -> &BTreeMap<SourceId, FileFacts> {
        &self.files
    }

    pub fn text(&self, file: &SourceId) -> Option<&str> {
        self.files.get(file).map(|facts| &*facts.text)
    }

    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// Tells whether a definition lives in a function: no other file can see it.
    pub(super) fn is_local(&self, one: &Definition) -> bool {
        use DefinitionKind as Kind;
        let around = one.container.map(|id| self.definition(id).kind);
        around.is_some_and(|kind| {
            matches!(
                kind,
                Kind::Function
                    | Kind::Constructor
                    | Kind::Receive
                    | Kind::Fallback
                    | Kind::Modifier
                    | Kind::YulFunction
            )
        })
    }

    pub fn definitions(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        ids(0).zip(&self.definitions)
    }

    /// Returns the definitions of one file in the order of their declarations: what is around comes first.
    pub fn definitions_of(&self, file: &SourceId) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        let from = self.definitions.partition_point(|one| one.file < *file);
        let to = self.definitions.partition_point(|one| one.file <= *file);
        ids(from).zip(&self.definitions[from..to])
    }

    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Returns the references of one file in their order.
    pub fn references_of(&self, file: &SourceId) -> &[Reference] {
        let from = self.references.partition_point(|one| one.file < *file);
        let to = self.references.partition_point(|one| one.file <= *file);
        &self.references[from..to]
    }

    /// Returns the references to one definition alone, without those to its overrides.
    pub fn references_to(&self, id: DefinitionId) -> impl Iterator<Item = &Reference> {
        self.used.get(&id).into_iter().flatten().map(|at| &self.references[*at])
    }

    /// Returns the reference whose name `offset` lies in or touches.
    pub fn reference_at(&self, file: &SourceId, offset: usize) -> Option<&Reference> {
        let references = self.references_of(file);
        let from = references.partition_point(|one| one.span.end < offset);
        let near = references[from..].iter().take(2).filter(|one| one.span.touches(offset));
        near.max_by_key(|one| one.span.start)
    }

    /// Returns the definition whose name `offset` lies in or touches.
    pub fn definition_named_at(&self, file: &SourceId, offset: usize) -> Option<DefinitionId> {
        let named = |one: &Definition| !one.name.is_empty() && one.name_span.touches(offset);
        self.definitions_of(file).find(|(_, one)| named(one)).map(|(id, _)| id)
    }

    /// Returns what stands at a place, declared there or referred to; several where it cannot be told apart.
    pub fn meant_at(&self, file: &SourceId, offset: usize) -> Vec<DefinitionId> {
        if let Some(id) = self.definition_named_at(file, offset) {
            return vec![id];
        }
        match self.reference_at(file, offset).map(|reference| &reference.target) {
            Some(Target::Definitions(ids)) => ids.clone(),
            _ => Vec::new(),
        }
    }

    /// Returns the innermost definition around a place that satisfies `wanted`.
    pub fn around(&self, file: &SourceId, offset: usize, wanted: impl Fn(&Definition) -> bool) -> Option<DefinitionId> {
        let holds = |one: &Definition| one.span.start <= offset && offset < one.span.end && wanted(one);
        self.definitions_of(file).filter(|(_, one)| holds(one)).last().map(|(id, _)| id)
    }

    /// Returns what is declared right inside a definition.
    pub fn members(&self, id: DefinitionId) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions_of(&self.definition(id).file).filter(move |(_, one)| one.container == Some(id))
    }

    /// Returns a contract's linearised bases, itself first; nothing for what is no contract.
    pub fn linearised(&self, contract: DefinitionId) -> &[DefinitionId] {
        self.bases.get(&contract).map_or(&[], Vec::as_slice)
    }

    /// Returns every contract with its linearised bases.
    pub fn hierarchies(&self) -> impl Iterator<Item = (DefinitionId, &[DefinitionId])> {
        self.bases.iter().map(|(contract, bases)| (*contract, bases.as_slice()))
    }

    /// Names a place for a message: `file:line:column`, both 1-based, columns in characters.
    pub fn place(&self, file: &SourceId, offset: usize) -> String {
        let before = self.text(file).and_then(|text| text.get(..offset)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{file}:{line}:{column}")
    }

    /// Returns the text of a reference.
    pub fn name_of(&self, reference: &Reference) -> &str {
        self.text(&reference.file).and_then(|text| reference.span.of(text)).unwrap_or_default()
    }

    /// Returns what an imported name stands for in the end; anything else stands for itself.
    pub fn behind_imports(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let mut found = Vec::new();
        let mut open = vec![id];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(id) = open.pop() {
            let one = self.definition(id);
            if one.kind != DefinitionKind::ImportedSymbol {
                found.push(id);
            } else if seen.insert(id) {
                let inside = self.references_of(&one.file).iter().filter(|reference| one.span.contains(reference.span));
                open.extend(inside.flat_map(|reference| match &reference.target {
                    Target::Definitions(ids) => ids.clone(),
                    _ => Vec::new(),
                }));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Returns the first of the definitions that override each other, which stands for all of them.
    pub fn family_of(&self, id: DefinitionId) -> DefinitionId {
        self.families[id.0 as usize]
    }

    /// Returns the functions, getters and modifiers that override each other, or the events or errors that an heir
    /// declares again, `id` among them.
    pub fn family(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let first = self.families[id.0 as usize];
        ids(0).zip(&self.families).filter(|(_, family)| **family == first).map(|(id, _)| id).collect()
    }
}

/// Counts definitions from the `from`th on.
pub(super) fn ids(from: usize) -> impl Iterator<Item = DefinitionId> {
    (from..).map(|at| DefinitionId(u32::try_from(at).expect("sources of some megabytes have no 2^32 names")))
}
