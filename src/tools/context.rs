//! What a tool is given beside its arguments.

use std::future::Future;

use tokio_util::sync::CancellationToken;

use super::error::ToolError;
use super::projects::Projects;

/// Where a tool tells how far it is; one line, no markup.
pub trait Sink: Send + Sync {
    fn note(&self, note: &str);
}

/// One call's surroundings.
pub struct Context<'a> {
    pub projects: &'a Projects,
    pub sink: &'a dyn Sink,
    /// Cancelled by the caller; what was begun is dropped, and servers are told.
    pub cancelled: CancellationToken,
}

impl Context<'_> {
    /// Runs `work` until it is done or the caller cancels.
    ///
    /// # Errors
    /// Those of `work`, and [`ErrorKind::Cancelled`](super::ErrorKind::Cancelled).
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = Result<T, ToolError>>) -> Result<T, ToolError> {
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => Err(ToolError::cancelled()),
            done = work => done,
        }
    }
}

/// A sink for those who do not watch.
impl Sink for () {
    fn note(&self, _note: &str) {}
}
