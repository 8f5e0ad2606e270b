//! The projects that are open: one session each, kept warm between calls.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::sync::broadcast::{Receiver, Sender};

use super::checks::Checks;
use super::context::Sink;
use super::drafting::Drafting;
use super::error::{ErrorKind, ToolError};
use super::relay::{Listening, Relay};
use super::setup::Setup;
use crate::audit::Kept;
use crate::declarations::{Declarations, Index};
use crate::plan::{Plan, PlanId};
use crate::session::Session;
use crate::text::AbsPath;
use crate::workspace::apply::{self, Applied, ApplyError};
use crate::workspace::{Disk, StateDir, locked};

/// How many projects stay open: each has servers that take hundreds of megabytes.
const MOST_OPEN: usize = 3;
/// How many plans a project keeps.
const MOST_PLANS: usize = 32;
/// How long a project stays open unused.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// All open projects, by their resolved roots.
pub struct Projects {
    setup: Setup,
    /// Where every project has to lie, without links in it.
    confines: Option<AbsPath>,
    open: Mutex<BTreeMap<AbsPath, Slot>>,
    events: Sender<PlanEvent>,
}

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanEvent {
    /// It was made, or an older one was let go for it: others are kept than before.
    Kept,
    /// It was written to the project, or taken back.
    Applied(PlanId),
}

/// So many events wait for a slow listener.
const EVENTS: usize = 64;

struct Slot {
    project: Arc<Project>,
    used: Instant,
}

/// One open project.
pub struct Project {
    session: Session,
    relay: Arc<Relay>,
    /// What happened as the project was opened, until somebody was told.
    news: std::sync::Mutex<Vec<String>>,
    /// What the audit's views have read.
    kept: Arc<Kept>,
    /// The plans made lately, the last one last.
    plans: std::sync::Mutex<VecDeque<(PlanId, Arc<Plan>)>>,
    checks: Checks,
    declarations: Declarations,
    drafting: Drafting,
    events: Sender<PlanEvent>,
}

impl Projects {
    pub fn new(setup: Setup) -> Self {
        Self { setup, confines: None, open: Mutex::default(), events: Sender::new(EVENTS) }
    }

    /// Lets only `project` be opened, and what lies below it.
    ///
    /// # Errors
    /// Where there is no such directory.
    pub fn within(setup: Setup, project: &AbsPath) -> Result<Self, ToolError> {
        let confines = Some(Disk::open(project)?.root().clone());
        Ok(Self { setup, confines, open: Mutex::default(), events: Sender::new(EVENTS) })
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
        let project = self.opened(disk.root()).await?;
        let disk = project.session.disk().clone();
        let looked = tokio::task::spawn_blocking(move || disk.look()).await;
        looked.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))??;
        Ok(project)
    }

    async fn opened(&self, root: &AbsPath) -> Result<Arc<Project>, ToolError> {
        let mut open = self.open.lock().await;
        if let Some(slot) = open.get_mut(root) {
            slot.used = Instant::now();
            return Ok(Arc::clone(&slot.project));
        }
        let project = Arc::new(Project::open(root, &self.setup, self.events.clone())?);
        open.insert(root.clone(), Slot { project: Arc::clone(&project), used: Instant::now() });
        drop(open);
        self.close_beyond(MOST_OPEN).await;
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

    /// Returns the open project that keeps a plan.
    pub(super) async fn holding(&self, plan: &str) -> Option<Arc<Project>> {
        let open = self.open.lock().await;
        open.values().map(|slot| &slot.project).find(|project| project.recall(plan).is_some()).cloned()
    }

    /// Returns the plans that open projects keep, the latest last, each with its project.
    pub async fn plans(&self) -> Vec<(Arc<Project>, Plan)> {
        let open = self.open.lock().await;
        let of = |slot: &Slot| {
            let kept = locked(&slot.project.plans);
            let all = kept.iter().map(|(_, plan)| (Arc::clone(&slot.project), Plan::clone(plan)));
            all.collect::<Vec<_>>()
        };
        open.values().flat_map(of).collect()
    }

    /// Returns where it is told what becomes of plans.
    pub fn events(&self) -> Receiver<PlanEvent> {
        self.events.subscribe()
    }

    /// Closes what nobody has used for [`IDLE`].
    pub async fn close_idle(&self) {
        let mut open = self.open.lock().await;
        let idle: Vec<AbsPath> = open
            .iter()
            .filter(|(_, slot)| slot.is_free() && slot.used.elapsed() > IDLE)
            .map(|(root, _)| root.clone())
            .collect();
        let closed: Vec<Slot> = idle.iter().filter_map(|root| open.remove(root)).collect();
        drop(open);
        for slot in closed {
            slot.project.close().await;
        }
    }

    /// Closes every project, whoever uses it.
    pub async fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock().await);
        futures::future::join_all(open.values().map(|slot| slot.project.close())).await;
    }

    async fn close_beyond(&self, most: usize) {
        let mut open = self.open.lock().await;
        while open.len() > most {
            let free = open.iter().filter(|(_, slot)| slot.is_free());
            let Some(oldest) = free.min_by_key(|(_, slot)| slot.used).map(|(root, _)| root.clone()) else { return };
            if let Some(slot) = open.remove(&oldest) {
                slot.project.close().await;
            }
        }
    }
}

