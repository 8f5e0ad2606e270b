//! The small process that stands between this program and a server, so that no server outlives it.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::ExitCode;

/// Where the guard is found: an `lspwright` binary, asked for its hidden `guard` command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guard {
    program: Option<PathBuf>,
}

impl Guard {
    /// Servers are started without a guard: they die with this program only if it ends in order.
    pub fn none() -> Self {
        Self::default()
    }

    /// The guard is the binary at `program`, an `lspwright`.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self { program: Some(program.into()) }
    }

    /// The guard is the running program, which must be an `lspwright`.
    pub fn this_program() -> Self {
        Self { program: std::env::current_exe().ok().filter(|program| program.exists()) }
    }

    /// Tells whether there is a guard on this system.
    pub(super) fn is_there(&self) -> bool {
        cfg!(unix) && self.program.is_some()
    }

    /// Returns the command line that starts `program` under the guard, or as it is where there is none.
    pub(super) fn wrap(&self, program: &OsStr, args: &[OsString], terminal: Terminal) -> (OsString, Vec<OsString>) {
        let Some(guard) = self.program.as_ref().filter(|_| cfg!(unix)) else {
            return (program.to_owned(), args.to_vec());
        };
        let separator = if terminal == Terminal::Apart { APART } else { "--" };
        let front = ["guard".into(), std::process::id().to_string().into(), separator.into(), program.to_owned()];
        (guard.clone().into_os_string(), front.into_iter().chain(args.iter().cloned()).collect())
    }
}

/// Stands in the place of `--` where the command is to have no terminal.
const APART: &str = "--apart";

/// Whether a program may use the terminal that this one was started from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Terminal {
    #[default]
    Shared,
    /// It is in a session of its own, where there is a guard: `/dev/tty` cannot be opened.
    Apart,
}

/// How the guard ends where it cannot start the command, as a shell does.
pub(super) const NOT_STARTED: u8 = 127;
/// What begins all that it says itself.
pub(super) const COMPLAINT: &str = "lspwright guard: ";

/// Runs `guard PARENT-PID -- COMMAND ARGS…`; `args` begin behind the word `guard`. With `--apart` in the place of `--` it
/// begins a session, which has no terminal.
///
/// The guard leads a process group of its own, and the command runs in it with the guard's standard
/// streams. When the parent is gone, the whole group is killed; when the command ends, what it left
/// behind is killed, and the guard ends with its status (128 + the signal's number after a signal). On Linux
/// what left the group is killed, too.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args = args.into_iter();
    let parent = args.next().and_then(|pid| pid.to_str()?.parse().ok());
    let separator = args.next();
    match (parent, separator, args.next()) {
        (Some(parent), Some(dashes), Some(program)) if dashes == "--" => {
            system::guard(parent, &program, args.collect())
        }
        (Some(parent), Some(dashes), Some(program)) if dashes == APART => {
            system::leave_terminal();
            system::guard(parent, &program, args.collect())
        }
        _ => system::complain("usage: guard PARENT-PID -- COMMAND ARGS…", 2),
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io::Write as _;
    use std::process::{Child, Command, ExitCode};
    use std::time::Duration;

    use rustix::process::{self, Pid, Signal, WaitOptions, WaitStatus};
    use rustix::{io, stdio};

    use super::super::stray_processes;
    use super::{COMPLAINT, NOT_STARTED};

    /// How often the guard looks whether its parent still lives.
    const LOOK: Duration = Duration::from_millis(200);

    pub(super) fn leave_terminal() {
        process::setsid().ok();
    }

    pub(super) fn guard(parent: i32, program: &OsStr, args: Vec<OsString>) -> ExitCode {
        // It leads a group already when the client started it; alone, it makes one.
        process::setpgid(None, None).ok();
        #[cfg(target_os = "linux")]
        process::set_child_subreaper(Some(process::getpid())).ok();
        let child = match Command::new(program).args(args).spawn() {
            Ok(child) => child,
            Err(error) => return complain(&format!("{}: {error}", program.display()), NOT_STARTED),
        };
        let_go_of_streams();
        std::thread::spawn(move || watch(parent));
        match ended(&child) {
            Ok(status) => end(parent, status),
            Err(error) => complain(&error.to_string(), 1),
        }
    }

    /// Leaves the pipes to the command alone: held here too, they would hide that it closes them.
    fn let_go_of_streams() {
        if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
            stdio::dup2_stdin(&null).ok();
            stdio::dup2_stdout(&null).ok();
            stdio::dup2_stderr(&null).ok();
        }
    }

    fn watch(parent: i32) {
        while process::getppid().map(Pid::as_raw_pid) == Some(parent) {
            std::thread::sleep(LOOK);
        }
        stray_processes::kill_below(process::getpid());
        // By its number: the guard may have stepped over into its parent's group by now.
        process::kill_process_group(process::getpid(), Signal::KILL).ok();
    }

    /// Waits for the command, and reaps what was left to the guard meanwhile.
    fn ended(child: &Child) -> io::Result<WaitStatus> {
        loop {
            match process::wait(WaitOptions::empty()) {
                Ok(Some((pid, status))) if u32::try_from(pid.as_raw_pid()) == Ok(child.id()) => return Ok(status),
                Ok(_) | Err(io::Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Kills what the command left behind. To survive that and tell the status, the guard first steps
    /// over into its parent's group; where it cannot, the parent does the killing.
    fn end(parent: i32, status: WaitStatus) -> ExitCode {
        stray_processes::kill_below(process::getpid());
        let stepped_over = Pid::from_raw(parent)
            .and_then(|parent| process::getpgid(Some(parent)).ok())
            .is_some_and(|group| process::setpgid(None, Some(group)).is_ok());
        if stepped_over {
            process::kill_process_group(process::getpid(), Signal::KILL).ok();
        }
        let signalled = || status.terminating_signal().map(|signal| 128 + signal);
        let code = status.exit_status().or_else(signalled).unwrap_or(1);
        ExitCode::from(u8::try_from(code).unwrap_or(1))
    }

    pub(super) fn complain(message: &str, code: u8) -> ExitCode {
        writeln!(std::io::stderr(), "{COMPLAINT}{message}").ok();
        ExitCode::from(code)
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::{OsStr, OsString};
    use std::io::Write as _;
    use std::process::ExitCode;

    pub(super) fn leave_terminal() {}

    pub(super) fn guard(_parent: i32, _program: &OsStr, _args: Vec<OsString>) -> ExitCode {
        complain("not on this system", 2)
    }

    pub(super) fn complain(message: &str, code: u8) -> ExitCode {
        writeln!(std::io::stderr(), "{}{message}", super::COMPLAINT).ok();
        ExitCode::from(code)
    }
}
