//! The rows of the lists of entrypoints.

use serde::Serialize;

use crate::audit::gaps::Gaps;
use crate::audit::location::Location;

/// The entrypoints of some files, with what could not be seen of them.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Entrypoints {
    Contracts {
        #[serde(rename = "entrypoints")]
        rows: Vec<ContractRow>,
        #[serde(flatten)]
        gaps: Gaps,
    },
    Program {
        #[serde(rename = "entrypoints")]
        rows: Vec<ProgramRow>,
        #[serde(flatten)]
        gaps: Gaps,
    },
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
