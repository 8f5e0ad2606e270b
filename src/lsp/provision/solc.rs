//! The Solidity compiler, as npm carries it: one release for each version that sources want.

use std::path::PathBuf;

use super::super::spec::{Install, ServerSpec};
use super::tools::{Tool, find_tool};
use super::{Host, ProvisionError, store};

/// A release of the compiler, compiled to JavaScript, and what runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solc {
    /// The words that run Node.js.
    pub node: Vec<String>,
    /// The compiler as a module of Node.js.
    pub soljson: PathBuf,
}

/// Finds the compiler of a version (`0.8.28`), and installs it unless it is there.
pub async fn solc(version: &str, host: &Host<'_>) -> Result<Solc, ProvisionError> {
    let install = Install::Npm(vec![format!("solc@{version}")]);
    let spec = ServerSpec { install: Some(install.clone()), ..ServerSpec::named("solc") };
    let missing = || ProvisionError::ToolMissing { server: spec.name.clone(), tool: Tool::Node };
    let node = find_tool(Tool::Node, host.environment).ok_or_else(missing)?;
    let dir = store::ensure(&spec, &install, host).await?;
    Ok(Solc { node, soljson: dir.as_path().join("node_modules/solc/soljson.js") })
}
