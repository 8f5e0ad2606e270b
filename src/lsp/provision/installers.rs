//! The commands of the package managers, and how they are run.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::host::{Host, PATIENCE, ProvisionError};
use super::progress::{InstallStep, Progress};
use super::tools::{Tool, find_tool};
use super::{npm_locks, pypi_locks};
use crate::lsp::child::{Program, RunError};
use crate::lsp::spec::{Install, ServerName, ServerSpec};

/// How many of a command's last lines an error shows.
const SHOWN_LINES: usize = 20;

/// One package manager's command that fills a directory, its program found.
pub(super) struct Command {
    server: ServerName,
    install: Install,
    /// The words that run the package manager.
    program: Vec<String>,
}

/// Finds the package manager for an installation, before anything is written.
pub(super) fn prepare(spec: &ServerSpec, install: &Install, host: &Host<'_>) -> Result<Command, ProvisionError> {
    let tool = match install {
        Install::Npm(_) => Tool::Npm,
        Install::Pypi(_) => Tool::Pip,
        Install::Cargo(_) => Tool::Cargo,
        Install::Rustup(_) | Install::Hint(_) => Tool::Rustup,
    };
    let missing = || ProvisionError::ToolMissing { server: spec.name.clone(), tool };
    let program = find_tool(tool, host.environment).ok_or_else(missing)?;
    Ok(Command { server: spec.name.clone(), install: install.clone(), program })
}

/// Returns the command as a user would type it.
pub(super) fn shown(install: &Install) -> Option<String> {
    match install {
        Install::Npm(packages) => Some(format!("npm install --ignore-scripts {}", packages.join(" "))),
        Install::Pypi(packages) => Some(format!("pip install --no-deps --only-binary :all: {}", packages.join(" "))),
        Install::Cargo(packages) => Some(format!("cargo install --locked {}", packages.join(" "))),
        Install::Rustup(component) => Some(format!("rustup component add {component}")),
        Install::Hint(_) => None,
    }
}

/// Returns the lock file that decides what an installation brings along.
pub(super) fn lock_of(install: &Install) -> Option<Cow<'static, str>> {
    match install {
        Install::Npm(packages) => npm_locks::find(packages),
        Install::Pypi(packages) => pypi_locks::find(packages).map(Cow::Borrowed),
        _ => None,
    }
}

impl Command {
    /// Runs the package manager so that it fills `stage`, an empty directory.
    pub(super) async fn run(&self, stage: &Path, host: &Host<'_>) -> Result<(), ProvisionError> {
        let at = stage.to_string_lossy().into_owned();
        let words = match &self.install {
            Install::Npm(packages) => npm(packages, stage)?,
            Install::Pypi(packages) => pip(packages, stage)?,
            Install::Cargo(packages) => cargo(packages, at),
            Install::Rustup(_) | Install::Hint(_) => return Ok(()),
        };
        let run =
            Run { server: &self.server, shown: shown(&self.install).unwrap_or_default(), progress: host.progress };
        run.command([self.program.as_slice(), &words].concat(), stage, host).await?;
        match absent(&self.install, stage) {
            Some(package) => Err(run.failed(&format!("ended without an error and did not install `{package}`"), "")),
            None => Ok(()),
        }
    }
}

/// Returns a package that is not there after all: npm has been seen to end well and leave nothing.
fn absent(install: &Install, stage: &Path) -> Option<String> {
    let Install::Npm(packages) = install else { return None };
    let mut names = npm_locks::dependencies(packages).into_keys();
    names.find(|name| !stage.join("node_modules").join(name).join("package.json").is_file())
}

fn npm(packages: &[String], stage: &Path) -> Result<Vec<String>, ProvisionError> {
    let manifest = json!({
        "name": "lspwright-server",
        "private": true,
        "dependencies": npm_locks::dependencies(packages),
    });
    write(&stage.join("package.json"), &manifest.to_string())?;
    let lock = npm_locks::find(packages);
    if let Some(lock) = &lock {
        write(&stage.join("package-lock.json"), lock)?;
    }
    let verb = if lock.is_some() { "ci" } else { "install" };
    let flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--global=false", "--no-update-notifier"];
    let prefix = ["--prefix".to_owned(), stage.to_string_lossy().into_owned()];
    Ok([verb].into_iter().chain(flags).map(str::to_owned).chain(prefix).collect())
}

fn pip(packages: &[String], stage: &Path) -> Result<Vec<String>, ProvisionError> {
    let flags = ["install", "--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"];
    let target = ["--no-warn-script-location", "--target"].map(str::to_owned);
    let what = match pypi_locks::find(packages) {
        Some(lock) => {
            let file = stage.join("requirements.txt");
            write(&file, lock)?;
            vec!["--require-hashes".to_owned(), "--requirement".to_owned(), file.to_string_lossy().into_owned()]
        }
        None => packages.to_vec(),
    };
    let place = [stage.to_string_lossy().into_owned()];
    Ok(flags.into_iter().map(str::to_owned).chain(target).chain(place).chain(what).collect())
}

fn cargo(packages: &[String], stage: String) -> Vec<String> {
    let words = ["install".to_owned(), "--locked".to_owned(), "--root".to_owned(), stage];
    words.into_iter().chain(packages.iter().cloned()).collect()
}

/// One running command: for whom, how it is shown, and where its lines go.
pub(super) struct Run<'a> {
    pub(super) server: &'a ServerName,
    pub(super) shown: String,
    pub(super) progress: &'a dyn Progress,
}

impl Run<'_> {
    /// Runs a package manager in `dir`, which is no project: what it reads there is not a stranger's.
    pub(super) async fn command(&self, words: Vec<String>, dir: &Path, host: &Host<'_>) -> Result<(), ProvisionError> {
        self.progress.step(self.server, InstallStep::Begun { command: &self.shown });
        // A user's `pip.conf` may say `user = true`, which excludes `--target`.
        let program = Program::new(words).at(dir).within(&host.environment.for_installers()).with("PIP_USER", "0");
        let last = Mutex::new(VecDeque::new());
        let tell = |line: &str| {
            self.progress.step(self.server, InstallStep::Line(line));
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.len() == SHOWN_LINES {
                last.pop_front();
            }
            last.push_back(line.to_owned());
        };
        let ended = program.run_told(host.guard, PATIENCE, &tell).await;
        let output = Vec::from(last.into_inner().unwrap_or_default()).join("\n");
        match ended {
            Ok(ended) if ended.status.success() => Ok(()),
            Ok(ended) => Err(self.failed(&outcome(ended.status), &output)),
            Err(RunError::NotStarted(reason)) => Err(self.failed(&format!("did not start: {reason}"), "")),
            Err(RunError::Late(after)) => {
                Err(self.failed(&format!("did not end within {} s", after.as_secs()), &output))
            }
            Err(other) => Err(self.failed(&format!("failed: {other}"), &output)),
        }
    }

    fn failed(&self, outcome: &str, output: &str) -> ProvisionError {
        ProvisionError::InstallFailed {
            server: self.server.clone(),
            command: self.shown.clone(),
            outcome: outcome.to_owned(),
            output: output.to_owned(),
        }
    }
}

fn outcome(status: ExitStatus) -> String {
    status.code().map_or_else(|| "was killed".to_owned(), |code| format!("ended with {code}"))
}

fn write(path: &Path, text: &str) -> Result<(), ProvisionError> {
    std::fs::write(path, text).map_err(crate::lsp::provision::host::disk("write", path))
}
