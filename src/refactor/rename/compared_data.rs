//! Files of keys that tests compare a script's objects with: snapshots, and data among the fixtures.

use crate::text::{AbsPath, Span};

/// Directories of what tests compare with.
const KEPT_IN: [&str; 7] =
    ["fixtures", "__fixtures__", "snapshots", "__snapshots__", "__file_snapshots__", "testdata", "test-data"];
/// Files of data in such a directory.
const DATA: [&str; 4] = ["json", "json5", "yaml", "yml"];
/// Files that nothing but a test writes (Jest, Vitest, Ava).
const SNAPSHOT: &str = "snap";

/// Tells whether tests may compare what a program makes with a file.
pub(super) fn is_compared_with(path: &AbsPath) -> bool {
    let is_kept = |name: &str| KEPT_IN.contains(&name);
    let in_directory = || path.as_str().split(['/', '\\']).any(is_kept);
    path.extension() == SNAPSHOT || DATA.contains(&path.extension()) && in_directory()
}

/// Tells whether a word is a key: `"updated": 1`, `updated: 1`.
pub(super) fn is_key(text: &str, word: Span) -> bool {
    let after = text[word.end..].trim_start_matches(['"', '\'']).trim_start_matches(' ');
    let line = text[..word.start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[line..word.start].trim_end_matches(['"', '\'']).trim_end();
    after.starts_with(':') && (before.is_empty() || before.ends_with(['{', ',', '[', '-', '`']))
}
