//! One refactoring as the catalog lists it: its parameters, and who carries it out in which language.

use crate::refactor::params::Param;
use crate::refactor::request::Run;
use crate::syntax::Family;

/// One refactoring. Its first parameter, the target, goes without saying.
pub struct Refactoring {
    pub name: &'static str,
    pub category: Category,
    pub description: &'static str,
    /// What a programmer sees before it is worth asking for; empty where nobody can carry it out yet.
    pub when: &'static str,
    /// Others that are worth a look at the same place, by their names.
    pub related: &'static [&'static str],
    pub params: &'static [Param],
    /// Who can carry it out, the preferred first.
    pub ways: &'static [Implementation],
    /// Why nobody can, in languages where it was looked into.
    pub gaps: &'static [(Family, &'static str)],
}

/// One way to carry a refactoring out.
pub struct Implementation {
    pub families: &'static [Family],
    pub backend: Backend,
    pub run: Run,
}

/// Who carries a refactoring out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// The language's server: its rename, its code actions.
    Server,
    /// The Python library of that name.
    Rope,
    /// A program that writes in place, run on a copy.
    Command,
    /// Written here, from syntax trees and what servers know.
    Composed,
}

/// The chapters of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    Composing,
    Moving,
    Conditionals,
    Calls,
    Generalization,
    Data,
    /// Not in the first edition.
    Beyond,
}

/// Why there is no plan where nobody has begun on one.
pub(crate) const NOT_BUILT: &str = "not built yet";

pub(crate) const PYTHON: &[Family] = &[Family::Python];

pub(crate) const SCRIPT: &[Family] = &[Family::Script];

pub(crate) const SOLIDITY: &[Family] = &[Family::Solidity];

pub(crate) const PROGRAMS: &[Family] = &[Family::Python, Family::Script];

pub(crate) const RUST: &[Family] = &[Family::Rust];

pub(crate) const GO: &[Family] = &[Family::Go];

pub(crate) const RUST_AND_GO: &[Family] = &[Family::Rust, Family::Go];

/// Rust, Go, C and C++.
pub(crate) const NATIVE: &[Family] = &[Family::Rust, Family::Go, Family::C];

pub(crate) const NAMEABLE: &[Family] = &[
    Family::Python,
    Family::Script,
    Family::Solidity,
    Family::Rust,
    Family::Go,
    Family::Java,
    Family::C,
    Family::Shell,
    Family::Lua,
];

impl Refactoring {
    pub(super) const fn new(category: Category, name: &'static str, description: &'static str) -> Self {
        Self { name, category, description, when: "", related: &[], params: &[], ways: &[], gaps: &[] }
    }

    pub(super) const fn when(self, when: &'static str) -> Self {
        Self { when, ..self }
    }

    pub(super) const fn related(self, related: &'static [&'static str]) -> Self {
        Self { related, ..self }
    }

    pub(super) const fn with(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    pub(super) const fn by(self, ways: &'static [Implementation]) -> Self {
        Self { ways, ..self }
    }

    pub(super) const fn not(self, gaps: &'static [(Family, &'static str)]) -> Self {
        Self { gaps, ..self }
    }

    pub(super) fn ways_in(&self, family: Family) -> impl Iterator<Item = &'static Implementation> {
        self.ways.iter().filter(move |way| way.families.contains(&family))
    }

    pub(super) fn gap(&self, family: Family) -> Option<&'static str> {
        self.gaps.iter().find(|(other, _)| *other == family).map(|(_, why)| *why)
    }

    /// Returns who carries it out in a language, the preferred first, or why nobody does.
    pub fn availability(&self, family: Family) -> Result<Vec<Backend>, &'static str> {
        let backends: Vec<Backend> = self.ways_in(family).map(|way| way.backend).collect();
        if backends.is_empty() { Err(self.gap(family).unwrap_or(NOT_BUILT)) } else { Ok(backends) }
    }
}

impl Implementation {
    pub(super) const fn composed(families: &'static [Family], run: Run) -> Self {
        Self { families, backend: Backend::Composed, run }
    }

    pub(super) const fn rope(run: Run) -> Self {
        Self { families: PYTHON, backend: Backend::Rope, run }
    }

    pub(super) const fn server(families: &'static [Family], run: Run) -> Self {
        Self { families, backend: Backend::Server, run }
    }
}

impl Backend {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Rope => "rope",
            Self::Command => "command",
            Self::Composed => "composed",
        }
    }
}

impl Category {
    pub const ALL: [Self; 7] = [
        Self::Composing,
        Self::Moving,
        Self::Conditionals,
        Self::Calls,
        Self::Generalization,
        Self::Data,
        Self::Beyond,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Composing => "composing_methods",
            Self::Moving => "moving_features",
            Self::Conditionals => "simplifying_conditionals",
            Self::Calls => "simplifying_method_calls",
            Self::Generalization => "dealing_with_generalization",
            Self::Data => "organizing_data",
            Self::Beyond => "beyond_the_first_edition",
        }
    }
}
