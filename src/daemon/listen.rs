//! The daemon's side: it listens, runs what it is asked for, and ends when nobody needs it any more.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures::stream;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::unix::OwnedReadHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Notify, mpsc};
use tokio::time::{interval, timeout};
use tokio_util::io::StreamReader;
use tokio_util::sync::CancellationToken;

use super::address::Address;
use super::call;
use super::message::{Done, Event, Frame, Invocation, OpenProject, Request, Status, receive, send};
use crate::tools::Sessions;
use crate::workspace::{installed_memory, locked, take, taken_memory};

/// How often a caller is told that the daemon is there.
const ALIVE: Duration = Duration::from_secs(1);
/// How often it is looked for what nobody needs.
const TIDY: Duration = Duration::from_secs(20);
/// How long a caller may take to say what it wants.
const OPENING: Duration = Duration::from_secs(10);
/// How long a project stays open unused.
const PROJECT_IDLE: Duration = Duration::from_secs(10 * 60);
/// So many daemons one user has at most, each for surroundings of its own.
const MOST_DAEMONS: usize = 4;
/// How long it stays without any open project.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// How long what runs may take to end when it stops.
const FAREWELL: Duration = Duration::from_secs(3);
/// What it may take where the machine's memory is not known; else a quarter of that.
const MOST_MEGABYTES: u64 = 4096;

/// Runs a command on a thread of its own.
pub type Run = Arc<dyn Fn(Invocation, Guest) -> Done + Send + Sync>;

/// What a command is given, and where it says what it has to say.
#[derive(Clone)]
pub struct Guest {
    pub sessions: Arc<Sessions>,
    /// Cancelled when the caller is gone, or says so.
    pub cancelled: CancellationToken,
    events: mpsc::UnboundedSender<Frame<Event>>,
    /// What the caller reads on its stdin, for the command that asks for it.
    input: Arc<Mutex<Option<mpsc::UnboundedReceiver<Vec<u8>>>>>,
}

impl Guest {
    /// Returns the caller's stdin as it comes, and its stdout; nothing where they have been taken.
    pub fn connection(
        &self,
    ) -> Option<(impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static)> {
        let input = locked(&self.input).take()?;
        let pieces = stream::unfold(input, |mut input| async {
            let piece = input.recv().await?;
            Some((Ok::<_, io::Error>(io::Cursor::new(piece)), input))
        });
        Some((StreamReader::new(Box::pin(pieces)), Stdout(self.clone())))
    }

    pub fn stdout(&self, bytes: &[u8]) {
        self.tell(Frame::Bytes(bytes.to_vec()));
    }

    pub fn stderr(&self, text: &str) {
        self.tell(Frame::Said(Event::Say(text.to_owned())));
    }

    pub fn note(&self, note: &str) {
        self.tell(Frame::Said(Event::Note(note.to_owned())));
    }

    /// Files are going to be written: the command must not be begun anew.
    pub fn writing(&self) {
        self.tell(Frame::Said(Event::Writing));
    }

    fn tell(&self, frame: Frame<Event>) {
        // A caller that is gone hears nothing.
        let _ = self.events.send(frame);
    }
}

/// The caller's stdout.
struct Stdout(Guest);

