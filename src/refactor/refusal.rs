//! Why no plan is given.

use crate::lsp::{FileOperation, Server};
use crate::plan::PlanError;
use crate::session::SessionError;
use crate::text::{AbsPath, Position};
use crate::workspace::{OutsideRoot, ReadError};

/// A place in a file as a message names it: position 0-based, UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    pub path: AbsPath,
    pub position: Position,
}

/// One thing that stands in the way of a new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    pub at: At,
    pub message: String,
}

/// Why an intent does not become a plan.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("`{path}` has no {what}")]
    NoSuchPlace { path: AbsPath, what: String },
    #[error("no name stands at {at}: {found}")]
    NoName { at: At, found: String },
    #[error("`{found}` stands at {at}, not `{expected}`")]
    NotExpected { at: At, expected: String, found: String },
    #[error("`{target}` is ambiguous")]
    Ambiguous { target: String, candidates: Vec<String> },
    #[error("`{target}` was not found")]
    NotFound { target: String, candidates: Vec<String> },
    #[error("{0}")]
    BadName(String),
    #[error("`{0}` already has that name")]
    SameName(String),
    #[error("{at} names a module: a module is renamed by moving its file")]
    ModuleName { at: At },
    #[error("`{name}` is declared outside the project, in `{path}`")]
    DeclaredOutside { name: String, path: String },
    #[error("`{name}` is imported from `{module}`, which is not in the project")]
    Unresolved { name: String, module: String },
    #[error("`{name}` overrides `{class}.{name}` of `{path}`, which is outside the project")]
    OverridesOutside { name: String, class: String, path: String },
    #[error("`{name}` is called by the language under that very name")]
    Reserved { name: String },
    #[error("`{new_name}` is already taken: {}", list(clashes))]
    Taken { new_name: String, clashes: Vec<Clash> },
    #[error("{server} would not rename `{name}`: {reason}")]
    ServerRefused { server: String, name: String, reason: String },
    #[error("{server} found nothing to change for `{name}`, not even the name itself")]
    NothingFound { server: String, name: String },
    #[error("{server}'s answer would change `{path}`, which is outside the project")]
    EditsOutside { server: String, path: String },
    #[error("{server}'s answer cannot be carried out whole: {operation}")]
    NotCarriedOut { server: String, operation: FileOperation },
    #[error("{server}'s answer does not hold together: {problem}")]
    BadAnswer { server: String, problem: String },
    #[error("{0}")]
    CannotMove(String),
    #[error("{0}")]
    NotPossible(String),
    #[error("`{refactoring}` is not available for {language}: {why}")]
    Unavailable { refactoring: &'static str, language: &'static str, why: &'static str },
    #[error("`{refactoring}` would leave `{path}` with code that does not parse")]
    BadResult { refactoring: &'static str, path: AbsPath },
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error("the edits do not hold together: {0}")]
    Plan(#[from] PlanError),
}

impl Refusal {
    /// For an answer that does more to files than is carried out.
    pub(super) fn not_carried_out(server: &Server, operation: FileOperation) -> Self {
        Self::NotCarriedOut { server: server.name().to_string(), operation }
    }
}

impl std::fmt::Display for At {
    /// Writes the place as compilers do, 1-based.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.position.line + 1, self.position.character + 1)
    }
}

fn list(clashes: &[Clash]) -> String {
    let shown: Vec<String> = clashes.iter().take(3).map(|clash| format!("{} ({})", clash.message, clash.at)).collect();
    let more = clashes.len().saturating_sub(3);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    shown.join("; ") + &rest
}
