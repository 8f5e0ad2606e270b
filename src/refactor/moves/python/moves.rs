//! Which modules move, and where every place lies afterwards.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Refused;
use super::place::Place;
use super::tree::ModuleTree;
use crate::refactor::moves::Relocation;
use crate::text::AbsPath;

/// The modules and packages that move.
#[derive(Debug, Clone)]
pub(super) struct Moves {
    /// What moves as such: a package or another directory with everything below, or single modules.
    tops: BTreeMap<Place, Place>,
    /// Modules that become the `__init__` of a package of the same name, by where they lie afterwards.
    packaged: BTreeSet<Place>,
    /// Whether what lies below the tops moves along.
    is_deep: bool,
}

impl Moves {
    pub(super) fn of(relocation: &Relocation, tree: &ModuleTree) -> Result<Self, Refused> {
        if relocation.is_dir {
            let place = |path| tree.place_of(path).ok_or_else(|| Refused::Outside { path: AbsPath::clone(path) });
            let pair = (place(&relocation.from)?, place(&relocation.to)?);
            if pair.1.is_below(&pair.0) {
                return Err(Refused::IntoItself { from: relocation.from.clone(), to: relocation.to.clone() });
            }
            return Ok(Self { tops: BTreeMap::from([pair]), packaged: BTreeSet::new(), is_deep: true });
        }
        let (mut tops, mut packaged) = (BTreeMap::new(), BTreeSet::new());
        for (from, to) in &relocation.files {
            let Some((old, extension)) = tree.module_at(from) else { continue };
            let Some((new, new_extension)) = tree.module_at(to) else {
                return Err(Refused::NoModule { from: from.clone(), to: to.clone() });
            };
            if extension != new_extension {
                return Err(Refused::NoModule { from: from.clone(), to: to.clone() });
            }
            let pair = match (old.name(), new.name()) {
                ("__init__", "__init__") => (old.parent().unwrap_or_default(), new.parent().unwrap_or_default()),
                (stem, "__init__") if new.parent().is_some_and(|package| package.name() == stem) => {
                    let package = new.parent().unwrap_or_default();
                    packaged.insert(package.clone());
                    (old, package)
                }
                ("__init__", _) | (_, "__init__") => return Err(Refused::Init { path: from.clone() }),
                _ => (old, new),
            };
            tops.insert(pair.0, pair.1);
        }
        Self { tops, packaged, is_deep: false }.without_lone_inits(relocation, tree)
    }

    /// Refuses to take the `__init__` away from modules that stay.
    fn without_lone_inits(self, relocation: &Relocation, tree: &ModuleTree) -> Result<Self, Refused> {
        for file in relocation.files.keys().filter(|file| file.file_stem() == "__init__") {
            let Some(directory) = file.parent().and_then(|parent| tree.place_of(&parent)) else { continue };
            let stays = tree.modules_below(&directory).into_iter().any(|place| !self.tops.contains_key(&place));
            if stays {
                return Err(Refused::Init { path: file.clone() });
            }
        }
        Ok(self)
    }

    /// Nothing moves.
    pub(super) fn none() -> Self {
        Self { tops: BTreeMap::new(), packaged: BTreeSet::new(), is_deep: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tops.is_empty()
    }

    pub(super) fn tops(&self) -> impl Iterator<Item = (&Place, &Place)> {
        self.tops.iter()
    }

    /// Returns where a place lies after the move.
    pub(super) fn after(&self, place: &Place) -> Place {
        if let Some(new) = self.tops.get(place) {
            return new.clone();
        }
        if !self.is_deep {
            return place.clone();
        }
        let moved = |(old, new): (&Place, &Place)| Some(new.join_all(place.names_below(old)?));
        self.tops.iter().find_map(moved).unwrap_or_else(|| place.clone())
    }

    pub(super) fn is_moved(&self, place: &Place) -> bool {
        self.tops.contains_key(place) || self.is_deep && self.tops.keys().any(|old| place.is_below(old))
    }

    /// Tells whether what lies at a place after the move was a module, and is a package.
    pub(super) fn is_packaged(&self, after: &Place) -> bool {
        self.packaged.contains(after)
    }

    /// Returns the last names of what moves, before and after.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tops.iter().flat_map(|(old, new)| [old.name(), new.name()])
    }
}
