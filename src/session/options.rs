//! What a session is opened with, and how its servers are started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::lsp::provision::{
    Progress, Provisioned, Rope, Solc, is_installed, permitted, provision, rope, settled, solc,
};
use crate::lsp::pyright_config::PythonProject;
use crate::lsp::{
    Config, Environment, Guard, Host, InstallPolicy, Launch, ReportFormat, Server, ServerName, ServerSpec, Trust,
};
use crate::session::error::SessionError;
use crate::text::AbsPath;
use crate::workspace::{Dirs, Disk, locked};

/// Everything around a project that is not the project.
#[derive(Clone)]
pub struct Options {
    pub config: Arc<Config>,
    pub dirs: Dirs,
    pub environment: Arc<Environment>,
    pub install: InstallPolicy,
    pub progress: Arc<dyn Progress + Send + Sync>,
    pub guard: Guard,
    /// How long a call waits for an installation, which goes on without it.
    pub patience: Option<Duration>,
    pub settled: Settled,
}

/// The entries with the versions that the project chose, each looked up once: a copy of the project has the same.
#[derive(Debug, Clone, Default)]
pub struct Settled(Arc<Mutex<BTreeMap<ServerName, ServerSpec>>>);

impl Options {
    /// Takes out of the environment what leads into a project that is not trusted. What is opened with these options
    /// later, a copy of the project for example, does not bring it back.
    pub(super) fn away_from(self, root: &AbsPath) -> Self {
        if self.config.trust() == Trust::Project {
            return self;
        }
        Self { environment: Arc::new(self.environment.away_from(root)), ..self }
    }

    /// Returns what generated configurations are made from.
    pub(super) fn python<'a>(&'a self, root: &'a AbsPath) -> PythonProject<'a> {
        let (cache, environment) = (&self.dirs.cache, &*self.environment);
        PythonProject { root, cache, environment, trust: self.config.trust() }
    }

    /// Installs the server where it must, and starts it on the project.
    pub(super) async fn start(&self, name: &ServerName, disk: &Disk) -> Result<Arc<Server>, SessionError> {
        let ready = self.provisioned(name, disk.root()).await?;
        Ok(Server::start(&ready.spec, ready.launch, disk, &self.guard).await?)
    }
}

/// A checker of a whole project, ready to run.
pub struct ReadyChecker {
    pub launch: Launch,
    pub format: ReportFormat,
    project_files: Vec<String>,
}

impl ReadyChecker {
    /// Returns the directory in which the checker looks at `file`: the nearest one above with a project
    /// file, not above `root`; nothing where there is none.
    pub fn directory_for(&self, file: &AbsPath, root: &AbsPath) -> Option<AbsPath> {
        if self.project_files.is_empty() {
            return Some(root.clone());
        }
        let above = std::iter::successors(file.parent(), AbsPath::parent).take_while(|dir| dir.is_below(root));
        let has_project = |dir: &AbsPath| self.project_files.iter().any(|name| dir.as_path().join(name).is_file());
        above.into_iter().find(has_project)
    }
}

impl Options {
    /// Returns the checker that goes with a server, its programs installed.
    pub(super) async fn checker(
        &self,
        name: &ServerName,
        root: &AbsPath,
    ) -> Result<Option<ReadyChecker>, SessionError> {
        let ready = self.provisioned(name, root).await?;
        let Some(checker) = ready.spec.checker else { return Ok(None) };
        let mut words = checker.command.into_iter();
        let program = PathBuf::from(words.next().unwrap_or_default());
        let launch = Launch { program, args: words.map(OsString::from).collect(), env: ready.launch.env };
        Ok(Some(ReadyChecker { launch, format: checker.format, project_files: checker.project_files }))
    }

    /// Returns the Solidity compiler of a version, installed if need be.
    pub(super) async fn solc(&self, version: &str, root: &AbsPath) -> Result<Solc, SessionError> {
        Ok(solc(version, &self.host(root)).await?)
    }

    /// Returns the library rope, installed if need be.
    pub(super) async fn rope(&self, root: &AbsPath) -> Result<Rope, SessionError> {
        Ok(rope(&self.host(root)).await?)
    }

    pub(super) async fn fetch(&self, name: &ServerName, root: &AbsPath) -> Result<bool, SessionError> {
        let spec = self.settled(name, root);
        let was_there = spec.embedded.is_some() || is_installed(&spec, &self.dirs);
        if !was_there {
            self.provisioned(name, root).await?;
        }
        Ok(!was_there)
    }

    async fn provisioned(&self, name: &ServerName, root: &AbsPath) -> Result<Provisioned, SessionError> {
        let spec = self.settled(name, root);
        permitted(&spec, root)?;
        Ok(provision(&spec, &self.host(root)).await?)
    }

    fn settled(&self, name: &ServerName, root: &AbsPath) -> ServerSpec {
        let spec = self.config.server(name).expect("routes name only servers that exist");
        let mut known = locked(&self.settled.0);
        known.entry(name.clone()).or_insert_with(|| settled(spec, root, self.config.trust())).clone()
    }

    fn host<'a>(&'a self, root: &'a AbsPath) -> Host<'a> {
        Host {
            dirs: &self.dirs,
            environment: &self.environment,
            root,
            trust: self.config.trust(),
            policy: self.install,
            progress: self.progress.as_ref(),
            guard: &self.guard,
            patience: self.patience,
        }
    }
}
