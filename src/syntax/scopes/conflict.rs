//! What speaks against edits.

use crate::text::Span;

/// A place whose meaning the edits would change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// In the text before the edits.
    pub span: Span,
    pub message: String,
}

/// Returns the line that an offset stands in, counted from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1
}
