//! The caller's side: a command handed to the daemon, which is started where it is not there.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use super::address::Address;
use super::message::{Event, Frame, Heard, Invocation, Outcome, Request, Status, receive, send};
use crate::workspace::{log_file, take};

/// How long a daemon may take to begin to listen.
const START: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(5);
/// How long the one that has the place may take to begin to listen, or to be gone, before another is started.
const TAKEN: Duration = Duration::from_millis(100);
/// A daemon says that it is there every second: one that is silent for so long hangs.
const SILENCE: Duration = Duration::from_secs(5);
/// How long it may take to end what is not wanted any more.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long a daemon may take to end, its servers with it.
const END: Duration = Duration::from_secs(15);
/// More than that of a log is not kept for the next daemon.
const LOG: u64 = 1 << 20;
/// How many bytes are carried at once.
const PIECE: usize = 1 << 16;

/// Runs a command in the daemon. What it says is told when it has ended: until then it can be begun anew.
pub async fn call(
    address: &Address,
    log: &Path,
    invocation: Invocation,
    mut tell: impl FnMut(Heard),
    gone: impl Future<Output = ()>,
) -> Outcome {
    let stream = match connected(address, log).await {
        Ok(stream) => stream,
        Err(error) => return Outcome::NotRun(error.to_string()),
    };
    let (mut from, mut to) = stream.into_split();
    if let Err(error) = send(&mut to, &Frame::Said(Request::Run(Box::new(invocation)))).await {
        return Outcome::NotRun(error.to_string());
    }
    let (frames, mut arriving) = mpsc::channel(64);
    // A message is read to its end, whatever else happens meanwhile.
    let reading = tokio::spawn(async move {
        while let Ok(Some(frame)) = receive::<Event>(&mut from).await {
            if frames.send(frame).await.is_err() {
                return;
            }
        }
    });
    let (mut said, mut is_writing, mut is_gone) = (Vec::new(), false, false);
    tokio::pin!(gone);
    let outcome = loop {
        let silence = if is_gone { FAREWELL } else { SILENCE };
        let next = tokio::select! {
            biased;
            next = timeout(silence, arriving.recv()) => next,
            () = &mut gone, if !is_gone => {
                is_gone = true;
                // Who cannot hear it any more has ended anyway.
                let _ = send(&mut to, &Frame::Said(Request::Cancel)).await;
                continue;
            }
        };
        match next {
            Ok(Some(Frame::Bytes(bytes))) => said.push(Heard::Stdout(bytes)),
            Ok(Some(Frame::Said(Event::Say(text)))) => said.push(Heard::Stderr(text)),
            Ok(Some(Frame::Said(Event::Note(note)))) => tell(Heard::Note(note)),
            Ok(Some(Frame::Said(Event::Writing))) => is_writing = true,
            Ok(Some(Frame::Said(Event::Ended(code)))) => break Outcome::Ended(code),
            Ok(Some(Frame::Said(Event::Declined))) => break Outcome::NotRun("declined".to_owned()),
            Ok(Some(Frame::Said(_))) => {}
            Ok(None) | Err(_) if is_writing => break Outcome::LostWhileWriting,
            Ok(None) | Err(_) if is_gone => break Outcome::Ended(130),
            Ok(None) => break Outcome::NotRun("it ended".to_owned()),
            Err(_) => break Outcome::NotRun("it does not answer".to_owned()),
        }
    };
    reading.abort();
    if matches!(outcome, Outcome::Ended(_)) {
        said.into_iter().for_each(tell);
    }
    outcome
}

/// Has the daemon run a command that reads stdin and writes stdout while it goes on. What can be read ends where the command
/// has ended, or is lost.
///
/// # Errors
/// Where no daemon answers.
pub async fn open(address: &Address, log: &Path, invocation: Invocation) -> io::Result<DuplexStream> {
    let begun = Frame::Said(Request::Run(Box::new(invocation)));
    let late = Instant::now() + START;
    let stream = loop {
        match begin(connected(address, log).await?, &begun).await {
            // One that is about to be gone still lets callers in: the next one is asked.
            Err(error) if was_lost(&error) && Instant::now() < late => sleep(LOOK).await,
            begun => break begun?,
        }
    };
    let (ours, theirs) = tokio::io::duplex(PIECE);
    tokio::spawn(carry(stream.into_split(), theirs));
    Ok(ours)
}

