//! Floor 4: one open project: its disk and its servers.

mod coverage;
mod covered;
mod error;
mod foundation;
mod kept;
mod options;
mod servers;
mod sources;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::lsp::provision::Rope;
use crate::lsp::{Feature, Quirk, Server, ServerName, Solc, pyright_config};
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::workspace::apply::Recovered;
use crate::workspace::{
    ApartChanges, Change, ChangeKind, Disk, Files, Outside, ReadError, Redrafted, apply, sweep_scratch_dirs,
};
use covered::Covered;
use servers::Servers;

/// So many changes at once are waited for until a server that watches the disk has seen them, so long after the last one.
const MANY: usize = 4;
const SEEN: Duration = Duration::from_secs(2);

pub use error::SessionError;
pub use foundation::Foundation;
pub use options::{Options, ReadyChecker, Settled};

pub use sources::{Parsed, Sources, Stems};

/// A project that is worked on. Servers start when they are first asked for and stay.
pub struct Session {
    sources: Sources,
    options: Options,
    servers: Servers,
    covered: Covered,
    kept: Arc<kept::Kept>,
    recovered: Vec<Recovered>,
    /// Shared by those who only ask, held alone by those who lay texts over the servers' documents.
    turns: RwLock<()>,
    /// A plan brought files or took them away since the servers last heard of changes.
    came_or_went: AtomicBool,
}

/// What happened since the last look at the disk.
#[derive(Default)]
struct Seen {
    changes: Vec<Change>,
    apart: ApartChanges,
    /// Files came or went by a plan. A server that watches the disk itself may have seen one go and miss that it came again, of
    /// which the look finds nothing: it stands as it did.
    came_or_went: bool,
}

impl Seen {
    fn is_nothing(&self) -> bool {
        self.changes.is_empty() && self.apart.is_empty() && !self.came_or_went
    }
}

impl Session {
    /// Opens the project at `root`. Nothing is started yet; a plan whose writing a crash interrupted is led
    /// to its end first, so that no other is computed from half of it, and copies that one left go.
    pub fn open(root: &AbsPath, options: Options) -> Result<Self, SessionError> {
        let disk = Disk::open(root)?;
        let options = options.away_from(disk.root());
        sweep_scratch_dirs();
        let recovered = apply::recover(disk.root(), &options.dirs.state)?;
        let (servers, covered) = (Servers::default(), Covered::default());
        let (kept, turns, came_or_went) = (Arc::default(), RwLock::default(), AtomicBool::default());
        Ok(Self { sources: Sources::new(disk), options, servers, covered, kept, recovered, turns, came_or_went })
    }

    /// Returns the same project for questions that the texts alone answer: whoever asks a server there gets
    /// [`SessionError::NotAsked`], at once, and nobody waits for those who ask in earnest.
    pub fn without_servers(&self) -> Self {
        Self {
            sources: self.sources.clone(),
            options: self.options.clone(),
            servers: Servers::none(),
            covered: Covered::default(),
            kept: Arc::clone(&self.kept),
            recovered: Vec::new(),
            turns: RwLock::default(),
            came_or_went: AtomicBool::default(),
        }
    }

    /// Goes on where servers and other programs may be asked.
    ///
    /// # Errors
    /// [`SessionError::NotAsked`] in a session [without servers](Self::without_servers).
    pub fn may_ask(&self) -> Result<(), SessionError> {
        if self.servers.may_be_asked() { Ok(()) } else { Err(SessionError::NotAsked) }
    }

    /// Returns how often somebody would have asked in a session [without servers](Self::without_servers).
    pub fn missed(&self) -> usize {
        self.servers.missed()
    }

    /// Returns what was done about plans of earlier runs as the project was opened.
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    pub fn disk(&self) -> &Disk {
        self.sources.disk()
    }

    pub fn root(&self) -> &AbsPath {
        self.disk().root()
    }

