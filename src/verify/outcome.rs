//! What a check comes to: findings, or why there are none.

use std::time::Duration;

use crate::plan::Problem;
use crate::session::SessionError;
use crate::workspace::ReadError;

/// Why a plan could not be checked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CannotCheck {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the copy of the project could not be made: {0}")]
    Copy(String),
    #[error("`{command}` could not be run: {reason}")]
    Command { command: String, reason: String },
    #[error("`{command}` did not end within {} s, and was killed with all that it had started", after.as_secs_f32())]
    Late { command: String, after: Duration },
    #[error("no checker is known for {0}: a `check` by a command takes its place")]
    NoChecker(String),
}

/// What a comparison came to.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) problems: Vec<Problem>,
    pub(super) looked_at: usize,
    pub(super) left_out: usize,
    /// What the plan writes for later, and the project forbids until then: a parameter that nothing reads yet.
    pub(super) early: Vec<Problem>,
}
