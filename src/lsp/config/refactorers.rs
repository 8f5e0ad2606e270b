//! Programs that carry refactorings out, as `servers.toml` names them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

/// How long a program may take where the file says nothing.
const PATIENCE: u64 = 120;

/// A program that writes in place; it is run on a copy of the project.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Refactorer {
    /// The program and its arguments, in which `{refactoring}`, `{target}` (its path from the root) and `{path}` stand
    /// for what is asked, and a word that is `{params}` for `--name value` of each parameter. Where none of them stands,
    /// refactoring, target and parameters are added, as the catalog's clients call it.
    pub command: Vec<String>,
    /// LSP language ids.
    pub languages: Vec<String>,
    /// Names of the catalog; all where none is named.
    #[serde(default)]
    pub refactorings: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Asked before all others, not only where nobody else can.
    #[serde(default)]
    pub prefer: bool,
    /// In seconds.
    timeout: Option<u64>,
}

impl Refactorer {
    /// Tells whether it is for a refactoring in a language (LSP id).
    pub(super) fn can(&self, refactoring: &str, language: &str) -> bool {
        let is_named = self.refactorings.is_empty() || self.refactorings.iter().any(|name| name == refactoring);
        is_named && self.languages.iter().any(|id| id == language)
    }

    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.timeout.unwrap_or(PATIENCE))
    }
}
