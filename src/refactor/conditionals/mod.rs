//! Chapter 9 of the catalog, simplifying conditional expressions: a refactoring a file or folder.

pub(super) mod assertion;
pub(super) mod consolidate_conditional;
pub(super) mod control_flag;
pub(super) mod decompose_conditional;
pub(super) mod duplicate_fragments;
pub(super) mod guard_clauses;
pub(super) mod invert_if;
pub(super) mod join_if;
pub(super) mod null_object;
pub(super) mod polymorphism;
pub(super) mod split_if;
