//! What speaks against edits.

use crate::text::Span;

/// A place whose meaning the edits would change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// In the text before the edits.
    pub span: Span,
    pub message: String,
}
