//! How much memory there is.

use std::path::Path;

use super::read_text;

/// Returns the memory of the machine, or of the control group that the process is in where that has less (cgroups v2,
/// `memory.max`); in megabytes. Nothing where there is no `/proc`.
pub fn installed_memory() -> Option<u64> {
    let told = read_text(Path::new("/proc/meminfo")).ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    let limit = read_text(Path::new("/sys/fs/cgroup/memory.max")).ok();
    let bytes = limit.and_then(|limit| limit.trim().parse::<u64>().ok());
    Some(bytes.map_or(kilobytes, |bytes| kilobytes.min(bytes / 1024)) / 1024)
}
