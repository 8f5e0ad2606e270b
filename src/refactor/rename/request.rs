//! What a rename is asked with.

use crate::lsp::Place;

/// A wish to rename the symbol at a place.
#[derive(Debug, Clone)]
pub struct RenameRequest {
    pub place: Place,
    pub new_name: String,
    /// The name that the caller believes to stand there; another one is refused.
    pub expect: Option<String>,
    pub aliases: Aliases,
    pub prose: Prose,
    pub conflicts: Conflicts,
}

/// How far a rename follows imports and re-exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aliases {
    /// All the way.
    #[default]
    Through,
    /// To the first re-export, which keeps the old public name.
    Keep,
}

/// Which places that no server vouches for are searched for the old name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prose {
    pub strings: bool,
    pub comments: bool,
    /// Documents and data: Markdown, reStructuredText, JSON, YAML, TOML, plain text.
    pub docs: bool,
    /// Members and keyword arguments in code, of values that no type is known of.
    pub untyped: bool,
}

/// What a taken name leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Conflicts {
    #[default]
    Refuse,
    /// The plan is given with a warning for each, where the result could still be meant.
    Force,
}

impl RenameRequest {
    /// A request with everything optional left at its default.
    pub fn new(place: Place, new_name: impl Into<String>) -> Self {
        Self {
            place,
            new_name: new_name.into(),
            expect: None,
            aliases: Aliases::default(),
            prose: Prose::default(),
            conflicts: Conflicts::default(),
        }
    }
}
