//! Organizing data.

use super::refactoring::{Category, Implementation, PROGRAMS, Refactoring, SOLIDITY};
use crate::refactor::organizing_data::{
    array_with_object, both_ways, encapsulate_collection, encapsulate_field, magic_number, one_way, reference_to_value,
    type_code, type_code_state, type_code_subclasses, value_to_reference, value_with_object,
};
use crate::refactor::params::{Kind, NAME, Param};
use crate::refactor::solidity;
use crate::syntax::Family;

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("self-encapsulate-field", "Lets a class itself use accessors for a field")
        .when("Subclasses should be able to compute what is a field today")
        .related(&["encapsulate-field"])
        .by(&[Implementation::composed(PROGRAMS, encapsulate_field::SELF)]),
    entry("replace-data-value-with-object", "Turns a value into an object")
        .when("A plain value comes with rules or data of its own")
        .related(&["extract-class", "introduce-parameter-object"])
        .with(&[NAME, Param::optional("field", Kind::Name, "what the value is called in it; `value` without it")])
        .by(&[Implementation::composed(PROGRAMS, value_with_object::RUN)]),
    entry("change-value-to-reference", "Shares one object instead of equal copies")
        .when("Many equal objects stand for one thing, which all should share")
        .related(&["change-reference-to-value", "replace-constructor-with-factory-function"])
        .with(&[
            Param::optional("name", Kind::Name, "the method that hands the objects out; else `get`"),
            Param::optional(
                "key",
                Kind::Text,
                "the parameter that tells objects apart; else all that the constructor takes",
            ),
        ])
        .by(&[Implementation::composed(PROGRAMS, value_to_reference::RUN)])
        .not(&[(Family::Solidity, "a data location tells references from copies, not an object")]),
    entry("change-reference-to-value", "Makes equal copies of a shared object do")
        .when("A small object that never changes is shared only to be compared")
        .related(&["change-value-to-reference", "remove-setting-method"])
        .with(&[Param::optional("fields", Kind::List, "the fields that make two objects equal; else all")])
        .by(&[Implementation::composed(PROGRAMS, reference_to_value::RUN)])
        .not(&[(Family::Solidity, "a data location tells references from copies, not an object")]),
    entry("replace-array-with-object", "Turns an array whose places mean things into an object")
        .when("The places of an array mean different things")
        .related(&["replace-data-value-with-object"])
        .with(&[NAME, Param::optional("fields", Kind::List, "what its places are called, in their order")])
        .by(&[Implementation::composed(PROGRAMS, array_with_object::RUN)]),
    entry("duplicate-observed-data", "Copies data of a view into the domain").not(&[
        (Family::Python, NO_VIEWS),
        (Family::Script, NO_VIEWS),
        (Family::Solidity, NO_VIEWS),
    ]),
    entry("change-unidirectional-to-bidirectional", "Adds the way back to an association")
        .when("An object has to find those that hold it")
        .related(&["change-bidirectional-to-unidirectional", "encapsulate-field"])
        .with(&[NAME])
        .by(&[Implementation::composed(PROGRAMS, both_ways::RUN)]),
    entry("change-bidirectional-to-unidirectional", "Removes the way back of an association")
        .when("Nobody goes the way back from one object to another any more")
        .related(&["change-unidirectional-to-bidirectional", "safe-delete"])
        .by(&[Implementation::composed(PROGRAMS, one_way::RUN)]),
    entry("replace-magic-number-with-symbolic-constant", "Gives a number, a text or another literal a name")
        .when("A number or a text in the code has a meaning that it does not tell")
        .related(&["introduce-explaining-variable"])
        .with(&[
            NAME,
            Param::required("value", Kind::Text, "the literal as it is written: a number, a text with its quotes, a tuple, a regular expression, `24 * 60`"),
            Param::optional("files", Kind::List, "globs of further files, which import the constant"),
        ])
        .by(&[
            Implementation::composed(PROGRAMS, magic_number::RUN),
            Implementation::composed(SOLIDITY, solidity::magic_number::RUN),
        ]),
    entry("encapsulate-field", "Makes a field private, with accessors")
        .when("Others read and write a field directly, and you want to control how")
        .related(&["self-encapsulate-field", "encapsulate-collection"])
        .by(&[Implementation::composed(PROGRAMS, encapsulate_field::RUN)])
        .not(&[(Family::Solidity, "no other contract can set a variable of a contract: `public` makes a getter")]),
    entry("encapsulate-collection", "Keeps others from changing a collection of a class")
        .when("Others change a collection behind the back of the object that has it")
        .related(&["encapsulate-field"])
        .by(&[Implementation::composed(PROGRAMS, encapsulate_collection::RUN)])
        .not(&[(Family::Solidity, "a public collection gives out elements, never itself")]),
    entry("replace-type-code-with-class", "Turns a code into a class")
        .when("Constants stand for the kinds of something")
        .related(&["replace-type-code-with-subclasses", "replace-magic-number-with-symbolic-constant"])
        .with(&[
            NAME,
            Param::optional("constants", Kind::List, "the other constants, where they do not stand beside the target"),
        ])
        .by(&[Implementation::composed(PROGRAMS, type_code::RUN)]),
    entry("replace-type-code-with-subclasses", "Turns a code into subclasses")
        .when("What an object does depends on a code that it keeps for all its life")
        .related(&["replace-type-code-with-state-strategy", "replace-conditional-with-polymorphism"])
        .with(&[
            CODES,
            Param::optional(
                "factory",
                Kind::Name,
                "the method that chooses a subclass, where one has to; else `create`",
            ),
        ])
        .by(&[Implementation::composed(PROGRAMS, type_code_subclasses::RUN)])
        .not(&[(Family::Solidity, "a contract is deployed: its code does not change with its data")]),
    entry("replace-type-code-with-state-strategy", "Turns a code into state objects")
        .when("What an object does depends on a code that changes")
        .related(&["replace-type-code-with-subclasses", "replace-conditional-with-polymorphism"])
        .with(&[NAME, CODES])
        .by(&[Implementation::composed(PROGRAMS, type_code_state::RUN)])
        .not(&[(Family::Solidity, "a contract is deployed: its code does not change with its data")]),
];

const CODES: Param = Param::required("codes", Kind::List, "the codes, each with its class: `ENGINEER=Engineer`");

/// Why no domain can be told from its views.
const NO_VIEWS: &str = "what counts as a view, and how it observes the domain, depends on the framework";

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Data, name, description)
}
