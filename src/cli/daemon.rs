//! `daemon`, and commands that it runs for the process that was started for them.

use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Cli, Command, Common, Daemon, DaemonCommand};
use super::caller::{Caller, Guest, Place, stopped};
use super::screen::{Screen, written_out};
use super::streams::{Stderr, Stdout, Streams, log_to_stderr};
use tokio::io::DuplexStream;

use crate::daemon::{self, Address, Done, Heard, Invocation, Outcome, Status};
use crate::lsp::Environment;
use crate::text::AbsPath;
use crate::tools::{ErrorKind, ToolError};
use crate::workspace::{Dirs, read};

/// `LSPWRIGHT_DAEMON=never` keeps commands in the process that was started for them.
const SWITCH: &str = "LSPWRIGHT_DAEMON";
const NONE: &str = "no daemon is running\n";
/// Who runs a command in the daemon, given its command line and its caller.
pub(super) type Runner = fn(Vec<String>, Caller) -> Result<Done, ToolError>;

/// Has the daemon run a command; nothing where it is to be run here.
pub(super) fn delegated(cli: &Cli) -> Option<ExitCode> {
    let caller = &cli.common.caller;
    if !is_for_it(cli) {
        return None;
    }
    let Handover { address, log, invocation } = handover(&cli.common)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let mut written = Ok(());
    let tell = |heard| match heard {
        Heard::Stdout(bytes) if written.is_ok() => written = caller.streams.write(&bytes),
        Heard::Stdout(_) => {}
        Heard::Stderr(text) => caller.streams.say(&text),
        Heard::Note(note) => caller.streams.note(&note),
    };
    match runtime.block_on(daemon::call(&address, log.as_path(), invocation, tell, stopped())) {
        Outcome::Ended(code) => Some(match written_out(written) {
            Ok(()) => ExitCode::from(code),
            Err(error) => Screen::new(&cli.common).failed(&error),
        }),
        Outcome::NotRun(_) => None,
        Outcome::LostWhileWriting => {
            let error = ToolError::new(
                ErrorKind::Environment,
                "the daemon was lost while it wrote; what it wrote is whole or not there",
            );
            let error = error.hint("look at the files, then undo or ask again: `lspwright undo`");
            Some(Screen::new(&cli.common).failed(&error))
        }
    }
}

/// A command, and the daemon that can run it.
pub(super) struct Handover {
    address: Address,
    log: AbsPath,
    invocation: Invocation,
}

impl Handover {
    /// Begins the command, which reads and writes as it goes.
    pub(super) async fn open(&self) -> std::io::Result<DuplexStream> {
        daemon::open(&self.address, self.log.as_path(), self.invocation.clone()).await
    }
}

/// Returns what is handed to a daemon for a caller; nothing where there is to be none.
pub(super) fn handover(common: &Common) -> Option<Handover> {
    let caller = &common.caller;
    if common.no_daemon || is_switched_off(&caller.environment) {
        return None;
    }
    Some(Handover { address: Address::of_process().ok()?, log: log().ok()?, invocation: invocation(caller)? })
}

/// Tells whether a command gains by open projects, and does nothing but what is asked of them.
fn is_for_it(cli: &Cli) -> bool {
    match &cli.command {
        Command::Rename(args) => args.writing.checking.check.is_none(),
        Command::Move(args) => args.writing.checking.check.is_none(),
        Command::Refactor(args) => !args.list && args.writing.checking.check.is_none(),
        Command::Actions(args) => args.writing.checking.check.is_none(),
        Command::Fix(args) => args.writing.checking.check.is_none(),
        Command::Apply(args) => args.checking.check.is_none(),
        Command::Verify(args) | Command::Review(args) => args.checking.check.is_none(),
        Command::Problems(_) | Command::Check(_) | Command::PrettyPrint(_) => true,
        Command::Inspect(_) | Command::Outline(_) | Command::Find(_) | Command::Show(_) => true,
        Command::Uses(_) | Command::Callers(_) | Command::Errors(_) | Command::Smells(_) => true,
        Command::Entrypoints(_) | Command::FunctionInsights(_) | Command::Callgraph(_) => true,
        Command::Peek(_) | Command::Metrics(_) => true,
        // The project's own programs run where they are called, and the rest speaks of this process.
        Command::Test(_) | Command::Run(_) | Command::Compile(_) | Command::Undo(_) => false,
        Command::Setup(_) | Command::Init(_) | Command::Servers(_) | Command::Doctor => false,
        Command::Schema(_) | Command::Completions(_) | Command::Manual(_) => false,
        Command::Serve(_) | Command::Daemon(_) => false,
        Command::SolidityServer => false,
    }
}

