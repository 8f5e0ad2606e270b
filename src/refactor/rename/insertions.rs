//! What is written into a text that is laid over a file, in the order in which it stands there.

use std::cmp::Reverse;

/// Something to write into a text; what is less stands first at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Insertion {
    /// In bytes.
    pub at: usize,
    pub rank: Rank,
    pub written: String,
}

/// What is written. Of what ends at a place the inner one comes before the outer one, of what begins the outer one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Behind an expression of so many bytes.
    End(usize),
    Statement,
    /// A part of an expression.
    Part,
    /// Before an expression of so many bytes.
    Begin(Reverse<usize>),
}
