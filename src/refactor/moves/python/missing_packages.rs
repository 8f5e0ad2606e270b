//! Directories that have to become packages for what moves into them.

use std::collections::BTreeSet;

use super::moves::Moves;
use super::place::Place;
use super::tree::ModuleTree;

/// Returns the new directories, inside packages, that modules of a package move into: they need an
/// `__init__` as their old one had it, or tools that look for packages would not see them.
pub(super) fn needed(moves: &Moves, before: &ModuleTree, is_dir: bool) -> BTreeSet<Place> {
    let mut needed = BTreeSet::new();
    for (old, new) in moves.tops() {
        let came_from_package = old.parent().is_some_and(|parent| before.is_package(&parent));
        let is_package = !is_dir || before.is_package(old);
        if !came_from_package || !is_package {
            continue;
        }
        let missing: Vec<Place> = new.upwards().skip(1).take_while(|up| !before.exists(up)).collect();
        let inside = missing.last().and_then(Place::parent).is_some_and(|above| before.is_package(&above));
        if inside {
            needed.extend(missing);
        }
    }
    needed
}
