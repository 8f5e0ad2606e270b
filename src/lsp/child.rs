//! The one way to start a program: in a process group of its own, below the guard, gone with all that it started.
//!
//! `process-wrap` makes groups and ends them as long as its own process lives; where that is killed, only the guard is left.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, Command};

use super::environment::Environment;
use super::guard::{COMPLAINT, NOT_STARTED, Terminal};
use super::lines::Lines;
use super::{Guard, Launch, stray_processes};

/// A program that is to be run, with all that it is given.
#[derive(Debug, Clone, Default)]
pub struct Program {
    words: Vec<OsString>,
    dir: Option<PathBuf>,
    /// Nothing hands on the environment of this process.
    environment: Option<Environment>,
    /// Set beside the environment.
    variables: Vec<(OsString, OsString)>,
    stdin: Vec<u8>,
    most: Option<usize>,
    terminal: Terminal,
}

/// How a program ended, and what it said.
#[derive(Debug)]
pub struct Output {
    pub status: ExitStatus,
    pub stdout: CapturedOutput,
    pub stderr: CapturedOutput,
}

/// What a program said until it ended, or until its time was over.
#[derive(Debug)]
pub struct Ran {
    /// Nothing where its time was over.
    pub status: Option<ExitStatus>,
    pub stdout: CapturedOutput,
    pub stderr: CapturedOutput,
}

/// What a program wrote: from the beginning as much as is kept, and of the rest the last part.
#[derive(Debug, Default)]
pub struct CapturedOutput {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
    most: usize,
}

/// Why a program did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("`{0}` is not there")]
    Missing(String),
    #[error("it did not start: {0}")]
    NotStarted(String),
    #[error("it did not end within {} s, and was killed", .0.as_secs_f32())]
    Late(Duration),
    #[error("it was lost: {0}")]
    Lost(io::Error),
}

/// A process with all that it starts; killed when dropped.
pub(super) struct Running {
    pub(super) child: Child,
    group: ProcessGroup,
}

/// The process group of a child, by which the whole tree is killed.
#[derive(Clone)]
pub(super) struct ProcessGroup {
    pub(super) leader: Option<i32>,
    /// The variable (`NAME=value`) that all of them have, by which they are found where the guard was killed.
    mark: Arc<str>,
    alive: Arc<AtomicBool>,
}

/// The variable that every program is given, and hands on to what it starts.
const GROUP: &str = "LSPWRIGHT_GROUP";
/// How much is kept of what a program writes to one pipe, unless it is asked for more.
const MOST_BYTES: usize = 16 << 20;
/// How much is kept of the end of what is longer.
const TAIL_BYTES: usize = 64 << 10;
const CHUNK: usize = 64 << 10;
/// How long what a program that has ended wrote may take to arrive.
const GRACE: Duration = Duration::from_millis(500);
/// How long a killed process may take to be reaped.
const REAP: Duration = Duration::from_secs(2);

