//! Where a project begins.

use std::path::Path;

use crate::text::AbsPath;

/// What stands at a project's root, the surest sign first.
pub const PROJECT_MARKERS: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    "pnpm-workspace.yaml",
    "go.work",
    "Cargo.lock",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "pyrightconfig.json",
    "package.json",
    "tsconfig.json",
    "jsconfig.json",
    "foundry.toml",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "compile_commands.json",
];

/// What stands in a home folder without making a project of it: many keep their settings under version control.
const VERSION_CONTROL: [&str; 3] = [".git", ".hg", ".jj"];

/// Why a directory is not where a project begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It is the root of a file system: `/`, or a drive's.
    FileSystem,
    Home,
}

/// Tells whether a directory holds far more than a project.
pub(super) fn unfit(dir: &Path) -> Option<Unfit> {
    if dir.parent().is_none() {
        return Some(Unfit::FileSystem);
    }
    let home = etcetera::home_dir().ok()?;
    let is_home = home == dir || home.canonicalize().is_ok_and(|home| home == dir);
    is_home.then_some(Unfit::Home)
}

/// Tells whether a directory has a marker that version control alone does not leave.
pub(super) fn is_project(dir: &Path) -> bool {
    let markers = PROJECT_MARKERS.iter().filter(|marker| !VERSION_CONTROL.contains(marker));
    markers.into_iter().any(|marker| dir.join(marker).exists())
}

/// Finds the project that `start` (a file or a directory) belongs to: the nearest directory at or above
/// it that holds the first marker, or else the second, and so on; without any, the directory itself. A home folder and
/// the root of a file system are not found above anything, whatever stands in them.
pub fn find_root(start: &AbsPath, markers: &[impl AsRef<str>]) -> AbsPath {
    let base = if start.as_path().is_dir() { start.clone() } else { start.parent().unwrap_or_else(|| start.clone()) };
    for marker in markers {
        let holder = base.as_path().ancestors().find(|dir| dir.join(marker.as_ref()).exists() && unfit(dir).is_none());
        if let Some(root) = holder.and_then(|dir| AbsPath::new(dir).ok()) {
            return root;
        }
    }
    base
}
