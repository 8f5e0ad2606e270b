//! Floor 6: the tools that both faces offer: arguments in, an answer out.

mod context;
pub mod error;
pub mod plan;
mod projects;
mod schema;
mod table;

pub use context::{Context, Sink};
pub use error::{ErrorKind, ToolError};
pub use projects::{Project, Projects, Setup, Trust};
pub use schema::{Named, schema, schemas};
pub use table::{Effect, TOOLS, Tool, Toolset, tool};
