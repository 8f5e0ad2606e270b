//! Which function is meant.

use std::sync::Arc;

use super::signature;
use crate::audit::error::AuditError;
use crate::audit::sources::{Source, Sources};

/// A function by its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    pub file: String,
    /// The contract or class around, or one that inherits the function.
    pub contract: Option<String>,
    pub name: String,
    /// `name(types)`, `(types)` or `0x…`, with or without names and data locations; tells overloads apart.
    pub signature: Option<String>,
}

impl Selector {
    pub(in crate::audit) fn not_found(&self, candidates: Vec<String>) -> AuditError {
        AuditError::FunctionNotFound {
            name: self.name.clone(),
            contract: self.contract.clone(),
            file: self.file.clone(),
            candidates,
        }
    }

    pub(in crate::audit) fn ambiguous(&self, candidates: Vec<String>) -> AuditError {
        AuditError::FunctionAmbiguous { name: self.name.clone(), file: self.file.clone(), candidates }
    }

    /// Tells whether one of a function's signatures is the one that is asked for; every one is where none is.
    pub(in crate::audit) fn fits(&self, signatures: &[String]) -> bool {
        self.signature.as_ref().is_none_or(|wanted| signature::fits(wanted, signatures))
    }
}

/// Returns the file that a selector names: by its path, or by the end of it where that is one file.
pub(in crate::audit) fn chosen_file(sources: &Sources, file: &str) -> Result<Arc<Source>, AuditError> {
    let wanted = file.trim_start_matches("./").trim_start_matches('/');
    if let Some(source) = sources.files.iter().find(|source| source.name() == wanted || source.name() == file) {
        return Ok(Arc::clone(source));
    }
    if let Some(skipped) = sources.skipped.iter().find(|skipped| skipped.file == file || skipped.file == wanted) {
        return Err(AuditError::Skipped { file: skipped.file.clone(), reason: skipped.reason.clone() });
    }
    let ends = |source: &&Arc<Source>| {
        let (long, short) = (source.name(), wanted);
        long.ends_with(&format!("/{short}")) || short.ends_with(&format!("/{long}"))
    };
    let mut found = sources.files.iter().filter(ends);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(Arc::clone(only)),
        _ => Err(AuditError::NoFile(file.to_owned())),
    }
}
