//! The commands of the package managers, and how they are run.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;

use super::super::child::{Program, RunError};
use super::super::spec::{Install, ServerName, ServerSpec};
use super::progress::{Progress, Step};
use super::tools::{Tool, find_tool};
use super::{Host, InstallPolicy, PATIENCE, ProvisionError, npm_locks, store};

/// How many of a command's last lines an error shows.
const SHOWN_LINES: usize = 20;
/// How long a question to a package manager may take.
const ASKING: Duration = Duration::from_secs(20);

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
pub(super) fn lock_of(install: &Install) -> Option<&'static str> {
    match install {
        Install::Npm(packages) => npm_locks::find(packages),
        _ => None,
    }
}

impl Command {
    /// Runs the package manager so that it fills `stage`, an empty directory.
    pub(super) async fn run(&self, stage: &Path, host: &Host<'_>) -> Result<(), ProvisionError> {
        let at = stage.to_string_lossy().into_owned();
        let words = match &self.install {
            Install::Npm(packages) => npm(packages, stage)?,
            Install::Pypi(packages) => pip(packages, at),
            Install::Cargo(packages) => cargo(packages, at),
            Install::Rustup(_) | Install::Hint(_) => return Ok(()),
        };
        let run =
            Run { server: &self.server, shown: shown(&self.install).unwrap_or_default(), progress: host.progress };
        run.command([self.program.as_slice(), &words].concat(), stage, host).await
    }
}

fn npm(packages: &[String], stage: &Path) -> Result<Vec<String>, ProvisionError> {
    let manifest = json!({
        "name": "lspwright-server",
        "private": true,
        "dependencies": npm_locks::dependencies(packages),
    });
    write(&stage.join("package.json"), &manifest.to_string())?;
    let lock = npm_locks::find(packages);
    if let Some(lock) = lock {
        write(&stage.join("package-lock.json"), lock)?;
    }
    let verb = if lock.is_some() { "ci" } else { "install" };
    let flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--global=false", "--no-update-notifier"];
    let prefix = ["--prefix".to_owned(), stage.to_string_lossy().into_owned()];
    Ok([verb].into_iter().chain(flags).map(str::to_owned).chain(prefix).collect())
}

fn pip(packages: &[String], stage: String) -> Vec<String> {
    let flags = ["install", "--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"];
    let target = ["--no-warn-script-location".to_owned(), "--target".to_owned(), stage];
    flags.into_iter().map(str::to_owned).chain(target).chain(packages.iter().cloned()).collect()
}

fn cargo(packages: &[String], stage: String) -> Vec<String> {
    let words = ["install".to_owned(), "--locked".to_owned(), "--root".to_owned(), stage];
    words.into_iter().chain(packages.iter().cloned()).collect()
}

/// Returns the program of a component of the project's Rust toolchain, which is added if it is missing.
pub(super) async fn rust_component(
    server: &ServerName,
    component: &str,
    host: &Host<'_>,
) -> Result<PathBuf, ProvisionError> {
    if let Some(program) = rust_component_now(component, host).await {
        return Ok(program);
    }
    let install = Install::Rustup(component.to_owned());
    let rustup = find_tool(Tool::Rustup, host.environment)
        .ok_or_else(|| ProvisionError::ToolMissing { server: server.clone(), tool: Tool::Rustup })?;
    let shown = shown(&install).unwrap_or_default();
    if host.policy == InstallPolicy::Never {
        return Err(ProvisionError::Forbidden { server: server.clone(), command: shown });
    }
    let words = ["component", "add", component].map(str::to_owned);
    let run = Run { server, shown: shown.clone(), progress: host.progress };
    let begun = Instant::now();
    run.command([rustup.as_slice(), &words].concat(), host.root.as_path(), host).await?;
    host.progress.step(server, Step::Done { took: begun.elapsed() });
    let hollow = || ProvisionError::Hollow { server: server.clone(), command: shown, program: component.into() };
    rust_component_now(component, host).await.ok_or_else(hollow)
}

/// Asks rustup, or looks on `PATH` where there is no rustup: its shims there are no proof of a component.
pub(super) async fn rust_component_now(component: &str, host: &Host<'_>) -> Option<PathBuf> {
    let Some(rustup) = host.environment.find_program("rustup") else {
        return host.environment.find_program(component);
    };
    let which = Program::new([rustup.as_os_str(), "which".as_ref(), component.as_ref()]).at(host.root.as_path());
    // Asking must not install a toolchain that the project names.
    let which = which.within(host.environment).with("RUSTUP_AUTO_INSTALL", "0");
    let output = which.run(host.guard, ASKING).await.ok()?;
    let path = PathBuf::from(std::str::from_utf8(output.stdout.whole().ok()?).ok()?.trim());
    (output.status.success() && path.is_file()).then_some(path)
}

/// One running command: for whom, how it is shown, and where its lines go.
struct Run<'a> {
    server: &'a ServerName,
    shown: String,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    async fn command(&self, words: Vec<String>, dir: &Path, host: &Host<'_>) -> Result<(), ProvisionError> {
        self.progress.step(self.server, Step::Begun { command: &self.shown });
        // A user's `pip.conf` may say `user = true`, which excludes `--target`.
        let program = Program::new(words).at(dir).within(host.environment).with("PIP_USER", "0");
        let last = Mutex::new(VecDeque::new());
        let tell = |line: &str| {
            self.progress.step(self.server, Step::Line(line));
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
    std::fs::write(path, text).map_err(store::disk("write", path))
}
