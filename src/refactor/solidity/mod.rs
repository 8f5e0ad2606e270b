//! The refactorings of Solidity: names by the binder, types by the compiler.

pub(crate) mod add_parameter;
mod ast;
mod calls;
pub(crate) mod explaining_variable;
pub(crate) mod extract_function;
pub(crate) mod extract_interface;
mod ground;
pub(crate) mod hide_method;
pub(crate) mod inline_method;
pub(crate) mod inline_temp;
pub(crate) mod magic_number;
pub(crate) mod move_symbol;
mod reach;
pub(crate) mod remove_parameter;
mod types;
