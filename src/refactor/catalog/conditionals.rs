//! Simplifying conditional expressions.

use super::params::NAME;
use super::{Category, Kind, PROGRAMS, Param, Refactoring, Way};
use crate::refactor::composed::{
    assertion, consolidate_conditional, control_flag, decompose_conditional, duplicate_fragments, guard_clauses,
    null_object, polymorphism,
};
use crate::syntax::Family;

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("decompose-conditional", "Gives a condition and its branches functions of their own")
        .with(&[
            Param::optional("condition", Kind::Name, "the function of the condition"),
            Param::optional("then", Kind::Name, "the function of the branch where it holds"),
            Param::optional("otherwise", Kind::Name, "the function of the other branch"),
        ])
        .by(&[Way::composed(PROGRAMS, decompose_conditional::RUN)]),
    entry("consolidate-conditional-expression", "Joins conditions that have the same result")
        .by(&[Way::composed(PROGRAMS, consolidate_conditional::RUN)]),
    entry("consolidate-duplicate-conditional-fragments", "Moves what all branches do out of them")
        .by(&[Way::composed(PROGRAMS, duplicate_fragments::RUN)]),
    entry("remove-control-flag", "Leaves a loop by break or return instead of a flag")
        .by(&[Way::composed(PROGRAMS, control_flag::RUN)]),
    entry("replace-nested-conditional-with-guard-clauses", "Returns early instead of nesting")
        .by(&[Way::composed(PROGRAMS, guard_clauses::RUN)]),
    entry("replace-conditional-with-polymorphism", "Lets subclasses decide instead of a conditional")
        .by(&[Way::composed(PROGRAMS, polymorphism::RUN)])
        .not(&[(Family::Solidity, "a contract is deployed: no other code is chosen by its data")]),
    entry("introduce-null-object", "Lets an object stand for nothing instead of asking each time")
        .with(&[NAME])
        .by(&[Way::composed(PROGRAMS, null_object::RUN)])
        .not(&[(Family::Solidity, "there is no null: every variable has a value from the start")]),
    entry("introduce-assertion", "Writes an assumption down as an assertion")
        .with(&[Param::optional("condition", Kind::Text, "what is assumed; it has to be given")])
        .by(&[Way::composed(PROGRAMS, assertion::RUN)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Conditionals, name, description)
}
