//! What leads nowhere, and what could not be read.

use serde::Serialize;

use crate::audit::location::Location;

/// A name whose meaning is not known: what it stands for is missing from the answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unresolved {
    pub file: String,
    #[serde(flatten)]
    pub location: Location,
    /// `import`, `base` or `call`.
    pub kind: &'static str,
    /// As it is written.
    pub name: String,
    pub reason: String,
}

/// What could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    pub file: String,
    /// Nothing where the file as a whole is meant.
    pub line: Option<u32>,
    pub message: String,
    /// What is missing from the answer for it: `line 3`, `lines 3-9`, `the file`.
    pub skipped: String,
}
