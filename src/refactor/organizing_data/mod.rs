//! Chapter 8 of the catalog, organizing data: a refactoring a file or folder.

pub(super) mod array_with_object;
pub(super) mod encapsulate_collection;
pub(super) mod encapsulate_field;
pub(super) mod magic_number;
pub(super) mod value_with_object;
