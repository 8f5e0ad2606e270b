//! How much memory there is, and how much a program takes with all that it has started.

use std::collections::BTreeMap;
use std::path::Path;

use super::read_text;

/// Returns the memory of the machine, or of the control group that the process is in where that has less (cgroups v2,
/// `memory.max`); in megabytes. Nothing where there is no `/proc`.
pub fn installed_memory() -> Option<u64> {
    let kilobytes = field(&read_text(Path::new("/proc/meminfo")).ok()?, "MemTotal:")?;
    let limit = read_text(Path::new("/sys/fs/cgroup/memory.max")).ok();
    let bytes = limit.and_then(|limit| limit.trim().parse::<u64>().ok());
    Some(bytes.map_or(kilobytes, |bytes| kilobytes.min(bytes / 1024)) / 1024)
}

/// Returns the resident memory of a process and its descendants in megabytes; nothing where there is no `/proc`.
pub fn taken_memory(of: u32) -> Option<u64> {
    let mut parents: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if let Some(parent) = parent(pid) {
            parents.entry(parent).or_default().push(pid);
        }
    }
    let (mut open, mut kilobytes) = (vec![of], 0);
    while let Some(pid) = open.pop() {
        kilobytes += resident(pid).unwrap_or_default();
        open.extend(parents.remove(&pid).unwrap_or_default());
    }
    Some(kilobytes / 1024)
}

fn parent(pid: u32) -> Option<u32> {
    field(&status(pid)?, "PPid:").and_then(|parent| u32::try_from(parent).ok())
}

/// In kilobytes (proc_pid_status(5), `VmRSS`).
fn resident(pid: u32) -> Option<u64> {
    field(&status(pid)?, "VmRSS:")
}

fn status(pid: u32) -> Option<String> {
    read_text(Path::new(&format!("/proc/{pid}/status"))).ok()
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
