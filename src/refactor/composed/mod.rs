//! Refactorings that are written here: one file each, from syntax trees and from what servers know.

pub(super) mod add_parameter;
pub(super) mod assertion;
mod blocks;
pub(super) mod carried;
#[allow(dead_code, unused_imports)] // What moves members has yet to come.
mod classes;
pub(super) mod code;
pub(super) mod consolidate_conditional;
pub(super) mod control_flag;
pub(super) mod decompose_conditional;
pub(super) mod duplicate_fragments;
pub(super) mod encapsulate_collection;
pub(super) mod encapsulate_field;
pub(super) mod explaining_variable;
pub(super) mod extract;
pub(super) mod factory;
mod fields;
pub(super) mod guard_clauses;
pub(super) mod hide_delegate;
pub(super) mod hide_method;
mod imports;
pub(super) mod inline_temp;
pub(super) mod layout;
pub(super) mod magic_number;
pub(super) mod middle_man;
pub(super) mod move_symbol;
pub(super) mod names;
mod order;
pub(super) mod parameter_assignments;
mod query;
pub(super) mod remove_parameter;
pub(super) mod setting_method;
mod signature;
pub(super) mod split_variable;
pub(super) mod substitute_algorithm;
pub(super) mod temp_with_query;
mod types;
#[allow(dead_code)] // What asks for the rest of it comes one by one.
mod uses;
