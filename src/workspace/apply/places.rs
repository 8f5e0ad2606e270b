//! Where a plan may touch anything: below the root, links followed, and not in version control's own files.

use std::path::PathBuf;

use super::error::ApplyError;
use crate::plan::Plan;
use crate::text::AbsPath;
use crate::workspace::contain::{contain, contain_entry};
use crate::workspace::version_control::is_version_controls;

/// Refuses a plan that touches what no plan may touch; the files themselves are not looked at.
pub fn refuse_places(plan: &Plan, root: &AbsPath) -> Result<(), ApplyError> {
    plan.edits().keys().try_for_each(|path| file(root, path).map(drop))?;
    let moved = plan.moves().iter().flat_map(|(from, step)| [from, &step.to]);
    let others = moved.chain(plan.creates().keys()).chain(plan.deletes().keys());
    others.into_iter().try_for_each(|path| refuse_place(path, root))
}

/// As [`refuse_places`], for one path that a plan names.
pub fn refuse_place(path: &AbsPath, root: &AbsPath) -> Result<(), ApplyError> {
    entry(root, path).map(drop)
}

/// Returns the real file that `path` leads to.
pub(super) fn file(root: &AbsPath, path: &AbsPath) -> Result<PathBuf, ApplyError> {
    allowed(root, path, contain(root, path)?)
}

/// Returns the real place of `path`, where a link in the last place is what is meant.
pub(super) fn entry(root: &AbsPath, path: &AbsPath) -> Result<PathBuf, ApplyError> {
    allowed(root, path, contain_entry(root, path)?)
}

fn allowed(root: &AbsPath, path: &AbsPath, place: AbsPath) -> Result<PathBuf, ApplyError> {
    let below = [path, &place].map(|path| path.as_path().strip_prefix(root.as_path()));
    if below.into_iter().flatten().any(is_version_controls) {
        return Err(ApplyError::VersionControl { path: path.clone() });
    }
    Ok(place.as_path().to_owned())
}
