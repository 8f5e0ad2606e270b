//! The tools that say whether a project holds: what its servers find, and what its own programs say when they run.
//!
//! `check` and `analyze` run nothing of the project, and are asked by the rules of trust. All others run its programs, which is what
//! the toolset is asked for: with the user's whole environment, each in a process group that ends at its deadline. Where
//! drafts are not saved, they run in a copy of the tree that has the drafts.

mod analyze;
mod args;
mod check;
mod compile;
mod pretty_print;
mod run;
mod stand;
mod test;

pub(super) use analyze::ANALYZE;
pub(super) use check::CHECK;
pub(super) use compile::COMPILE;
pub(super) use pretty_print::PRETTY_PRINT;
pub(super) use run::RUN;
pub(super) use test::TEST;

pub use args::{CheckArgs, CompileArgs, PrettyArgs, RunArgs, TestArgs};
pub use check::{CheckedJson, check};
pub use compile::{CompiledJson, compile};
pub use pretty_print::{PrettyJson, pretty_print};
pub use run::{RanJson, run};
pub use test::{ResultJson, TestedJson, test};
