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

/// Writes a path as seen from the root, which is read from the current directory, or else from the root: from `base` where
/// nothing is at either.
pub(super) fn led(path: &str, here: &AbsPath, (base, root): (&AbsPath, &AbsPath)) -> Result<String, ToolError> {
    let all = [here.join(path)?, root.join(path)?];
    let found = all.into_iter().find(is_there);
    let found = found.map_or_else(|| base.join(path), Ok)?;
    Ok(found.shown_from(root))
}

fn is_there(path: &AbsPath) -> bool {
    Path::symlink_metadata(path.as_path()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::led;
    use crate::text::AbsPath;

    #[test]
    fn a_path_is_read_from_the_current_directory_or_else_from_the_root() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["packages/a/src/b.ts", "packages/a/src/c.ts", "src/c.ts", "tools/run.ts"] {
            let file = dir.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let root = AbsPath::new(dir.path()).unwrap();
        let here = root.join("packages/a").unwrap();
        let seen = |path: &str, base: &AbsPath| led(path, &here, (base, &root)).unwrap();
        assert_eq!(seen("src/b.ts", &here), "packages/a/src/b.ts");
        assert_eq!(seen("src/c.ts", &here), "packages/a/src/c.ts", "the nearer one of two");
        assert_eq!(seen("tools/run.ts", &here), "tools/run.ts");
        assert_eq!(seen("../b.ts", &here), "packages/b.ts");
        assert_eq!(
            (seen("new.ts", &here), seen("new.ts", &root)),
            ("packages/a/new.ts".to_owned(), "new.ts".to_owned())
        );
    }
}
