//! The installations that this process is at, each on a task of its own: a caller that gives up ends none.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared};
use tokio::sync::{broadcast, oneshot};
use tokio::time::{Instant, sleep_until};

use super::super::spec::{Install, ServerName, ServerSpec};
use super::progress::{InstallStep, Progress, share};
use super::store::{self, Found, Work};
use super::{Host, ProvisionError};
use crate::text::AbsPath;
use crate::workspace::locked;

/// By the directories into which they install.
static RUNNING: Mutex<BTreeMap<AbsPath, Running>> = Mutex::new(BTreeMap::new());

/// So many steps wait for a caller that is slow to hear them.
const STEPS: usize = 256;

/// Far longer than any installation takes.
const FOR_EVER: Duration = Duration::from_secs(24 * 60 * 60);

/// Nothing as an error: the task was ended from outside.
type Outcome = Result<(), Option<Arc<ProvisionError>>>;

/// An installation that goes on by itself.
#[derive(Clone)]
struct Running {
    server: ServerName,
    outcome: Shared<BoxFuture<'static, Outcome>>,
    told: Arc<Told>,
}

/// One who waits for an installation.
struct Waiting {
    running: Running,
    steps: broadcast::Receiver<Owned>,
}

/// What an installation has told.
struct Told {
    steps: broadcast::Sender<Owned>,
    /// What one who comes later has to know.
    state: Mutex<State>,
}

#[derive(Clone, Default)]
struct State {
    command: Option<String>,
    share: Option<u64>,
}

/// A step that waits to be heard.
#[derive(Clone)]
enum Owned {
    Waiting,
    Begun(String),
    Size { megabytes: u64, of: Option<u64> },
    Done(Duration),
    Failed,
}

/// Installs a server unless it is installed, alone among all processes, and returns its directory. The installation
/// outlives a caller that gives up.
pub(super) async fn ensure(spec: &ServerSpec, install: &Install, host: &Host<'_>) -> Result<AbsPath, ProvisionError> {
    match store::find(spec, install, host)? {
        Found::Installed(dir) => Ok(dir),
        Found::Missing(work) => {
            let dir = work.dir.clone();
            of(work, host).wait(host).await?;
            Ok(dir)
        }
    }
}

/// Returns the installation into a directory, begun unless it is under way.
fn of(work: Work, host: &Host<'_>) -> Waiting {
    let mut running = locked(&RUNNING);
    if let Some(known) = running.get(&work.dir) {
        return Waiting { running: known.clone(), steps: known.told.steps.subscribe() };
    }
    let told = Arc::new(Told { steps: broadcast::Sender::new(STEPS), state: Mutex::default() });
    let (sender, receiver) = oneshot::channel::<Result<(), Arc<ProvisionError>>>();
    let outcome = async move { receiver.await.map_or(Err(None), |done| done.map_err(Some)) }.boxed().shared();
    let begun = Running { server: work.server.clone(), outcome, told: Arc::clone(&told) };
    let waiting = Waiting { running: begun.clone(), steps: told.steps.subscribe() };
    running.insert(work.dir.clone(), begun);
    drop(running);
    begin(work, host, told, sender);
    waiting
}

fn begin(work: Work, host: &Host<'_>, told: Arc<Told>, done: oneshot::Sender<Result<(), Arc<ProvisionError>>>) {
    let (dirs, environment, root, guard) =
        (host.dirs.clone(), host.environment.clone(), host.root.clone(), host.guard.clone());
    let (trust, policy, entry) = (host.trust, host.policy, Entry(work.dir.clone()));
    tokio::spawn(async move {
        let (dirs, environment, root, guard) = (&dirs, &environment, &root, &guard);
        let host = Host { dirs, environment, root, trust, policy, progress: &*told, guard, patience: None };
        let outcome = work.done(&host).await;
        drop(entry);
        // Nobody need wait for it any more.
        let _ = done.send(outcome.map_err(Arc::new));
    });
}

/// Takes an installation out of the table, however it ends.
struct Entry(AbsPath);

impl Drop for Entry {
    fn drop(&mut self) {
        locked(&RUNNING).remove(&self.0);
    }
}

impl Waiting {
    /// Waits until it is done, or longer than the host does.
    async fn wait(self, host: &Host<'_>) -> Result<(), ProvisionError> {
        let Self { running: Running { server, outcome, told }, mut steps } = self;
        if let Some(command) = told.command() {
            host.progress.step(&server, InstallStep::Begun { command: &command });
        }
        let late = Instant::now() + host.patience.unwrap_or(FOR_EVER);
        let mut ended = outcome.clone();
        let done = loop {
            tokio::select! {
                biased;
                step = steps.recv() => step.iter().for_each(|step| step.pass_on(&server, host.progress)),
                done = &mut ended => break done,
                () = sleep_until(late) => {
                    let share = locked(&told.state).share;
                    return Err(ProvisionError::Installing { server, share });
                }
            }
        };
        while let Ok(step) = steps.try_recv() {
            step.pass_on(&server, host.progress);
        }
        drop((outcome, ended));
        done.map_err(|error| match error {
            Some(error) => Arc::try_unwrap(error).unwrap_or_else(ProvisionError::Shared),
            None => {
                let (command, output) = (told.command().unwrap_or_default(), String::new());
                ProvisionError::InstallFailed { server, command, outcome: "was interrupted".to_owned(), output }
            }
        })
    }
}

impl Told {
    fn command(&self) -> Option<String> {
        locked(&self.state).command.clone()
    }
}

impl Progress for Told {
    fn step(&self, _server: &ServerName, step: InstallStep<'_>) {
        let owned = match step {
            InstallStep::Line(_) | InstallStep::Counted { .. } => return,
            InstallStep::Waiting => Owned::Waiting,
            InstallStep::Begun { command } => {
                locked(&self.state).command = Some(command.to_owned());
                Owned::Begun(command.to_owned())
            }
            InstallStep::Size { megabytes, of } => {
                locked(&self.state).share = share(megabytes, of);
                Owned::Size { megabytes, of }
            }
            InstallStep::Done { took } => Owned::Done(took),
            InstallStep::Failed => Owned::Failed,
        };
        // Nobody need listen.
        let _ = self.steps.send(owned);
    }
}

impl Owned {
    fn pass_on(&self, server: &ServerName, progress: &dyn Progress) {
        let step = match self {
            Self::Waiting => InstallStep::Waiting,
            Self::Begun(command) => InstallStep::Begun { command },
            Self::Size { megabytes, of } => InstallStep::Size { megabytes: *megabytes, of: *of },
            Self::Done(took) => InstallStep::Done { took: *took },
            Self::Failed => InstallStep::Failed,
        };
        progress.step(server, step);
    }
}