    /// Returns the texts with their trees.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Reads and parses a file (see [`Sources::parsed`]).
    pub fn parsed(&self, path: &AbsPath) -> Result<Option<Arc<Parsed>>, ReadError> {
        self.sources.parsed(path)
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns what is kept of a type as long as every file stands as the last walk saw it; `renew` makes it where there is
    /// none, from that of an earlier walk if there is one.
    pub fn kept<T: std::any::Any + Send + Sync>(&self, renew: impl FnOnce(&Files, Option<&T>) -> T) -> Arc<T> {
        let files = self.disk().files();
        self.kept.of(&files, |earlier| renew(&files, earlier))
    }

    /// Returns the first server that answers `feature` for `language`, started and ready.
    pub async fn server(&self, language: Language, feature: Feature) -> Result<Arc<Server>, SessionError> {
        let route = self.options.config.route(language.id(), feature);
        for name in route {
            // A server that fails is told, not passed over: the next one would know less without a word.
            let server = self.named_server(name).await?;
            if server.offers(feature) {
                return Ok(server);
            }
        }
        Err(SessionError::NoServer { language: language.id().to_owned(), feature })
    }

    /// Returns the name of the server that judges a language, where it does not find all that a compiler would.
    pub async fn partial_judge(&self, language: Language) -> Option<ServerName> {
        let judge = self.server(language, Feature::Diagnostics).await.ok()?;
        judge.spec().has(Quirk::PartialDiagnostics).then(|| judge.name().clone())
    }

    /// Returns every server that the route names for `feature`, started and ready, or why it cannot be asked.
    pub async fn servers(
        &self,
        language: Language,
        feature: Feature,
    ) -> Vec<(ServerName, Result<Arc<Server>, SessionError>)> {
        let route = self.options.config.route(language.id(), feature);
        let started = route.iter().map(|name| async { (name.clone(), self.named_server(name).await) });
        futures::future::join_all(started).await
    }

    /// Returns the server of that name, started and ready.
    pub async fn named_server(&self, name: &ServerName) -> Result<Arc<Server>, SessionError> {
        self.may_ask()?;
        let server = self.started(name).await?;
        server.ready().await?;
        self.show_drafts(&server).await?;
        Ok(server)
    }

    /// Returns a server, started. How everything stood is known before it reads anything, so that it can be told what has
    /// changed since.
    async fn started(&self, name: &ServerName) -> Result<Arc<Server>, SessionError> {
        let is_running = self.servers.running().iter().any(|server| server.name() == name);
        if is_running {
            return self.servers.get(name, &self.options, self.disk()).await;
        }
        let disk = self.disk().clone();
        let is_of_scripts = self.options.config.server(name).is_some_and(|spec| spec.has(Quirk::TsserverRequests));
        let look = tokio::task::spawn_blocking(move || {
            // Of a tree that is too large others say so.
            let _ = disk.look();
            if is_of_scripts {
                disk.scan_apart(Outside::new());
            }
        });
        let (server, _) = tokio::join!(self.servers.get(name, &self.options, self.disk()), look);
        server
    }

    /// Lets a server see the drafts, as far as it does not.
    async fn show_drafts(&self, server: &Server) -> Result<(), SessionError> {
        for (path, draft) in self.disk().drafts() {
            let Some(text) = draft.text.filter(|_| server.spec().speaks_of(&path)) else { continue };
            if !server.is_open(&path) {
                server.show(&path, draft.base, &text).await?;
            }
        }
        Ok(())
    }

    /// Puts texts before those of the disk, or lets these stand again, and shows it to the running servers.
    pub async fn redraft(&self, drafts: Vec<Redrafted>) -> Result<(), SessionError> {
        let _turn = self.alone().await;
        let mut changes = Vec::new();
        for (path, base, text) in drafts {
            for server in self.servers.running() {
                if server.spec().speaks_of(&path) && base.is_some() && !server.is_open(&path) {
                    server.open(std::slice::from_ref(&path)).await?;
                }
            }
            let was_there = self.disk().read(&path).is_ok();
            self.disk().set_draft(&path, base, text);
            let now = self.disk().read(&path).ok();
            for server in self.servers.running().into_iter().filter(|server| server.spec().speaks_of(&path)) {
                match &now {
                    Some(text) => server.show(&path, None, text).await?,
                    None => server.close(std::slice::from_ref(&path)).await,
                }
            }
            if was_there != now.is_some() {
                let kind = if was_there { ChangeKind::Deleted } else { ChangeKind::Created };
                changes.push(Change { path, kind });
            }
        }
        self.covered.forget(&changes);
        for server in self.servers.running() {
            server.look_again(&changes).await;
        }
        Ok(())
    }

    /// Installs a server unless it is there; returns whether it had to. Nothing is started.
    pub async fn fetch(&self, name: &ServerName) -> Result<bool, SessionError> {
        self.options.fetch(name, self.root()).await
    }

    /// Returns the checker that goes with a server, for a project rooted at `root`.
    pub async fn checker(&self, name: &ServerName, root: &AbsPath) -> Result<Option<ReadyChecker>, SessionError> {
        self.options.checker(name, root).await
    }

    /// Returns the Solidity compiler of a version (`0.8.28`), installed if need be.
    pub async fn solc(&self, version: &str) -> Result<Solc, SessionError> {
        self.may_ask()?;
        self.options.solc(version, self.root()).await
    }

    /// Returns the Python library rope, installed if need be.
    pub async fn rope(&self) -> Result<Rope, SessionError> {
        self.may_ask()?;
        self.options.rope(self.root()).await
    }

    /// Looks the tree through and tells the running servers what changed; returns whether anything did. Without servers
    /// nobody has to be told.
    pub async fn refresh(&self) -> bool {
        if !self.servers.are_there() {
            return false;
        }
        let outside = self.outside();
        let came_or_went = self.came_or_went.swap(false, Ordering::AcqRel);
        // The usual case: no thread is changed for it.
        if !came_or_went && self.disk().is_quiet(outside.as_ref()) {
            return false;
        }
        let (disk, options) = (self.disk().clone(), self.options.clone());
        let look = move || {
            let changes = disk.scan();
            let configurations = pyright_config::renew(&options.python(disk.root()), &changes);
            let apart = outside.map(|outside| disk.scan_apart(outside)).unwrap_or_default();
            (Seen { changes, apart, came_or_went }, configurations)
        };
        let (seen, configurations) = tokio::task::spawn_blocking(look).await.unwrap_or_default();
        if seen.is_nothing() {
            return false;
        }
        self.covered.forget(&seen.changes);
        self.covered.forget(&seen.apart.changes);
        for server in self.servers.running() {
            let is_its_own = |change: &&Change| server.spec().is_configured_by(&change.path);
            let own: Vec<Change> = configurations.iter().filter(is_its_own).cloned().collect();
            if !own.is_empty() {
                // Told together with the rest, the sign of the one would be taken for the sign of the other.
                server.tell_changes(&own).await;
                // What fails here fails again when the server is asked.
                let _ = server.ready().await;
            }
            server.tell_changes(&seen.changes).await;
            Self::tell_apart(&server, &seen).await;
        }
        true
    }

    /// Notes that files came or went by a plan: what servers saw of it themselves is not relied upon.
    pub fn note_files_came_or_went(&self) {
        self.came_or_went.store(true, Ordering::Release);
    }

    /// Returns what servers want to hear of outside of the project; nothing where none is told of all that it reads.
    fn outside(&self) -> Option<Outside> {
        let wanted = self.servers.running().into_iter().filter_map(|server| server.watched_outside());
        wanted.reduce(|mut all, more| {
            all.extend(more);
            all
        })
    }

    /// Tells a server that has to hear of all that it reads what happened beside the project's own files, and has one that may
    /// have missed something begin again.
    async fn tell_apart(server: &Server, seen: &Seen) {
        let is_told = server.watched_outside().is_some();
        if is_told {
            server.tell_changes(&seen.apart.changes).await;
        }
        let watches = server.spec().has(Quirk::WatchesDisk);
        if is_told && seen.apart.packages || watches && seen.came_or_went || server.may_miss(&seen.changes) {
            // What fails here fails again when the server is asked.
            let _ = server.start_again().await;
        } else if watches {
            Self::let_see(&seen.changes).await;
        }
    }

    /// Waits until servers that watch the disk themselves have seen so many changes: asked while files are deleted and written
    /// again, as a checkout does, tsserver (6.0) answers without them, and no question brings it to look.
    async fn let_see(changes: &[Change]) {
        if changes.len() >= MANY {
            let youngest = changes.iter().filter_map(Change::age).min();
            tokio::time::sleep(youngest.map_or(SEEN, |age| SEEN.saturating_sub(age))).await;
        }
    }

    /// Returns what the running servers lack because the project is not trusted, each once.
    pub fn untold(&self) -> Vec<(ServerName, String)> {
        self.servers.untold()
    }

    /// Returns what the running servers that read any of `files` say that they could not read.
    pub fn complaints<'a>(&self, files: impl Iterator<Item = &'a AbsPath> + Clone) -> Vec<(ServerName, String)> {
        let readers = self.readers(files);
        let said = readers.iter().filter_map(|server| Some((server, server.complaint()?)));
        // What has a reason of its own is a paragraph (rust-analyzer).
        let each = said.flat_map(|(server, words)| {
            let said = words.split("\n\n").map(str::trim).filter(|words| !words.is_empty());
            said.map(|words| (server.name().clone(), server.quoted(words))).collect::<Vec<_>>()
        });
        each.collect()
    }

