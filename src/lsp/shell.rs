//! A shell that stays: one command after the other, each with its own output, deadline and end.
//!
//! It is an interactive bash without a terminal, because only such a one comes back from a command that is broken off:
//! directory, variables, functions and jobs in the background stay. What ends a command is told by marks in its two
//! outputs, which nobody can guess.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::child::{Running, random};
use super::{CapturedOutput, Environment, Guard, Program, RunError, locked, stray_processes};

/// A running shell; it is killed with all that it started when it is dropped.
pub struct Shell {
    running: Running,
    stdin: ChildStdin,
    stdout: Arc<Ear>,
    stderr: Arc<Ear>,
    /// That of the shell itself, below the guard.
    pid: i32,
    is_usable: bool,
}

/// What a command wrote, with what earlier ones wrote in the background since, and how it ended.
#[derive(Debug)]
pub struct Heard {
    pub stdout: CapturedOutput,
    pub stderr: CapturedOutput,
    pub end: End,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Done(i32),
    /// It was broken off with all that it started; the shell is as it was.
    BrokenOff,
    /// It could be ended only together with the shell.
    Killed,
    /// The shell ended with it, with this status where there is one.
    Left(Option<i32>),
}

const BASH: [&str; 5] = ["bash", "--noprofile", "--norc", "--noediting", "-i"];
/// Runs once. The outputs are kept under numbers that no command has a use for, so that a command that leads them elsewhere
/// does so for itself alone; the trap is carried out behind the foreground command that is killed, before the next one.
const BEGIN: &str = "set +H; set +o history; unset HISTFILE; export -n PS1 PS2; exec 198>&1 199>&2; \
    trap 'builtin kill -INT $$' USR2";
/// How long a shell may take to come up, and to come back from what was broken off.
const UP: Duration = Duration::from_secs(30);
const BACK: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);
/// How long what an ended shell wrote may take to arrive.
const GRACE: Duration = Duration::from_millis(500);
/// How much is kept of the beginning of an output.
const HEAD: usize = 64 << 10;
const CHUNK: usize = 64 << 10;
/// Stands around a mark: no program writes it.
const SIGN: u8 = 0x1e;
/// No mark is longer than this.
const LONGEST_MARK: usize = 64;

impl Shell {
    /// Starts a shell in `dir`.
    ///
    /// # Errors
    /// Where there is no bash, or it does not come up.
    pub async fn start(dir: &Path, environment: &Environment, guard: &Guard) -> Result<Self, RunError> {
        let program = Program::new(BASH).at(dir).within(environment).with("PS1", "").with("PS2", "").apart();
        let mut running = program.start(guard)?;
        let pipes = (running.child.stdin.take(), running.child.stdout.take(), running.child.stderr.take());
        let (Some(stdin), Some(out), Some(errors)) = pipes else {
            return Err(RunError::NotStarted("it has no pipes".to_owned()));
        };
        let (stdout, stderr) = (Ear::open(out), Ear::open(errors));
        let mut shell = Self { running, stdin, stdout, stderr, pid: 0, is_usable: true };
        let heard = shell.run(BEGIN, UP, std::future::pending()).await;
        match heard.end {
            End::Done(_) => Ok(shell),
            _ => Err(RunError::NotStarted(heard.stderr.text().trim().to_owned())),
        }
    }

    /// Tells whether it can be given another command: not where it, or its guard, has ended meanwhile.
    pub fn is_usable(&mut self) -> bool {
        self.is_usable && matches!(self.running.child.try_wait(), Ok(None))
    }

    /// Runs a command, until it ends, its time is over, or `cancelled` is done. It reads nothing: its input is empty.
    pub async fn run(&mut self, command: &str, within: Duration, cancelled: impl Future<Output = ()>) -> Heard {
        let leader = self.running.group().leader.unwrap_or_default();
        let mut spared = stray_processes::below(leader);
        spared.push(self.pid);
        let mark = random();
        let line = script(command, &mark);
        self.stdout.expect(&mark);
        self.stderr.expect(&mark);
        // What is given up in the middle leaves nobody knows what.
        self.is_usable = false;
        let ended = async {
            self.stdin.write_all(line.as_bytes()).await.ok();
            self.stdin.flush().await.ok();
            tokio::join!(self.stdout.ended(), self.stderr.ended()).0
        };
        let end = tokio::select! {
            biased;
            Some((status, pid)) = ended => {
                self.pid = pid;
                End::Done(status)
            }
            status = self.running.child.wait() => End::Left(status.ok().and_then(status_of)),
            () = sleep(within) => self.broken_off(leader, &spared).await,
            () = cancelled => self.broken_off(leader, &spared).await,
        };
        if let End::Left(_) = end {
            timeout(GRACE, async { tokio::join!(self.stdout.closed(), self.stderr.closed()) }).await.ok();
        }
        self.is_usable = matches!(end, End::Done(_) | End::BrokenOff);
        Heard { stdout: self.stdout.said(), stderr: self.stderr.said(), end }
    }

