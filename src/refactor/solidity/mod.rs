//! The refactorings of Solidity: names by the binder, types by the compiler.
//!
//! Names come from the bound model (`ground`: scopes of files, hierarchies, what is seen from where; `calls`: a
//! function's family and all of its calls), types and the order of evaluation from the tree that the compiler itself
//! gives out (`ast`, `reach`, `types`), since tree-sitter's binds a `.` too widely and knows no types. `move_symbol`
//! binds all once more as it will be, and refuses where a name would mean nothing.

pub(crate) mod add_parameter;
mod ast;
mod calls;
mod evaluation;
pub(crate) mod explaining_variable;
pub(crate) mod extract_function;
pub(crate) mod extract_interface;
pub(crate) mod hide_method;
pub(crate) mod inline_method;
pub(crate) mod inline_temp;
pub(crate) mod magic_number;
pub(crate) mod missing_imports;
pub(crate) mod move_symbol;
mod project;
pub(crate) mod remove_parameter;
mod types;
