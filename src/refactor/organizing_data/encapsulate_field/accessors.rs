//! The names of a field's storage and of its accessors.

use crate::text::{Span, TextEdit};

/// What a field is kept as, and what its accessors are called.
pub(crate) struct Accessors {
    pub storage: String,
    pub name: String,
}

/// Puts the storage's name at places of the field.
pub(crate) fn renamed<'c>(
    spans: impl Iterator<Item = Span> + 'c,
    name: &'c str,
) -> impl Iterator<Item = TextEdit> + 'c {
    spans.map(move |span| TextEdit::new(span, name))
}
