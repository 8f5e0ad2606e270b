//! What tells cheaply that a file is still the same.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file's modification times, size and number. Two equal stamps mean an unchanged file, but for one
/// whose last change was so near to the look that another could follow within the clock's tick: such a
/// stamp equals none.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    modified: u128,
    /// Unix' time of the last change of content, mode or name; 0 elsewhere.
    changed: u128,
    pub size: u64,
    inode: u64,
    settled: bool,
}

/// Longer than the tick of the clocks that file systems use (ext4: 4 ms).
pub(super) const TICK: Duration = Duration::from_millis(20);

impl Stamp {
    /// Reads the stamp out of what the disk said just now.
    pub fn new(metadata: &Metadata) -> Self {
        let modified = nanoseconds(metadata.modified().unwrap_or(UNIX_EPOCH));
        // What was unpacked may say that it was modified in the future; a change that follows says now.
        let settled = nanoseconds(SystemTime::now()).abs_diff(modified) > TICK.as_nanos();
        let (changed, inode) = unix_parts(metadata);
        Self { modified, changed, size: metadata.len(), inode, settled }
    }

    /// Makes the stamp of a text that is on no disk: one for each version.
    pub(super) fn of_draft(version: u64, size: u64) -> Self {
        Self { modified: u128::MAX, changed: u128::from(version), size, inode: u64::MAX, settled: true }
    }

    /// Tells whether a change that follows would show.
    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }

    /// Returns when it last changed, in nanoseconds since 1970.
    pub(super) fn last_change(&self) -> u128 {
        // What was unpacked says when its author modified it, or that this is yet to come.
        if self.changed > 0 { self.changed } else { self.modified }
    }

    /// Tells whether nothing can have changed between the two looks.
    pub fn same(&self, other: &Stamp) -> bool {
        self.settled && self.parts() == other.parts()
    }

    /// Returns what does not hang on when it was looked at.
    pub(super) fn parts(&self) -> (u128, u128, u64, u64) {
        (self.modified, self.changed, self.size, self.inode)
    }
}

fn nanoseconds(time: SystemTime) -> u128 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

#[cfg(unix)]
fn unix_parts(metadata: &Metadata) -> (u128, u64) {
    use std::os::unix::fs::MetadataExt as _;
    let seconds = u128::try_from(metadata.ctime()).unwrap_or(0);
    let rest = u128::try_from(metadata.ctime_nsec()).unwrap_or(0);
    (seconds * 1_000_000_000 + rest, metadata.ino())
}

#[cfg(not(unix))]
fn unix_parts(_: &Metadata) -> (u128, u64) {
    (0, 0)
}
