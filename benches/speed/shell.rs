//! The shell beside MCP: the same question by a command, which the daemon runs, and by a call of a warm server.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::cases::{CASES, Case, Ready, milliseconds};
use crate::{Options, lspwright, median};

/// Measures every case whose question is a rename.
pub fn measure(options: &Options, cache: &Path) -> Result<(), String> {
    println!(
        "\n| case | first | alone | MCP, warm | shell, warm | 10 % to 90 % | ratio |\n|---|---|---|---|---|---|---|"
    );
    CASES.iter().try_for_each(|case| measured(case, options, cache))
}

fn measured(case: &Case, options: &Options, cache: &Path) -> Result<(), String> {
    let ready = Ready::new(case, cache)?;
    let Some(line) = ready.command_line() else { return Ok(()) };
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let runtime = tempfile::tempdir().map_err(|error| error.to_string())?;
    let shell = |words: &[&str]| run(words, &ready.root, runtime.path());
    let (expected, first) = shell(&line)?;
    let mut alone = Vec::new();
    for _ in 0..options.cold.max(1) {
        alone.push(shell(&[&line[..], &["--no-daemon"]].concat())?.1);
    }
    let mut talk = lspwright::start(&ready.root)?;
    ready.ask_ours(&mut talk)?;
    let (mut by_call, mut by_shell) = (Vec::new(), Vec::new());
    for _ in 0..options.warm.max(1) {
        let start = Instant::now();
        ready.ask_ours(&mut talk)?;
        by_call.push(milliseconds(start));
        let (plan, took) = shell(&line)?;
        if plan != expected {
            return Err(format!("{}: another plan, {}", case.name, plan["planId"]));
        }
        by_shell.push(took);
    }
    shell(&["daemon", "stop"])
        .or_else(|error| if error.contains("ended") { Ok((Value::Null, 0.0)) } else { Err(error) })?;
    by_shell.sort_by(f64::total_cmp);
    let share = |part: usize| by_shell[by_shell.len() * part / 10];
    let spread = format!("{:.1} to {:.1}", share(1), share(9));
    let (alone, by_call, by_shell) = (median(alone), median(by_call), median(by_shell));
    let ratio = by_shell / by_call;
    println!("| {} | {first:.0} | {alone:.0} | {by_call:.1} | {by_shell:.1} | {spread} | {ratio:.2} |", case.name);
    Ok(())
}

/// Runs a command and returns its plan, and how long it took in milliseconds.
fn run(words: &[&str], root: &Path, runtime: &Path) -> Result<(Value, f64), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lspwright"));
    command.args(words).current_dir(root).env("XDG_RUNTIME_DIR", runtime).stdin(Stdio::null());
    command.env_remove("CI").env_remove("LSPWRIGHT_DAEMON");
    let start = Instant::now();
    let ran = command.output().map_err(|error| error.to_string())?;
    let took = milliseconds(start);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let plan = serde_json::from_slice(&ran.stdout);
    plan.map(|plan| (plan, took)).map_err(|_| format!("{}{}", text(&ran.stdout), text(&ran.stderr)))
}
