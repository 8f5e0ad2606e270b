//! The projects that are open in this process: one session each, kept warm between calls, whoever makes them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::sync::broadcast::{Receiver, Sender};

use super::error::ToolError;
use super::project::{PlanEvent, Project};
use super::relay::Relay;
use super::setup::Setup;
use crate::session::Foundation;
use crate::text::AbsPath;

/// How many projects stay open: each has servers that take hundreds of megabytes.
const MOST_OPEN: usize = 3;

/// So many events wait for a slow listener.
const EVENTS: usize = 64;

/// All projects that are open in this process. Callers share them who would open them alike.
pub struct Sessions {
    open: Mutex<Vec<Slot>>,
    events: Sender<PlanEvent>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { open: Mutex::default(), events: Sender::new(EVENTS) }
    }
}

struct Slot {
    project: Arc<Project>,
    used: Instant,
    setup: Setup,
    foundation: Foundation,
}

impl Sessions {
    /// Returns the open projects that a caller with this setup shares.
    pub(super) async fn of(&self, setup: &Setup) -> Vec<Arc<Project>> {
        let open = self.open.lock().await;
        open.iter().filter(|slot| slot.is_for(setup)).map(|slot| Arc::clone(&slot.project)).collect()
    }

    /// Returns where it is told what becomes of plans.
    pub(super) fn events(&self) -> Receiver<PlanEvent> {
        self.events.subscribe()
    }

    /// Returns the project at `root`, opened where it is not, or stands on something else by now.
    pub(super) async fn opened(&self, root: &AbsPath, setup: &Setup) -> Result<Arc<Project>, ToolError> {
        let mut open = self.open.lock().await;
        let known = open.iter().position(|slot| slot.project.root() == root && slot.is_for(setup));
        if let Some(known) = known {
            let slot = &mut open[known];
            if slot.stands(setup)? {
                slot.used = Instant::now();
                return Ok(Arc::clone(&slot.project));
            }
            retire(open.swap_remove(known));
        }
        let project = Arc::new(Project::open(root, setup, self.events.clone())?);
        let foundation = Foundation::of(project.session().options(), root);
        let (used, setup) = (Instant::now(), setup.clone());
        open.push(Slot { project: Arc::clone(&project), used, setup, foundation });
        drop(open);
        self.close_beyond(MOST_OPEN).await;
        Ok(project)
    }

    /// Closes what nobody has used for so long, and what is not there any more.
    pub async fn close_idle(&self, long: Duration) {
        let is_there = |slot: &Slot| slot.project.root().as_path().is_dir();
        let is_idle = |slot: &mut Slot| slot.is_free() && (slot.used.elapsed() > long || !is_there(slot));
        let idle: Vec<Slot> = self.open.lock().await.extract_if(.., is_idle).collect();
        for slot in idle {
            slot.project.close().await;
        }
    }

    /// Closes every project, whoever uses it.
    pub async fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock().await);
        futures::future::join_all(open.iter().map(|slot| slot.project.close())).await;
    }

    /// Closes the free project that was used the longest ago; returns whether there was one.
    pub async fn close_oldest(&self) -> bool {
        let mut open = self.open.lock().await;
        let free = open.iter().enumerate().filter(|(_, slot)| slot.is_free());
        let Some(oldest) = free.min_by_key(|(_, slot)| slot.used).map(|(at, _)| at) else { return false };
        let slot = open.swap_remove(oldest);
        drop(open);
        slot.project.close().await;
        true
    }

    /// Returns the roots of the open projects, each with how long ago it was used.
    pub async fn roots(&self) -> Vec<(AbsPath, Duration)> {
        let open = self.open.lock().await;
        open.iter().map(|slot| (slot.project.root().clone(), slot.used.elapsed())).collect()
    }

    async fn close_beyond(&self, most: usize) {
        while self.open.lock().await.len() > most {
            if !self.close_oldest().await {
                return;
            }
        }
    }
}

impl Slot {
    fn is_free(&self) -> bool {
        Arc::strong_count(&self.project) == 1
    }

    /// Tells whether a caller with this setup would have opened it alike.
    fn is_for(&self, setup: &Setup) -> bool {
        let is_alike =
            (self.setup.trust, self.setup.install, self.setup.patience) == (setup.trust, setup.install, setup.patience);
        // Programs of the user's that carry refactorings out see the whole environment.
        let sees_all = self.project.session().options().config.has_refactorers();
        let counts = |one: &Setup| one.environment.that_counts(one.trust);
        is_alike
            && (Arc::ptr_eq(&self.setup.environment, &setup.environment)
                || if sees_all {
                    self.setup.environment == setup.environment
                } else {
                    counts(&self.setup) == counts(setup)
                })
    }

    /// Tells whether what it stands on is still the same.
    fn stands(&mut self, setup: &Setup) -> Result<bool, ToolError> {
        let session = self.project.session();
        self.foundation.stands(session.root(), session.options(), || {
            setup.options(session.root(), Arc::new(Relay::default()) as Arc<_>)
        })
    }
}

/// Closes a project as soon as nobody uses it.
fn retire(slot: Slot) {
    tokio::spawn(async move {
        while !slot.is_free() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        slot.project.close().await;
    });
}
