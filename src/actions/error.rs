//! Why no plan comes of an action.

use super::Missing;
use crate::lsp::NoEdit;
use crate::plan::PlanError;
use crate::session::SessionError;
use crate::text::AbsPath;
use crate::workspace::{ListError, OutsideRoot, ReadError};

#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    #[error("no action there is `{wanted}`{}", unanswered(.missing))]
    NotOffered { wanted: String, offered: Vec<String>, missing: Vec<Missing> },
    #[error("several actions there are called `{wanted}`")]
    Ambiguous { wanted: String, ids: Vec<String> },
    #[error("`{title}` of {server} cannot be planned: {reason}")]
    Disabled { title: String, server: String, reason: String },
    #[error("`{title}` of {server} has no effect: {why}")]
    NoEdit { title: String, server: String, why: NoEdit },
    #[error("{server}'s answer would change `{path}`, which is outside the project")]
    EditsOutside { server: String, path: String },
    #[error("no server of {language} could be asked{}", unanswered(.missing))]
    NobodyAsked { language: String, missing: Vec<Missing> },
    #[error("the language of `{0}` is not known")]
    NoLanguage(AbsPath),
    #[error("{0}")]
    List(#[from] ListError),
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the edits do not hold together: {0}")]
    Plan(#[from] PlanError),
}

/// Names those who gave no answer.
fn unanswered(missing: &[Missing]) -> String {
    missing.iter().map(|one| format!("; {} gave no answer: {}", one.server, one.reason)).collect()
}
