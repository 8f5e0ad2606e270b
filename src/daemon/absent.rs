//! Where there are no Unix sockets there is no daemon: every command runs in the process that was started for it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::io::{DuplexStream, Empty, Sink};
use tokio_util::sync::CancellationToken;

use super::message::{Done, Heard, Invocation, Outcome, Status};
use crate::tools::Sessions;

/// Runs a command.
pub type Run = Arc<dyn Fn(Invocation, Guest) -> Done + Send + Sync>;

/// An address that nothing has.
pub struct Address {
    pub socket: PathBuf,
}

impl Address {
    /// # Errors
    /// Always: there is no daemon on this system.
    pub fn of_process() -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "there is none on this system"))
    }
}

/// What a command would be given.
#[derive(Clone)]
pub struct Guest {
    pub sessions: Arc<Sessions>,
    pub cancelled: CancellationToken,
}

impl Guest {
    pub fn stdout(&self, _bytes: &[u8]) {}

    pub fn stderr(&self, _text: &str) {}

    pub fn note(&self, _note: &str) {}

    pub fn writing(&self) {}

    pub fn connection(&self) -> Option<(Empty, Sink)> {
        None
    }
}

/// # Errors
/// Always: there is no daemon on this system.
pub async fn open(_address: &Address, _log: &Path, _invocation: Invocation) -> io::Result<DuplexStream> {
    Err(io::ErrorKind::Unsupported.into())
}

pub async fn call(
    _address: &Address,
    _log: &Path,
    _invocation: Invocation,
    _tell: impl FnMut(Heard),
    _gone: impl Future<Output = ()>,
) -> Outcome {
    Outcome::NotRun("there is no daemon on this system".to_owned())
}

pub async fn status(_socket: &Path) -> io::Result<Option<Status>> {
    Ok(None)
}

pub async fn stop(_address: &Address) -> io::Result<bool> {
    Ok(false)
}

pub async fn listen(_address: Address, _run: Run, _stop: impl Future<Output = ()>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
