//! Why a move of Python modules is not carried out.

/// A move that would break the program, or whose meaning cannot be known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("moves of Python modules are not planned yet")]
    NotYet,
}
