//! What one function touches and calls, in the shape that all languages share.

mod program;
mod rows;
mod select;
mod signature;
#[cfg(test)]
mod tests;

use super::error::AuditError;
use super::solidity;
use super::sources::Sources;
use crate::syntax::Family;

pub use rows::{
    AccessRow, Calls, ErrorRow, EventRow, Function, Insights, InternalRow, OrderRow, OutwardRow, ReachedCallRow,
    ReachedErrorRow, ReachedEventRow, ReachedRow, State, Transitive,
};
pub use select::Selector;
pub(super) use select::chosen_file;

/// Looks into every function that Solidity files declare, each in its own contract.
pub fn every_insight(sources: &Sources) -> Vec<Function> {
    solidity::every_insight(sources)
}

/// Looks into one function.
pub fn insights(sources: &Sources, selector: &Selector) -> Result<Insights, AuditError> {
    let source = chosen_file(sources, &selector.file)?;
    match source.language.family() {
        Family::Solidity => solidity::insights(sources, &source, selector),
        Family::Python | Family::Script => program::insights(sources, &source, selector),
        _ => Err(AuditError::Language(source.language.id().to_owned())),
    }
}
