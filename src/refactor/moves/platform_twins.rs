//! Files of which a bundler takes one or the other for one module: `linking.ts`, `linking.web.ts`, `linking.native.ts`; and
//! those that Jest and Vitest take in its place: `__mocks__/linking.ts`.

use super::Relocation;
use crate::plan::{Warning, WarningKind};
use crate::syntax::Language;
use crate::text::{AbsPath, Text};
use crate::workspace::Disk;

/// What such files are told apart by (Metro, webpack's `resolve.extensions`, TypeScript's `moduleSuffixes`).
const PLATFORMS: [&str; 22] = [
    "android", "browser", "bun", "client", "darwin", "deno", "desktop", "edge", "electron", "ios", "linux", "macos",
    "mobile", "native", "node", "server", "tv", "web", "win32", "windows", "worker", "workerd",
];
/// The directory beside a module for what stands in its place in tests.
const MOCKS: &str = "__mocks__";
const ENDINGS: [&str; 8] = ["ts", "tsx", "js", "jsx", "mts", "mjs", "cts", "cjs"];

/// Returns the other files that may stand for the module that a file is, sorted.
pub(crate) fn twins(disk: &Disk, path: &AbsPath) -> Vec<AbsPath> {
    let Some((stem, platform)) = parted(path) else { return Vec::new() };
    let files = disk.files();
    let is_twin = |other: &&AbsPath| {
        let parts = parted(other).filter(|(other_stem, _)| *other_stem == stem);
        parts.is_some_and(|(_, other_platform)| other.parent() == path.parent() && other_platform != platform)
            || parts.is_some() && (is_mock(other, path) || is_mock(path, other))
    };
    let beside = files.iter().map(|entry| &entry.path).filter(is_twin);
    let mut found: Vec<AbsPath> =
        beside.filter(|other| !is_named(disk, path) && !is_named(disk, other)).cloned().collect();
    found.sort();
    found
}

/// Tells whether a file stands in the place of another of its name in tests.
pub(crate) fn is_mock(mock: &AbsPath, path: &AbsPath) -> bool {
    let beside = mock.parent().filter(|dir| dir.file_name() == MOCKS).and_then(|dir| dir.parent());
    beside.is_some() && beside == path.parent()
}

/// Tells of the twins of moved files that stay.
pub(super) fn left(disk: &Disk, relocation: &Relocation) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for moved in relocation.files.keys() {
        for twin in twins(disk, moved).into_iter().filter(|twin| !relocation.files.contains_key(twin)) {
            let message = format!("this file may stand in the place of `{}`, and does not move", moved.file_name());
            warnings.push(Warning::at(WarningKind::PossibleUse, message, twin, None));
        }
    }
    warnings
}

/// Tells whether somebody asks for the file of one platform by its own name: it is a module of its own.
fn is_named(disk: &Disk, path: &AbsPath) -> bool {
    let Some((stem, Some(platform))) = parted(path) else { return false };
    let named = ["\"", "'", ".js\"", ".js'"].map(|end| format!("/{stem}.{platform}{end}"));
    let asking = disk.files_mentioning(platform).into_iter().filter(|other| Language::of_path(other).is_some());
    let says = |text: &Text| named.iter().any(|named| text.as_str().contains(named));
    asking.into_iter().any(|other| disk.read(&other).is_ok_and(|text| says(&text)))
}

/// Takes the name of a script apart: its stem, and the platform that it is for.
fn parted(path: &AbsPath) -> Option<(&str, Option<&str>)> {
    let (stem, ending) = path.file_name().rsplit_once('.')?;
    if !ENDINGS.contains(&ending) || stem.ends_with(".d") {
        return None;
    }
    match stem.rsplit_once('.') {
        Some((stem, platform)) if PLATFORMS.contains(&platform) => Some((stem, Some(platform))),
        _ => Some((stem, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let parts = |path: &str| {
            let path = AbsPath::new(path).unwrap();
            parted(&path).map(|(stem, platform)| (stem.to_owned(), platform.map(str::to_owned)))
        };
        assert_eq!(parts("/a/linking.web.ts"), Some(("linking".to_owned(), Some("web".to_owned()))));
        assert_eq!(parts("/a/linking.test.ts"), Some(("linking.test".to_owned(), None)));
        assert_eq!(parts("/a/linking.d.ts"), None);
    }
}
