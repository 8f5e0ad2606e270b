//! Chapter 10 of the catalog, making method calls simpler: a refactoring a file or folder.

pub(super) mod add_parameter;
pub(super) mod change_signature;
pub(super) mod error_code;
pub(super) mod exception_with_test;
pub(super) mod explicit_methods;
pub(super) mod factory;
pub(super) mod hide_method;
pub(super) mod introduce_parameter;
pub(super) mod parameter_object;
pub(super) mod parameter_with_call;
pub(super) mod parameterize;
pub(super) mod remove_parameter;
pub(super) mod separate_query;
pub(super) mod setting_method;
pub(super) mod whole_object;
