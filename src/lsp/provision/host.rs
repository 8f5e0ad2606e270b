//! What an installation is given, and why it fails.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::progress::Progress;
use super::tools::Tool;
use crate::lsp::Guard;
use crate::lsp::environment::Environment;
use crate::lsp::pyright_config::{PyrightConfigError, PythonProject};
use crate::lsp::spec::{ServerName, Trust};
use crate::text::AbsPath;
use crate::workspace::Dirs;

/// Where a server is provisioned for, and what may be done for it.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    pub dirs: &'a Dirs,
    pub environment: &'a Environment,
    /// The project's root: `{root}`.
    pub root: &'a AbsPath,
    pub trust: Trust,
    pub policy: InstallPolicy,
    pub progress: &'a dyn Progress,
    /// Stands between this program and installers.
    pub guard: &'a Guard,
    /// How long a caller waits for an installation, which goes on without it; nothing is to its end.
    pub patience: Option<Duration>,
}

/// Whether a server that is missing is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstallPolicy {
    #[default]
    OnFirstUse,
    Never,
}

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ProvisionError {
    #[error("`{server}` needs `{tool}`, and that is not on `PATH`")]
    ToolMissing { server: ServerName, tool: Tool },
    #[error(
        "`{server}` is not installed, and installing is forbidden; `lspwright servers install {server}` would install it with `{command}`"
    )]
    Forbidden { server: ServerName, command: String },
    #[error("`{server}`: `{program}` is not on `PATH`{}", hint.as_ref().map(|hint| format!(": {hint}")).unwrap_or_default())]
    NotFound { server: ServerName, program: String, hint: Option<String> },
    #[error("installing `{server}` failed: `{command}` {outcome}; it wrote {}", crate::text::quoted_end(.output))]
    InstallFailed { server: ServerName, command: String, outcome: String, output: String },
    #[error("`{server}` was installed by `{command}`, but `{program}` is not there")]
    Hollow { server: ServerName, command: String, program: PathBuf },
    #[error("`servers.{server}`: unknown placeholder `{{{placeholder}}}`; allowed are {allowed}")]
    Placeholder { server: ServerName, placeholder: String, allowed: String },
    #[error("`servers.{server}` uses `{{install}}` and lacks `install`")]
    NoInstall { server: ServerName },
    #[error("`{server}` is not started on a project that is not trusted: {because}")]
    Untrusted { server: ServerName, because: String },
    #[error("cannot {action} `{path}`: {source}")]
    Disk { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("`{server}` is being installed{}", share.map(|share| format!(", {share} %")).unwrap_or_default())]
    Installing { server: ServerName, share: Option<u64> },
    /// Others wait for the same installation.
    #[error(transparent)]
    Shared(Arc<ProvisionError>),
    #[error(transparent)]
    PyrightConfig(#[from] PyrightConfigError),
}

impl ProvisionError {
    /// Tells whether a server is not started only because the project is not trusted.
    pub fn is_for_want_of_trust(&self) -> bool {
        match self {
            Self::Untrusted { .. } => true,
            Self::Shared(error) => error.is_for_want_of_trust(),
            _ => false,
        }
    }
}

impl<'a> Host<'a> {
    pub(super) fn python(&self) -> PythonProject<'a> {
        PythonProject { root: self.root, cache: &self.dirs.cache, environment: self.environment, trust: self.trust }
    }
}

impl InstallPolicy {
    /// Reads `LSPWRIGHT_INSTALL`: `never` forbids installing.
    pub fn of(environment: &Environment) -> Self {
        match environment.get("LSPWRIGHT_INSTALL") {
            Some(word) if word.eq_ignore_ascii_case("never") => Self::Never,
            _ => Self::OnFirstUse,
        }
    }
}

/// How long one installer may run; building a server from source takes its time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2 * 60 * 60);

pub(crate) fn disk(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ProvisionError + use<> {
    let path: PathBuf = path.to_owned();
    move |source| ProvisionError::Disk { action, path, source }
}
