//! What cannot be: names that Python would not take, or would take for something else.

use std::collections::BTreeSet;

use super::error::Refused;
use super::moves::Moves;
use super::place::Place;
use super::project_modules::{Member, World};
use super::source::Source;
use super::stdlib::is_stdlib;
use super::tree::{ModuleTree, is_identifier};
use crate::refactor::moves::Relocation;
use crate::refactor::refusal::{each, refuse_all};
use crate::syntax::{Language, check_name};
use crate::text::AbsPath;

/// Checks the places that the modules go to.
pub(super) fn check(
    relocation: &Relocation,
    moves: &Moves,
    (before, after): (&World<'_>, &ModuleTree),
    mentioning: &dyn Fn(&str) -> Vec<AbsPath>,
) -> Result<(), Refused> {
    let tops = moves.tops().filter(|(old, _)| before.tree.exists(old));
    let of_top = tops.map(|(old, new)| {
        let was_top = before.tree.root_of(old) == old.parent().unwrap_or_default() && old.name() == new.name();
        let is_top = after.root_of(new) == new.parent().unwrap_or_default() && !was_top;
        let found = if is_top { at_top(moves, before, (old, new), mentioning) } else { Ok(()) };
        let own = [name_fits(before.tree, old, new), not_hidden(relocation, before.tree, new)];
        each(own.into_iter().chain([not_taken(before, (old, new)), found])).map(drop)
    });
    each([targets_free(relocation, moves, before.tree)].into_iter().chain(of_top)).map(drop)
}

fn targets_free(relocation: &Relocation, moves: &Moves, tree: &ModuleTree) -> Result<(), Refused> {
    let is_taken = |from: &AbsPath, to: &AbsPath| {
        let Some((place, extension)) = tree.module_at(to) else { return false };
        let is_init = place.name() == "__init__";
        let place = if is_init { place.parent().unwrap_or_default() } else { place };
        let entry = tree.entry(&place).unwrap_or_default();
        let there = if is_init { entry.package } else { entry.module };
        there == Some(extension) && !moves.is_moved(&place) && from != to
    };
    let taken = relocation.files.iter().filter(|(from, to)| is_taken(from, to));
    refuse_all(taken.map(|(_, to)| Refused::Exists { path: to.clone() }))
}

fn name_fits(tree: &ModuleTree, old: &Place, new: &Place) -> Result<(), Refused> {
    if !tree.is_solid(old) || !is_identifier(old.name()) {
        return Ok(());
    }
    let bad = |reason: String| Refused::BadName { name: new.name().to_owned(), reason };
    check_name(Language::Python, new.name()).map_err(|reason| bad(reason.to_string()))
}

/// Refuses a module beside a package of the same name.
fn not_hidden(relocation: &Relocation, tree: &ModuleTree, new: &Place) -> Result<(), Refused> {
    let Some(entry) = tree.entry(new) else { return Ok(()) };
    let (new_text, other) = (new.to_string(), |what: &str| format!("{new}{what}"));
    if !relocation.is_dir && (entry.package.is_some() || entry.holds) {
        return Err(Refused::Hidden { new: new_text + ".py", other: other("/") });
    }
    if relocation.is_dir && entry.module.is_some() {
        return Err(Refused::Hidden { new: new_text + "/", other: other(".py") });
    }
    Ok(())
}

/// Refuses a module whose package already means something else by its name.
fn not_taken(before: &World<'_>, (old, new): (&Place, &Place)) -> Result<(), Refused> {
    let parent = new.parent().unwrap_or_default();
    let is_same = old.parent().as_ref() == Some(&parent) && old.name() == new.name();
    if is_same || !before.tree.is_package(&parent) {
        return Ok(());
    }
    let taken = match before.member(&parent, new.name()) {
        Member::Missing => false,
        Member::Value => true,
        Member::Module(place) => place != *new && place != *old,
    };
    let path = before.tree.files_of(&parent).into_iter().find(|path| before.source(path).is_some());
    match path {
        Some(path) if taken => Err(Refused::Taken { name: new.name().to_owned(), path }),
        _ => Ok(()),
    }
}

/// Refuses a top-level name that imports of other modules would now find.
fn at_top(
    moves: &Moves,
    before: &World<'_>,
    (old, new): (&Place, &Place),
    mentioning: &dyn Fn(&str) -> Vec<AbsPath>,
) -> Result<(), Refused> {
    let name = new.name();
    let parent = new.parent().unwrap_or_default();
    if is_stdlib(name) && before.tree.is_solid(old) {
        return Err(Refused::ShadowsStandard { name: name.to_owned() });
    }
    let paths: BTreeSet<AbsPath> = mentioning(name).into_iter().collect();
    let captures = |source: &Source| {
        let can_reach = before.tree.reaches(&source.directory, &parent) && !moves.is_moved(&source.place);
        let imports = source.imports.iter().any(|import| {
            let top = super::source::absolute_top(import);
            top.contains(&name) && before.absolute(&source.directory, &[name]).is_none()
        });
        can_reach && imports
    };
    let captured = paths.iter().filter_map(|path| before.source(path)).filter(|source| captures(source));
    refuse_all(captured.map(|source| Refused::Captures { name: name.to_owned(), path: source.path.clone() }))
}
