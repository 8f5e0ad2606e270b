//! What a tool is given beside its arguments.

use std::future::Future;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::error::ToolError;
use super::projects::{Project, Projects};
use crate::text::AbsPath;
use crate::workspace::{PROJECT_MARKERS, find_root};

/// Where a tool tells how far it is; one line, no markup.
pub trait Sink: Send + Sync {
    fn note(&self, note: &str);
}

/// One call's surroundings.
#[derive(Clone)]
pub struct Context {
    pub projects: Arc<Projects>,
    pub sink: Arc<dyn Sink>,
    /// Cancelled by the caller; what was begun is dropped, and servers are told.
    pub cancelled: CancellationToken,
}

impl Context {
    /// Returns the project at `root`, an absolute path.
    pub async fn project(&self, root: &str) -> Result<Arc<Project>, ToolError> {
        let project = self.projects.open(&AbsPath::new(root)?).await?;
        for news in project.news() {
            self.sink.note(&news);
        }
        Ok(project)
    }

    /// Opens the project that was named, or else the nearest one above an absolute path.
    pub(super) async fn project_of(&self, root: Option<String>, path: &str) -> Result<Arc<Project>, ToolError> {
        if let Some(root) = root {
            return self.project(&root).await;
        }
        let path = AbsPath::new(path).map_err(|error| {
            ToolError::from(error).hint("give an absolute path, or `projectRoot` and a path relative to it")
        })?;
        self.project(find_root(&path, PROJECT_MARKERS).as_str()).await
    }

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