/// Asks for a command, and waits for a sign that it is begun.
async fn begin(mut stream: UnixStream, command: &Frame<Request>) -> io::Result<UnixStream> {
    let silent = |_| io::Error::other("it does not answer");
    send(&mut stream, command).await?;
    match timeout(SILENCE, receive::<Event>(&mut stream)).await.map_err(silent)?? {
        Some(Frame::Said(Event::Alive)) => Ok(stream),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
        Some(_) => Err(io::Error::other("it declined")),
    }
}

/// Tells whether the other end was closed.
fn was_lost(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

/// Carries bytes in both directions until the command has ended, or is lost.
async fn carry((mut from, mut to): (OwnedReadHalf, OwnedWriteHalf), caller: DuplexStream) {
    let (mut stdin, mut stdout) = tokio::io::split(caller);
    let typed = async {
        let mut piece = vec![0; PIECE];
        loop {
            let read = stdin.read(&mut piece).await.unwrap_or_default();
            let sent = send(&mut to, &Frame::<Request>::Bytes(piece[..read].to_vec())).await;
            if read == 0 || sent.is_err() {
                return std::future::pending::<()>().await;
            }
        }
    };
    let said = async {
        while let Ok(Ok(Some(frame))) = timeout(SILENCE, receive::<Event>(&mut from)).await {
            match frame {
                Frame::Bytes(bytes) if stdout.write_all(&bytes).await.is_ok() => {}
                Frame::Said(Event::Alive) => {}
                _ => break,
            }
        }
    };
    tokio::select! {
        () = typed => {}
        () = said => {}
    }
    // A reader that is gone needs no end.
    let _ = stdout.shutdown().await;
}

/// Returns what the daemon that listens at a socket is at; nothing where there is none.
pub async fn status(socket: &Path) -> io::Result<Option<Status>> {
    match asked(socket, Request::Status).await? {
        Some(Event::Status(status)) => Ok(Some(status)),
        _ => Ok(None),
    }
}

/// Ends the daemon and waits for it; returns whether there was one.
pub async fn stop(address: &Address) -> io::Result<bool> {
    let told = asked(&address.socket, Request::Stop).await?;
    let late = Instant::now() + END;
    while told.is_some() && take(&address.lock)?.is_none() {
        if Instant::now() > late {
            return Err(io::Error::other("it has not ended yet"));
        }
        sleep(LOOK).await;
    }
    Ok(told.is_some())
}

/// Asks the daemon that listens at a socket something that it answers at once; nothing where there is none.
pub(super) async fn asked(socket: &Path, request: Request) -> io::Result<Option<Event>> {
    let Ok(stream) = UnixStream::connect(socket).await else { return Ok(None) };
    let (mut from, mut to) = stream.into_split();
    send(&mut to, &Frame::Said(request)).await?;
    loop {
        let silent = |_| io::Error::other("it does not answer");
        match timeout(SILENCE, receive::<Event>(&mut from)).await.map_err(silent)?? {
            Some(Frame::Said(Event::Alive)) => {}
            Some(Frame::Said(event)) => return Ok(Some(event)),
            _ => return Ok(None),
        }
    }
}

async fn connected(address: &Address, log: &Path) -> io::Result<UnixStream> {
    if let Ok(stream) = UnixStream::connect(&address.socket).await {
        return Ok(stream);
    }
    let mut child = started(address, log)?;
    let late = Instant::now() + START;
    loop {
        if let Ok(stream) = UnixStream::connect(&address.socket).await {
            return Ok(stream);
        }
        let has_ended = child.try_wait()?;
        if has_ended.is_some_and(|status| !status.success()) || Instant::now() > late {
            return Err(io::Error::other("no daemon can be started"));
        }
        // The place was taken: by another caller's that is about to listen, or by one that was on its way out.
        if has_ended.is_some() {
            sleep(TAKEN).await;
            if let Ok(stream) = UnixStream::connect(&address.socket).await {
                return Ok(stream);
            }
            child = started(address, log)?;
        }
        sleep(LOOK).await;
    }
}

/// Starts a daemon that outlives this process and its terminal.
fn started(address: &Address, log: &Path) -> io::Result<Child> {
    let log = log_file(log, LOG)?;
    let mut command = Command::new(&address.program);
    command.arg("daemon").current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command.process_group(0).spawn()
}
