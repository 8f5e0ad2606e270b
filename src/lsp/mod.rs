//! Floor 3: language servers: which there are, how they are started, asked and ended.

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
mod hello;
mod lines;
mod outbox;
mod peer;
pub mod provision;
mod pushed;
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
mod strays;
mod too_large;
mod transport;

pub use answer::{Answer, Edits, Executed, FileOperation, Location, Place, Prepared, Symbol, Whole};
pub use child::{Output, Program, RunError, Said};
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
    Checker, Chosen, Feature, Install, Launch, NeedsTrust, Quirk, Readiness, ReportFormat, ServerName, ServerSpec,
    Timeouts, Trust, Versions,
};
pub use transport::{Connector, Pipes, Process};

use crate::workspace::locked;
