//! Floor 7: the tools that both faces offer: arguments in, an answer out.

pub mod audit;
mod call;
mod checks;
mod context;
pub mod error;
pub mod inspect;
pub mod plan;
mod planned;
mod projects;
pub mod refactor;
mod relay;
mod schema;
pub mod servers;
mod setup;
mod table;
pub mod target;
pub mod written;

pub use context::{Command, Context, Sink};
pub use error::{ErrorKind, Reader, ToolError};
pub use planned::{Objections, Planned, Said};
pub use projects::{Project, Projects};
pub use schema::{Named, schema, schemas};
pub use setup::{Setup, Trust};
pub use table::{Effect, Form, TOOLS, Tool, Toolset, tool};
