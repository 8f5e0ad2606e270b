//! The small process that stands between this program and a server, so that no server outlives it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Where the guard is found: this program's own binary, asked for its hidden `guard` command.
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

    pub fn program(&self) -> Option<&PathBuf> {
        self.program.as_ref()
    }
}

/// Runs `guard PARENT-PID -- COMMAND ARGS…`; `args` begin behind the word `guard`.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    drop(args.into_iter());
    ExitCode::FAILURE
}
