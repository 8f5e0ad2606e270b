//! What a tool is given beside its arguments.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::coding::Desk;
use super::error::ToolError;
use super::project::Project;
use super::projects::Projects;
use crate::text::AbsPath;
use crate::workspace::{RootSign, find_root, named_root};

/// Where a tool tells how far it is; one line, no markup.
pub trait Sink: Send + Sync {
    fn note(&self, note: &str);

    /// The same where it is known how much there is to do.
    fn count(&self, note: &str, _count: Counted) {
        self.note(note);
    }
}

/// How far something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub done: usize,
    pub of: usize,
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
    /// What the coding tools keep for this connection.
    pub desk: Arc<Desk>,
    /// Cancelled by the caller; what was begun is dropped, and servers are told.
    pub cancelled: CancellationToken,
}

impl Context {
    /// Returns the project at `root`: an absolute path, one below `~`, a `file:` URI, or relative to the client's root.
    pub async fn project(&self, root: &str) -> Result<Arc<Project>, ToolError> {
        let root = named_root(root, self.around.first())?;
        let project = self.projects.open(&root).await?;
        // Another process may have drafted, saved or discarded meanwhile.
        project.settle().await?;
        for news in project.news() {
            self.sink.note(&news);
        }
        Ok(project)
    }

    /// Opens the project that was named, or else the one that `path` belongs to.
    pub(super) async fn project_of(&self, root: Option<&str>, path: &str) -> Result<Arc<Project>, ToolError> {
        match root {
            Some(root) => self.project(root).await,
            None => self.project(self.root_around(path)?.as_str()).await,
        }
    }

    /// Opens the project that was named, or else the one that keeps a plan, or else the one that the user works in.
    pub(super) async fn project_with(&self, root: Option<&str>, plan: Option<&str>) -> Result<Arc<Project>, ToolError> {
        let holder = match (root, plan) {
            (None, Some(plan)) => self.projects.holding(plan).await,
            _ => None,
        };
        match holder {
            Some(project) => Ok(project),
            None => self.project_of(root, ".").await,
        }
    }

    /// Finds the root of the project that a path belongs to; one that is relative is seen from where the user works.
    pub(super) fn root_around(&self, path: &str) -> Result<AbsPath, ToolError> {
        if let Ok(path) = AbsPath::new(path) {
            return Ok(self.root_of(&path));
        }
        let is_there = |base: &AbsPath| base.join(path).is_ok_and(|path| path.as_path().exists());
        let around = self.around.iter().find(|around| is_there(around)).or(self.around.first()).ok_or_else(|| {
            ToolError::invalid(format!("`{path}` is not an absolute path, and nothing tells what it is relative to"))
                .hint("give an absolute path, or `projectRoot` and a path relative to it")
        })?;
        // Where the project begins above, the path would mean something else in it.
        let found = self.root_of(&around.join(path)?);
        Ok(if is_there(&found) { found } else { around.clone() })
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
