//! Where a program is entered from outside.

mod frameworks;
mod program;
mod rows;
mod solidity;
#[cfg(test)]
mod tests;

use crate::audit::error::AuditError;
use crate::audit::gaps::Gaps;
use crate::audit::sources::Sources;
use crate::syntax::Family;

pub(super) use frameworks::decorators;
pub use rows::{ContractRow, Entrypoints, ProgramRow};
pub use solidity::Views;

impl Entrypoints {
    /// Lists the entrypoints of the files of one language.
    pub fn of(sources: &Sources, family: Family, views: Views) -> Result<Self, AuditError> {
        match family {
            Family::Solidity => Ok(solidity::list(sources, views)),
            Family::Python | Family::Script => {
                Ok(Self::Program { rows: program::list(sources), gaps: Gaps::of(sources) })
            }
            _ => Err(AuditError::Language(format!("{family:?}").to_lowercase())),
        }
    }
}
