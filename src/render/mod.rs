//! Floor 2: the shapes that plans and views have outside: JSON, TOON, diffs and patches, SARIF, pages, graphs.

mod baseline;
mod diff;
mod fitted;
mod found;
mod graph;
mod hunks;
mod inspected;
pub mod json;
mod markup;
mod page;
mod patch;
mod read;
mod rect;
mod refactored;
mod sarif;
mod summary;
mod tables;
mod tokens;
mod toon;

pub use baseline::{BadBaseline, Baseline};
pub use diff::{diff, short_diff};
pub use fitted::{AnswerFormat, BadCursor, Continuation, Window, fitted};
pub use found::{ActionJson, ActionsJson, NotLookedAtJson, ProblemsJson, RuleJson, rules};
pub use graph::{Arrow, Cluster, Graph, Node, dot, mermaid, svg};
pub use inspected::{
    AnalysisAnswer, AnalysisHead, ClassRow, FileRow, LeftOutRow, MethodRow, SmellRow, StructureAnswer, StructureHead,
};
pub use page::{Review, page, smells_page};
pub use patch::patch;
pub use read::{ReadPlanError, Source, WrittenPlan};
pub use refactored::{
    CatalogAnswer, CatalogRow, ChangeRow, ExplainedAnswer, ExplainedHead, FileChangedRow, ObstacleRow, PossibleAnswer,
    PossibleRow, PreviewAnswer, PreviewHead, ResultAnswer, ResultHead, changes, files_changed,
};
pub use sarif::sarif;
pub use summary::{Omitted, PlanSummary, outline, pieces};
pub use tables::tables;
pub use tokens::tokens;
pub use toon::{read_toon, toon, write_toon};
