//! Floor 3: language servers: which there are, how they are started, asked and ended.
//!
//! A server runs in a process group of its own, below a guard process that ends the group when lspwright is gone,
//! however it went. Its output passes a reader that bears malformed frames and skips what is too large to hold. A
//! server that dies is restarted with its documents, three times in ten minutes and ever later (`restarts`); then its
//! death is told, with what it wrote to stderr.
//!
//! Everything else that is run goes through `Program` (`lsp/child.rs`): the same group and guard, a deadline, bounded
//! output. On Linux the guard is also the parent of whatever loses its own, so that a daemon in another session is
//! found (`strays`). `tests/tidy.rs` fails where another file starts a program.
//!
//! `Shell` (`lsp/shell.rs`) is the one program that stays: a bash for the tool `bash`, in a session without a
//! terminal. It is interactive, because only such a shell comes back from a command that is broken off: a signal that
//! it traps is pending when the foreground's processes are killed, and its trap interrupts what would have come next.
//! Marks in both outputs tell where a command ends.
//!
//! A server may work with a package in the version that the project chooses (`versions` in its entry):
//! `provision/versions` reads lock files, manifests and what is installed, once per session and its copies, and puts
//! the chosen pin into `install`, so that each version has a directory, a lock and a command of its own.
//!
//! An installation runs on a task of its own (`provision/running`), one for each directory, whoever waits for it: a
//! call that gives up, as MCP calls do after 40 seconds, ends none. A session begins by fetching what the project's
//! languages need (`tools/survey.rs`). One that was killed begins anew, with what the package manager has in its own
//! cache.
//!
//! Adding a server that keeps to the protocol takes an entry in `servers.toml` and no Rust. What the entry says under
//! `untrusted` is laid over it unless the project is trusted. `Environment` (`lsp/environment.rs`) is the one way to
//! programs and variables: a session takes out of it what leads into the project (`away_from`), and servers and
//! installers get their own choice of the rest.
//!
//! The Solidity server (`lsp/embedded`) is a part of this program: `embedded = "solidity"` in its entry makes the
//! client speak to it over a pipe in memory, in LSP like to any other, so that routes, readiness, overlays and checks
//! are the same. async-lsp's loop stands in front; one thread works through requests and notifications in the order
//! of their arrival, from one table each. It refuses what it cannot prove: a name that unresolved code may mean too,
//! a new name that is taken anywhere it could be seen, an edit in a dependency.

mod actions;
mod answer;
mod capabilities;
mod child;
mod client;
mod command_line;
pub mod config;
mod convert;
mod documents;
pub mod embedded;
pub mod environment;
mod error;
mod faults;
mod features;
mod frames;
pub mod guard;
mod initialize;
mod lines;
mod outbox;
mod peer;
pub mod provision;
mod pushed_diagnostics;
pub mod pyright_config;
mod readiness;
pub mod report;
mod restarts;
mod routes;
mod sanitize;
mod server;
mod shell;
mod spec;
mod standard_json;
mod standing;
mod stray_processes;
#[cfg(all(test, unix))]
mod tests;
mod too_large;
mod transport;
mod tsserver;

pub use actions::{Ask, Finding, Offered};
pub use answer::{Action, Answer, Edits, Executed, FileOperation, Location, NoEdit, Place, Prepared, Symbol, Whole};
pub use child::{CapturedOutput, Output, Program, Ran, RunError};
pub use command_line::split as split_words;
pub use config::{Config, ConfigError, ConfigSources, Refactorer};
pub use environment::Environment;
pub use error::LspError;
pub use guard::Guard;
pub use provision::{Host, InstallPolicy, ProvisionError, Provisioned, Solc, provision};
pub use restarts::TooOften;
pub use routes::Routes;
pub use server::Server;
pub use shell::{End, Heard, Shell};
pub use spec::{
    Checker, Chosen, CommandUse, Feature, Install, Launch, NeedsTrust, Quirk, Readiness, ReportFormat, ServerName,
    ServerSpec, Timeouts, Trust, Versions,
};
pub use transport::{Connector, Pipes, Process};

use crate::workspace::locked;
