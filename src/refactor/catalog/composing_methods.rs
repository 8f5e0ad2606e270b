//! Composing methods.

use super::refactoring::{
    Category, Implementation, NATIVE, PROGRAMS, PYTHON, RUST, RUST_AND_GO, Refactoring, SCRIPT, SOLIDITY,
};
use crate::refactor::Refusal;
use crate::refactor::backends::{server_offers, tsserver};
use crate::refactor::composing_methods::{
    explaining_variable, extract, inline_method, inline_temp, method_object, parameter_assignments, split_variable,
    substitute_algorithm, temp_with_query,
};
use crate::refactor::params::{Kind, NAME, Param};
use crate::refactor::request::Run;
use crate::refactor::solidity;
use crate::syntax::Family;

const EXPRESSION: Param =
    Param::optional("expression", Kind::Text, "the expression; without it, the one at the target");
const REPLACE_ALL: Param =
    Param::optional("replace_all", Kind::Flag, "also every other place that holds the same expression");
/// Lines, or an expression in what the target names.
const EXTRACTED: &[Param] = &[
    NAME,
    EXPRESSION,
    Param::optional("replace_all", Kind::Flag, "also every other place that holds the same statements or expression"),
];

const EXTRACT_METHOD: Run = |session, request| match request.params.given("expression") {
    Some(_) => (extract::EXPRESSION)(session, request),
    None => (tsserver::EXTRACT_METHOD)(session, request),
};
const EXTRACT_FUNCTION: Run = |session, request| match request.params.given("expression") {
    Some(_) => (extract::EXPRESSION)(session, request),
    None => (tsserver::EXTRACT_FUNCTION)(session, request),
};
const EXTRACT_IN_CONTRACT: Run = |session, request| match request.params.given("expression") {
    Some(_) => {
        let reason = "an expression of a contract becomes a variable first: `introduce-explaining-variable`";
        Box::pin(async move { Err(Refusal::NotPossible(reason.to_owned())) })
    }
    None => (solidity::extract_function::RUN)(session, request),
};

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("extract-method", "Turns lines of a method into a method of its own")
        .when("A method is too long, or a comment has to explain a block of it")
        .related(&["extract-function", "inline-method", "replace-temp-with-query", "replace-method-with-method-object"])
        .with(EXTRACTED)
        .by(&[
            Implementation::composed(PYTHON, extract::METHOD),
            Implementation::server(SCRIPT, EXTRACT_METHOD),
            Implementation::composed(SOLIDITY, EXTRACT_IN_CONTRACT),
            Implementation::server(RUST_AND_GO, server_offers::EXTRACT_METHOD),
        ]),
    entry("extract-function", "Turns lines into a function of the module")
        .when("A block of code has a purpose of its own, or is needed a second time")
        .related(&["extract-method", "inline-method", "substitute-algorithm"])
        .with(EXTRACTED)
        .by(&[
            Implementation::composed(PYTHON, extract::FUNCTION),
            Implementation::server(SCRIPT, EXTRACT_FUNCTION),
            Implementation::composed(SOLIDITY, EXTRACT_IN_CONTRACT),
            Implementation::server(NATIVE, server_offers::EXTRACT_FUNCTION),
        ]),
    entry("inline-method", "Puts the body of a function where it is called")
        .when("A function's body says as much as its name, or the function only gets in the way")
        .related(&["extract-method", "inline-temp"])
        .by(&[
            Implementation::composed(PROGRAMS, inline_method::RUN),
            Implementation::composed(SOLIDITY, solidity::inline_method::RUN),
            Implementation::server(RUST_AND_GO, server_offers::INLINE_METHOD),
        ]),
    entry("inline-temp", "Puts the value of a variable where it is used")
        .when("A variable is used for one simple value, and its name adds nothing")
        .related(&["introduce-explaining-variable", "replace-temp-with-query"])
        .by(&[
            Implementation::composed(PROGRAMS, inline_temp::RUN),
            Implementation::composed(SOLIDITY, solidity::inline_temp::RUN),
            Implementation::server(RUST, server_offers::INLINE_TEMP),
        ]),
    entry("replace-temp-with-query", "Turns a variable into a method that computes it")
        .when("Other methods need the same value, or the variable keeps you from extracting a method")
        .related(&["extract-method", "inline-temp"])
        .with(&[NAME])
        .by(&[Implementation::composed(PROGRAMS, temp_with_query::RUN)]),
    entry("introduce-explaining-variable", "Gives an expression a name")
        .when("An expression is hard to read, or stands in several places")
        .related(&["inline-temp", "extract-method", "replace-temp-with-query"])
        .with(&[
            EXPRESSION,
            NAME,
            Param::optional("in_", Kind::Text, "the function to look in, where the target is a file or a class"),
            REPLACE_ALL,
        ])
        .by(&[
            Implementation::composed(PROGRAMS, explaining_variable::RUN),
            Implementation::composed(SOLIDITY, solidity::explaining_variable::RUN),
            Implementation::server(NATIVE, server_offers::EXPLAINING_VARIABLE),
        ]),
    entry("split-temporary-variable", "Gives each purpose of a variable a variable of its own")
        .when("One variable is used for two unrelated values")
        .related(&["remove-assignments-to-parameters", "extract-method"])
        .with(&[Param::optional("names", Kind::List, "the variables of the second purpose and those behind it")])
        .by(&[Implementation::composed(PROGRAMS, split_variable::RUN)]),
    entry("remove-assignments-to-parameters", "Assigns to a variable of its own instead of a parameter")
        .when("A function changes its own parameters, so that a reader can no longer tell what was passed")
        .related(&["split-temporary-variable"])
        .with(&[Param::optional("name", Kind::Name, "the variable")])
        .by(&[Implementation::composed(PROGRAMS, parameter_assignments::RUN)]),
    entry("replace-method-with-method-object", "Turns a method into a class whose fields are its variables")
        .when("A long method has so many variables that nothing can be extracted from it")
        .related(&["extract-method", "extract-class"])
        .with(&[NAME])
        .by(&[Implementation::composed(PROGRAMS, method_object::RUN)])
        .not(&[(Family::Solidity, "no object lives for one call: a contract is deployed")]),
    entry("substitute-algorithm", "Replaces the body of a function by another one")
        .when("There is a simpler way to compute the same result")
        .related(&["extract-function"])
        .with(&[Param::optional("body", Kind::Text, "the new statements; they have to be given")])
        .by(&[Implementation::composed(PROGRAMS, substitute_algorithm::RUN)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Composing, name, description)
}
