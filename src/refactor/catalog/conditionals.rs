//! Simplifying conditional expressions.

use super::refactoring::{Category, Implementation, PROGRAMS, RUST, Refactoring};
use crate::refactor::backends::server_offers;
use crate::refactor::conditionals::{
    assertion, consolidate_conditional, control_flag, decompose_conditional, duplicate_fragments, guard_clauses,
    null_object, polymorphism,
};
use crate::refactor::params::{Kind, NAME, Param};
use crate::syntax::Family;

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("decompose-conditional", "Gives a condition and its branches functions of their own")
        .when("A condition or its branches take a while to understand")
        .related(&["extract-method", "consolidate-conditional-expression"])
        .with(&[
            Param::optional("condition", Kind::Name, "the function of the condition"),
            Param::optional("then", Kind::Name, "the function of the branch where it holds"),
            Param::optional("otherwise", Kind::Name, "the function of the other branch"),
        ])
        .by(&[Implementation::composed(PROGRAMS, decompose_conditional::RUN)]),
    entry("consolidate-conditional-expression", "Joins conditions that have the same result")
        .when("Several conditions in a row have the same result")
        .related(&["decompose-conditional", "extract-method"])
        .by(&[Implementation::composed(PROGRAMS, consolidate_conditional::RUN)]),
    entry("consolidate-duplicate-conditional-fragments", "Moves what all branches do out of them")
        .when("Every branch ends with the same statements")
        .related(&["consolidate-conditional-expression", "extract-method"])
        .by(&[Implementation::composed(PROGRAMS, duplicate_fragments::RUN)]),
    entry("remove-control-flag", "Leaves a loop by break or return instead of a flag")
        .when("A variable serves only to end a loop")
        .related(&["replace-nested-conditional-with-guard-clauses"])
        .by(&[Implementation::composed(PROGRAMS, control_flag::RUN)]),
    entry("replace-nested-conditional-with-guard-clauses", "Returns early instead of nesting")
        .when("Special cases are nested around the main path of a function")
        .related(&["decompose-conditional", "remove-control-flag"])
        .by(&[
            Implementation::composed(PROGRAMS, guard_clauses::RUN),
            Implementation::server(RUST, server_offers::GUARD_CLAUSES),
        ]),
    entry("replace-conditional-with-polymorphism", "Lets subclasses decide instead of a conditional")
        .when("A conditional chooses by the class of an object")
        .related(&["extract-subclass", "introduce-null-object"])
        .by(&[Implementation::composed(PROGRAMS, polymorphism::RUN)])
        .not(&[(Family::Solidity, "a contract is deployed: no other code is chosen by its data")]),
    entry("introduce-null-object", "Lets an object stand for nothing instead of asking each time")
        .when("The same check for a missing object, with the same fallback, stands in several places")
        .related(&["replace-conditional-with-polymorphism", "extract-subclass"])
        .with(&[NAME])
        .by(&[Implementation::composed(PROGRAMS, null_object::RUN)])
        .not(&[(Family::Solidity, "there is no null: every variable has a value from the start")]),
    entry("introduce-assertion", "Writes an assumption down as an assertion")
        .when("Code relies on a condition that it does not state")
        .related(&["replace-nested-conditional-with-guard-clauses"])
        .with(&[Param::optional("condition", Kind::Text, "what is assumed; it has to be given")])
        .by(&[Implementation::composed(PROGRAMS, assertion::RUN)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Conditionals, name, description)
}
