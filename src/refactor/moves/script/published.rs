//! Files that a package lists one by one, or by patterns, as what it publishes (`files` of `package.json`).

use super::configs::append;
use super::glob;
use super::json::Json;
use super::respecify::dotted;
use crate::text::{RelPath, TextEdit};

/// Returns the edit that lists a new file where the package lists what it publishes, and others that go with it are listed.
/// Paths are seen from the package's directory.
pub(in crate::refactor::moves) fn enlisted(text: &str, others: &[RelPath], new: &RelPath) -> Option<TextEdit> {
    let json = Json::parse(text)?;
    let list = json.get("files")?;
    let patterns: Vec<&str> = list.items().iter().filter_map(Json::as_str).collect();
    let publishes = |file: &RelPath| {
        let plain = patterns.iter().map(|pattern| pattern.trim_start_matches("./").trim_start_matches('/'));
        plain.into_iter().any(|pattern| glob::excludes(pattern, file.as_str()))
    };
    let has_dot = patterns.last().is_some_and(|last| last.starts_with("./"));
    let entry = if has_dot { dotted(new.as_str()) } else { new.as_str().to_owned() };
    (others.iter().any(publishes) && !publishes(new)).then(|| append(text, list, &entry))?
}
