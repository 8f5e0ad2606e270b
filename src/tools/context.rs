//! What a tool is given beside its arguments.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::coding::Desk;
use super::error::ToolError;
use super::project::Project;
use super::projects::Projects;
use super::sink::Sink;
use crate::text::AbsPath;
use crate::workspace::{RootSign, find_root, locked, named_root};

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
    /// The projects that this call is in.
    pub entered: Arc<Entered>,
}

/// The projects that a call is in, as long as it lasts: nobody lays over them meanwhile what it may not see.
#[derive(Default)]
pub struct Entered(Mutex<Vec<OwnedRwLockReadGuard<()>>>);

/// How long a call waits until it is the only one in a project.
const ALONE: Duration = Duration::from_secs(2);

impl Entered {
    /// Waits until nobody is alone in a project, and is in it from then on.
    async fn enter(&self, project: &Project) {
        let is_in =
            |guard: &OwnedRwLockReadGuard<()>| Arc::ptr_eq(OwnedRwLockReadGuard::rwlock(guard), project.turns());
        // Who is in it already must not wait behind one who waits for that to end.
        if locked(&self.0).iter().any(is_in) {
            return;
        }
        let guard = Arc::clone(project.turns()).read_owned().await;
        locked(&self.0).push(guard);
    }

    fn leave(&self, project: &Project) {
        locked(&self.0).retain(|guard| !Arc::ptr_eq(OwnedRwLockReadGuard::rwlock(guard), project.turns()));
    }
}

impl Context {
    /// Returns the project at `root`: an absolute path, one below `~`, a `file:` URI, or relative to the client's root.
    pub async fn project(&self, root: &str) -> Result<Arc<Project>, ToolError> {
        let root = named_root(root, self.around.first())?;
        let project = self.projects.open(&root).await?;
        self.entered.enter(&project).await;
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
            Some(project) => {
                self.entered.enter(&project).await;
                Ok(project)
            }
            None => self.project_of(root, ".").await,
        }
    }

    /// Leaves a project, and returns to it as its only caller, as long as the answer is kept; nothing where others stay in
    /// it for long. [`Self::back_in`] is to follow.
    pub(super) async fn alone_in(&self, project: &Project) -> Option<OwnedRwLockWriteGuard<()>> {
        self.entered.leave(project);
        timeout(ALONE, Arc::clone(project.turns()).write_owned()).await.ok()
    }

    /// Is in a project again that it left.
    pub(super) async fn back_in(&self, project: &Project) {
        self.entered.enter(project).await;
    }

    /// Finds the root of the project that a path belongs to; one that is relative is seen from where the user works.
    pub(super) fn root_around(&self, path: &str) -> Result<AbsPath, ToolError> {
        if let Ok(path) = AbsPath::new(path) {
            return Ok(self.root_of(&path));
        }
        let is_there = |base: &AbsPath| base.join(path).is_ok_and(|path| path.as_path().exists());
        let around = self.around.iter().find(|around| is_there(around)).or(self.around.first()).ok_or_else(|| {
            ToolError::invalid(format!("`{path}` is not an absolute path, and what it is relative to is not known"))
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

    /// Computes on a thread that may block, until it is done or the caller cancels.
    pub(super) async fn computed<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let done = async {
            match tokio::task::spawn_blocking(work).await {
                Ok(done) => done,
                Err(broken) => match broken.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => Err(ToolError::cancelled()),
                },
            }
        };
        self.unless_cancelled(done).await
    }
}
