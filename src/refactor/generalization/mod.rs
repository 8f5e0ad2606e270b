//! Chapter 11 of the catalog, dealing with generalization: a refactoring a file or folder.

mod chosen_superclass;
pub(super) mod collapse_hierarchy;
pub(super) mod delegation_with_inheritance;
pub(super) mod extract_interface;
pub(super) mod extract_subclass;
pub(super) mod extract_superclass;
pub(super) mod inheritance_with_delegation;
pub(super) mod pull_up;
pub(super) mod pull_up_constructor;
pub(super) mod push_down;
mod superclass_fields;
pub(super) mod template_method;
