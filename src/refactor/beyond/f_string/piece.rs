//! What a string is put together from.

use crate::syntax::Node;

/// One part of the string.
pub(super) enum Piece<'c> {
    /// As it stands between quotes, braces not doubled.
    Said {
        text: String,
        is_raw: bool,
        at: usize,
    },
    /// What stands in the braces of an f-string already, with them.
    Filled {
        text: String,
        at: usize,
    },
    Hole(Hole<'c>),
}

/// A value that is put into the string.
pub(super) struct Hole<'c> {
    pub value: Node<'c>,
    /// What is asked of it: `.name`, `['key']`.
    pub access: String,
    pub shown: Shown,
    /// What stands behind the colon, with a `*` for each of `sizes`.
    pub spec: String,
    /// Widths and precisions that are worked out.
    pub sizes: Vec<Node<'c>>,
    /// The line of which literal it goes to.
    pub at: usize,
}

/// How a value becomes text, which says what it has to be for the text to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Added to a string.
    Added,
    /// By `str`.
    Str,
    Repr,
    Ascii,
    /// By `%d`, which cuts what is no whole number.
    Whole,
    /// By `%f` and its like.
    Number,
    /// As in an f-string.
    Formatted,
}
