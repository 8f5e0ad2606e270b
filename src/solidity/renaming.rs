//! What a rename replaces, and why one is not possible.

use std::collections::{BTreeMap, BTreeSet};

use crate::solidity::model::DefinitionId;
use crate::solidity::source_id::SourceId;
use crate::text::Span;

/// Everything that a rename replaces by the new name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renaming {
    pub old_name: String,
    pub definitions: Vec<DefinitionId>,
    /// By file: stretches that hold the old name, and nothing else.
    pub spans: BTreeMap<SourceId, BTreeSet<Span>>,
    /// Functions of the new name that take something else. Where there are any, all has to be bound anew to show that
    /// every call means what it meant (`confirm`).
    pub overloads: BTreeSet<DefinitionId>,
}

/// Why a name is not renamed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unrenamable {
    #[error("no name stands there")]
    Nothing,
    #[error("`{name}` belongs to the language")]
    BuiltIn { name: String },
    #[error("what `{name}` refers to is not known: {reason}")]
    Unknown { name: String, reason: String },
    #[error("`{name}` at {at} may mean several declarations, of which not all are renamed")]
    Ambiguous { name: String, at: String },
    #[error("`{name}` at {at} could not be read")]
    Unread { name: String, at: String },
    #[error("`{name}` is also declared or used in `{file}`, which is a dependency")]
    Library { name: String, file: SourceId },
    #[error("`{name}` is taken at {at}: {why}")]
    Taken { name: String, at: String, why: &'static str },
}
