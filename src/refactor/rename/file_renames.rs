//! The files that a rename moves, as a server names them: one after the other, directories among them.

use std::collections::BTreeMap;

use crate::refactor::Refusal;
use crate::text::AbsPath;
use crate::workspace::Disk;

/// Returns where each file goes, by its path before. rust-analyzer moves the directory of a module beside its file.
pub(super) fn files(disk: &Disk, moves: &[(AbsPath, AbsPath)]) -> Result<BTreeMap<AbsPath, AbsPath>, Refusal> {
    let mut moved: BTreeMap<AbsPath, AbsPath> = BTreeMap::new();
    for (from, to) in moves {
        let carried: Vec<AbsPath> =
            moved.iter().filter(|(_, now)| now.is_below(from)).map(|(old, _)| old.clone()).collect();
        for file in on_disk(disk, from)? {
            let target = file.rebased(from, to).unwrap_or_else(|| to.clone());
            moved.entry(file).or_insert(target);
        }
        for file in carried {
            if let Some(now) = moved.get_mut(&file) {
                *now = now.rebased(from, to).unwrap_or_else(|| to.clone());
            }
        }
    }
    Ok(moved)
}

/// Returns the file at a path, or every file below it; none where something is only to come there.
fn on_disk(disk: &Disk, path: &AbsPath) -> Result<Vec<AbsPath>, Refusal> {
    let Ok(found) = path.as_path().symlink_metadata() else { return Ok(Vec::new()) };
    if !found.is_dir() {
        return Ok(vec![path.clone()]);
    }
    let entries = disk.everything_below(path).map_err(|error| Refusal::CannotMove(error.to_string()))?;
    Ok(entries.into_iter().map(|entry| entry.path).collect())
}
