//! Where a program is entered from outside.

mod frameworks;
mod program;
mod solidity;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::error::AuditError;
use super::gaps::Gaps;
use super::sources::{Location, Sources};
use crate::syntax::Family;

pub(super) use frameworks::decorators;
pub use solidity::Views;

/// The entrypoints of some files, with what could not be seen of them.
pub enum Entrypoints {
    Contracts { rows: Vec<ContractRow>, gaps: Gaps },
    Program { rows: Vec<ProgramRow>, gaps: Gaps },
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
struct Answer<'a, R> {
    entrypoints: &'a [R],
    #[serde(flatten)]
    gaps: &'a Gaps,
}

impl Entrypoints {
    /// Lists the entrypoints of the files of one language.
    pub fn of(sources: &Sources, family: Family, views: Views) -> Result<Self, AuditError> {
        match family {
            Family::Solidity => Ok(solidity::list(sources, views)),
            Family::Python | Family::Script => {
                Ok(Self::Program { rows: program::list(sources), gaps: Gaps::of(sources) })
            }
            _ => Err(AuditError::Language(format!("{family:?}").to_lowercase())),
        }
    }

    /// Writes the list as TOON.
    pub fn to_toon(&self) -> String {
        match self {
            Self::Contracts { rows, gaps } => crate::render::write_toon(&Answer { entrypoints: rows, gaps }),
            Self::Program { rows, gaps } => crate::render::write_toon(&Answer { entrypoints: rows, gaps }),
        }
    }
}
