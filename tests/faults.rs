//! Faults from end to end: broken servers, changing files, two at once, odd paths, odd texts.

mod answers;
mod broken_servers;
mod changes;
mod children;
mod code_actions;
mod doubts;
mod floods;
mod paths;
mod roots;
mod solidity;
#[cfg(unix)]
mod special_files;
mod texts;
mod unverified;
mod version_control;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::faces::{Project, Ran, marked};

const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until `holds`.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "not within the deadline: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What every process that works for a project's commands has in its environment.
fn mark(project: &Project) -> String {
    format!("LSPWRIGHT_TEST_MARK={}", project.outside().display())
}

fn command(project: &Project, args: &[&str]) -> Command {
    let mut command = project.command(args);
    command.env("LSPWRIGHT_TEST_MARK", project.outside()).stdin(Stdio::null());
    command
}

/// A command in a project whose Lua is spoken by `tests/faulty.mjs`, broken as `mode` says.
fn faulty(project: &Project, mode: &str, args: &[&str]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty.mjs");
    // Its noise has to be there before the deadline, on a busy machine too.
    let limit = match mode {
        "silent" => 1,
        "mute" => 3,
        "noise" => 5,
        _ => 120,
    };
    let config = format!(
        "[servers.faulty]\ncommand = [\"node\", {script:?}, \"{mode}\"]\nlanguages = {{ lua = [\"lua\"] }}\n\
         timeouts = {{ start = 120, request = {limit}, project = {limit} }}\n\
         [[routes]]\nlanguages = [\"lua\"]\nservers = [\"faulty\"]\n"
    );
    let file = project.outside().join(format!("{mode}.toml"));
    std::fs::write(&file, config).unwrap();
    let mut command = command(project, args);
    command.env("LSPWRIGHT_CONFIG", file);
    command
}

fn run(mut command: Command) -> Ran {
    Ran::of(command.output().unwrap())
}

/// The places that a plan edits, 0-based, as `path:line:character`, from its public JSON.
fn places(plan: &Value, root: &Path) -> Vec<String> {
    let files = plan["edits"].as_array().unwrap().iter();
    let place = |file: &Value, edit: &Value| {
        let path = Path::new(file["filePath"].as_str().unwrap()).strip_prefix(root).unwrap();
        let start = &edit["range"]["start"];
        format!("{}:{}:{}", path.display(), start["line"], start["character"])
    };
    files.flat_map(|file| file["textEdits"].as_array().unwrap().iter().map(move |edit| place(file, edit))).collect()
}

/// Waits until nothing that was started for the project is left.
fn nothing_survives(project: &Project) {
    let mark = mark(project);
    wait_until("every server is gone", || marked(&mark).is_empty());
}
