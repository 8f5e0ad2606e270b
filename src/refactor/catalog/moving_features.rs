//! Moving features between objects.

use super::refactoring::{Category, Implementation, PROGRAMS, Refactoring};
use crate::refactor::moving_features::{
    extract_class, foreign_method, hide_delegate, inline_class, local_extension, middle_man, move_field, move_method,
};
use crate::refactor::params::{Kind, NAME, Param, TO};

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("move-method", "Moves a method or an inner function to another class, or to module level")
        .when("A method uses another class more than its own; others could use an inner function, too")
        .related(&["move-field", "extract-class", "hide-delegate"])
        .with(&[
            Param::required(
                "to",
                Kind::Target,
                "where it goes: a class, or `module` for module level; an inner function to the class around",
            ),
            Param::optional("name", Kind::Name, "what the function of the module is called, where its name is taken"),
        ])
        .by(&[Implementation::composed(PROGRAMS, move_method::RUN)]),
    entry("move-field", "Moves a field to another class, or to the object that its own one makes and holds")
        .when("Another class uses a field more than the class that has it")
        .related(&["move-method", "extract-class"])
        .with(&[TO, Param::optional("delegate", Kind::Name, "the field that holds the object, where several do")])
        .by(&[Implementation::composed(PROGRAMS, move_field::RUN)]),
    entry("extract-class", "Moves fields and methods into a class of their own")
        .when("A class does the work of two")
        .related(&["inline-class", "extract-superclass", "move-method"])
        .with(&[
            NAME,
            Param::required("fields", Kind::List, "the fields that go"),
            Param::optional("methods", Kind::List, "the methods that go"),
            Param::optional("delegate", Kind::Name, "the field that holds the new object; without it by its class"),
        ])
        .by(&[Implementation::composed(PROGRAMS, extract_class::RUN)]),
    entry("inline-class", "Merges a class into the one that uses it")
        .when("A class no longer does enough to exist on its own")
        .related(&["extract-class", "collapse-hierarchy"])
        .with(&[Param::required("into", Kind::Text, "the class that takes it in, which stands in the same file")])
        .by(&[Implementation::composed(PROGRAMS, inline_class::RUN)]),
    entry("hide-delegate", "Gives a class methods that ask its delegate")
        .when("Callers reach through an object to another one: `person.department.manager`")
        .related(&["remove-middle-man", "move-method"])
        .with(&[Param::required("delegate", Kind::Text, "the field that holds the delegate")])
        .by(&[Implementation::composed(PROGRAMS, hide_delegate::RUN)]),
    entry("remove-middle-man", "Lets callers ask the delegate themselves")
        .when("A class does little more than hand calls on to another one")
        .related(&["hide-delegate", "replace-delegation-with-inheritance"])
        .by(&[Implementation::composed(PROGRAMS, middle_man::RUN)]),
    entry("introduce-foreign-method", "Adds a function for a class that cannot be changed")
        .when("The same is asked again and again of an object whose class is a library's")
        .related(&["introduce-local-extension", "extract-function"])
        .with(&[
            NAME,
            Param::optional(
                "expression",
                Kind::Text,
                "what the function is made of, where the target does not aim at it",
            ),
            Param::optional("receiver", Kind::Text, "the object that is passed first, where several are asked"),
        ])
        .by(&[Implementation::composed(PROGRAMS, foreign_method::RUN)]),
    entry("introduce-local-extension", "Makes a subclass of a class that cannot be changed")
        .when("Several functions are about objects of a library's class")
        .related(&["introduce-foreign-method", "extract-subclass"])
        .with(&[
            NAME,
            Param::optional("functions", Kind::List, "the functions that become its methods, of their first parameter"),
            Param::optional("replace_all", Kind::Flag, "objects that the file makes of the class are of the new one"),
        ])
        .by(&[Implementation::composed(PROGRAMS, local_extension::RUN)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Moving, name, description)
}
