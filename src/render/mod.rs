//! Floor 2: the shapes that plans have outside: JSON, TOON, diffs and patches.

mod diff;
mod hunks;
mod inspected;
pub mod json;
mod patch;
mod read;
mod refactored;
mod toon;

pub use diff::diff;
pub use inspected::{
    AnalysisAnswer, AnalysisHead, ClassRow, FileRow, LeftOutRow, MethodRow, SmellRow, StructureAnswer, StructureHead,
};
pub use patch::patch;
pub use read::{ReadPlanError, Source, WrittenPlan};
pub use refactored::{
    CatalogAnswer, CatalogRow, ChangeRow, FileChangedRow, PreviewAnswer, PreviewHead, ResultAnswer, ResultHead,
    changes, files_changed,
};
pub use toon::{read_toon, toon, write_toon};
