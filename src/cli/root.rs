//! Which project a command works in, and what the paths on its line mean.

use std::path::Path;

use super::args::{Common, Move};
use crate::text::AbsPath;
use crate::tools::ToolError;
use crate::workspace::{find_root, named_root};

/// Returns the project that was named, or the one that `near` (or the current directory) belongs to.
pub(super) fn project(common: &Common, near: Option<&AbsPath>) -> Result<AbsPath, ToolError> {
    let here = common.caller.dir()?;
    match &common.project {
        Some(project) => Ok(named_root(project, Some(&here))?),
        None => Ok(find_root(near.unwrap_or(&here), Some(&here)).dir),
    }
}

/// Finds what a path on the line means: relative to the current directory, or else to the named project.
pub(super) fn existing(common: &Common, path: &str) -> Result<AbsPath, ToolError> {
    let here = common.caller.dir()?;
    let near = here.join(path)?;
    let Some(project) = &common.project else { return Ok(near) };
    let below = named_root(project, Some(&here))?.join(path)?;
    Ok(if is_there(&near) || !is_there(&below) { near } else { below })
}

/// Finds where a move goes: NEW is read from where OLD was found; into it, where it is a directory that exists.
pub(super) fn destination(common: &Common, args: &Move) -> Result<AbsPath, ToolError> {
    let here = common.caller.dir()?;
    let base = match &common.project {
        Some(project) if !is_there(&here.join(&args.old)?) => named_root(project, Some(&here))?,
        _ => here,
    };
    let new = base.join(&args.new)?;
    let old = existing(common, &args.old)?;
    Ok(if new.as_path().is_dir() && new != old { new.join(old.file_name())? } else { new })
}

fn is_there(path: &AbsPath) -> bool {
    Path::symlink_metadata(path.as_path()).is_ok()
}
