//! How a server's process is started, listened to and ended.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::task::JoinHandle;

use super::{Guard, Launch, LspError, ServerName, locked};
use crate::text::AbsPath;

/// The two ends that a client speaks LSP through, and the process behind them if there is one.
pub struct Pipes {
    pub reader: Box<dyn AsyncRead + Send + Unpin>,
    pub writer: Box<dyn AsyncWrite + Send + Unpin>,
    pub process: Option<Process>,
}

/// Makes a fresh pair of pipes to a server that has just begun; asked again for a restart.
pub type Connector = Box<dyn Fn() -> BoxFuture<'static, Result<Pipes, LspError>> + Send + Sync>;

/// A server's process with all that it started; killed when dropped.
pub struct Process {
    child: Child,
    group: Group,
    stderr: Stderr,
    listener: JoinHandle<()>,
}

/// The process group of a server, by which the whole tree is killed.
#[derive(Clone)]
pub(super) struct Group {
    leader: Option<i32>,
    alive: Arc<AtomicBool>,
}

/// The last lines that a server wrote to its standard error.
#[derive(Clone, Default)]
pub(super) struct Stderr(Arc<Mutex<VecDeque<String>>>);

const STDERR_LINES: usize = 200;
const STDERR_LINE_BYTES: usize = 2_000;
/// How long a killed process may take to be reaped.
const REAP: Duration = Duration::from_secs(2);
/// How long a process that has closed its output may take to end by itself, and what it still had to
/// say to arrive.
const GRACE: Duration = Duration::from_millis(300);

impl Pipes {
    /// Pipes to a server inside this program.
    pub fn in_memory(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self { reader: Box::new(reader), writer: Box::new(writer), process: None }
    }
}

/// Returns what starts `launch` in `root`, as often as it is asked.
pub(super) fn connector(server: ServerName, launch: Launch, root: AbsPath, guard: Guard) -> Connector {
    Box::new(move || {
        let started = spawn(&server, &launch, &root, &guard);
        Box::pin(std::future::ready(started))
    })
}

fn spawn(server: &ServerName, launch: &Launch, root: &AbsPath, guard: &Guard) -> Result<Pipes, LspError> {
    let program = find_program(launch)
        .ok_or_else(|| LspError::Missing { server: server.clone(), program: launch.program.display().to_string() })?;
    let (program, args) = guard.wrap(program.as_os_str(), &launch.args);
    let mut command = Command::new(program);
    command.args(args).current_dir(root.as_path()).envs(launch.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let failed = |reason: String| LspError::StartFailed { server: server.clone(), reason, stderr: String::new() };
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let (Some(writer), Some(reader), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(failed("its standard streams are not there".into()));
    };
    let stderr = Stderr::default();
    let listener = tokio::spawn(stderr.clone().listen(errors));
    let process = Process { group: Group::led_by(&child), child, stderr, listener };
    Ok(Pipes { reader: Box::new(reader), writer: Box::new(writer), process: Some(process) })
}

/// Finds the program as the system would, so that a missing one is told apart from one that fails.
fn find_program(launch: &Launch) -> Option<PathBuf> {
    if launch.program.components().count() > 1 {
        return launch.program.is_file().then(|| launch.program.clone());
    }
    let own_path = launch.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
    let path: OsString = own_path.or_else(|| std::env::var_os("PATH"))?;
    std::env::split_paths(&path).find_map(|dir| in_dir(&dir, &launch.program))
}

fn in_dir(dir: &Path, program: &Path) -> Option<PathBuf> {
    let plain = dir.join(program);
    let names =
        if cfg!(windows) { vec![plain.with_extension("exe"), plain.with_extension("cmd"), plain] } else { vec![plain] };
    names.into_iter().find(|candidate| candidate.is_file())
}

impl Process {
    pub(super) fn group(&self) -> Group {
        self.group.clone()
    }

    pub(super) fn stderr(&self) -> Stderr {
        self.stderr.clone()
    }

    /// Waits until the process ends by itself.
    pub(super) async fn ended(&mut self) {
        self.child.wait().await.ok();
    }

    /// Kills what is left of the group, reaps the process, and returns how it ended and its last words.
    pub(super) async fn finish(mut self) -> (String, String) {
        let by_itself = tokio::time::timeout(GRACE, self.child.wait()).await.is_ok();
        self.group.kill();
        self.child.start_kill().ok();
        let reaped = tokio::time::timeout(REAP, self.child.wait()).await;
        self.group.alive.store(false, Ordering::Release);
        tokio::time::timeout(GRACE, &mut self.listener).await.ok();
        let status = match reaped {
            Ok(Ok(status)) if by_itself => status.to_string(),
            Ok(Ok(_)) => "it closed its output".into(),
            _ => "it cannot be reaped".into(),
        };
        (status, self.stderr.text())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.kill();
    }
}

impl Group {
    fn led_by(child: &Child) -> Self {
        Self { leader: child.id().and_then(|id| i32::try_from(id).ok()), alive: Arc::new(AtomicBool::new(true)) }
    }

    /// Kills every process of the group; a group that is known to be gone is left alone.
    pub(super) fn kill(&self) {
        if !self.alive.load(Ordering::Acquire) {
            return;
        }
        #[cfg(unix)]
        if let Some(leader) = self.leader.and_then(rustix::process::Pid::from_raw) {
            rustix::process::kill_process_group(leader, rustix::process::Signal::KILL).ok();
        }
    }
}

impl Stderr {
    async fn listen(self, pipe: ChildStderr) {
        let mut lines = BufReader::new(pipe);
        let mut line = Vec::new();
        while let Ok(1..) = lines.read_until(b'\n', &mut line).await {
            self.push(&line);
            line.clear();
        }
    }

    fn push(&self, line: &[u8]) {
        let line = &line[..line.len().min(STDERR_LINE_BYTES)];
        let mut lines = locked(&self.0);
        if lines.len() == STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(line).trim_end().to_owned());
    }

    pub(super) fn text(&self) -> String {
        locked(&self.0).iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}
