//! Which files a Python file imports, read from its tokens.

use std::sync::Arc;

use super::place::Place;
use super::project_modules::World;
use super::tree::ModuleTree;
use crate::syntax::python::{FromImport, Import, ImportKind, Imported};
use crate::text::{AbsPath, Text};

/// Finds the files that imports mean.
pub(in crate::refactor::moves) struct Resolver<'a> {
    world: World<'a>,
}

impl<'a> Resolver<'a> {
    pub(in crate::refactor::moves) fn new(
        tree: &'a ModuleTree,
        read: &'a dyn Fn(&AbsPath) -> Option<Arc<Text>>,
    ) -> Self {
        Self { world: World::new(tree, read) }
    }

    /// Returns the files whose names a file comes to see: of `import a.b` every package on the way, of `from a import b`
    /// the module `a`, and `b` where it is one.
    pub(in crate::refactor::moves) fn imported(&self, path: &AbsPath, imports: &[Import]) -> Vec<AbsPath> {
        let Some((place, _)) = self.world.tree.module_at(path) else { return Vec::new() };
        let directory = place.parent().unwrap_or_default();
        // A stub speaks for the module beside it, and the other way round.
        let own = if place.name() == "__init__" { directory.clone() } else { place };
        let mut places = vec![own];
        for import in imports {
            match &import.kind {
                ImportKind::Modules(items) => {
                    for item in items {
                        self.module(&directory, &item.path.texts(), &mut places);
                    }
                }
                ImportKind::From(from) => self.members(&directory, from, &mut places),
            }
        }
        let files = places.iter().flat_map(|place| self.world.tree.files_of(place));
        files.filter(|file| file != path).collect()
    }

    fn module(&self, directory: &Place, names: &[&str], places: &mut Vec<Place>) {
        let root = self.world.absolute(directory, names).and_then(|named| named.root);
        if let Some(root) = root {
            places.extend((1..=names.len()).map(|count| root.join_all(names[..count].iter().copied())));
        }
    }

    fn members(&self, directory: &Place, from: &FromImport, places: &mut Vec<Place>) {
        let Some(named) = self.world.origin(directory, from) else { return };
        if let Imported::Names(items) = &from.imported {
            places.extend(items.iter().map(|item| named.place.join(&item.name.text)));
        }
        places.push(named.place);
    }
}
