//! Dealing with generalization.

use super::refactoring::{Category, Implementation, PROGRAMS, RUST, Refactoring, SOLIDITY};
use crate::refactor::backends::server_offers;
use crate::refactor::generalization::{
    collapse_hierarchy, delegation_with_inheritance, extract_interface, extract_subclass, extract_superclass,
    inheritance_with_delegation, pull_up, pull_up_constructor, push_down, template_method,
};
use crate::refactor::params::{Kind, NAME, Param};
use crate::refactor::solidity;

const SUBCLASS: Param = Param::required("to", Kind::Text, "the subclass; several are separated by commas");
const SUPERCLASS: Param = Param::optional("to", Kind::Text, "the superclass, where there are several");

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("pull-up-field", "Moves a field to the superclass")
        .when("Subclasses have the same field")
        .related(&["pull-up-method", "push-down-field"])
        .with(&[SUPERCLASS])
        .by(&[Implementation::composed(PROGRAMS, pull_up::FIELD)]),
    entry("pull-up-method", "Moves a method to the superclass")
        .when("Subclasses have the same method")
        .related(&["pull-up-field", "form-template-method", "push-down-method"])
        .with(&[SUPERCLASS])
        .by(&[Implementation::composed(PROGRAMS, pull_up::METHOD)]),
    entry("pull-up-constructor-body", "Moves what constructors share to the superclass")
        .when("The constructors of subclasses begin in the same way")
        .related(&["pull-up-field", "pull-up-method"])
        .with(&[SUPERCLASS])
        .by(&[Implementation::composed(PROGRAMS, pull_up_constructor::RUN)]),
    entry("push-down-method", "Moves a method to a subclass")
        .when("Only some subclasses use a method of their superclass")
        .related(&["pull-up-method", "push-down-field", "extract-subclass"])
        .with(&[SUBCLASS])
        .by(&[Implementation::composed(PROGRAMS, push_down::METHOD)]),
    entry("push-down-field", "Moves a field to a subclass")
        .when("Only some subclasses use a field of their superclass")
        .related(&["pull-up-field", "push-down-method"])
        .with(&[SUBCLASS])
        .by(&[Implementation::composed(PROGRAMS, push_down::FIELD)]),
    entry("extract-subclass", "Makes a subclass for features that some objects have")
        .when("Only some objects of a class use some of its features")
        .related(&["extract-class", "push-down-method", "collapse-hierarchy"])
        .with(&[NAME, Param::required("members", Kind::List, "the members that go down")])
        .by(&[Implementation::composed(PROGRAMS, extract_subclass::RUN)]),
    entry("extract-superclass", "Makes a superclass of what classes share")
        .when("Two classes have features in common")
        .related(&["pull-up-method", "extract-interface", "extract-class"])
        .with(&[
            NAME,
            Param::optional("members", Kind::List, "what goes up; without it what another class has, too"),
            Param::optional(
                "classes",
                Kind::List,
                "the other classes, by name or `path::Class`; without it those of the file",
            ),
        ])
        .by(&[Implementation::composed(PROGRAMS, extract_superclass::RUN)]),
    entry("extract-interface", "Makes an interface (in Python: a Protocol) of the methods of a class")
        .when("Callers use only a part of a class, or several classes can be used in the same way")
        .related(&["extract-superclass"])
        .with(&[
            NAME,
            Param::optional(
                "methods",
                Kind::List,
                "the methods, in TypeScript fields, too; without it all public methods",
            ),
        ])
        .by(&[
            Implementation::composed(PROGRAMS, extract_interface::RUN),
            Implementation::composed(SOLIDITY, solidity::extract_interface::RUN),
            Implementation::server(RUST, server_offers::EXTRACT_INTERFACE),
        ]),
    entry("collapse-hierarchy", "Merges a subclass into its superclass")
        .when("A subclass is hardly different from its superclass")
        .related(&["inline-class", "pull-up-method"])
        .with(&[SUPERCLASS])
        .by(&[Implementation::composed(PROGRAMS, collapse_hierarchy::RUN)]),
    entry("form-template-method", "Moves an algorithm to the superclass and leaves its steps below")
        .when("Methods of subclasses take the same steps in the same order, but the steps differ")
        .related(&["pull-up-method", "extract-method"])
        .with(&[SUPERCLASS])
        .by(&[Implementation::composed(PROGRAMS, template_method::RUN)]),
    entry("replace-inheritance-with-delegation", "Lets a class hold its superclass instead of extending it")
        .when("A subclass uses only a part of its superclass, or is not one of its kind")
        .related(&["replace-delegation-with-inheritance", "extract-superclass"])
        .with(&[Param::optional("delegate", Kind::Name, "the field that holds it; without it by its class")])
        .by(&[Implementation::composed(PROGRAMS, inheritance_with_delegation::RUN)]),
    entry("replace-delegation-with-inheritance", "Lets a class extend what it delegates to")
        .when("A class hands most calls on to one object that it holds")
        .related(&["replace-inheritance-with-delegation", "remove-middle-man"])
        .with(&[Param::optional("delegate", Kind::Text, "the field that holds it, where there are several")])
        .by(&[Implementation::composed(PROGRAMS, delegation_with_inheritance::RUN)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Generalization, name, description)
}
