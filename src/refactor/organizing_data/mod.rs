//! Chapter 8 of the catalog, organizing data: a refactoring a file or folder.

pub(super) mod array_with_object;
pub(super) mod both_ways;
pub(super) mod encapsulate_collection;
pub(super) mod encapsulate_field;
mod fixed_fields;
mod kinds;
pub(super) mod magic_number;
pub(super) mod one_way;
pub(super) mod reference_to_value;
mod stored_field;
pub(super) mod type_code;
pub(super) mod type_code_state;
pub(super) mod type_code_subclasses;
pub(super) mod value_to_reference;
pub(super) mod value_with_object;