impl Slot {
    fn is_free(&self) -> bool {
        Arc::strong_count(&self.project) == 1
    }
}

impl Project {
    fn open(root: &AbsPath, setup: &Setup, events: Sender<PlanEvent>) -> Result<Self, ToolError> {
        let relay = Arc::new(Relay::default());
        let session = Session::open(root, setup.options(root, Arc::clone(&relay) as Arc<_>)?)?;
        let mut news: Vec<String> =
            session.recovered().iter().map(|recovered| format!("recovered: {recovered}")).collect();
        let kept = Arc::new(Kept::new(session.sources().clone()));
        let declarations = Declarations::of(session.root(), &session.options().dirs.state);
        let drafting = Drafting::taken_up(&session);
        news.extend(drafting.news(&session));
        let (news, plans) = (std::sync::Mutex::new(news), std::sync::Mutex::default());
        Ok(Self { session, relay, news, kept, plans, checks: Checks::default(), declarations, drafting, events })
    }

    /// Returns what happened as the project was opened, to the first who asks.
    pub(super) fn news(&self) -> Vec<String> {
        std::mem::take(&mut *self.news.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what the audit's views keep.
    pub(super) fn kept(&self) -> Arc<Kept> {
        Arc::clone(&self.kept)
    }

    /// Returns the root, without links in it.
    pub fn root(&self) -> &AbsPath {
        self.session.root()
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Lets `sink` hear what servers tell, as long as the answer is kept.
    pub(super) fn listen(&self, sink: Arc<dyn Sink>) -> Listening<'_> {
        self.relay.listen(sink)
    }

    /// Carries a plan out, all of it or nothing.
    pub fn apply(&self, plan: &Plan) -> Result<Applied, ToolError> {
        let touched = plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys());
        if let Some(path) = touched.chain(plan.creates().keys()).find(|path| self.session.disk().draft(path).is_some())
        {
            return Err(ToolError::new(ErrorKind::Refused, format!("`{path}` has a draft that is not saved"))
                .hint("`save` writes the drafts, `discard` lets them go; then make the plan again"));
        }
        self.write(plan)
    }

    /// Carries a plan out, whatever drafts there are.
    pub(super) fn write(&self, plan: &Plan) -> Result<Applied, ToolError> {
        let trail = self.declarations.trail(plan, self.root());
        let applied = self.tell(apply::apply(plan, self.root(), self.state()))?;
        self.declarations.follow(trail);
        Ok(applied)
    }

    pub(super) fn declarations(&self) -> &Declarations {
        &self.declarations
    }

    pub(super) fn drafting(&self) -> &Drafting {
        &self.drafting
    }

    /// Brings the drafts up to date with the disk, and with what another lspwright made of them.
    pub(super) async fn settle(&self) -> Result<(), ToolError> {
        self.drafting.settle(&self.session).await
    }

    /// Returns the paths of the drafts, relative to the root.
    pub(super) fn dirty(&self) -> Vec<String> {
        let drafts = self.session.disk().drafts().into_iter();
        drafts.filter_map(|(path, _)| Some(path.relative_to(self.root())?.as_str().to_owned())).collect()
    }

    /// Returns the project's declarations as the last walk of its disk found them.
    pub(super) fn index(&self) -> Arc<Index> {
        self.declarations.index(&self.session)
    }

    /// Writes a plan's JSON into a file of its own, and returns where; nothing where that is not possible.
    pub(super) fn written(&self, plan: &Plan, json: &str) -> Option<AbsPath> {
        self.state().write_plan(plan.id().as_str(), json)
    }

    fn state(&self) -> &StateDir {
        &self.session.options().dirs.state
    }

    fn tell(&self, applied: Result<Applied, ApplyError>) -> Result<Applied, ToolError> {
        let applied = applied?;
        // Nobody need listen.
        let _ = self.events.send(PlanEvent::Applied(applied.plan.clone()));
        Ok(applied)
    }

    /// Keeps a plan, to be named by its id; the oldest one goes where there are too many.
    pub(super) fn remember(&self, plan: &Plan) {
        let id = plan.id();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.retain(|(kept, _)| *kept != id);
        plans.push_back((id, Arc::new(plan.clone())));
        if plans.len() > MOST_PLANS {
            plans.pop_front();
        }
        let _ = self.events.send(PlanEvent::Kept);
    }

    /// Returns a plan that was kept.
    pub(super) fn recall(&self, id: &str) -> Option<Plan> {
        let plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.iter().rfind(|(kept, _)| kept.as_str() == id).map(|(_, plan)| Plan::clone(plan))
    }

    /// Returns the checks that were made lately.
    pub(super) fn checks(&self) -> &Checks {
        &self.checks
    }

    /// Takes back a plan that was carried out, by its id.
    pub fn undo_plan(&self, id: &str) -> Result<Applied, ToolError> {
        self.tell(apply::undo_plan(id, self.root(), self.state()))
    }

    /// Takes back the plan that was carried out last.
    pub fn undo(&self) -> Result<Applied, ToolError> {
        self.tell(apply::undo(self.root(), self.state()))
    }

    async fn close(&self) {
        self.session.close().await;
    }
}
