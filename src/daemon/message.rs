//! What a process and the daemon say to each other, and how it is framed: four bytes of length (little-endian), one that
//! tells JSON from bytes, the content. Bytes are the process's stdin, its end where there are none, and its stdout.

use std::collections::BTreeMap;
use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Nothing longer is read.
const LONGEST: usize = 1 << 30;
const JSON: u8 = 0;
const BYTES: u8 = 1;

/// What a process asks.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    Run(Box<Invocation>),
    /// The answer is not wanted any more.
    Cancel,
    Status,
    Stop,
}

/// A command line, with all that its meaning depends on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Invocation {
    /// Without the program.
    pub words: Vec<String>,
    /// The current directory, absolute.
    pub dir: String,
    pub environment: BTreeMap<String, String>,
    /// What stdin held, where the command line names it.
    pub stdin: Option<String>,
    pub stdout: Output,
    /// How wide the terminal is that stdout goes to.
    pub columns: Option<u16>,
    /// Whether a person reads stderr.
    pub is_live: bool,
}

/// Who reads stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    Pipe,
    Plain,
    Coloured,
}

/// What the daemon says, beside what a command writes to stdout.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Event {
    /// Nothing new: it is there.
    Alive,
    /// For stderr.
    Say(String),
    /// For the line that changes.
    Note(String),
    /// Files are going to be written.
    Writing,
    /// The exit code.
    Ended(u8),
    /// The command is to be run where it was called.
    Declined,
    Status(Status),
    Stopping,
}

/// What the daemon is at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    pub version: String,
    pub pid: u32,
    /// For how long it has been running.
    pub seconds: u64,
    /// Of the daemon and all that it has started; nothing where the system does not tell.
    pub megabytes: Option<u64>,
    /// Beyond this the projects that were used the longest ago are closed.
    pub most_megabytes: u64,
    /// Commands that are running.
    pub running: usize,
    /// For how long none has.
    pub idle_seconds: u64,
    pub projects: Vec<OpenProject>,
}

/// A project that the daemon keeps open.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenProject {
    pub root: String,
    pub idle_seconds: u64,
}

/// How a command has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// With this exit code.
    Ended(u8),
    /// It is to be run where it was called; nothing has been written.
    Declined,
}

/// How a command went that the daemon was asked to run.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With this exit code.
    Ended(u8),
    /// It was not run, or only so far that it can be run here from its beginning.
    NotRun(String),
    /// The daemon was lost while files were being written.
    LostWhileWriting,
}

/// What a command says, in its order.
#[derive(Debug)]
pub enum Heard {
    Stdout(Vec<u8>),
    Stderr(String),
    /// For a line that changes; told at once.
    Note(String),
}

/// One message.
#[derive(Debug)]
pub(super) enum Frame<T> {
    Said(T),
    Bytes(Vec<u8>),
}

/// Writes a message.
pub(super) async fn send<T: Serialize>(to: &mut (impl AsyncWrite + Unpin), frame: &Frame<T>) -> io::Result<()> {
    let (kind, content) = match frame {
        Frame::Said(said) => (JSON, &serde_json::to_vec(said)?),
        Frame::Bytes(bytes) => (BYTES, bytes),
    };
    let length = u32::try_from(content.len()).ok().filter(|_| content.len() <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other("a message is too long"))?;
    to.write_all(&length.to_le_bytes()).await?;
    to.write_all(&[kind]).await?;
    to.write_all(content).await?;
    to.flush().await
}

/// Reads the next message; nothing where the other side has ended.
pub(super) async fn receive<T: DeserializeOwned>(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Frame<T>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length).await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => drop(read?),
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::Error::other("a message is too long"));
    }
    let kind = from.read_u8().await?;
    let mut content = Vec::new();
    // Grows with what arrives, not with what was announced.
    from.take(length as u64).read_to_end(&mut content).await?;
    if content.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match kind {
        JSON => Ok(Some(Frame::Said(serde_json::from_slice(&content)?))),
        _ => Ok(Some(Frame::Bytes(content))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Frame, receive, send};

    #[tokio::test]
    async fn what_is_sent_is_received() {
        let mut wire = Vec::new();
        send(&mut wire, &Frame::Said(Event::Say("so: \u{1b}[0m ü\n".to_owned()))).await.unwrap();
        send(&mut wire, &Frame::<Event>::Bytes(vec![0, 255, 10])).await.unwrap();
        let cut = wire.len() - 1;
        let mut all = &wire[..];
        let said = receive::<Event>(&mut all).await.unwrap();
        assert!(matches!(said, Some(Frame::Said(Event::Say(text))) if text == "so: \u{1b}[0m ü\n"));
        assert!(
            matches!(receive::<Event>(&mut all).await.unwrap(), Some(Frame::Bytes(bytes)) if bytes == [0, 255, 10])
        );
        assert!(receive::<Event>(&mut all).await.unwrap().is_none());
        let mut short = &wire[..cut];
        receive::<Event>(&mut short).await.unwrap();
        assert!(receive::<Event>(&mut short).await.is_err(), "half a message is none");
    }
}
