//! Chapter 7 of the catalog, moving features between objects: a refactoring a file or folder.

pub(super) mod extract_class;
pub(super) mod foreign_method;
pub(super) mod hide_delegate;
pub(super) mod inline_class;
pub(super) mod local_extension;
pub(super) mod middle_man;
pub(super) mod move_field;
pub(super) mod move_method;
