//! The errors of the floors below, by what the caller can do about them.

use super::{ErrorKind, ToolError};
use crate::lsp::{ConfigError, LspError};
use crate::render::ReadPlanError;
use crate::text::PathError;
use crate::workspace::{DirsError, OpenError, OutsideRoot, ReadError};

const DOCTOR: &str = "run `lspwright doctor` to see which servers are there and how to mend them";

impl From<PathError> for ToolError {
    fn from(error: PathError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<OpenError> for ToolError {
    fn from(error: OpenError) -> Self {
        Self::invalid(error.to_string()).hint("projectRoot (`--project`) is the absolute path of an existing directory")
    }
}

impl From<OutsideRoot> for ToolError {
    fn from(error: OutsideRoot) -> Self {
        let hint = match &error {
            OutsideRoot::Leaves { .. } => "name a projectRoot (`--project`) that holds the file",
            OutsideRoot::Unknown { .. } => "check that the path exists and can be read",
        };
        Self::new(ErrorKind::OutsideRoot, error.to_string()).hint(hint)
    }
}

impl From<ReadError> for ToolError {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        match error {
            ReadError::Outside(outside) => outside.into(),
            ReadError::Missing { .. } => {
                Self::invalid(message).hint("paths are absolute, or relative to the project root")
            }
            ReadError::NotUtf8 { .. } => {
                Self::new(ErrorKind::Refused, message).hint("convert the file to UTF-8, then ask again")
            }
            ReadError::Io { .. } => Self::new(ErrorKind::Environment, message),
        }
    }
}

impl From<DirsError> for ToolError {
    fn from(error: DirsError) -> Self {
        Self::new(ErrorKind::Environment, error.to_string())
            .hint("set `HOME`, or `XDG_CACHE_HOME`, `XDG_STATE_HOME` and `XDG_CONFIG_HOME`")
    }
}

impl From<ConfigError> for ToolError {
    fn from(error: ConfigError) -> Self {
        Self::new(ErrorKind::Environment, error.to_string())
            .hint("mend servers.toml or the variable that is named; `lspwright servers list` shows the outcome")
    }
}

impl From<LspError> for ToolError {
    fn from(error: LspError) -> Self {
        let message = error.to_string();
        let failed = |kind| Self::new(kind, message);
        match error {
            LspError::Missing { server, .. } => {
                failed(ErrorKind::ServerMissing).hint(format!("run `lspwright servers install {server}`")).hint(DOCTOR)
            }
            LspError::StartFailed { .. } => failed(ErrorKind::ServerMissing).hint(DOCTOR),
            LspError::Died { .. } => {
                failed(ErrorKind::ServerFailed).hint("ask again: the server is started anew").hint(DOCTOR)
            }
            LspError::NotReady { server, .. } | LspError::TimedOut { server, .. } => {
                let hint =
                    format!("raise `timeouts` of `servers.{server}` in servers.toml, or exclude generated files");
                failed(ErrorKind::TimedOut).hint("ask again: a warm server answers faster").hint(hint)
            }
            LspError::Cancelled { .. } => failed(ErrorKind::ServerFailed).hint("ask again"),
            LspError::Refused { .. } | LspError::BadAnswer { .. } => failed(ErrorKind::ServerFailed).hint(DOCTOR),
            LspError::NotOffered { .. } => failed(ErrorKind::ServerMissing)
                .hint("route the language to another server in servers.toml")
                .hint(DOCTOR),
            LspError::Unreadable { .. } => failed(ErrorKind::Refused),
            LspError::NoPlace { .. } => failed(ErrorKind::InvalidArguments),
        }
    }
}

impl From<ReadPlanError> for ToolError {
    fn from(error: ReadPlanError) -> Self {
        let message = error.to_string();
        match error {
            ReadPlanError::Stale { .. } => {
                Self::new(ErrorKind::Stale, message).hint("nothing was changed; make the plan again")
            }
            ReadPlanError::Refused(_) => Self::new(ErrorKind::Refused, message),
            ReadPlanError::NotAPlan(_) => {
                Self::invalid(message).hint("`lspwright schema plan` prints the JSON Schema of a plan")
            }
            ReadPlanError::NoSuchPlace { .. } => {
                Self::invalid(message).hint("lines and characters are 0-based, characters count UTF-16 units")
            }
            _ => Self::invalid(message),
        }
    }
}