    /// Returns which versions the project chose for the running servers that read any of `files`, and why.
    pub fn chosen<'a>(&self, files: impl Iterator<Item = &'a AbsPath> + Clone) -> Vec<String> {
        let readers = self.readers(files);
        let chosen = readers.iter().filter_map(|server| server.spec().chosen.as_ref());
        chosen.filter(|chosen| chosen.is_asked_for()).map(ToString::to_string).collect()
    }

    /// Returns the running servers that read any of `files`.
    fn readers<'a>(&self, files: impl Iterator<Item = &'a AbsPath> + Clone) -> Vec<Arc<Server>> {
        let mut running = self.servers.running();
        running.retain(|server| files.clone().any(|file| server.spec().speaks_of(file)));
        running
    }

    /// Waits until nobody lays texts over the servers' documents, and keeps it so.
    pub async fn shared(&self) -> RwLockReadGuard<'_, ()> {
        self.turns.read().await
    }

    /// Waits until nobody else asks the servers, and keeps it so: for laying texts over their documents.
    pub async fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.turns.write().await
    }

    /// Asks while the tree is looked through, and asks again where something had changed: in the usual
    /// case the look costs nothing, for it runs while the servers think.
    pub async fn steady<T, E, F>(&self, ask: impl Fn() -> F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
    {
        for _ in 0..3 {
            let (answer, changed) = tokio::join!(ask(), self.refresh());
            if !changed {
                return answer;
            }
        }
        ask().await
    }

    /// Ends every server.
    pub async fn close(&self) {
        for server in self.servers.running() {
            server.shutdown().await;
        }
    }
}
