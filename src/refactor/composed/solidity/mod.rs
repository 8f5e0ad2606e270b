//! The refactorings of Solidity: names by the binder, types by the compiler.

pub(in crate::refactor) mod add_parameter;
mod ast;
mod calls;
pub(in crate::refactor) mod explaining_variable;
pub(in crate::refactor) mod extract_function;
pub(in crate::refactor) mod extract_interface;
mod ground;
pub(in crate::refactor) mod hide_method;
pub(in crate::refactor) mod inline_method;
pub(in crate::refactor) mod inline_temp;
pub(in crate::refactor) mod magic_number;
pub(in crate::refactor) mod move_symbol;
mod reach;
pub(in crate::refactor) mod remove_parameter;
mod types;