fn is_switched_off(environment: &Environment) -> bool {
    environment.get(SWITCH) == Some("never") || environment.get("CI").is_some_and(|value| value != "false")
}

/// Returns the command line with all that it depends on; nothing where that cannot be handed on.
fn invocation(caller: &Caller) -> Option<Invocation> {
    let is_text = std::env::args_os().all(|word| word.to_str().is_some());
    let stdin = caller.words.iter().any(|word| word == "-").then(|| caller.read("-"));
    Some(Invocation {
        words: is_text.then(|| caller.words.clone())?,
        dir: caller.dir().ok()?.as_str().to_owned(),
        environment: caller.environment.0.clone(),
        stdin: stdin.transpose().ok()?,
        stdout: match caller.stdout {
            Stdout::Pipe => daemon::Output::Pipe,
            Stdout::Plain => daemon::Output::Plain,
            Stdout::Coloured => daemon::Output::Coloured,
        },
        columns: caller.columns,
        is_live: caller.stderr == Stderr::Terminal,
    })
}

/// Runs a command for another process.
fn run(invocation: Invocation, lent: daemon::Guest, runner: Runner) -> Done {
    let caller = |dir| Caller {
        words: invocation.words.clone(),
        environment: Arc::new(Environment(invocation.environment)),
        stdin: invocation.stdin.unwrap_or_default().into(),
        streams: Arc::new(Theirs(lent.clone())),
        stdout: match invocation.stdout {
            daemon::Output::Pipe => Stdout::Pipe,
            daemon::Output::Plain => Stdout::Plain,
            daemon::Output::Coloured => Stdout::Coloured,
        },
        columns: invocation.columns,
        stderr: if invocation.is_live { Stderr::Terminal } else { Stderr::Pipe },
        place: Place::Daemon(Guest { dir, lent: lent.clone() }),
    };
    let Ok(dir) = AbsPath::new(&invocation.dir) else { return Done::Declined };
    runner(invocation.words.clone(), caller(dir)).unwrap_or(Done::Declined)
}

/// The streams of the process that a command is run for.
struct Theirs(daemon::Guest);

impl Streams for Theirs {
    fn write(&self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.stdout(bytes);
        Ok(())
    }

    fn say(&self, text: &str) {
        self.0.stderr(text);
    }

    fn note(&self, line: &str) {
        self.0.note(line);
    }

    fn writing(&self) {
        self.0.writing();
    }
}

/// Is the daemon, or asks it.
pub(super) async fn daemon(args: Daemon, screen: &Screen, runner: Runner) -> Result<ExitCode, ToolError> {
    let failed = |error: std::io::Error| ToolError::new(ErrorKind::Environment, format!("the daemon: {error}"));
    let address = Address::of_process().map_err(failed)?;
    match args.command {
        None => {
            log_to_stderr("lspwright=info");
            let run: daemon::Run = Arc::new(move |invocation, guest| run(invocation, guest, runner));
            daemon::listen(address, run, stopped()).await.map_err(failed)?;
            Ok(ExitCode::SUCCESS)
        }
        Some(DaemonCommand::Status) => {
            let status = daemon::status(&address.socket).await.map_err(failed)?;
            match (screen.output, status) {
                (None, Some(status)) => screen.print(&told(&status)),
                (None, None) => screen.print(NONE),
                (Some(_), status) => screen.print_answer(&status, "a daemon is not a plan"),
            }
        }
        Some(DaemonCommand::Stop) => {
            let was_there = daemon::stop(&address).await.map_err(failed)?;
            screen.print(if was_there { "ended\n" } else { NONE })
        }
        Some(DaemonCommand::Logs) => {
            let log = log()?;
            screen.print(&String::from_utf8_lossy(&read(log.as_path()).unwrap_or_default()))
        }
    }
}

/// Where a daemon that was started by itself writes what it does.
fn log() -> Result<AbsPath, ToolError> {
    Ok(Dirs::of_user()?.state.path().join("daemon.log")?)
}

fn told(status: &Status) -> String {
    let Status { version, pid, seconds, megabytes, most_megabytes, running, projects, .. } = status;
    let taken = megabytes.map_or("unknown".to_owned(), |megabytes| format!("{megabytes} MB of {most_megabytes} MB"));
    let mut lines = format!("daemon {version}, process {pid}, for {seconds} s; {running} running; memory: {taken}\n");
    for project in projects {
        lines += &format!("  {} (used {} s ago)\n", project.root, project.idle_seconds);
    }
    lines
}
