//! What is asked of a check.

use std::time::Duration;

use crate::plan::Level;

/// How a plan is to be checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Check {
    pub level: Level,
    /// The project's own command for [`Level::Project`], run in a shell at the copy's root; without one,
    /// the languages' own checkers run.
    pub command: Option<String>,
    /// How long the command or a checker may take; [`PATIENCE`] where nothing is said.
    pub timeout: Option<Duration>,
    pub origin: PlanOrigin,
}

/// How long a command or a checker may take, unless it is said.
pub const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// Where a plan comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlanOrigin {
    /// From this engine, just now.
    #[default]
    Here,
    /// From a file or a caller: whether it is whole is asked too.
    Elsewhere,
}
