//! Brings a server onto this machine on first use, and makes of its entry what a start needs.

mod fill;
mod host;
mod installers;
mod npm_locks;
mod plugin;
mod progress;
mod pypi_locks;
mod rope;
mod running;
mod rust;
mod solc;
mod store;
mod tools;
mod versions;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::lsp::pyright_config;
use crate::lsp::pyright_config::Flavour;
use crate::lsp::spec::{Install, Launch, NeedsTrust, ServerSpec};
use crate::text::AbsPath;

pub use self::host::{Host, InstallPolicy, ProvisionError};
pub use self::progress::{InstallStep, PlainProgress, Progress, Silent};
pub use self::rope::{Rope, rope};
pub use self::solc::{Solc, SolcKind, solc};
pub use self::store::{installed_at, is_installed};
pub use self::tools::{Tool, find_tool};
pub use self::versions::settled;

/// A server that can be started.
#[derive(Debug, Clone, PartialEq)]
pub struct Provisioned {
    /// The entry with its placeholders filled in, options and settings included.
    pub spec: ServerSpec,
    pub launch: Launch,
}

/// Finds a server, installing it if need be, and fills in its entry's placeholders. What version of a package it works
/// with is the project's choice, unless that has been made ([`settled`]).
pub async fn provision(spec: &ServerSpec, host: &Host<'_>) -> Result<Provisioned, ProvisionError> {
    let spec = &settled(spec, host.root, host.trust);
    let mut values = fill::Values::new(spec, host);
    if is_named_outright(spec) {
        // Nothing is installed beside a program that is not there.
        find(spec, host)?;
    }
    if fill::uses(spec, "install") || fill::uses(spec, "package") {
        let install = spec.install.as_ref().ok_or_else(|| ProvisionError::NoInstall { server: spec.name.clone() })?;
        let dir = running::ensure(spec, install, host).await?;
        values.set("package", fill::package(spec, &dir));
        values.set("install", &dir);
    }
    if fill::uses(spec, "basedpyright-config") {
        let file = pyright_config::generate(&host.python(), Flavour::Basedpyright)?;
        values.set("basedpyright-config", file);
    }
    if fill::uses(spec, "pyright-workspace") {
        let file = pyright_config::generate(&host.python(), Flavour::Pyright)?;
        values.set("pyright-workspace", file.parent().unwrap_or(file));
    }
    if fill::uses(spec, "tsserver-plugin") {
        values.set("tsserver-plugin", plugin::written(&host.dirs.cache)?);
    }
    let spec = values.fill(spec)?;
    if spec.embedded.is_some() {
        // Nothing is started: it is a part of this program.
        let launch = Launch { program: PathBuf::new(), args: Vec::new(), env: Vec::new() };
        return Ok(Provisioned { spec, launch });
    }
    let launch = match &spec.install {
        Some(Install::Rustup(component)) if spec.command.first() == Some(component) => {
            let found = rust::component(&spec.name, component, host).await?;
            let mut launch = launch(&spec, found.program, host);
            launch.env.extend(found.toolchain.map(|name| ("RUSTUP_TOOLCHAIN".into(), name.into())));
            launch
        }
        _ => launch(&spec, find(&spec, host)?, host),
    };
    Ok(Provisioned { spec, launch })
}

/// Refuses a server that would run what the project says, where that is not trusted.
pub fn permitted(spec: &ServerSpec, root: &AbsPath) -> Result<(), ProvisionError> {
    match spec.needs_trust.as_ref().filter(|needed| needed.concerns(root)) {
        Some(needed) => Err(ProvisionError::Untrusted { server: spec.name.clone(), because: needed.because.clone() }),
        None => Ok(()),
    }
}

/// Tells, without changing anything, where the program is that `provision` would start; nothing
/// where it would have to be installed or cannot be found.
pub async fn locate(spec: &ServerSpec, host: &Host<'_>) -> Option<PathBuf> {
    if fill::uses(spec, "install") {
        is_installed(spec, host.dirs).then_some(())?;
    }
    match &spec.install {
        Some(Install::Rustup(component)) if spec.command.first() == Some(component) => {
            rust::component_now(component, host).await.map(|found| found.program)
        }
        _ => {
            let values = fill::Values::new(spec, host);
            let command = values.fill_word(&spec.name, spec.command.first()?).ok()?;
            host.environment.find_program(&command)
        }
    }
}

/// Returns the command that installs a server, as a user would type it; nothing where lspwright installs none.
pub fn install_command(spec: &ServerSpec) -> Option<String> {
    spec.install.as_ref().and_then(installers::shown)
}

/// Tells whether the program is neither installed by an entry nor found by rustup.
fn is_named_outright(spec: &ServerSpec) -> bool {
    let is_component = |name: &String| matches!(&spec.install, Some(Install::Rustup(component)) if component == name);
    spec.command.first().is_some_and(|program| !program.contains('{') && !is_component(program))
}

fn launch(spec: &ServerSpec, program: PathBuf, host: &Host<'_>) -> Launch {
    let given = host.environment.for_servers(host.trust).0.into_iter().chain(spec.env.clone());
    let env = given.map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
    Launch { program, args: spec.command.iter().skip(1).map(OsString::from).collect(), env }
}

impl NeedsTrust {
    /// Tells whether a project makes the server do what needs trust.
    fn concerns(&self, root: &AbsPath) -> bool {
        let is_there = |dir: &std::path::Path| self.files.iter().any(|name| dir.join(name).exists());
        self.files.is_empty() || root.as_path().ancestors().any(is_there)
    }
}

fn find(spec: &ServerSpec, host: &Host<'_>) -> Result<PathBuf, ProvisionError> {
    let program = spec.command.first().map(String::as_str).unwrap_or_default();
    let hint = match &spec.install {
        Some(Install::Hint(hint)) => Some(hint.clone()),
        _ => None,
    };
    let missing = || ProvisionError::NotFound { server: spec.name.clone(), program: program.to_owned(), hint };
    host.environment.find_program(program).ok_or_else(missing)
}
