//! Paths whose constructors keep what the rest of the house relies on.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::path::{Component, MAIN_SEPARATOR, MAIN_SEPARATOR_STR, Path, PathBuf};
use std::sync::Arc;

/// An absolute path, lexically normalised. Ordered by components: what a directory holds stands together.
// Invariant: absolute, UTF-8, with the system's own separator, without doubled or trailing ones, and without `.` and
// `..` components. So two paths are the same where their bytes are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AbsPath(Arc<str>);

/// A path relative to a project's root, with `/` between its components on every system.
// Invariant: relative, UTF-8, without `.` and `..`; empty is the root itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RelPath(String);

/// Why a path was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("`{0}` is not an absolute path")]
    NotAbsolute(String),
    #[error("`{0}` is not valid UTF-8")]
    NotUtf8(String),
    #[error("`{0}` climbs above its root")]
    Climbs(String),
}

impl AbsPath {
    /// Takes an absolute path and normalises it without asking the disk: links are not resolved.
    pub fn new(path: impl AsRef<Path>) -> Result<Self, PathError> {
        let path = path.as_ref();
        let shown = path.to_str().ok_or_else(|| PathError::NotUtf8(path.to_string_lossy().into_owned()))?;
        if !path.is_absolute() {
            return Err(PathError::NotAbsolute(shown.to_owned()));
        }
        let mut normal = PathBuf::new();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    normal.pop();
                }
                other => normal.push(other),
            }
        }
        Ok(Self(normal.to_str().expect("parts of UTF-8").into()))
    }

    /// Joins `path`, which may be relative (with `..`) or absolute, and normalises.
    pub fn join(&self, path: impl AsRef<Path>) -> Result<Self, PathError> {
        Self::new(self.as_path().join(path))
    }

    pub fn join_rel(&self, path: &RelPath) -> Self {
        if path.0.is_empty() {
            return self.clone();
        }
        let base = self.0.strip_suffix(MAIN_SEPARATOR).unwrap_or(&self.0);
        Self([base, MAIN_SEPARATOR_STR, &native(&path.0)].concat().into())
    }

    pub fn as_path(&self) -> &Path {
        Path::new(&*self.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn parent(&self) -> Option<Self> {
        self.as_path().parent().and_then(Path::to_str).map(|path| Self(path.into()))
    }

    /// Returns the last component, empty for a file system's root.
    pub fn file_name(&self) -> &str {
        self.as_path().file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Returns the last component without its last extension.
    pub fn file_stem(&self) -> &str {
        self.as_path().file_stem().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Returns the last extension without its dot, empty where there is none.
    pub fn extension(&self) -> &str {
        self.as_path().extension().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Tells whether this path is `base` or lies below it.
    pub fn is_below(&self, base: &AbsPath) -> bool {
        self.below(base).is_some()
    }

    /// Returns what of this path stands behind `base`, empty for `base` itself.
    fn below(&self, base: &AbsPath) -> Option<&str> {
        let rest = self.0.strip_prefix(&*base.0)?;
        // A file system's root ends in a separator of its own.
        if rest.is_empty() || base.0.ends_with(MAIN_SEPARATOR) { Some(rest) } else { rest.strip_prefix(MAIN_SEPARATOR) }
    }

    /// Returns this path relative to `base`, or nothing where it does not lie below it.
    pub fn relative_to(&self, base: &AbsPath) -> Option<RelPath> {
        self.below(base).map(|rest| RelPath(portable(rest)))
    }

    /// Returns this path as people are shown it: relative to `base` where it lies below that.
    pub fn shown_from(&self, base: &AbsPath) -> String {
        self.relative_to(base).map_or_else(|| self.to_string(), |path| path.to_string())
    }

    /// Returns where this path comes to lie when `from` becomes `to`; nothing where it is not below `from`.
    pub fn rebased(&self, from: &AbsPath, to: &AbsPath) -> Option<Self> {
        self.relative_to(from).map(|rest| to.join_rel(&rest))
    }
}

impl RelPath {
    /// Takes a relative path; `.` and inner `..` are resolved, one that climbs out is refused.
    pub fn new(path: impl AsRef<Path>) -> Result<Self, PathError> {
        let path = path.as_ref();
        let shown = path.to_str().ok_or_else(|| PathError::NotUtf8(path.to_string_lossy().into_owned()))?;
        let mut parts: Vec<&str> = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => parts.push(name.to_str().unwrap_or_default()),
                Component::CurDir => {}
                Component::ParentDir if !parts.is_empty() => {
                    parts.pop();
                }
                _ => return Err(PathError::Climbs(shown.to_owned())),
            }
        }
        Ok(Self(parts.join("/")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the root itself.
    pub fn root() -> Self {
        Self(String::new())
    }

    /// Returns the last component, empty for the root.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the directory around, nothing for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.0.is_empty() {
            return None;
        }
        Some(Self(self.0.rsplit_once('/').map_or_else(String::new, |(parent, _)| parent.to_owned())))
    }

    /// Joins a path written with `/`, which may climb with `..`; nothing where it climbs above the root.
    pub fn join(&self, path: &str) -> Option<Self> {
        let mut joined = self.0.clone();
        for component in path.split('/') {
            match component {
                "" | "." => {}
                ".." if joined.is_empty() => return None,
                ".." => joined.truncate(joined.rfind('/').unwrap_or(0)),
                name => {
                    if !joined.is_empty() {
                        joined.push('/');
                    }
                    joined.push_str(name);
                }
            }
        }
        Some(Self(joined))
    }

    /// Returns this path with `suffix` written behind its last component.
    pub fn with_suffix(&self, suffix: &str) -> Self {
        Self(format!("{}{suffix}", self.0))
    }

    /// Tells whether this path is `base` or lies below it.
    pub fn is_below(&self, base: &RelPath) -> bool {
        self.below(base).is_some()
    }

    /// Returns what of this path lies below `base`, empty for `base` itself; nothing where it does not lie there.
    pub fn below(&self, base: &RelPath) -> Option<&str> {
        if base.0.is_empty() {
            return Some(&self.0);
        }
        let rest = self.0.strip_prefix(&base.0)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }

    /// Returns where this path comes to lie when `from` becomes `to`; nothing where it is not below `from`.
    pub fn rebased(&self, from: &RelPath, to: &RelPath) -> Option<Self> {
        self.below(from).and_then(|rest| to.join(rest))
    }

    /// Writes the way from the directory `dir` to this path, with `..` where it has to climb; empty where
    /// the two are one. Nothing stands before a way that only goes down.
    pub fn seen_from(&self, dir: &RelPath) -> String {
        let parts = |path: &'_ str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let (from, to): (Vec<String>, Vec<String>) = (parts(&dir.0), parts(&self.0));
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let climb = std::iter::repeat_n("..", from.len() - shared);
        climb.chain(to[shared..].iter().map(String::as_str)).collect::<Vec<_>>().join("/")
    }
}

impl Ord for AbsPath {
    fn cmp(&self, other: &Self) -> Ordering {
        let (ours, theirs) = (self.0.as_bytes(), other.0.as_bytes());
        let differing = ours.iter().zip(theirs).find(|(a, b)| a != b);
        // A separator ends a component, so that it stands before every letter.
        let rank = |byte: u8| if byte == MAIN_SEPARATOR as u8 { 0 } else { byte };
        differing.map_or_else(|| ours.len().cmp(&theirs.len()), |(a, b)| rank(*a).cmp(&rank(*b)))
    }
}

impl PartialOrd for AbsPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes a path with `/` as the system writes it.
fn native(path: &str) -> Cow<'_, str> {
    if MAIN_SEPARATOR == '/' { Cow::Borrowed(path) } else { Cow::Owned(path.replace('/', MAIN_SEPARATOR_STR)) }
}

/// Writes a path of the system's with `/`.
fn portable(path: &str) -> String {
    if MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace(MAIN_SEPARATOR, "/") }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}
