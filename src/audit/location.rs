//! A place in a source, as answers show it.

/// A place as compilers print it: both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Location {
    pub line: u32,
    pub column: u32,
}
