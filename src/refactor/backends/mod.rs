//! Who carries refactorings out, beside what is composed here.

pub(super) mod command;
pub(super) mod rope;
pub(super) mod server;
pub(super) mod tsserver;
