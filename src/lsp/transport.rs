//! How a server's process is started, listened to and ended.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite};
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

use super::child::{ProcessGroup, Program, RunError, Running};
use super::lines::Lines;
use super::{Guard, Launch, LspError, ServerName, locked};
use crate::text::AbsPath;
use crate::workspace::ScratchDir;

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
    running: Running,
    /// Servers leave some of their temporary files behind. It goes after the process.
    _temporary: Option<ScratchDir>,
    stderr: Stderr,
    listener: JoinHandle<()>,
}

/// The last lines that a server wrote to its standard error.
#[derive(Clone, Default)]
pub(super) struct Stderr(Arc<Mutex<VecDeque<String>>>);

/// The variables that say where temporary files lie: POSIX's, and those of Windows.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];
const STDERR_LINES: usize = 200;
const CHUNK: usize = 16 << 10;
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
    let failed = |reason: String| LspError::StartFailed { server: server.clone(), reason, stderr: String::new() };
    let temporary = ScratchDir::new().ok();
    let program = Program::of(launch).at(root.as_path());
    let program = temporary
        .iter()
        .fold(program, |program, dir| TEMPORARY.iter().fold(program, |program, name| program.with(name, dir.path())));
    let mut running = program.start(guard).map_err(|error| match error {
        RunError::Missing(program) => LspError::Missing { server: server.clone(), program },
        RunError::NotStarted(reason) => failed(reason),
        other => failed(other.to_string()),
    })?;
    let child = &mut running.child;
    let (Some(writer), Some(reader), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(failed("its standard streams are not there".into()));
    };
    let stderr = Stderr::default();
    let listener = tokio::spawn(stderr.clone().listen(errors));
    let process = Process { running, _temporary: temporary, stderr, listener };
    Ok(Pipes { reader: Box::new(reader), writer: Box::new(writer), process: Some(process) })
}

impl Process {
    pub(super) fn group(&self) -> ProcessGroup {
        self.running.group()
    }

    pub(super) fn stderr(&self) -> Stderr {
        self.stderr.clone()
    }

    /// Waits until the process ends by itself.
    pub(super) async fn ended(&mut self) {
        self.running.child.wait().await.ok();
    }

    /// Kills what is left of the group, reaps the process, and returns how it ended and its last words.
    pub(super) async fn finish(mut self) -> (String, String) {
        let by_itself = tokio::time::timeout(GRACE, self.running.child.wait()).await.is_ok();
        let reaped = self.running.end().await;
        tokio::time::timeout(GRACE, &mut self.listener).await.ok();
        let status = match reaped {
            Some(status) if by_itself => status.to_string(),
            Some(_) => "it closed its output".into(),
            None => "it cannot be reaped".into(),
        };
        (status, self.stderr.text())
    }
}

impl Stderr {
    async fn listen(self, mut pipe: ChildStderr) {
        let (mut lines, mut chunk) = (Lines::default(), vec![0; CHUNK]);
        while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
            lines.take(&chunk[..read], |line| self.push(line));
        }
        lines.end(|line| self.push(line));
    }

    fn push(&self, line: &str) {
        let mut lines = locked(&self.0);
        if lines.len() == STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }

    pub(super) fn text(&self) -> String {
        locked(&self.0).iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}
