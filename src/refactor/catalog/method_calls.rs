//! Simplifying method calls.

use super::refactoring::{Category, Implementation, NAMEABLE, PROGRAMS, Refactoring, SOLIDITY};
use crate::refactor::backends::server;
use crate::refactor::method_calls::{
    add_parameter, error_code, exception_with_test, explicit_methods, factory, hide_method, parameter_object,
    parameter_with_call, parameterize, remove_parameter, separate_query, setting_method, whole_object,
};
use crate::refactor::params::{Kind, NAME, NEW_NAME, PARAMETER, Param, UNTYPED};
use crate::refactor::solidity;
use crate::syntax::Family;

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("rename-method", "Renames a method, with every override and call")
        .when("The name does not say what the method does")
        .related(&["rename", "add-parameter"])
        .with(&[NEW_NAME, UNTYPED])
        .by(&[Implementation::server(NAMEABLE, server::RENAME_METHOD)]),
    entry("add-parameter", "Adds a parameter to a function and an argument to its calls")
        .when("A function needs information that only its callers have")
        .related(&["remove-parameter", "introduce-parameter-object"])
        .with(&[
            Param::required("name", Kind::Name, "the parameter"),
            Param::optional("param_type", Kind::Text, "its type"),
            Param::optional("default", Kind::Text, "its default value"),
            Param::optional("value", Kind::Text, "what the calls pass that are there"),
            Param::optional("except", Kind::List, "globs of files whose calls are left to the default"),
            Param::optional("only", Kind::List, "globs of the files whose calls pass the value; all others are left"),
            Param::optional("value_in", Kind::List, "`glob=value`: what the calls of these files pass instead"),
            UNTYPED,
        ])
        .by(&[
            Implementation::composed(PROGRAMS, add_parameter::RUN),
            Implementation::composed(SOLIDITY, solidity::add_parameter::RUN),
        ]),
    entry("remove-parameter", "Removes a parameter that is not used, or is the same for every call, and its arguments")
        .when("A parameter is no longer used")
        .related(&["add-parameter"])
        .with(&[
            Param::optional("name", Kind::Text, "the parameter, where the target does not name it"),
            Param::optional("value", Kind::Text, "a literal that stands in its place wherever it is read"),
            UNTYPED,
        ])
        .by(&[
            Implementation::composed(PROGRAMS, remove_parameter::RUN),
            Implementation::composed(SOLIDITY, solidity::remove_parameter::RUN),
        ]),
    entry("separate-query-from-modifier", "Splits a method into one that asks and one that changes")
        .when("A method answers a question and changes something at the same time")
        .related(&["extract-method"])
        .with(&[Param::optional("name", Kind::Name, "what asks; it has to be given")])
        .by(&[Implementation::composed(PROGRAMS, separate_query::RUN)]),
    entry("parameterize-method", "Makes one function of several that differ in a value")
        .when("Several functions do the same with different values")
        .related(&["replace-parameter-with-explicit-methods", "add-parameter"])
        .with(&[
            Param::optional("functions", Kind::List, "the others, beside the target; they have to be given"),
            Param::optional("name", Kind::Name, "what the one is called; else as the target is"),
            Param::optional("parameter", Kind::Name, "the parameter; else `value`"),
        ])
        .by(&[Implementation::composed(PROGRAMS, parameterize::RUN)]),
    entry("replace-parameter-with-explicit-methods", "Makes a function for each value of a parameter")
        .when("A function does different things depending on the value of a parameter")
        .related(&["parameterize-method", "replace-conditional-with-polymorphism"])
        .with(&[PARAMETER, Param::optional("names", Kind::List, "their names, in the order of the values")])
        .by(&[Implementation::composed(PROGRAMS, explicit_methods::RUN)]),
    entry("preserve-whole-object", "Passes an object instead of values taken from it")
        .when("Several values of one object are passed to a function")
        .related(&["introduce-parameter-object", "replace-parameter-with-method-call"])
        .with(&[
            Param::optional("parameters", Kind::List, "the parameters that go; all, where one object has them"),
            Param::optional("name", Kind::Name, "the parameter that comes; the object's name, where it has but one"),
        ])
        .by(&[Implementation::composed(PROGRAMS, whole_object::RUN)]),
    entry("replace-parameter-with-method-call", "Lets a function ask for what it was passed")
        .when("A function could get for itself what its callers pass")
        .related(&["remove-parameter", "preserve-whole-object"])
        .with(&[PARAMETER])
        .by(&[Implementation::composed(PROGRAMS, parameter_with_call::RUN)]),
    entry("introduce-parameter-object", "Groups parameters into an object")
        .when("The same parameters are passed together again and again")
        .related(&["preserve-whole-object", "extract-class"])
        .with(&[NAME, Param::required("parameters", Kind::List, "the parameters that are grouped"), UNTYPED])
        .by(&[Implementation::composed(PROGRAMS, parameter_object::RUN)]),
    entry("remove-setting-method", "Removes the setter of a field that never changes")
        .when("A field should keep the value that it was created with")
        .related(&["encapsulate-field"])
        .by(&[Implementation::composed(PROGRAMS, setting_method::RUN)]),
    entry("hide-method", "Makes a method private")
        .when("Nobody outside the class uses a method")
        .related(&["remove-setting-method"])
        .by(&[
            Implementation::composed(PROGRAMS, hide_method::RUN),
            Implementation::composed(SOLIDITY, solidity::hide_method::RUN),
        ]),
    entry("replace-constructor-with-factory-function", "Makes objects by a function")
        .when("Creating an object needs a name, or more than a constructor can do")
        .related(&["replace-conditional-with-polymorphism"])
        .with(&[NAME])
        .by(&[Implementation::composed(PROGRAMS, factory::RUN)]),
    entry("replace-error-code-with-exception", "Raises an exception instead of returning a code")
        .when("A function returns `None`, `-1` or the like to say that it failed")
        .related(&["replace-exception-with-test", "separate-query-from-modifier"])
        .with(&[
            Param::optional("exception", Kind::Text, "the class: a new one, or one that is there; it has to be given"),
            Param::optional(
                "code",
                Kind::Text,
                "the code as it is written; else the `None`, `-1`, `False` that it returns",
            ),
            Param::optional("message", Kind::Text, "what the exception is made with: a text with its quotes, values"),
        ])
        .by(&[Implementation::composed(PROGRAMS, error_code::RUN)]),
    entry("replace-exception-with-test", "Asks first instead of catching an exception")
        .when("An exception is caught that a look beforehand would have spared")
        .related(&["replace-error-code-with-exception", "decompose-conditional"])
        .with(&[Param::optional(
            "condition",
            Kind::Text,
            "what holds where nothing fails; read off the code for `KeyError`, `IndexError` and `AttributeError`",
        )])
        .by(&[Implementation::composed(PROGRAMS, exception_with_test::RUN)])
        .not(&[(Family::Solidity, "a failure undoes what was done: only calls of other contracts can be caught")]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Calls, name, description)
}
