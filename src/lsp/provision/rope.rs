//! The refactoring library rope, as PyPI carries it, with what it needs.

use std::path::PathBuf;

use super::host::{Host, ProvisionError};
use super::running;
use super::tools::{Tool, find_tool};
use crate::lsp::environment::Environment;
use crate::lsp::spec::{Install, ServerSpec};

/// An installed rope, and what runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rope {
    /// The words that run Python.
    pub python: Vec<String>,
    /// The directory that it is imported from.
    pub library: PathBuf,
    /// All variables of the process.
    pub env: Environment,
}

/// rope and all that it imports; what only old Pythons lack among them.
const PACKAGES: [&str; 6] = [
    "rope==1.15.0",
    "packaging==26.3",
    "platformdirs==4.14.7",
    "pytoolconfig==1.3.1",
    "tomli==2.2.1",
    "typing_extensions==4.16.0",
];

/// Finds the library, and installs it unless it is there.
pub async fn rope(host: &Host<'_>) -> Result<Rope, ProvisionError> {
    let install = Install::Pypi(packages());
    let spec = ServerSpec { install: Some(install.clone()), ..ServerSpec::named("rope") };
    let missing = || ProvisionError::ToolMissing { server: spec.name.clone(), tool: Tool::Python };
    let python = find_tool(Tool::Python, host.environment).ok_or_else(missing)?;
    let dir = running::ensure(&spec, &install, host).await?;
    let env = host.environment.for_servers(host.trust);
    Ok(Rope { python, library: dir.as_path().to_owned(), env })
}

pub(super) fn packages() -> Vec<String> {
    PACKAGES.map(str::to_owned).to_vec()
}
