//! Who called a command: from where, in which environment, on which streams. Usually it is whoever started this process;
//! in the daemon it is another process, for which the command is run.

use std::fmt;
use std::io::Read as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

use super::streams::{OwnStreams, Stderr, Stdout, Streams};
use crate::daemon;
use crate::lsp::Environment;
use crate::text::AbsPath;
use crate::tools::{ErrorKind, Projects, Setup, ToolError};
use crate::workspace::read_text;

/// One command's caller.
pub(super) struct Caller {
    /// The command line without the program.
    pub words: Vec<String>,
    pub environment: Arc<Environment>,
    /// What stdin held, once it was read.
    pub stdin: OnceLock<String>,
    pub streams: Arc<dyn Streams>,
    pub stdout: Stdout,
    pub stderr: Stderr,
    /// How wide the terminal is that stdout goes to.
    pub columns: Option<u16>,
    pub place: Place,
}

/// Where a command runs.
pub(super) enum Place {
    /// In the process that the caller started.
    Own,
    /// In the daemon.
    Daemon(Guest),
}

/// What the daemon knows of a caller beside its words, and what it lends it.
pub(super) struct Guest {
    pub dir: AbsPath,
    pub lent: daemon::Guest,
}

/// How long work may go on after a signal asked the process to end.
const GRACE: Duration = Duration::from_secs(8);

/// How long a call waits for the installation of a server where others wait for its answer: MCP clients give up after a
/// minute.
pub(super) const PATIENCE: Duration = Duration::from_secs(40);

impl Default for Caller {
    /// Takes the caller of this process.
    fn default() -> Self {
        let (stdout, stderr) = OwnStreams::readers();
        let environment = Arc::new(Environment::of_process());
        Self {
            words: std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(),
            environment: Arc::clone(&environment),
            stdin: OnceLock::new(),
            streams: Arc::new(OwnStreams::new(environment)),
            stdout,
            stderr,
            columns: OwnStreams::columns(),
            place: Place::Own,
        }
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").field("words", &self.words).finish_non_exhaustive()
    }
}

impl Caller {
    /// Returns the directory that the command was called in.
    pub(super) fn dir(&self) -> Result<AbsPath, ToolError> {
        if let Place::Daemon(guest) = &self.place {
            return Ok(guest.dir.clone());
        }
        let here = std::env::current_dir();
        let here =
            here.map_err(|error| ToolError::new(ErrorKind::Environment, format!("no current directory: {error}")))?;
        Ok(AbsPath::new(here)?)
    }

    /// Returns where a path on the command line leads.
    pub(super) fn path(&self, path: &str) -> Result<AbsPath, ToolError> {
        Ok(self.dir()?.join(path)?)
    }

    /// Reads a file, or stdin where it is called `-`.
    pub(super) fn read(&self, path: &str) -> Result<String, ToolError> {
        let read = match (path, self.stdin.get()) {
            ("-", Some(text)) => Ok(text.clone()),
            ("-", None) => {
                let mut text = String::new();
                let read = std::io::stdin().lock().read_to_string(&mut text);
                read.map(|_| self.stdin.get_or_init(|| text).clone())
            }
            _ => read_text(self.path(path)?.as_path()),
        };
        read.map_err(|error| {
            ToolError::invalid(format!("`{path}` cannot be read: {error}"))
                .hint("give the path of a file, or `-` for stdin")
        })
    }

    /// Returns the projects that the command may open.
    pub(super) fn projects(&self, setup: Setup) -> Projects {
        match &self.place {
            Place::Own => Projects::new(setup),
            Place::Daemon(guest) => {
                Projects::sharing(Setup { patience: Some(PATIENCE), ..setup }, Arc::clone(&guest.lent.sessions))
            }
        }
    }

    /// Waits until the caller wants no answer any more.
    pub(super) async fn gone(&self) {
        match &self.place {
            Place::Own => stopped().await,
            Place::Daemon(guest) => guest.lent.cancelled.cancelled().await,
        }
    }
}

/// Has this process end soon after a signal asked it to, whatever it computes meanwhile; and has the system say why a file
/// cannot grow, in place of ending the process (setrlimit(2), `RLIMIT_FSIZE`).
pub(super) fn end_in_any_case() {
    let watch = async {
        #[cfg(unix)]
        let _kept = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
        stopped().await;
        // Who asks twice does not want to wait.
        let _late = tokio::time::timeout(GRACE, stopped()).await;
        #[expect(clippy::exit, reason = "nobody listens: what is half written is led back by its journal")]
        std::process::exit(i32::from(ErrorKind::Cancelled.exit_code()));
    };
    // On a thread of its own: the others may be busy.
    let run = || Some(tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?.block_on(watch));
    std::thread::spawn(run);
}

/// Waits for a signal that asks this process to end.
#[cfg(unix)]
pub(super) async fn stopped() {
    let (Ok(mut terminate), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

/// Waits for a signal that asks this process to end.
#[cfg(not(unix))]
pub(super) async fn stopped() {
    // Without the signal there is nothing to wait for.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
