//! Components of Rust's toolchains, such as rust-analyzer. rustup is asked outside of every project that is not trusted:
//! in one, a file may lead it to a toolchain that lies in the checkout.

use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use std::time::{Duration, Instant};

use super::host::{Host, InstallPolicy, ProvisionError};
use super::installers::{Run, shown};
use super::progress::InstallStep;
use super::tools::{Tool, find_tool};
use crate::lsp::child::Program;
use crate::lsp::spec::{Install, ServerName, Trust};
use crate::workspace::read_text;

/// How long rustup may take to answer.
const ASKING: Duration = Duration::from_secs(20);

/// A program of a toolchain.
pub(super) struct Component {
    pub(super) program: PathBuf,
    /// The toolchain that it must not leave; nothing where none was chosen.
    pub(super) toolchain: Option<String>,
}

/// Returns the program of a component, which is added to its toolchain if it is missing.
pub(super) async fn component(
    server: &ServerName,
    component: &str,
    host: &Host<'_>,
) -> Result<Component, ProvisionError> {
    if let Some(found) = component_now(component, host).await {
        return Ok(found);
    }
    let install = Install::Rustup(component.to_owned());
    let rustup = find_tool(Tool::Rustup, host.environment)
        .ok_or_else(|| ProvisionError::ToolMissing { server: server.clone(), tool: Tool::Rustup })?;
    let shown = shown(&install).unwrap_or_default();
    if host.policy == InstallPolicy::Never {
        return Err(ProvisionError::Forbidden { server: server.clone(), command: shown });
    }
    let mut words = [rustup.as_slice(), &["component", "add", component].map(str::to_owned)].concat();
    if let Some(toolchain) = toolchain(host).await {
        words.extend(["--toolchain".to_owned(), toolchain]);
    }
    let run = Run { server, shown: shown.clone(), progress: host.progress };
    let begun = Instant::now();
    run.command(words, place(host), host).await?;
    host.progress.step(server, InstallStep::Done { took: begun.elapsed() });
    let hollow = || ProvisionError::Hollow { server: server.clone(), command: shown, program: component.into() };
    component_now(component, host).await.ok_or_else(hollow)
}

/// Asks rustup, or looks on `PATH` where there is no rustup: its shims there are no proof of a component.
pub(super) async fn component_now(component: &str, host: &Host<'_>) -> Option<Component> {
    if host.environment.find_program("rustup").is_none() {
        return Some(Component { program: host.environment.find_program(component)?, toolchain: None });
    }
    let toolchain = toolchain(host).await;
    let words = match &toolchain {
        Some(name) => vec!["which", "--toolchain", name, component],
        None => vec!["which", component],
    };
    let program = PathBuf::from(ask(&words, host).await?.trim());
    let program = program.is_file().then_some(program)?;
    if host.trust == Trust::Nothing && lies_in(&program, host.root.as_path()) {
        return None;
    }
    Some(Component { program, toolchain })
}

/// Chooses the toolchain for a project that is not trusted: the user's word, or the one that the project names, if
/// rustup has it, or else the default one. Nothing where rustup is to choose.
async fn toolchain(host: &Host<'_>) -> Option<String> {
    if host.trust == Trust::Project {
        return None;
    }
    if let Some(name) = host.environment.get("RUSTUP_TOOLCHAIN") {
        return Some(name.to_owned());
    }
    let installed = ask(&["toolchain", "list"], host).await.unwrap_or_default();
    let installed: Vec<&str> = installed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let wanted = wanted(host.root.as_path()).and_then(|channel| {
        let found = installed.iter().find(|name| is_of_channel(name, &channel));
        found.map(|name| (*name).to_owned())
    });
    match wanted {
        Some(name) => Some(name),
        None => Some(ask(&["default"], host).await?.split_whitespace().next()?.to_owned()),
    }
}

/// Reads the channel that a project names; a path that it names counts for nothing.
fn wanted(root: &Path) -> Option<String> {
    let read = |dir: &Path, name: &str| read_text(&dir.join(name)).ok();
    let text =
        root.ancestors().find_map(|dir| read(dir, "rust-toolchain.toml").or_else(|| read(dir, "rust-toolchain")))?;
    let channel = match text.parse::<toml::Table>() {
        Ok(table) => table.get("toolchain")?.get("channel")?.as_str()?.to_owned(),
        Err(_) => text.trim().to_owned(),
    };
    let is_plain = |character: char| character.is_ascii_alphanumeric() || ".-_".contains(character);
    (!channel.is_empty() && channel.chars().all(is_plain)).then_some(channel)
}

/// Tells whether a toolchain (`stable-x86_64-unknown-linux-gnu`) is the one of a channel (`stable`), not one of a day.
fn is_of_channel(name: &str, channel: &str) -> bool {
    name.strip_prefix(channel).is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix('-').is_some_and(|host| !host.starts_with(|first: char| first.is_ascii_digit()))
    })
}

/// Asks rustup where nothing of the project can answer for it.
async fn ask(words: &[&str], host: &Host<'_>) -> Option<String> {
    let rustup =
        Program::new(["rustup"].iter().chain(words)).at(place(host)).within(&host.environment.for_installers());
    // Asking must not install a toolchain that the project names.
    let output = rustup.with("RUSTUP_AUTO_INSTALL", "0").run(host.guard, ASKING).await.ok()?;
    output.status.success().then(|| output.stdout.text())
}

/// Returns where rustup is asked: what it reads there decides on the toolchain.
fn place<'a>(host: &Host<'a>) -> &'a Path {
    match host.trust {
        Trust::Project => host.root.as_path(),
        Trust::Nothing => Path::new(MAIN_SEPARATOR_STR),
    }
}

fn lies_in(program: &Path, root: &Path) -> bool {
    match (program.canonicalize(), root.canonicalize()) {
        (Ok(program), Ok(root)) => program.starts_with(root),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_of_channel, wanted};

    #[test]
    fn a_project_names_a_channel_and_never_a_path() {
        let read = |name: &str, text: &str| {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join(name), text).unwrap();
            wanted(dir.path())
        };
        assert_eq!(read("rust-toolchain.toml", "[toolchain]\nchannel = '1.95.0'").as_deref(), Some("1.95.0"));
        assert_eq!(read("rust-toolchain", "nightly\n").as_deref(), Some("nightly"));
        assert_eq!(read("rust-toolchain.toml", "[toolchain]\npath = './tc'"), None);
        assert_eq!(read("rust-toolchain.toml", "[toolchain]\nchannel = '/tmp/tc'"), None);
        assert_eq!(read("rust-toolchain", "../tc"), None);
    }

    #[test]
    fn a_channel_is_told_from_one_of_a_day() {
        let host = "x86_64-unknown-linux-gnu";
        assert!(is_of_channel(&format!("nightly-{host}"), "nightly"));
        assert!(is_of_channel("1.95.0", "1.95.0"));
        assert!(!is_of_channel(&format!("nightly-2026-01-01-{host}"), "nightly"));
        assert!(!is_of_channel(&format!("1.95.0-{host}"), "1.9"));
    }
}
