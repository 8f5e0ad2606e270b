//! What several refactorings ask of code: references, call sites, classes, scopes, evaluation order, imports, edits.

pub(super) mod blocks;
pub(super) mod call_sites;
pub(super) mod class_identity;
pub(super) mod classes;
pub(super) mod constructor_calls;
pub(super) mod delegate_field;
pub(super) mod delegated_access;
pub(super) mod delegation;
pub(super) mod edits;
pub(super) mod evaluation_order;
pub(super) mod extracted_expression;
pub(super) mod field_initialization;
pub(super) mod fields;
pub(super) mod free_names;
pub(super) mod imports;
pub(super) mod indentation;
pub(super) mod inferred_types;
pub(super) mod inherited_members;
pub(super) mod members;
pub(super) mod override_conflicts;
pub(super) mod references;
pub(super) mod sibling_declarations;
pub(super) mod signatures;
pub(super) mod substitution;
pub(super) mod value_semantics;
