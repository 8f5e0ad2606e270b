//! Floor 6: views for those who audit a program: where it is entered, what its functions touch and call.
//!
//! `sources` holds the texts of one request: handed in, or read from the project, with a way to others that they
//! import. One file per view: `entrypoints`, `insights`, `callgraph`, `peek`, `metrics`; their rows are in TOON's
//! form, uniform. `drawing` makes a picture of the calls. `gaps` is what a view could not see, a part of each answer. `kept` is what a session keeps between
//! views: contracts bound for the same files are only renewed, trees are the session's. Where imports lead is the
//! `solidity` room's word (`solidity/layout.rs`, pure; `lsp/embedded/layout.rs` reads it from the disk), the language
//! server's and the views' alike.
//!
//! - Contracts are listed from syntax alone (`syntax/contracts`, `audit/solidity/world.rs`): imports, C3 lines and
//!   ABI signatures without binding anything, for a whole tree of contracts has to be listed within a second.
//! - What a contract's function does is read from the same tree (`audit/solidity/code.rs` sets right where the
//!   grammar binds a `.` too widely) and asked of the bound model (`solidity`): `refs` follows storage pointers to
//!   their variables, `body` tells where a call leads in the contract that runs, `effects` lists what happens in
//!   order of evaluation, `summary` carries it over calls, storage parameters seen from the caller, `order` marks
//!   writes behind calls.
//!   `reverts` walks what runs and lists with what it reverts.
//! - Programs: `entrypoints/frameworks` is one table, one file per kind of framework; `audit/program` follows
//!   imports, re-exports and base classes. What is not known is told as `unresolved`, not left out.

mod callgraph;
mod drawing;
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
mod reverts;
mod solidity;
mod sources;
mod written;

pub use callgraph::{Callgraph, Edge, Lead, Traversal, callgraph};
pub use drawing::drawing;
pub use entrypoints::{ContractRow, Entrypoints, ProgramRow, Views};
pub use error::AuditError;
pub use gaps::Gaps;
pub use insights::{
    AccessRow, Calls, ErrorRow, EventRow, Function, Insights, InternalRow, OrderRow, OutwardRow, ReachedCallRow,
    ReachedErrorRow, ReachedEventRow, ReachedRow, Selector, State, Transitive, every_insight, insights,
};
pub use kept::ModelCache;
pub use location::Location;
pub use metrics::{Metrics, metrics};
pub use peek::{Signatures, peek};
pub use problems::{Problem, Unresolved};
pub use reverts::{Revert, RevertingFunction, Reverts, Unfollowed, Unknown, reverts};
pub use sources::{Skipped, Source, Sources};
