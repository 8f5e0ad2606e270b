//! Paths that tools alone read: from the directory of the file that holds them, its package's, the root, or `src` in one.

use super::listing::Moved;
use super::project_files::World;
use crate::text::RelPath;

/// Returns the moved file that a path names, and names no longer after the move.
pub(super) fn moved_file(holder: &RelPath, written: &str, (before, moved): (&World<'_>, &Moved)) -> Option<RelPath> {
    if !written.contains('/') || written.contains(char::is_whitespace) || written.starts_with('/') {
        return None;
    }
    let package = before.package_around(holder).map(|package| package.dir.clone());
    let homes = holder.parent().into_iter().chain(package).chain([RelPath::root()]);
    let bases = homes.flat_map(|home| [Some(home.clone()), home.join("src")]).flatten();
    for base in bases {
        let Some(named) = base.join(written).filter(|path| moved.takes(path) && before.is_file(path)) else { continue };
        let stays = moved.after(&named).seen_from(&moved.after(&base)) == named.seen_from(&base);
        return Some(named).filter(|_| !stays);
    }
    None
}
