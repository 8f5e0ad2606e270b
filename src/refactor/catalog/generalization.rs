//! Dealing with generalization.

use super::params::NAME;
use super::{Category, Kind, PROGRAMS, Param, Refactoring, SOLIDITY, Way};
use crate::refactor::composed::{
    collapse_hierarchy, delegation_with_inheritance, extract_interface, extract_subclass, extract_superclass,
    inheritance_with_delegation, pull_up, pull_up_constructor, push_down, solidity, template_method,
};

const SUBCLASS: Param = Param::required("to", Kind::Text, "the subclass; several are separated by commas");
const SUPERCLASS: Param = Param::optional("to", Kind::Text, "the superclass, where there are several");

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("pull-up-field", "Moves a field to the superclass")
        .with(&[SUPERCLASS])
        .by(&[Way::composed(PROGRAMS, pull_up::FIELD)]),
    entry("pull-up-method", "Moves a method to the superclass")
        .with(&[SUPERCLASS])
        .by(&[Way::composed(PROGRAMS, pull_up::METHOD)]),
    entry("pull-up-constructor-body", "Moves what constructors share to the superclass")
        .with(&[SUPERCLASS])
        .by(&[Way::composed(PROGRAMS, pull_up_constructor::RUN)]),
    entry("push-down-method", "Moves a method to a subclass")
        .with(&[SUBCLASS])
        .by(&[Way::composed(PROGRAMS, push_down::METHOD)]),
    entry("push-down-field", "Moves a field to a subclass")
        .with(&[SUBCLASS])
        .by(&[Way::composed(PROGRAMS, push_down::FIELD)]),
    entry("extract-subclass", "Makes a subclass for features that some objects have")
        .with(&[NAME, Param::required("members", Kind::List, "the members that go down")])
        .by(&[Way::composed(PROGRAMS, extract_subclass::RUN)]),
    entry("extract-superclass", "Makes a superclass of what classes of a file share")
        .with(&[NAME, Param::optional("members", Kind::List, "what goes up; without it what another class has, too")])
        .by(&[Way::composed(PROGRAMS, extract_superclass::RUN)]),
    entry("extract-interface", "Makes an interface (in Python: a Protocol) of the methods of a class")
        .with(&[NAME, Param::optional("methods", Kind::List, "the methods; without it all public ones")])
        .by(&[
            Way::composed(PROGRAMS, extract_interface::RUN),
            Way::composed(SOLIDITY, solidity::extract_interface::RUN),
        ]),
    entry("collapse-hierarchy", "Merges a subclass into its superclass")
        .with(&[SUPERCLASS])
        .by(&[Way::composed(PROGRAMS, collapse_hierarchy::RUN)]),
    entry("form-template-method", "Moves an algorithm to the superclass and leaves its steps below")
        .with(&[SUPERCLASS])
        .by(&[Way::composed(PROGRAMS, template_method::RUN)]),
    entry("replace-inheritance-with-delegation", "Lets a class hold its superclass instead of extending it")
        .with(&[Param::optional("delegate", Kind::Name, "the field that holds it; without it by its class")])
        .by(&[Way::composed(PROGRAMS, inheritance_with_delegation::RUN)]),
    entry("replace-delegation-with-inheritance", "Lets a class extend what it delegates to")
        .with(&[Param::optional("delegate", Kind::Text, "the field that holds it, where there are several")])
        .by(&[Way::composed(PROGRAMS, delegation_with_inheritance::RUN)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Generalization, name, description)
}