impl Program {
    /// The program is an absolute path, or a bare name, which is looked for on `PATH`: what is relative depends on where
    /// one stands, and in a project that is a stranger's file.
    pub fn new(words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { words: words.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    pub fn of(launch: &Launch) -> Self {
        let words = std::iter::once(launch.program.clone().into_os_string()).chain(launch.args.iter().cloned());
        Self { environment: Some(Environment::default()), variables: launch.env.clone(), ..Self::new(words) }
    }

    /// Shell and line run a command line as a user would type it. The shell is the system's, whatever `PATH` says.
    pub fn shell(line: &str) -> Self {
        Self::new(if cfg!(windows) { ["cmd", "/C", line] } else { ["/bin/sh", "-c", line] })
    }

    /// Runs in `dir` rather than where this process runs.
    pub fn at(mut self, dir: &Path) -> Self {
        self.dir = Some(dir.to_owned());
        self
    }

    /// Sees this environment rather than that of this process.
    pub fn within(mut self, environment: &Environment) -> Self {
        self.environment = Some(environment.clone());
        self
    }

    /// Sees a variable beside its environment.
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Reads this on its standard input, which is empty otherwise.
    pub fn asked(mut self, stdin: impl Into<Vec<u8>>) -> Self {
        self.stdin = stdin.into();
        self
    }

    /// May write so many bytes to each of its outputs before something is left out.
    pub fn saying(mut self, most: usize) -> Self {
        self.most = Some(most);
        self
    }

    /// Has no terminal, not even that of whoever started this program.
    pub(super) fn apart(mut self) -> Self {
        self.terminal = Terminal::Apart;
        self
    }

    /// Runs the program to its end. It is killed with all that it started when the time is over, or when the future
    /// is dropped; what it leaves behind is killed, too.
    pub async fn run(&self, guard: &Guard, within: Duration) -> Result<Output, RunError> {
        self.run_told(guard, within, &|_| {}).await
    }

    /// As [`Program::run`]; every line that it writes is told at once.
    pub async fn run_told(
        &self,
        guard: &Guard,
        within: Duration,
        tell: &(dyn Fn(&str) + Sync),
    ) -> Result<Output, RunError> {
        let Ran { status, stdout, stderr } = self.told_until(guard, within, tell).await?;
        let status = status.ok_or(RunError::Late(within))?;
        Ok(Output { status, stdout, stderr })
    }

    /// As [`Program::run`], but what was said until the time was over is handed out, too.
    pub async fn run_until(&self, guard: &Guard, within: Duration) -> Result<Ran, RunError> {
        self.told_until(guard, within, &|_| {}).await
    }

    async fn told_until(&self, guard: &Guard, within: Duration, tell: &(dyn Fn(&str) + Sync)) -> Result<Ran, RunError> {
        let mut running = self.start(guard)?;
        let child = &mut running.child;
        let (stdin, out, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let most = self.most.unwrap_or(MOST_BYTES);
        let (mut stdout, mut stderr) = (CapturedOutput::at_most(most), CapturedOutput::at_most(most));
        let talk = async {
            tokio::join!(feed(stdin, &self.stdin), hear(out, &mut stdout, tell), hear(errors, &mut stderr, tell))
        };
        let status = tokio::time::timeout(within, running.ended(talk)).await;
        let Ok(status) = status else {
            running.end().await;
            return Ok(Ran { status: None, stdout, stderr });
        };
        let status = status.map_err(RunError::Lost)?;
        match guard.complaint(status, &stderr) {
            Some(complaint) => Err(RunError::NotStarted(complaint)),
            None => Ok(Ran { status: Some(status), stdout, stderr }),
        }
    }

    /// Starts the program with pipes for its three standard streams.
    pub(super) fn start(&self, guard: &Guard) -> Result<Running, RunError> {
        let missing = || {
            let name = self.words.first().map(|word| word.to_string_lossy().into_owned());
            RunError::Missing(name.unwrap_or_default())
        };
        let program = self.found().ok_or_else(missing)?;
        let (program, args) = guard.wrap(program.as_os_str(), &self.words[1..], self.terminal);
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        if let Some(environment) = &self.environment {
            command.env_clear().envs(&environment.0);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let mark = random();
        command.env(GROUP, &mark);
        // Who leads a group already cannot begin a session (setsid(2)): there the guard makes both.
        #[cfg(unix)]
        if self.terminal == Terminal::Shared || !guard.is_there() {
            command.process_group(0);
        }
        let child = command.spawn().map_err(|error| RunError::NotStarted(error.to_string()))?;
        Ok(Running { group: ProcessGroup::led_by(&child, &mark), child })
    }

    /// Finds the program here rather than below the guard, so that a missing one is told apart from one that fails.
    fn found(&self) -> Option<PathBuf> {
        let word = Path::new(self.words.first()?);
        let mut environment = self.environment.clone().unwrap_or_else(Environment::of_process);
        let path = self.variables.iter().rfind(|(name, _)| name == "PATH");
        if let Some(path) = path.and_then(|(_, value)| value.to_str()) {
            environment.0.insert("PATH".to_owned(), path.to_owned());
        }
        environment.find_program(word.to_str()?)
    }
}

impl Guard {
    /// Returns what the guard said where it is the guard that failed.
    fn complaint(&self, status: ExitStatus, stderr: &CapturedOutput) -> Option<String> {
        let is_its_own = self.is_there() && status.code() == Some(i32::from(NOT_STARTED));
        let said = String::from_utf8_lossy(&stderr.head);
        is_its_own.then(|| said.strip_prefix(COMPLAINT).map(|said| said.trim().to_owned())).flatten()
    }
}

impl Output {
    /// Returns what it said last of why it failed, `lines` of it: errors where there are any.
    pub fn last_words(&self, lines: usize) -> String {
        last_words((&self.stdout, &self.stderr), lines)
    }
}

impl Ran {
    /// As [`Output::last_words`].
    pub fn last_words(&self, lines: usize) -> String {
        last_words((&self.stdout, &self.stderr), lines)
    }
}

fn last_words((stdout, stderr): (&CapturedOutput, &CapturedOutput), lines: usize) -> String {
    let (out, errors) = (stdout.text(), stderr.text());
    let said = if errors.trim().is_empty() { &out } else { &errors };
    let all: Vec<&str> = said.trim().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

impl CapturedOutput {
    /// Takes what was said for a whole.
    pub fn of(bytes: &[u8]) -> Self {
        let mut said = Self::at_most(bytes.len());
        said.take(bytes);
        said
    }

    pub(super) fn at_most(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.most - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(TAIL_BYTES);
        self.tail.drain(..over);
        self.left_out += over;
    }

    /// Returns all that was said, or how many bytes that was where not all of it was kept.
    pub fn whole(&self) -> Result<&[u8], usize> {
        match self.tail.len() + self.left_out {
            0 => Ok(&self.head),
            more => Err(self.head.len() + more),
        }
    }

    /// Returns the first `head` bytes and the last `tail`, with how many lie between them; of neither more than is kept.
    pub fn ends(&self, head: usize, tail: usize) -> (Vec<u8>, usize, Vec<u8>) {
        let total = self.head.len() + self.left_out + self.tail.len();
        if total <= head + tail {
            return (self.head.iter().chain(&self.tail).copied().collect(), 0, Vec::new());
        }
        let (first, rest) = self.head.split_at(self.head.len().min(head));
        let skipped = (rest.len() + self.tail.len()).saturating_sub(tail);
        let last: Vec<u8> = rest.iter().chain(&self.tail).copied().skip(skipped).collect();
        (first.to_vec(), total - first.len() - last.len(), last)
    }

    /// Returns what was kept, with a word on what is missing.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.left_out > 0 {
            text += &format!("\n[{} bytes are left out here]\n", self.left_out);
        }
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        text + &String::from_utf8_lossy(&tail)
    }
}

/// Hands over what the program reads; one that does not read to the end says why elsewhere.
async fn feed(pipe: Option<ChildStdin>, stdin: &[u8]) {
    if let Some(mut pipe) = pipe {
        pipe.write_all(stdin).await.ok();
        pipe.shutdown().await.ok();
    }
}

async fn hear(pipe: Option<impl AsyncRead + Unpin>, said: &mut CapturedOutput, tell: &(dyn Fn(&str) + Sync)) {
    let Some(mut pipe) = pipe else { return };
    let (mut lines, mut chunk) = (Lines::default(), vec![0; CHUNK]);
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        said.take(&chunk[..read]);
        lines.take(&chunk[..read], tell);
    }
    lines.end(tell);
}

/// Returns a text that nobody can guess.
pub(super) fn random() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

impl Running {
    pub(super) fn group(&self) -> ProcessGroup {
        self.group.clone()
    }

    /// Waits until the program has ended and all that it said has been heard. What it left behind, which may hold its
    /// pipes open, is killed.
    async fn ended<T>(&mut self, talk: impl Future<Output = T>) -> io::Result<ExitStatus> {
        tokio::pin!(talk);
        let (status, is_heard) = tokio::select! {
            biased;
            _ = &mut talk => (self.child.wait().await, true),
            status = self.child.wait() => (status, false),
        };
        self.group.end(status.as_ref().ok().copied());
        if !is_heard {
            tokio::time::timeout(GRACE, talk).await.ok();
        }
        status
    }

    /// Kills what is left, and returns how the process ended; nothing where it cannot be reaped.
    pub(super) async fn end(&mut self) -> Option<ExitStatus> {
        self.group.kill();
        self.child.start_kill().ok();
        let reaped = tokio::time::timeout(REAP, self.child.wait()).await;
        self.group.alive.store(false, Ordering::Release);
        reaped.ok()?.ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.group.kill();
    }
}

impl ProcessGroup {
    fn led_by(child: &Child, mark: &str) -> Self {
        let leader = child.id().and_then(|id| i32::try_from(id).ok());
        Self { leader, mark: format!("{GROUP}={mark}").into(), alive: Arc::new(AtomicBool::new(true)) }
    }

    /// Kills every process of the group, and what has left it; a group that is known to be gone is left alone.
    pub(super) fn kill(&self) {
        if !self.alive.load(Ordering::Acquire) {
            return;
        }
        if let Some(leader) = self.leader {
            let was_there = stray_processes::lives(leader);
            stray_processes::kill_group(leader);
            if !was_there {
                stray_processes::kill_marked(&self.mark);
            }
        }
    }

    /// Kills what a leader left behind that has been reaped: its number may mean another one from now on. A guard that ended
    /// by itself has left nothing.
    fn end(&self, status: Option<ExitStatus>) {
        match self.leader.filter(|_| status.is_some_and(|status| status.code().is_some())) {
            Some(leader) => stray_processes::kill_group(leader),
            None => self.kill(),
        }
        self.alive.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests;
