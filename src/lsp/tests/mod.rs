//! What tests of this room share: whether a process lives, and that it ends.

use std::process::Command;
use std::time::{Duration, Instant};

/// Tells whether a process is there, one that has ended and waits for its parent left aside.
pub(in crate::lsp) fn lives(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().expect("ps runs");
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// Waits until a process is gone.
pub(in crate::lsp) fn gone(pid: &str) {
    let begun = Instant::now();
    while lives(pid) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{pid} is gone in time");
        std::thread::sleep(Duration::from_millis(5));
    }
}
