//! Floor 5: views for those who audit a program: where it is entered, what its functions touch and call.

mod callgraph;
mod entrypoints;
mod error;
mod gaps;
mod insights;
mod kept;
mod location;
mod metrics;
mod peek;
mod problems;
mod program;
mod solidity;
mod sources;
mod written;

pub use callgraph::{Callgraph, Edge, Reach, callgraph};
pub use entrypoints::{ContractRow, Entrypoints, ProgramRow, Views};
pub use error::AuditError;
pub use gaps::Gaps;
pub use insights::{
    AccessRow, Calls, ErrorRow, EventRow, Function, Insights, InternalRow, OrderRow, OutwardRow, ReachedCallRow,
    ReachedErrorRow, ReachedEventRow, ReachedRow, Selector, State, Transitive, every_insight, insights,
};
pub use kept::Kept;
pub use location::Location;
pub use metrics::{Metrics, metrics};
pub use peek::{Signatures, peek};
pub use problems::{Problem, Unresolved};
pub use sources::{Skipped, Source, Sources};