    /// Ends what runs in the foreground, and if need be the shell: what follows in the command is not carried out.
    async fn broken_off(&mut self, leader: i32, spared: &[i32]) -> End {
        // What bash says of this is none of the command's.
        self.stdout.stop();
        self.stderr.stop();
        let back = async { tokio::join!(self.stdout.ended(), self.stderr.ended()) };
        let killing = async {
            loop {
                stray_processes::kill_others(leader, spared);
                sleep(LOOK).await;
            }
        };
        // The signal first: it has to be there when the shell goes on.
        if self.pid > 0 && stray_processes::signal(self.pid) {
            tokio::select! {
                (Some(_), Some(_)) = back => return End::BrokenOff,
                () = killing => {}
                () = sleep(BACK) => {}
            }
        }
        self.running.end().await;
        End::Killed
    }

    /// Ends the shell with all that it started.
    pub async fn end(mut self) {
        self.running.end().await;
    }
}

/// What is written to the shell for one command. Its lines are read one by one: what follows a broken one is still read.
/// A prompt that the command set, as virtual environments do, would be shown before the second one.
fn script(command: &str, mark: &str) -> String {
    let quoted = command.replace('\'', r"'\''");
    let mut script =
        format!("eval '{quoted}' </dev/null; _lspwright=$? PS1= PS2= PROMPT_COMMAND=\nexec 1>&198 2>&199\n{{ ");
    for output in [198, 199] {
        let _ = write!(script, r"builtin printf '\036{mark}:%d:%d\036' $_lspwright $$ >&{output}; ");
    }
    script + "} 2>/dev/null\n(exit $_lspwright)\n"
}

#[cfg(unix)]
fn status_of(status: std::process::ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    status.code().or_else(|| status.signal().map(|signal| 128 + signal))
}

#[cfg(not(unix))]
fn status_of(status: std::process::ExitStatus) -> Option<i32> {
    status.code()
}

/// Listens to one output.
#[derive(Default)]
struct Ear {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Default)]
struct State {
    said: CapturedOutput,
    /// What may be the beginning of a mark.
    open: Vec<u8>,
    mark: Vec<u8>,
    /// The status and the shell's own number, once the mark was heard.
    ended: Option<(i32, i32)>,
    /// What was said until the mark.
    until: Option<CapturedOutput>,
    is_closed: bool,
}

impl Ear {
    fn open(mut pipe: impl AsyncRead + Unpin + Send + 'static) -> Arc<Self> {
        let ear = Arc::new(Self::default());
        locked(&ear.state).said = CapturedOutput::at_most(HEAD);
        let listening = Arc::clone(&ear);
        tokio::spawn(async move {
            let mut chunk = vec![0; CHUNK];
            while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
                locked(&listening.state).take(&chunk[..read]);
                listening.news.notify_one();
            }
            locked(&listening.state).close();
            listening.news.notify_one();
        });
        ear
    }

    fn expect(&self, mark: &str) {
        let mut state = locked(&self.state);
        state.mark = [&[SIGN], mark.as_bytes(), b":"].concat();
        state.ended = None;
        state.until = None;
    }

    /// Keeps nothing more of what is said before the mark.
    fn stop(&self) {
        let mut state = locked(&self.state);
        if state.until.is_none() {
            state.until = Some(std::mem::replace(&mut state.said, CapturedOutput::at_most(HEAD)));
        }
    }

    /// Waits for the mark; nothing where the output is closed before.
    async fn ended(&self) -> Option<(i32, i32)> {
        loop {
            let (ended, is_closed) = {
                let state = locked(&self.state);
                (state.ended, state.is_closed)
            };
            match ended {
                Some(ended) => return Some(ended),
                None if is_closed => return None,
                None => self.news.notified().await,
            }
        }
    }

    async fn closed(&self) {
        while !locked(&self.state).is_closed {
            self.news.notified().await;
        }
    }

    /// Takes what was said.
    fn said(&self) -> CapturedOutput {
        let mut state = locked(&self.state);
        let until = state.until.take();
        until.unwrap_or_else(|| std::mem::replace(&mut state.said, CapturedOutput::at_most(HEAD)))
    }
}

impl State {
    fn take(&mut self, bytes: &[u8]) {
        self.open.extend_from_slice(bytes);
        let found =
            memchr::memmem::find(&self.open, &self.mark).filter(|_| self.ended.is_none() && !self.mark.is_empty());
        let Some(start) = found else {
            // A mark may have begun in the end of it.
            let from = self.open.len().saturating_sub(LONGEST_MARK);
            let sign = memchr::memchr(SIGN, &self.open[from..]).map_or(self.open.len(), |at| from + at);
            return self.say(sign);
        };
        self.say(start);
        let Some(end) = memchr::memchr(SIGN, &self.open[1..]).map(|end| end + 1) else { return };
        let rest = self.open.split_off(end + 1);
        let told = String::from_utf8_lossy(&self.open[self.mark.len()..end]).into_owned();
        let (status, pid) = told.split_once(':').unwrap_or_default();
        self.ended = Some((status.parse().unwrap_or(-1), pid.parse().unwrap_or_default()));
        let said = std::mem::replace(&mut self.said, CapturedOutput::at_most(HEAD));
        self.until.get_or_insert(said);
        self.open.clear();
        self.said.take(&rest);
    }

    fn close(&mut self) {
        self.say(self.open.len());
        self.is_closed = true;
    }

    /// Hands over the first `end` bytes of what is open.
    fn say(&mut self, end: usize) {
        self.said.take(&self.open[..end]);
        self.open.drain(..end);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
