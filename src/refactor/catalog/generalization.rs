//! Dealing with generalization.

use super::params::{NAME, TO};
use super::{Category, Refactoring};

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("pull-up-field", "Moves a field to the superclass"),
    entry("pull-up-method", "Moves a method to the superclass"),
    entry("pull-up-constructor-body", "Moves what constructors share to the superclass"),
    entry("push-down-method", "Moves a method to a subclass").with(&[TO]),
    entry("push-down-field", "Moves a field to a subclass").with(&[TO]),
    entry("extract-subclass", "Makes a subclass for features that some objects have").with(&[NAME]),
    entry("extract-superclass", "Makes a superclass of what classes share").with(&[NAME]),
    entry("extract-interface", "Makes an interface of the methods of a class").with(&[NAME]),
    entry("collapse-hierarchy", "Merges a subclass into its superclass"),
    entry("form-template-method", "Moves an algorithm to the superclass and leaves its steps below"),
    entry("replace-inheritance-with-delegation", "Lets a class hold its superclass instead of extending it"),
    entry("replace-delegation-with-inheritance", "Lets a class extend what it delegates to"),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Generalization, name, description)
}
