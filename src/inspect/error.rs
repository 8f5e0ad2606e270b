//! Why nothing can be said about a path.

use std::io;

use super::config::ConfigError;
use crate::text::{AbsPath, PathError};
use crate::workspace::{OutsideRoot, ReadError, TooLarge as TreeTooLarge};

#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    TreeTooLarge(#[from] TreeTooLarge),
    #[error("`{path}` is neither a file nor a directory")]
    NoFile { path: String },
    #[error("the language of `{path}` is not one that is looked into")]
    UnknownLanguage { path: String },
    #[error("`{path}` is too large to be looked into: {bytes} bytes, at most {most}")]
    TooLarge { path: String, bytes: u64, most: u64 },
    #[error("{}{error}", file.as_ref().map(|file| format!("`{file}`: ")).unwrap_or_default())]
    Config { file: Option<String>, error: ConfigError },
    #[error("stopped before the end")]
    Stopped,
}

impl InspectError {
    pub(super) fn of_io(path: &AbsPath, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Missing { path: path.clone() }.into(),
            _ => ReadError::Io { path: path.clone(), source }.into(),
        }
    }
}
