//! What projects are opened with: the user's configuration, directories and environment.

use std::sync::Arc;
use std::time::Duration;

use super::error::ToolError;
pub use crate::lsp::Trust;
use crate::lsp::provision::Progress;
use crate::lsp::{Config, ConfigSources, Environment, Guard, InstallPolicy};
use crate::session::{Options, Settled};
use crate::text::AbsPath;
use crate::workspace::Dirs;

/// What the user said, once for all projects.
#[derive(Debug, Clone)]
pub struct Setup {
    pub trust: Trust,
    pub install: InstallPolicy,
    pub environment: Arc<Environment>,
    pub guard: Guard,
    /// How long a call waits for an installation, which goes on without it; nothing is to its end.
    pub patience: Option<Duration>,
}

impl Setup {
    /// Takes the environment of this process; servers are installed unless it forbids it.
    pub fn of_process(trust: Trust) -> Self {
        Self::of(Arc::new(Environment::of_process()), trust)
    }

    /// The same with another environment.
    pub fn of(environment: Arc<Environment>, trust: Trust) -> Self {
        let install = InstallPolicy::of(&environment);
        Self { trust, install, environment, guard: Guard::this_program(), patience: None }
    }

    /// Reads the configuration that holds for a project.
    pub fn config(&self, project: &AbsPath) -> Result<Config, ToolError> {
        Ok(Config::load(&ConfigSources {
            config_dir: Some(self.dirs()?.config),
            project: Some(project.clone()),
            trust: self.trust,
            environment: Environment::clone(&self.environment),
        })?)
    }

    pub fn dirs(&self) -> Result<Dirs, ToolError> {
        Ok(Dirs::of_user()?)
    }

    /// Returns what a session on a project is opened with.
    pub(super) fn options(&self, project: &AbsPath, progress: Arc<dyn Progress>) -> Result<Options, ToolError> {
        Ok(Options {
            config: Arc::new(self.config(project)?),
            dirs: self.dirs()?,
            environment: Arc::clone(&self.environment),
            install: self.install,
            progress,
            guard: self.guard.clone(),
            patience: self.patience,
            settled: Settled::default(),
        })
    }
}
