//! The tools that say whether a project holds: what its servers find, and what its own programs say when they run.
//!
//! `check` runs nothing of the project, and is asked by the rules of trust. All others run its programs, which is what
//! the toolset is asked for: with the user's whole environment, each in a process group that ends at its deadline. Where
//! drafts are not saved, they run in a copy of the tree that has the drafts.

mod args;
mod check;
mod run;
mod stand;
mod test;

pub(super) use check::CHECK;
pub(super) use run::RUN;
pub(super) use test::TEST;

pub use args::{CheckArgs, RunArgs, TestArgs};
pub use check::{CheckedJson, check};
pub use run::{RanJson, run};
pub use test::{ResultJson, TestedJson, test};
