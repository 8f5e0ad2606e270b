//! Refactorings beyond the first edition of the catalog.

pub(super) mod arrow_braces;
pub(super) mod convert_export;
pub(super) mod equal_function;
pub(super) mod f_string;
pub(super) mod functions_into_class;
pub(super) mod inline_code;
pub(super) mod module_to_package;
pub(super) mod move_symbol;
pub(super) mod restructure;
pub(super) mod safe_delete;
pub(super) mod static_methods;
pub(super) mod type_alias;
