//! The Solidity compiler: the user's own where it is the release that is wanted, else as npm carries it.

use std::path::PathBuf;
use std::time::Duration;

use super::host::{Host, ProvisionError};
use super::running;
use super::tools::{Tool, find_tool};
use crate::lsp::child::Program;
use crate::lsp::environment::Environment;
use crate::lsp::spec::{Install, ServerSpec};

/// A release of the compiler, and how it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solc {
    pub kind: SolcKind,
    /// All variables of the process.
    pub env: Environment,
}

/// What the compiler is to the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolcKind {
    /// A program that answers standard JSON.
    Native(PathBuf),
    /// Compiled to JavaScript: the words that run Node.js, and the compiler as a module of it.
    Script { node: Vec<String>, soljson: PathBuf },
}

/// How long a compiler may take to tell its version.
const ASKING: Duration = Duration::from_secs(20);

/// Finds the compiler of a version (`0.8.28`), and installs it unless it is there.
pub async fn solc(version: &str, host: &Host<'_>) -> Result<Solc, ProvisionError> {
    let env = host.environment.for_servers(host.trust);
    if let Some(program) = native(version, host, &env).await {
        return Ok(Solc { kind: SolcKind::Native(program), env });
    }
    let install = Install::Npm(vec![format!("solc@{version}")]);
    let spec = ServerSpec { install: Some(install.clone()), ..ServerSpec::named("solc") };
    let missing = || ProvisionError::ToolMissing { server: spec.name.clone(), tool: Tool::Node };
    let node = find_tool(Tool::Node, host.environment).ok_or_else(missing)?;
    let dir = running::ensure(&spec, &install, host).await?;
    let soljson = dir.as_path().join("node_modules/solc/soljson.js");
    Ok(Solc { kind: SolcKind::Script { node, soljson }, env })
}

/// Returns the program of exactly this version: where Foundry keeps its own, or `solc` on `PATH`.
async fn native(version: &str, host: &Host<'_>, env: &Environment) -> Option<PathBuf> {
    let environment = host.environment;
    let home = environment.get("HOME").map(PathBuf::from);
    let kept = home.into_iter().flat_map(|home| [home.join(".svm"), home.join(".local/share/svm")]);
    let kept = kept.map(|svm| svm.join(version).join(format!("solc-{version}")));
    let found = kept.into_iter().find_map(|path| environment.find_program(path.to_str()?));
    if found.is_some() {
        return found;
    }
    let program = environment.find_program("solc")?;
    let asked = Program::new([program.as_os_str(), "--version".as_ref()]).within(env);
    let said = asked.run(host.guard, ASKING).await.ok()?.stdout.text();
    said.contains(&format!("Version: {version}+")).then_some(program)
}
