//! Directories without an `__init__` that are packages all the same (PEP 420): those that imports name as such.

use super::place::Place;
use super::project_modules::World;
use super::source::{Source, absolute_modules};
use crate::text::AbsPath;

/// Returns the files that hold a word.
type Mentioning<'a> = dyn Fn(&str) -> Vec<AbsPath> + 'a;

/// Returns the directory from which a place is imported, by way of such packages, too.
pub(super) fn root_of(world: &World<'_>, place: &Place, mentioning: &Mentioning<'_>) -> Place {
    let outermost = around(world, place, mentioning).pop();
    world.tree.root_of(&outermost.unwrap_or_else(|| place.clone()))
}

/// Returns the packages without an `__init__` around the outermost one with it, the innermost first.
pub(super) fn around(world: &World<'_>, place: &Place, mentioning: &Mentioning<'_>) -> Vec<Place> {
    let mut found = Vec::new();
    let mut root = world.tree.root_of(place);
    while is_named(world, &root, mentioning) {
        let above = world.tree.root_of(&root);
        found.push(std::mem::replace(&mut root, above));
    }
    found
}

fn is_named(world: &World<'_>, directory: &Place, mentioning: &Mentioning<'_>) -> bool {
    let names = |path: &AbsPath| world.source(path).is_some_and(|source| names_directory(world, &source, directory));
    !world.tree.is_root(directory) && mentioning(directory.name()).iter().any(names)
}

/// Tells whether a file imports, absolutely, what lies in a directory by way of that directory's own name.
fn names_directory(world: &World<'_>, source: &Source, directory: &Place) -> bool {
    source.imports.iter().any(|import| {
        absolute_modules(import).iter().any(|names| {
            let named = world.absolute(&source.directory, names);
            named.is_some_and(|named| {
                named.place.is_below(directory)
                    && named.place != *directory
                    && world.tree.exists(&named.place)
                    && named.root.is_some_and(|root| root != *directory && directory.is_below(&root))
            })
        })
    })
}
