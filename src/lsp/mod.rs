//! Floor 3: language servers: which there are, how they are started, asked and ended.

mod answer;
mod error;
pub mod guard;
mod server;
mod spec;

pub use answer::{Answer, Executed, Location, Place, Prepared, Symbol};
pub use error::LspError;
pub use guard::Guard;
pub use server::Server;
pub use spec::{Feature, Install, Launch, Quirk, Readiness, ServerName, ServerSpec, Timeouts};
