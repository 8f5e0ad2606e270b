//! Chapter 6 of the catalog, composing methods: a refactoring a file or folder.

pub(super) mod explaining_variable;
pub(super) mod extract;
pub(super) mod inline_method;
pub(super) mod inline_temp;
pub(super) mod method_object;
pub(super) mod parameter_assignments;
pub(super) mod split_variable;
pub(super) mod substitute_algorithm;
pub(super) mod temp_with_query;
