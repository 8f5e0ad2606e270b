//! A source as slang's builder holds it.

use std::sync::Arc;

use slang_solidity::cst::Cursor;

use crate::solidity::model::Problem;
use crate::solidity::shape::Shape;

/// A source that the builder holds.
pub(super) struct Loaded {
    /// Its name for the builder.
    pub(super) id: String,
    pub(super) text: Arc<str>,
    /// The path literals of its imports, each with the name that it was led to.
    pub(super) paths: Vec<(Cursor, String)>,
    pub(super) shape: Shape,
    pub(super) problems: Vec<Problem>,
}