impl AsyncWrite for Stdout {
    fn poll_write(self: Pin<&mut Self>, _cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.stdout(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

struct Daemon {
    address: Address,
    run: Run,
    sessions: Arc<Sessions>,
    begun: Instant,
    /// When the last command ended.
    used: Mutex<Instant>,
    running: AtomicUsize,
    stopping: Notify,
    most_megabytes: u64,
}

/// Listens at `address` until `stop` is done, somebody asks it to end, or nobody has needed it for long. Returns at once
/// where another daemon listens there.
pub async fn listen(address: Address, run: Run, stop: impl Future<Output = ()>) -> io::Result<()> {
    let Some(_place) = take(&address.lock)? else { return Ok(()) };
    // Whoever bound it before is gone: the place is ours.
    let _ = std::fs::remove_file(&address.socket);
    let listener = UnixListener::bind(&address.socket)?;
    let quarter = installed_memory().map(|all| all / 4);
    let daemon = Arc::new(Daemon {
        address,
        run,
        sessions: Arc::default(),
        begun: Instant::now(),
        used: Mutex::new(Instant::now()),
        running: AtomicUsize::new(0),
        stopping: Notify::new(),
        most_megabytes: quarter.unwrap_or(MOST_MEGABYTES),
    });
    tracing::info!(pid = std::process::id(), version = env!("CARGO_PKG_VERSION"), "listening");
    tokio::select! {
        () = daemon.accept(&listener) => {}
        () = daemon.tidy() => {}
        () = daemon.stopping.notified() => {}
        () = stop => {}
    }
    // From here on callers run their commands themselves, or start another daemon.
    let _ = std::fs::remove_file(&daemon.address.socket);
    drop(listener);
    let at_rest = async {
        while daemon.running.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = timeout(FAREWELL, at_rest).await;
    daemon.sessions.close().await;
    tracing::info!("ended");
    Ok(())
}

impl Daemon {
    async fn accept(self: &Arc<Self>, listener: &UnixListener) {
        let own = rustix::process::geteuid().as_raw();
        loop {
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a caller was not let in");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            if stream.peer_cred().is_ok_and(|peer| peer.uid() == own) {
                tokio::spawn(Arc::clone(self).heard(stream));
            }
        }
    }

    async fn heard(self: Arc<Self>, stream: UnixStream) {
        if let Err(error) = self.attend(stream).await {
            tracing::debug!(%error, "a caller was lost");
        }
    }

    /// Does what one caller asks for.
    async fn attend(&self, stream: UnixStream) -> io::Result<()> {
        let (mut from, mut to) = stream.into_split();
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let invocation = match timeout(OPENING, receive::<Request>(&mut from)).await.map_err(late)?? {
            Some(Frame::Said(Request::Run(invocation))) => *invocation,
            Some(Frame::Said(Request::Status)) => {
                return send(&mut to, &Frame::Said(Event::Status(self.status().await))).await;
            }
            Some(Frame::Said(Request::Stop)) => {
                send(&mut to, &Frame::Said(Event::Stopping)).await?;
                self.stopping.notify_one();
                return Ok(());
            }
            _ => return Ok(()),
        };
        let (events, mut said) = mpsc::unbounded_channel();
        let (typed, input) = mpsc::unbounded_channel();
        let input = Arc::new(Mutex::new(Some(input)));
        let cancelled = CancellationToken::new();
        let guest = Guest { sessions: Arc::clone(&self.sessions), cancelled: cancelled.clone(), events, input };
        let _gone = cancelled.clone().drop_guard();
        tokio::spawn(heed(from, typed, cancelled));
        let running = Running::new(self);
        let run = Arc::clone(&self.run);
        // On a thread of its own: what reads or computes for long keeps nobody else from being answered.
        let work = tokio::task::spawn_blocking(move || run(invocation, guest));
        let mut alive = interval(ALIVE);
        loop {
            let frame = tokio::select! {
                biased;
                frame = said.recv() => frame,
                _ = alive.tick() => Some(Frame::Said(Event::Alive)),
            };
            let Some(frame) = frame else { break };
            send(&mut to, &frame).await?;
        }
        let done = work.await.unwrap_or_else(|panic| {
            tracing::error!(%panic, "a command broke");
            Done::Declined
        });
        drop(running);
        let last = match done {
            Done::Ended(code) => Event::Ended(code),
            Done::Declined => Event::Declined,
        };
        send(&mut to, &Frame::Said(last)).await
    }

    async fn status(&self) -> Status {
        let projects = self.sessions.roots().await.into_iter();
        let projects = projects
            .map(|(root, idle)| OpenProject { root: root.as_str().to_owned(), idle_seconds: idle.as_secs() })
            .collect();
        Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            seconds: self.begun.elapsed().as_secs(),
            megabytes: taken_memory(std::process::id()),
            most_megabytes: self.most_megabytes,
            running: self.running.load(Ordering::Acquire),
            idle_seconds: locked(&self.used).elapsed().as_secs(),
            projects,
        }
    }

    /// Closes what nobody needs, until that is the daemon itself.
    async fn tidy(&self) {
        self.send_home().await;
        let mut looks = interval(TIDY);
        loop {
            looks.tick().await;
            self.sessions.close_idle(PROJECT_IDLE).await;
            while taken_memory(std::process::id()).is_some_and(|taken| taken > self.most_megabytes) {
                if !self.sessions.close_oldest().await {
                    break;
                }
                tracing::info!("a project was closed: the servers take too much memory");
            }
            let is_at_rest = self.running.load(Ordering::Acquire) == 0;
            let is_idle = self.sessions.roots().await.is_empty() && locked(&self.used).elapsed() > IDLE;
            // The program was replaced, or its directories are gone: no caller of today finds this daemon.
            let is_outdated = Address::of(self.address.program.clone()).ok().as_ref() != Some(&self.address);
            if is_at_rest && (is_idle || is_outdated) {
                return;
            }
        }
    }
}

impl Daemon {
    /// Ends the daemons that were used the longest ago where there are too many: homes and containers that come and go
    /// leave theirs behind.
    async fn send_home(&self) {
        let mut others = Vec::new();
        for socket in self.address.all_sockets().into_iter().filter(|socket| *socket != self.address.socket) {
            if let Ok(Ok(Some(status))) = timeout(ALIVE, call::status(&socket)).await {
                others.push((status.running, status.idle_seconds, socket));
            }
        }
        // Those that are at work come last, and stay.
        others.sort();
        let too_many = (others.len() + 1).saturating_sub(MOST_DAEMONS);
        let idle = others.into_iter().filter(|(running, ..)| *running == 0);
        for (.., socket) in idle.rev().take(too_many) {
            tracing::info!(?socket, "a daemon is sent home: there are too many");
            let _ = timeout(ALIVE, call::asked(&socket, Request::Stop)).await;
        }
    }
}

/// Hands on what a caller's stdin holds, and cancels the command when its caller says so, or is gone.
async fn heed(mut from: OwnedReadHalf, typed: mpsc::UnboundedSender<Vec<u8>>, cancelled: CancellationToken) {
    let mut typed = Some(typed);
    while let Ok(Some(Frame::Bytes(bytes))) = receive::<Request>(&mut from).await {
        match &typed {
            // Its end.
            _ if bytes.is_empty() => typed = None,
            // A command that does not read it has no use for it.
            Some(typed) => drop(typed.send(bytes)),
            None => {}
        }
    }
    cancelled.cancel();
}

/// Counts a command as long as it runs.
struct Running<'a>(&'a Daemon);

impl<'a> Running<'a> {
    fn new(daemon: &'a Daemon) -> Self {
        daemon.running.fetch_add(1, Ordering::AcqRel);
        Self(daemon)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *locked(&self.0.used) = Instant::now();
        self.0.running.fetch_sub(1, Ordering::AcqRel);
    }
}
