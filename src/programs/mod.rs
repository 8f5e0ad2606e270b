//! Floor 5: the project's own programs: its tests and how they are run, and what they report.
//!
//! `suites` reads off the project's files which runners its tests have, and starts nothing for that. A `Suite` is run by
//! its runner in a directory (`ProgramTree`), which is the project's or that of a copy. Runners say what became of each test
//! in reports of one form: pytest, unittest, mocha (Hardhat's, too) and Node's own by reporters of ours (`reporters/`), which
//! write a line of JSON for each test as it ends; vitest, jest, go and forge by their JSON; cargo by what it prints. What cannot be run
//! is `NotRun`, with the next step; a run that found no test is one of these.
//!
//! What `package.json` says is run as it stands, in a shell as npm does it, with what the report needs put in behind the
//! runner's name (`script/line.rs`): options, wrappers and steps before it are the project's own.
//!
//! `start` says how one file is run as a program, and `trace` where in the project the error was that ended it. `compile` says by what
//! a project is compiled, and `format` by what it is formatted where that is none of its language servers.

mod cargo;
mod compile;
mod forge;
mod format;
mod go;
mod ground;
mod python;
mod report;
mod script;
mod solc;
mod start;
mod suites;
mod trace;
mod tsc;

pub use compile::{Compilation, Compiled, Compiler, compilations};
pub use format::{BIOME, Formatted, PRETTIER, formatted};
pub use ground::{NotRun, ProgramTree, TestSelection};
pub use report::{TestOutcome, TestResult, Tested};
pub use start::{Start, start};
pub use suites::{Suite, suites};
pub use trace::trace;
pub use tsc::tsc;
