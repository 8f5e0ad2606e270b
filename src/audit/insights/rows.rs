//! The rows of an insight.

use serde::Serialize;

use crate::audit::gaps::Gaps;
use crate::audit::location::Location;

/// The whole answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Insights {
    pub function: Function,
    #[serde(flatten)]
    pub gaps: Gaps,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Function {
    pub file: String,
    /// The contract or the class that runs.
    pub contract: Option<String>,
    /// Where the function is declared, where that is another one.
    pub inherited_from: Option<String>,
    pub name: String,
    pub kind: &'static str,
    pub signature: String,
    pub location: Option<Location>,
    pub visibility: Option<&'static str>,
    pub mutability: Option<&'static str>,
    /// Modifiers, or decorators, as they are written.
    pub modifiers: Vec<String>,
    pub state: State,
    pub calls: Calls,
    pub events: Vec<EventRow>,
    pub errors: Vec<ErrorRow>,
    pub transitive: Transitive,
    /// External calls and state writes as they follow each other.
    pub order: Vec<OrderRow>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    pub reads: Vec<AccessRow>,
    pub writes: Vec<AccessRow>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Calls {
    pub internal: Vec<InternalRow>,
    pub external: Vec<OutwardRow>,
}

/// What the function reaches through calls inside the program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Transitive {
    pub reads: Vec<ReachedRow>,
    pub writes: Vec<ReachedRow>,
    /// Those that leave the contract or the program.
    pub calls: Vec<ReachedCallRow>,
    pub events: Vec<ReachedEventRow>,
    pub errors: Vec<ReachedErrorRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReachedCallRow {
    pub target: String,
    pub kind: &'static str,
    pub function: Option<String>,
    pub mutability: Option<&'static str>,
    /// The calls that lead there.
    pub via: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReachedEventRow {
    pub event: String,
    pub via: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReachedErrorRow {
    pub kind: &'static str,
    pub error: String,
    pub via: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AccessRow {
    pub variable: String,
    /// The way to what is touched: `balances[msg.sender]`.
    pub path: String,
    /// `state`, `transient`, `immutable`, `constant`, `parameter` (a storage pointer), `slot`; elsewhere
    /// `attribute`, `global` or `import`.
    pub storage: &'static str,
    pub declared_in: Option<String>,
    #[serde(flatten)]
    pub location: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ReachedRow {
    pub variable: String,
    pub path: String,
    pub storage: &'static str,
    pub declared_in: Option<String>,
    /// The calls that lead there.
    pub via: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InternalRow {
    pub function: String,
    pub signature: Option<String>,
    /// How it is reached: `own`, `inherited`, `super`, `base`, `library`, `using_for`, `free`, `modifier`, …
    pub kind: &'static str,
    pub file: Option<String>,
    #[serde(flatten)]
    pub location: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct OutwardRow {
    /// As it is written.
    pub target: String,
    /// `typed`, `this`, `library`, `call`, `delegatecall`, `staticcall`, `transfer`, `send`, `new`, …
    pub kind: &'static str,
    /// What is called, where that is known.
    pub function: Option<String>,
    pub mutability: Option<&'static str>,
    /// Whether a failure is caught.
    pub tried: bool,
    #[serde(flatten)]
    pub location: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct EventRow {
    pub event: String,
    #[serde(flatten)]
    pub location: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ErrorRow {
    /// `error`, `require`, `assert`, `revert` or `throw`; elsewhere `raise`.
    pub kind: &'static str,
    pub error: String,
    #[serde(flatten)]
    pub location: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct OrderRow {
    pub step: usize,
    /// `external_call`, `static_call` (nothing can be changed through it), `state_write` or `internal_call`.
    pub kind: &'static str,
    pub what: String,
    /// The modifier that does it.
    pub via: Option<String>,
    /// A write where control may have been elsewhere before.
    pub write_after_external_call: bool,
    #[serde(flatten)]
    pub location: Location,
}
