//! Where a project begins.

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

/// Finds the project that `start` (a file or a directory) belongs to: the nearest directory at or above
/// it that holds the first marker, or else the second, and so on; without any, the directory itself.
pub fn find_root(start: &AbsPath, markers: &[impl AsRef<str>]) -> AbsPath {
    let base = if start.as_path().is_dir() { start.clone() } else { start.parent().unwrap_or_else(|| start.clone()) };
    for marker in markers {
        let holder = base.as_path().ancestors().find(|dir| dir.join(marker.as_ref()).exists());
        if let Some(root) = holder.and_then(|dir| AbsPath::new(dir).ok()) {
            return root;
        }
    }
    base
}
