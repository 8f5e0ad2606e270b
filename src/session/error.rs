//! Why a session has no answer.

use crate::lsp::{Feature, LspError, ProvisionError};
use crate::workspace::OpenError;
use crate::workspace::apply::ApplyError;

/// Why a session could not give what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("no server for `{language}` offers {}", feature.as_str())]
    NoServer { language: String, feature: Feature },
    #[error("no server is asked here")]
    NotAsked,
    #[error("an interrupted plan could not be led to its end: {0}")]
    Recover(#[from] ApplyError),
    #[error(transparent)]
    Provision(#[from] ProvisionError),
    #[error(transparent)]
    Server(#[from] LspError),
}

impl SessionError {
    /// Tells whether a server is not started only because the project is not trusted.
    pub fn is_for_want_of_trust(&self) -> bool {
        matches!(self, Self::Provision(error) if error.is_for_want_of_trust())
    }
}
