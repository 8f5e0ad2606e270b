//! Where a project begins.

use std::path::Path;

use crate::text::{AbsPath, PathError};

/// What stands at a project's root, the surest sign first.
const PROJECT_MARKERS: &[&str] = &[
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

/// Where a project begins, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRoot {
    pub dir: AbsPath,
    pub sign: RootSign,
}

/// What tells that a project begins at a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootSign {
    /// A marker of [`PROJECT_MARKERS`].
    Marker,
    /// It is the directory that the user works in.
    Around,
    /// Nothing: it is but the folder of what was asked for.
    Folder,
}

/// Tells whether a directory may be taken for a project without anybody saying so: it is no home folder, for example.
pub fn can_hold_a_project(dir: &AbsPath) -> bool {
    unfit(dir.as_path()).is_none()
}

/// Finds the project that `start` (a file or a directory) belongs to: the nearest directory that holds the first marker,
/// or else the second, and so on, at or above `around`, the directory that the user works in, if `start` lies in it, else
/// above `start`; without any, `around`, or the folder itself. A home folder and the root of a file system are never found
/// above anything, whatever stands in them.
pub fn find_root(start: &AbsPath, around: Option<&AbsPath>) -> FoundRoot {
    let around = around.filter(|around| start.is_below(around) && unfit(around.as_path()).is_none());
    let own = if start.as_path().is_dir() { start.clone() } else { start.parent().unwrap_or_else(|| start.clone()) };
    let base = around.unwrap_or(&own);
    for marker in PROJECT_MARKERS {
        let holder = base.as_path().ancestors().find(|dir| dir.join(marker).exists() && unfit(dir).is_none());
        if let Some(dir) = holder.and_then(|dir| AbsPath::new(dir).ok()) {
            return FoundRoot { dir, sign: RootSign::Marker };
        }
    }
    let sign = if around.is_some() { RootSign::Around } else { RootSign::Folder };
    FoundRoot { dir: base.clone(), sign }
}

/// Why a project's root was not understood.
#[derive(Debug, thiserror::Error)]
pub enum NamedRootError {
    #[error("`{0}` is not a `file:` URI of this machine")]
    Uri(String),
    #[error("`{0}` is not an absolute path, and what it is relative to is not known")]
    Relative(String),
    #[error("`{0}` names a home folder, and none is known")]
    NoHome(String),
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Understands how a root may be named: absolute, a `file:` URI, below `~`, or relative to `base`.
pub fn named_root(named: &str, base: Option<&AbsPath>) -> Result<AbsPath, NamedRootError> {
    if named.starts_with("file:") {
        let uri = url::Url::parse(named).ok().and_then(|uri| uri.to_file_path().ok());
        return Ok(AbsPath::new(uri.ok_or_else(|| NamedRootError::Uri(named.to_owned()))?)?);
    }
    let in_home = named.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    if let Some(rest) = in_home {
        let home = etcetera::home_dir().map_err(|_| NamedRootError::NoHome(named.to_owned()))?;
        return Ok(AbsPath::new(home.join(rest.trim_start_matches('/')))?);
    }
    match (AbsPath::new(named), base) {
        (Ok(path), _) => Ok(path),
        (Err(_), Some(base)) => Ok(base.join(named)?),
        (Err(_), None) => Err(NamedRootError::Relative(named.to_owned())),
    }
}
