//! Whether every import still means, after the move and the edits, what it meant.

use std::collections::BTreeSet;

use super::error::Refused;
use super::moves::Moves;
use super::place::Place;
use super::project_modules::{Member, World};
use super::source::{Bound, Source, bounds_of};
use crate::refactor::refusal::refuse_all;
use crate::syntax::python::{Import, ImportKind, Imported};

/// What one import statement gives: a module, or a member of one.
type Given = (Place, Option<String>);

/// Compares what a file imported with what it imports.
pub(super) fn check(
    moves: &Moves,
    (before, old): (&World<'_>, &Source),
    (after, new): (&World<'_>, &Source),
) -> Result<(), Refused> {
    let found: BTreeSet<Given> = new.imports.iter().flat_map(|import| given(moves, (after, new), import)).collect();
    let is_lost = |import: &&Import| {
        let wanted = given(moves, (before, old), import).into_iter().map(|(place, name)| (moves.after(&place), name));
        wanted.into_iter().any(|wanted| !found.contains(&wanted))
    };
    let said = |import: &Import| import.span.of(old.str()).unwrap_or_default().to_owned();
    let lost = old.imports.iter().filter(is_lost);
    refuse_all(lost.map(|import| Refused::Unsound { path: old.path.clone(), import: said(import) }))
}

/// Returns what a statement imports from the project; what is not there is left out, unless dots name it.
fn given(moves: &Moves, (world, source): (&World<'_>, &Source), import: &Import) -> Vec<Given> {
    let mut all = Vec::new();
    match &import.kind {
        ImportKind::Modules(items) => {
            for item in items {
                let names = item.path.texts();
                let Some(named) = world.absolute(&source.directory, &names) else { continue };
                let parent = named.place.parent().unwrap_or_default();
                let name = named.place.name().to_owned();
                let is_near =
                    item.alias.is_some() && world.tree.is_package(&parent) && moves.names().any(|one| one == name);
                // What a package binds by a submodule's name comes before the submodule.
                let is_hidden = is_near && world.member(&parent, &name) == Member::Value;
                all.push(if is_hidden { (parent, Some(name)) } else { (named.place, None) });
            }
        }
        ImportKind::From(from) => {
            let Some(named) = world.origin(&source.directory, from) else { return all };
            if from.imported == Imported::Star {
                all.push((named.place.clone(), Some("*".to_owned())));
            }
            for bound in bounds_of(import) {
                let Bound::Name(_, item) = bound else { continue };
                let name = &item.name.text;
                let can_be_module =
                    world.tree.exists(&named.place.join(name)) || moves.names().any(|moved| moved == name);
                let member = if can_be_module { world.member(&named.place, name) } else { Member::Value };
                all.push(match member {
                    Member::Module(place) => (place, None),
                    _ => (named.place.clone(), Some(name.clone())),
                });
            }
        }
    }
    all
}
