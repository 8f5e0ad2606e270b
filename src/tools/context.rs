//! What a tool is given beside its arguments.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::error::ToolError;
use super::projects::{Project, Projects};
use crate::text::AbsPath;
use crate::workspace::{RootSign, find_root, named_root};

/// Where a tool tells how far it is; one line, no markup.
pub trait Sink: Send + Sync {
    fn note(&self, note: &str);
}

/// What the caller has run in a copy of the project, to check a plan by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub line: String,
    pub timeout: Option<Duration>,
}

/// One call's surroundings.
#[derive(Clone)]
pub struct Context {
    pub projects: Arc<Projects>,
    pub sink: Arc<dyn Sink>,
    /// Where the user works: the client's roots, or the current directory of a shell.
    pub around: Vec<AbsPath>,
    /// Checks every plan of this call, in the place of the languages' own checkers.
    pub command: Option<Command>,
    /// Cancelled by the caller; what was begun is dropped, and servers are told.
    pub cancelled: CancellationToken,
}

impl Context {
    /// Returns the project at `root`: an absolute path, one below `~`, a `file:` URI, or relative to the client's root.
    pub async fn project(&self, root: &str) -> Result<Arc<Project>, ToolError> {
        let root = named_root(root, self.around.first())?;
        let project = self.projects.open(&root).await?;
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
        self.project(self.root_of(&path).as_str()).await
    }

    /// Finds the root of the project that a path belongs to, and tells where nothing marks one.
    pub(super) fn root_of(&self, path: &AbsPath) -> AbsPath {
        let around = self.around.iter().find(|around| path.is_below(around));
        let found = find_root(path, around);
        if found.sign == RootSign::Folder {
            let dir = &found.dir;
            self.sink.note(&format!("nothing marks a project around `{path}`: its folder `{dir}` is taken for one"));
        }
        found.dir
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
