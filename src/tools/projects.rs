//! The projects of one caller: which ones it may open, and what they keep for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::Receiver;

use super::error::{ErrorKind, ToolError};
use super::project::{PlanEvent, Project};
use super::sessions::Sessions;
use super::setup::Setup;
use crate::plan::Plan;
use crate::text::AbsPath;
use crate::workspace::{Disk, locked};

/// How long a project stays open unused.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// The projects of one caller.
pub struct Projects {
    setup: Setup,
    /// Where every project has to lie, without links in it.
    confines: Option<AbsPath>,
    sessions: Arc<Sessions>,
    /// Whether the sessions end with this caller.
    owns: Ownership,
    /// Those that this caller has opened: of those of others it hears nothing.
    opened: std::sync::Mutex<BTreeSet<AbsPath>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ownership {
    Own,
    Shared,
}

impl Projects {
    /// Opens projects for this caller alone.
    pub fn new(setup: Setup) -> Self {
        Self { owns: Ownership::Own, ..Self::sharing(setup, Arc::default()) }
    }

    /// Opens projects among those that others have opened, and leaves them open.
    pub fn sharing(setup: Setup, sessions: Arc<Sessions>) -> Self {
        Self { setup, confines: None, sessions, owns: Ownership::Shared, opened: std::sync::Mutex::default() }
    }

    /// Lets only `project` be opened, and what lies below it.
    ///
    /// # Errors
    /// Where there is no such directory.
    pub fn within(self, project: &AbsPath) -> Result<Self, ToolError> {
        Ok(Self { confines: Some(Disk::open(project)?.root().clone()), ..self })
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the project at `root`, opened where it is not. Those unused the longest are closed for it.
    ///
    /// # Errors
    /// Of roots that are none, and of trees that are too large to be looked through.
    pub async fn open(&self, root: &AbsPath) -> Result<Arc<Project>, ToolError> {
        let disk = self.admitted(root)?;
        let project = self.sessions.opened(disk.root(), &self.setup).await?;
        locked(&self.opened).insert(disk.root().clone());
        let disk = project.session().disk().clone();
        if !disk.is_walked() {
            let looked = tokio::task::spawn_blocking(move || disk.look()).await;
            looked.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))??;
        }
        Ok(project)
    }

    /// Refuses a root that is not for these projects; links in it are followed. Of what lies elsewhere nothing else is
    /// told, not even whether it is there.
    pub(super) fn admitted(&self, root: &AbsPath) -> Result<Disk, ToolError> {
        let Some(confines) = &self.confines else { return Ok(Disk::open(root)?) };
        let elsewhere = || {
            let message = format!("`{root}` lies outside `{confines}`, the project that this server was started for");
            ToolError::new(ErrorKind::OutsideRoot, message)
                .hint("leave `projectRoot` out, or name a directory of that project")
                .hint("`lspwright serve` without `--project` works on any project")
        };
        match Disk::open(root) {
            Ok(disk) if disk.root().is_below(confines) => Ok(disk),
            Err(error) if root.is_below(confines) => Err(error.into()),
            _ => Err(elsewhere()),
        }
    }

    /// Returns this caller's open projects.
    async fn own(&self) -> Vec<Arc<Project>> {
        let opened = locked(&self.opened).clone();
        self.sessions.of(&self.setup).await.into_iter().filter(|one| opened.contains(one.root())).collect()
    }

    /// Returns the open project that keeps a plan.
    pub(super) async fn holding(&self, plan: &str) -> Option<Arc<Project>> {
        self.own().await.into_iter().find(|project| project.recall(plan).is_some())
    }

    /// Returns the plans that open projects keep, the latest last, each with its project.
    pub async fn plans(&self) -> Vec<(Arc<Project>, Plan)> {
        let of = |project: Arc<Project>| project.plans().into_iter().map(move |plan| (Arc::clone(&project), plan));
        self.own().await.into_iter().flat_map(of).collect()
    }

    /// Returns where it is told what becomes of plans.
    pub fn events(&self) -> Receiver<PlanEvent> {
        self.sessions.events()
    }

    /// Closes what nobody has used for [`IDLE`].
    pub async fn close_idle(&self) {
        self.sessions.close_idle(IDLE).await;
    }

    /// Closes every project, whoever uses it, unless others share them.
    pub async fn close(&self) {
        if self.owns == Ownership::Own {
            self.sessions.close().await;
        }
    }
}
