//! Floor 2: the shapes that plans have outside: JSON, TOON, diffs and patches.

mod diff;
mod hunks;
pub mod json;
mod patch;
mod read;
mod toon;

pub use diff::diff;
pub use patch::patch;
pub use read::{ReadPlanError, Source, read_plan};
pub use toon::{toon, write_toon};
