//! Who carries refactorings out, beside what is composed here.
//!
//! rope (`backends/rope.rs`) is asked by one script, `backends/rope/driver.py`: a question in JSON goes in, new texts
//! come out, and differences of texts become the plan. The script lets rope read the disk and not write it, and
//! undoes in the syntax tree what came back: anything but the old program refuses. What it does for the catalog
//! beside `local-to-field` is written here, because rope loses types, comments and keyword-only parameters, and
//! passes over uses that it cannot tell.
//!
//! What servers offer as code actions (`code_action`; of Rust, Go, C and C++ `server_offers`) is known by kinds and titles;
//! the plan is made by `actions`. A server calls what it makes otherwise: the wished name is put there.
//!
//! tsserver (`backends/tsserver.rs`) is asked for its refactorings by requests that change nothing, which the
//! language server passes on. It calls what it makes `newFunction`: the wished name is put there. It copies variables
//! in and out, so that `analysis/value_semantics.rs` refuses those that somebody would see half carried.
//!
//! A program of the user's (`backends/command.rs`, `lsp/config/refactorers.rs`) writes in a copy of the project; what
//! a second look finds changed there is the plan, unproven until a check says that it is clean.

mod blank_lines;
pub(super) mod code_action;
pub(super) mod command;
pub(super) mod renamed;
pub(super) mod rope;
pub(super) mod server;
pub(super) mod server_offers;
pub(super) mod tsserver;
