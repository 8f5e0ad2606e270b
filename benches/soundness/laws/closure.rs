//! Closure: asked from any place that a plan edits, the plan is the same, or it is the same refusal.

use std::path::Path;

use lspwright::plan::Plan;
use lspwright::syntax::{Language, Tree};
use lspwright::text::AbsPath;

use super::case::Case;
use super::ground::{Ground, Reply, difference, shape};
use super::{Law, Verdict};
use crate::random::Random;

pub const LAW: Law = Law { name: "closure", judge };

fn judge(ground: &mut Ground, case: &Case, random: &mut Random) -> Verdict {
    if let Err(reason) = ground.stand_on(None) {
        return Verdict::Failed(reason);
    }
    let (mut places, mut sampled) = (places(&case.plan, &case.chosen.old, &case.chosen.fresh[0]), Vec::new());
    places.retain(|(path, offset)| path.as_path() != case.chosen.path || *offset != case.chosen.offset);
    while sampled.len() < ground.places && !places.is_empty() {
        sampled.push(places.swap_remove(random.below(places.len())));
    }
    if sampled.is_empty() {
        return Verdict::Skipped("one place that can be asked from");
    }
    for (path, offset) in &sampled {
        let place = (path.as_path(), *offset);
        if let Err(verdict) = asked_from(ground, case, place) {
            return verdict;
        }
    }
    case.chosen.taken.as_ref().map_or(Verdict::Held, |taken| refused(ground, case, (taken, &sampled)))
}

fn asked_from(ground: &Ground, case: &Case, place: (&Path, usize)) -> Result<(), Verdict> {
    let from = || ground.place(place.0, place.1);
    match ground.ask_at(place, (&case.chosen.old, &case.chosen.fresh[0])) {
        Reply::Plan(other) => {
            let found = difference(&shape(&case.plan, &ground.root), &shape(&other, &ground.root));
            found.map_or(Ok(()), |found| Err(Verdict::Broken(format!("asked from {}:\n{found}", from()))))
        }
        Reply::Refused(reason) => Err(Verdict::Broken(format!("asked from {}: refused: {reason}", from()))),
        Reply::Failed(reason) => Err(Verdict::Failed(reason)),
    }
}

/// Asks for a name that is taken, there and here: all plans, or all refusals.
fn refused(ground: &Ground, case: &Case, (taken, places): (&str, &[(AbsPath, usize)])) -> Verdict {
    let first = ground.ask(&case.chosen, taken);
    for (path, offset) in places {
        let other = ground.ask_at((path.as_path(), *offset), (&case.chosen.old, taken));
        let from = format!("for the name `{taken}`, asked from {}", ground.place(path.as_path(), *offset));
        match (&first, other) {
            (Reply::Refused(_), Reply::Refused(_)) => {}
            (Reply::Plan(one), Reply::Plan(other)) => {
                let found = difference(&shape(one, &ground.root), &shape(&other, &ground.root));
                if let Some(found) = found {
                    return Verdict::Broken(format!("{from}:\n{found}"));
                }
            }
            (Reply::Refused(reason), Reply::Plan(_)) => {
                return Verdict::Broken(format!("{from}: a plan, where the first place is refused: {reason}"));
            }
            (Reply::Plan(_), Reply::Refused(reason)) => {
                return Verdict::Broken(format!("{from}: refused, where the first place has a plan: {reason}"));
            }
            (_, Reply::Failed(reason)) => return Verdict::Failed(reason),
            (Reply::Failed(reason), _) => return Verdict::Failed(reason.clone()),
        }
    }
    Verdict::Held
}

/// The places at which the name alone is replaced. From a string or a comment nobody can ask, and where one name stands
/// for two things (`{ old }`, which becomes `{ new: old }`) either may be meant.
fn places(plan: &Plan, old: &str, new: &str) -> Vec<(AbsPath, usize)> {
    let mut found = Vec::new();
    for (path, file) in plan.edits() {
        let Some(language) = Language::of_path(path) else { continue };
        let text = file.before.as_str();
        let tree = Tree::parse(language, text);
        let is_name = |start: usize| tree.identifier_at(text, start).is_some_and(|span| span.of(text) == Some(old));
        let renaming = file.edits.iter().filter(|edit| edit.new_text == new && is_name(edit.span.start));
        found.extend(renaming.map(|edit| (path.clone(), edit.span.start)));
    }
    found
}
