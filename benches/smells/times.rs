//! How long everything takes, in the same run.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Subject;
use crate::tools::Tools;

/// How often lspwright is run; the quickest counts, as nothing makes a program quicker than it is.
const RUNS: usize = 3;

#[derive(Default)]
pub struct Clock(Vec<Times>);

struct Times {
    package: &'static str,
    inspect: f64,
    smells: f64,
    megabytes: f64,
    tools: Vec<(&'static str, f64)>,
}

impl Clock {
    /// Runs lspwright on a package, cold each time, and keeps what the tools took.
    pub fn add(&mut self, subject: &Subject, tools: &Tools) -> Result<(), String> {
        let (inspect, _) = quickest(subject, "inspect")?;
        let (smells, megabytes) = quickest(subject, "smells")?;
        self.0.push(Times { package: subject.name, inspect, smells, megabytes, tools: tools.seconds.clone() });
        Ok(())
    }

    pub fn print(&self) {
        println!(
            "\n| package | inspect, s | smells, s | memory, MB | times as long as `smells` |\n|---|---|---|---|---|"
        );
        for times in &self.0 {
            let ratio = |(tool, seconds): &(&str, f64)| format!("{tool} {:.1}", seconds / times.smells);
            let ratios: Vec<String> = times.tools.iter().map(ratio).collect();
            let Times { package, inspect, smells, megabytes, .. } = times;
            println!("| {package} | {inspect:.2} | {smells:.2} | {megabytes:.0} | {} |", ratios.join(", "));
        }
    }
}

fn quickest(subject: &Subject, command: &str) -> Result<(f64, f64), String> {
    let runs: Result<Vec<(f64, f64)>, String> = (0..RUNS).map(|_| once(subject, command)).collect();
    let runs = runs?;
    let memory = runs.iter().map(|(_, memory)| *memory).fold(0.0, f64::max);
    Ok((runs.iter().map(|(seconds, _)| *seconds).fold(f64::INFINITY, f64::min), memory))
}

/// Returns the seconds that a command takes, and the most megabytes that it was seen to hold.
fn once(subject: &Subject, name: &str) -> Result<(f64, f64), String> {
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lspwright"));
    command.current_dir(&subject.root).args([name, subject.sources, "--project", ".", "--quiet"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    let mut memory: f64 = 0.0;
    loop {
        memory = memory.max(peak(child.id()));
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            let seconds = begun.elapsed().as_secs_f64();
            return if status.success() { Ok((seconds, memory)) } else { Err(format!("lspwright {name}: {status}")) };
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Returns the most memory that a process has held so far, in megabytes.
fn peak(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().map_or(0.0, |kilobytes| kilobytes / 1024.0)
}
