//! Whether a path, with all its links followed, stays inside a root.

use std::io;
use std::path::{Path, PathBuf};

use crate::text::AbsPath;

/// Why a path is not known to lie inside the project.
#[derive(Debug, thiserror::Error)]
pub enum OutsideRoot {
    #[error("{} outside the project `{root}`", whither(path, leads_to))]
    Leaves { path: AbsPath, leads_to: String, root: AbsPath },
    #[error("`{path}` cannot be resolved: {source}")]
    Unknown { path: AbsPath, source: io::Error },
}

fn whither(path: &AbsPath, leads_to: &str) -> String {
    if path.as_str() == leads_to { format!("`{path}` lies") } else { format!("`{path}` leads to `{leads_to}`,") }
}

/// As many links as Linux follows in one path.
const MOST_LINKS: usize = 40;

/// Follows every link of `path`, whose last parts need not exist, and refuses what leaves `root`;
/// `root` itself has no links in it.
pub(super) fn contain(root: &AbsPath, path: &AbsPath) -> Result<AbsPath, OutsideRoot> {
    let unknown = |source| OutsideRoot::Unknown { path: path.clone(), source };
    let resolved = resolve(path.as_path(), MOST_LINKS).map_err(unknown)?;
    inside(root, path, &resolved)
}

/// As [`contain`], but a link in the last place stays a link: for what is moved or deleted, not read.
pub(super) fn contain_entry(root: &AbsPath, path: &AbsPath) -> Result<AbsPath, OutsideRoot> {
    let Some(parent) = path.parent() else { return contain(root, path) };
    let unknown = |source| OutsideRoot::Unknown { path: path.clone(), source };
    let resolved = resolve(parent.as_path(), MOST_LINKS).map_err(unknown)?.join(path.file_name());
    inside(root, path, &resolved)
}

fn inside(root: &AbsPath, path: &AbsPath, resolved: &Path) -> Result<AbsPath, OutsideRoot> {
    let leaves =
        || OutsideRoot::Leaves { path: path.clone(), leads_to: resolved.display().to_string(), root: root.clone() };
    let resolved = AbsPath::new(resolved).map_err(|_| leaves())?;
    if resolved.is_below(root) { Ok(resolved) } else { Err(leaves()) }
}

/// Resolves the part of `path` that exists, a dangling link's target included.
fn resolve(path: &Path, links_left: usize) -> io::Result<PathBuf> {
    match dunce(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        done => return done,
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(path.to_owned()) };
    let parent = resolve(parent, links_left)?;
    let here = parent.join(name);
    let Ok(target) = std::fs::read_link(&here) else { return Ok(here) };
    let links_left = links_left.checked_sub(1).ok_or_else(|| io::Error::other("too many links"))?;
    resolve(&parent.join(target), links_left)
}

/// Resolves a path that exists; Windows' verbatim prefix, which nobody else writes, is taken off.
pub(super) fn dunce(path: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    let plain = real.to_str().and_then(|text| text.strip_prefix(r"\\?\")).filter(|text| text.get(1..2) == Some(":"));
    Ok(plain.map_or_else(|| real.clone(), PathBuf::from))
}
