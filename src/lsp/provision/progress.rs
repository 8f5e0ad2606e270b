//! What an installation tells while it runs.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::super::spec::ServerName;

/// Where an installation reports to.
pub trait Progress: Send + Sync {
    fn step(&self, server: &ServerName, step: InstallStep<'_>);
}

/// One thing that an installation reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallStep<'a> {
    /// Another process installs the same server; this one waits for it.
    Waiting,
    /// A command begins.
    Begun {
        command: &'a str,
    },
    /// So much is on the disk, of what is to be there in the end.
    Size {
        megabytes: u64,
        of: Option<u64>,
    },
    /// So many files were done, of so many.
    Counted {
        what: &'static str,
        done: usize,
        of: usize,
    },
    /// The command wrote a line.
    Line(&'a str),
    Done {
        took: Duration,
    },
    /// The error itself goes to the caller.
    Failed,
}

impl InstallStep<'_> {
    /// Words the step for a reader; nothing for what the commands say themselves.
    pub fn told(self, server: &ServerName) -> Option<String> {
        Some(match self {
            Self::Waiting => format!("{server}: another process is installing it, waiting"),
            Self::Begun { command } => format!("{server}: installing: {command}"),
            Self::Size { megabytes, of } => match share(megabytes, of) {
                Some(share) => format!("{server}: being installed, {share} %"),
                None => format!("{server}: being installed, {megabytes} MB so far"),
            },
            Self::Counted { what, done, of } => format!("{server}: {what} {done} of {of} files"),
            Self::Line(_) => return None,
            Self::Done { took } => format!("{server}: installed in {:.1} s", took.as_secs_f64()),
            Self::Failed => format!("{server}: not installed"),
        })
    }
}

/// Returns how much of an installation is done, in hundredths; never all of it before it is.
pub(super) fn share(megabytes: u64, of: Option<u64>) -> Option<u64> {
    of.filter(|of| *of > 0).map(|of| (megabytes * 100 / of).min(99))
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

/// Writes plain lines: beginnings, ends and waiting, not what the commands say themselves.
#[derive(Debug)]
pub struct PlainProgress<W>(Mutex<W>);

impl<W: Write + Send> PlainProgress<W> {
    pub fn new(out: W) -> Self {
        Self(Mutex::new(out))
    }
}

impl Progress for Silent {
    fn step(&self, _server: &ServerName, _step: InstallStep<'_>) {}
}

impl<W: Write + Send> Progress for PlainProgress<W> {
    fn step(&self, server: &ServerName, step: InstallStep<'_>) {
        let Some(line) = step.told(server) else { return };
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody reads it if this fails; the installation goes on.
        let _ = writeln!(out, "{line}");
    }
}
