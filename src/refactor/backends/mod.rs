//! Who carries refactorings out, beside what is composed here.

pub(super) mod server;
