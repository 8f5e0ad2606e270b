//! Floor 3: language servers: which there are, how they are started, asked and ended.

mod answer;
mod command_line;
pub mod config;
pub mod environment;
mod error;
pub mod guard;
pub mod provision;
pub mod pyright_config;
mod routes;
mod server;
mod spec;

pub use answer::{Answer, Executed, Location, Place, Prepared, Symbol};
pub use config::{Config, ConfigError, ConfigSources};
pub use environment::Environment;
pub use error::LspError;
pub use guard::Guard;
pub use provision::{Host, InstallPolicy, ProvisionError, Provisioned, provision};
pub use routes::Routes;
pub use server::Server;
pub use spec::{Checker, Feature, Install, Launch, Quirk, Readiness, ReportFormat, ServerName, ServerSpec, Timeouts};
