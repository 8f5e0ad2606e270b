//! Where a program is entered from outside.

mod frameworks;
mod program;
mod solidity;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::error::AuditError;
use super::sources::{Location, Skipped, Sources};
use crate::syntax::Family;

pub(super) use frameworks::decorators;
pub use solidity::Views;

/// The entrypoints of the files of one language.
pub enum Entrypoints {
    Contracts { rows: Vec<ContractRow>, unresolved: Vec<Unresolved> },
    Program { rows: Vec<ProgramRow> },
}

/// A function of a contract that anybody can call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContractRow {
    /// Where the function stands.
    pub file: String,
    pub contract: String,
    pub contract_kind: &'static str,
    /// `function`, `receive`, `fallback` or `getter`.
    pub kind: &'static str,
    pub name: String,
    pub signature: String,
    pub visibility: &'static str,
    pub mutability: &'static str,
    pub modifiers: String,
    /// The base that declares the function, where that is another contract.
    pub inherited_from: Option<String>,
    pub location: Location,
}

/// An import that leads to no file: what it brings is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    pub file: String,
    pub import: String,
    pub location: Location,
}

/// A function of a program that somebody outside calls.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ProgramRow {
    /// Where the function is registered, or stands.
    pub file: String,
    /// `http_route`, `cli_command`, `lambda`, `event_handler` or `export`.
    pub kind: &'static str,
    pub framework: Option<&'static str>,
    /// What calls it: `GET /users/:id`, a command's or an event's name.
    pub trigger: Option<String>,
    /// The class around.
    pub class: Option<String>,
    pub name: String,
    pub signature: String,
    pub decorators: String,
    pub location: Location,
}

#[derive(Serialize)]
struct ContractAnswer<'a> {
    entrypoints: &'a [ContractRow],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unresolved_imports: &'a [Unresolved],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skipped: &'a [Skipped],
}

#[derive(Serialize)]
struct ProgramAnswer<'a> {
    entrypoints: &'a [ProgramRow],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skipped: &'a [Skipped],
}

impl Entrypoints {
    /// Lists the entrypoints of the files of one language.
    pub fn of(sources: &Sources, family: Family, views: Views) -> Result<Self, AuditError> {
        match family {
            Family::Solidity => Ok(solidity::list(sources, views)),
            Family::Python | Family::Script => Ok(Self::Program { rows: program::list(sources) }),
            _ => Err(AuditError::Language(format!("{family:?}").to_lowercase())),
        }
    }

    /// Writes the list as TOON.
    pub fn to_toon(&self, skipped: &[Skipped]) -> String {
        match self {
            Self::Contracts { rows, unresolved } => crate::render::write_toon(&ContractAnswer {
                entrypoints: rows,
                unresolved_imports: unresolved,
                skipped,
            }),
            Self::Program { rows } => crate::render::write_toon(&ProgramAnswer { entrypoints: rows, skipped }),
        }
    }
}
