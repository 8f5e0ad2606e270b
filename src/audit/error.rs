//! Why a view could not be taken.

use crate::workspace::OutsideRoot;

#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error("{0}")]
    Path(String),
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error("`{0}` matches no file")]
    NoFile(String),
    #[error("`{file}` is not looked at: {reason}")]
    Skipped { file: String, reason: String },
    #[error("language `{0}` is not supported")]
    Language(String),
    #[error("{}", could_not_find(name, contract.as_deref(), file))]
    FunctionNotFound { name: String, contract: Option<String>, file: String, candidates: Vec<String> },
    #[error("`{name}` names {} functions in file {file}", candidates.len())]
    FunctionAmbiguous { name: String, file: String, candidates: Vec<String> },
}

fn could_not_find(name: &str, contract: Option<&str>, file: &str) -> String {
    let contract = contract.map(|contract| format!(" in contract {contract}")).unwrap_or_default();
    format!("Could not find function {name}{contract} in file {file}")
}
