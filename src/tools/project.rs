//! One open project: its session, and what is kept of earlier calls.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use tokio::sync::RwLock;
use tokio::sync::broadcast::Sender;

use super::checks::Checks;
use super::drafting::Drafting;
use super::error::{ErrorKind, ToolError};
use super::relay::{Listening, Relay};
use super::setup::Setup;
use super::sink::Sink;
use crate::audit::ModelCache;
use crate::declarations::{Declarations, Index};
use crate::plan::{Plan, PlanId};
use crate::session::Session;
use crate::text::AbsPath;
use crate::workspace::apply::{self, Applied, ApplyError};
use crate::workspace::{StateDir, locked};

/// How many plans a project keeps.
const MOST_PLANS: usize = 32;

/// One open project.
pub struct Project {
    session: Session,
    relay: Arc<Relay>,
    /// What happened as the project was opened, until somebody was told.
    news: std::sync::Mutex<Vec<String>>,
    /// What the audit's views have read.
    kept: Arc<ModelCache>,
    /// The plans made lately, the last one last.
    plans: std::sync::Mutex<VecDeque<(PlanId, Arc<Plan>)>>,
    checks: Checks,
    declarations: Declarations,
    drafting: Drafting,
    /// Shared by the calls that use the project; taken whole by one that lays over it what nobody else may see.
    turns: Arc<RwLock<()>>,
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

impl Project {
    pub(super) fn open(root: &AbsPath, setup: &Setup, events: Sender<PlanEvent>) -> Result<Self, ToolError> {
        let relay = Arc::new(Relay::default());
        let session = Session::open(root, setup.options(root, Arc::clone(&relay) as Arc<_>)?)?;
        let mut news: Vec<String> =
            session.recovered().iter().map(|recovered| format!("recovered: {recovered}")).collect();
        let kept = Arc::new(ModelCache::new(session.sources().clone()));
        let declarations = Declarations::of(session.root(), &session.options().dirs.state);
        let drafting = Drafting::taken_up(&session);
        news.extend(drafting.news(&session));
        let (news, plans) = (std::sync::Mutex::new(news), std::sync::Mutex::default());
        let (checks, turns) = (Checks::default(), Arc::default());
        Ok(Self { session, relay, news, kept, plans, checks, declarations, drafting, turns, events })
    }

    /// Returns what happened as the project was opened, to the first who asks.
    pub(super) fn news(&self) -> Vec<String> {
        std::mem::take(&mut *self.news.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what the audit's views keep.
    pub(super) fn kept(&self) -> Arc<ModelCache> {
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
        if !(plan.moves().is_empty() && plan.creates().is_empty() && plan.deletes().is_empty()) {
            self.session.note_files_came_or_went();
        }
        Ok(applied)
    }

    pub(super) fn turns(&self) -> &Arc<RwLock<()>> {
        &self.turns
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

    /// Returns the plans that are kept, the latest last.
    pub(super) fn plans(&self) -> Vec<Plan> {
        locked(&self.plans).iter().map(|(_, plan)| Plan::clone(plan)).collect()
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
        self.session.note_files_came_or_went();
        self.tell(apply::undo_plan(id, self.root(), self.state()))
    }

    /// Takes back the plan that was carried out last.
    pub fn undo(&self) -> Result<Applied, ToolError> {
        self.session.note_files_came_or_went();
        self.tell(apply::undo(self.root(), self.state()))
    }

    pub(super) async fn close(&self) {
        self.session.close().await;
    }
}
