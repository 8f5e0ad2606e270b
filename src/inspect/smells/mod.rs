//! The smells of code: one file each, and the one table that the tools, the command line and the tests walk.

mod bequest;
mod clumps;
mod conditional;
mod dead;
mod declarations;
mod duplicates;
mod envy;
mod facts;
mod finding;
mod large_class;
mod long_method;
mod magic_number;
mod message_chain;
mod middle_man;
mod module;
mod nesting;
mod parameters;
mod smell;
mod temporary_field;
mod type_switch;
mod unused_parameter;

use crate::syntax::Family;

pub(super) use facts::Facts;
pub use finding::{Finding, Severity};
pub(super) use smell::{Find, Judgement, Limits, SmellContext};
pub use smell::{Limit, Smell};

/// All smells, by name.
pub const SMELLS: &[Smell] = &[
    conditional::COMPLEX_CONDITIONAL,
    long_method::COMPLEX_METHOD,
    clumps::DATA_CLUMP,
    dead::DEAD_CODE,
    nesting::DEEP_NESTING,
    duplicates::DUPLICATE_CODE,
    envy::FEATURE_ENVY,
    module::GOD_MODULE,
    large_class::LARGE_CLASS,
    long_method::LONG_METHOD,
    parameters::LONG_PARAMETER_LIST,
    magic_number::MAGIC_NUMBER,
    message_chain::MESSAGE_CHAIN,
    middle_man::MIDDLE_MAN,
    bequest::REFUSED_BEQUEST,
    type_switch::SWITCH_ON_TYPE,
    temporary_field::TEMPORARY_FIELD,
    unused_parameter::UNUSED_PARAMETER,
];

/// The smells that need what only some languages have, with these.
const ONLY: &[(&Smell, &[Family])] = &[
    (&bequest::REFUSED_BEQUEST, &[Family::Python, Family::Script, Family::Java]),
    (&temporary_field::TEMPORARY_FIELD, &[Family::Python, Family::Script, Family::Java]),
];

/// Finds a smell by its name.
pub(super) fn smell(name: &str) -> Option<&'static Smell> {
    SMELLS.iter().find(|smell| smell.name == name)
}

/// Tells whether a smell is looked for in a language.
pub(super) fn knows(smell: &Smell, family: Family) -> bool {
    let only = ONLY.iter().find(|(other, _)| other.name == smell.name);
    only.is_none_or(|(_, families)| families.contains(&family))
}
