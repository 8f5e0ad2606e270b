//! The end of what is one to its callers and stands in several declarations: overloads, the accessors of a property.

use super::module::Module;
use super::placing::{Changed, Misfit, Placing};
use crate::session::Parsed;

/// Takes declarations out, the last of them first: the rows before it keep their numbers.
pub fn deleted_all((parsed, module): (&Parsed, &Module), numbers: &[usize]) -> Result<Changed, Misfit> {
    let (last, others) = numbers.split_last().ok_or(Misfit::Nothing)?;
    let changed = Placing::new(parsed, module).deleted(*last)?;
    if others.is_empty() {
        return Ok(changed);
    }
    let (parsed, module) = module.reread(changed.text);
    deleted_all((&parsed, &module), others)
}
