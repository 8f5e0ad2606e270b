//! Floor 7: the tools that both faces offer: arguments in, an answer out.

mod answer;
pub mod audit;
mod call;
mod checks;
pub mod clients;
pub mod coding;
mod completion;
mod context;
mod detail;
pub mod error;
pub mod inspect;
mod one_file;
pub mod plan;
mod planned;
mod projects;
pub mod refactor;
mod relay;
mod schema;
pub mod servers;
mod setup;
mod survey;
mod table;
pub mod target;
pub mod written;

use answer::PAGE;
pub use answer::{Answer, Page, Structure, Written};
pub use completion::complete;
pub use context::{Command, Context, Counted, Sink};
pub use detail::{Detail, RESOURCES};
pub use error::{ErrorKind, Reader, ToolError};
pub use planned::{Objections, Planned, Said};
pub use projects::{PlanEvent, Project, Projects};
pub use schema::{Named, schema, schemas};
pub use setup::{Setup, Trust};
pub use survey::{fetch_ahead, languages, projects_around, set_up};
pub use table::{Effect, Form, TOOLS, Tool, Toolset, tool};
