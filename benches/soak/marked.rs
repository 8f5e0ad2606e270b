//! Processes found by a variable of their environment, which all that a process starts has, too.

use std::fs;
use std::path::Path;

/// Returns the ids of all processes that have `mark` (`NAME=value`) in their environment.
pub fn marked(mark: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id: &u32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    })
    .collect()
}

/// What a process costs.
pub struct Figures {
    /// Resident, in KiB.
    pub memory: u64,
    pub descriptors: usize,
    /// All that carry its mark but itself.
    pub children: usize,
}

/// Reads what the process `id` costs; `mark` is that of all that it starts.
pub fn figures(id: u32, mark: &str) -> Figures {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
    let descriptors = fs::read_dir(Path::new("/proc").join(id.to_string()).join("fd")).map_or(0, Iterator::count);
    Figures { memory: memory.unwrap_or(0), descriptors, children: marked(mark).len().saturating_sub(1) }
}

/// Returns a process's name and words, for messages.
pub fn shown(id: u32) -> String {
    let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    format!("{id} ({})", String::from_utf8_lossy(&words).replace('\0', " ").trim())
}
