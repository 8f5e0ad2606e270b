//! The laws of plans, on trees in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;

use super::{Move, Parts, Plan, PlanError, Warning, WarningKind};
use crate::text::{AbsPath, ContentHash, Text, TextEdit};

type Files = BTreeMap<AbsPath, Text>;

const PATHS: &[&str] = &["/p/a", "/p/b", "/p/c", "/p/d/e", "/p/d/f", "/p/a/g", "/p/h"];

fn path(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

fn paths() -> impl Strategy<Value = AbsPath> {
    select(PATHS).prop_map(path)
}

fn files() -> impl Strategy<Value = Files> {
    let contents = select(&["", "one\n", "two\r\nlines", "drei é 𝄞"][..]).prop_map(Text::new);
    let trees = proptest::collection::btree_map(paths(), contents, 0..6);
    trees.prop_filter("no directory is a file", |files| !has_file_above_file(files))
}

/// What may be asked of a path.
#[derive(Debug, Clone)]
enum Wish {
    Edit,
    Move(AbsPath),
    EditAndMove(AbsPath),
    Create,
    Delete,
}

fn wishes() -> impl Strategy<Value = BTreeMap<AbsPath, Vec<Wish>>> {
    let wish = prop_oneof![
        3 => Just(Wish::Edit),
        3 => paths().prop_map(Wish::Move),
        3 => paths().prop_map(Wish::EditAndMove),
        1 => Just(Wish::Create),
        1 => Just(Wish::Delete),
    ];
    // Two wishes for one path are rare, or nearly every plan would be a contradiction.
    let some = prop_oneof![9 => proptest::collection::vec(wish.clone(), 1), 1 => proptest::collection::vec(wish, 2)];
    proptest::collection::btree_map(paths(), some, 0..5)
}

fn parts(files: &Files, wishes: &BTreeMap<AbsPath, Vec<Wish>>) -> Parts {
    let mut parts = Parts::default();
    for (path, wish) in wishes.iter().flat_map(|(path, wishes)| wishes.iter().map(move |wish| (path, wish))) {
        let Some(text) = files.get(path).map(|text| Arc::new(text.clone())) else {
            parts.creates.insert(path.clone(), Text::new("new"));
            continue;
        };
        let before = text.hash().clone();
        let edits = vec![TextEdit::new(0..0, "edited "), TextEdit::new(text.as_str().len()..text.as_str().len(), "!")];
        let edits = if text.as_str().is_empty() { edits[..1].to_vec() } else { edits };
        match wish.clone() {
            Wish::Edit => drop(parts.edits.insert(path.clone(), (text, edits))),
            Wish::Move(to) => drop(parts.moves.insert(path.clone(), Move { to, before })),
            Wish::EditAndMove(to) => {
                parts.edits.insert(path.clone(), (text, edits));
                parts.moves.insert(path.clone(), Move { to, before });
            }
            Wish::Create => drop(parts.creates.insert(path.clone(), Text::new("new"))),
            Wish::Delete => drop(parts.deletes.insert(path.clone(), text)),
        }
    }
    parts
}

/// Carries a plan out in the public order: edits, creations, moves as one, deletions.
fn carry_out(plan: &Plan, before: &Files) -> Result<Files, String> {
    let mut files = before.clone();
    for path in plan.edits().keys() {
        let after = plan.text_after(path).expect("an edited file has a text");
        files.insert(path.clone(), after).ok_or(format!("edited {path} is missing"))?;
    }
    for (path, text) in plan.creates() {
        if files.insert(path.clone(), text.clone()).is_some() {
            return Err(format!("created {path} is there"));
        }
    }
    let mut carried = Vec::new();
    for (from, step) in plan.moves() {
        carried.push((&step.to, files.remove(from).ok_or(format!("moved {from} is missing"))?));
    }
    for (to, text) in carried {
        if files.insert(to.clone(), text).is_some() {
            return Err(format!("target {to} is there"));
        }
    }
    for path in plan.deletes().keys() {
        files.remove(path).ok_or(format!("deleted {path} is missing"))?;
    }
    Ok(files)
}

/// Tells whether a file stands where another has its directory.
fn has_file_above_file(files: &Files) -> bool {
    let above = |path: &AbsPath| path.as_path().ancestors().skip(1).any(|dir| files.keys().any(|p| p.as_path() == dir));
    files.keys().any(above)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_plan_and_its_inverse_are_nothing(files in files(), wishes in wishes()) {
        let Ok(plan) = Plan::new(parts(&files, &wishes)) else { return Ok(()) };
        let Ok(after) = carry_out(&plan, &files) else { return Ok(()) };
        prop_assert_eq!(carry_out(&plan.invert(), &after), Ok(files.clone()));
        prop_assert_eq!(after.len() + plan.deletes().len(), files.len() + plan.creates().len());
    }

    #[test]
    fn an_inverse_is_a_plan_whose_inverse_is_the_first(files in files(), wishes in wishes()) {
        let Ok(plan) = Plan::new(parts(&files, &wishes)) else { return Ok(()) };
        let inverse = plan.invert();
        prop_assert_eq!(&Plan::new(inverse.clone().into_parts()).unwrap(), &inverse);
        prop_assert_eq!(inverse.invert().id(), plan.id());
    }

    #[test]
    fn a_plan_fails_only_on_files_that_it_does_not_know(files in files(), wishes in wishes()) {
        let Ok(plan) = Plan::new(parts(&files, &wishes)) else { return Ok(()) };
        let known: BTreeSet<AbsPath> = plan.basis().into_keys().collect();
        let only_known: Files = files.into_iter().filter(|(path, _)| known.contains(path)).collect();
        prop_assert!(carry_out(&plan, &only_known).is_ok());
    }

    #[test]
    fn only_contradictions_are_refused(files in files(), wishes in wishes()) {
        prop_assume!(wishes.values().all(|wishes| wishes.len() == 1));
        let parts = parts(&files, &wishes);
        let Err(refused) = Plan::new(parts.clone()) else { return Ok(()) };
        let targets: Vec<&AbsPath> = parts.moves.values().map(|step| &step.to).chain(parts.creates.keys()).collect();
        let distinct: BTreeSet<&AbsPath> = targets.iter().copied().collect();
        let is_taken = |path: &AbsPath| {
            let stays = parts.edits.contains_key(path) && parts.moves.get(path).is_none_or(|step| step.to == *path);
            stays || parts.deletes.contains_key(path) || (parts.creates.contains_key(path) && files.contains_key(path))
        };
        let reach = |path: &AbsPath| distinct.iter().chain(&parts.edits.keys().collect::<Vec<_>>())
            .any(|other| *other != path && (other.is_below(path) || path.is_below(other)));
        let wrong = distinct.len() < targets.len() || targets.iter().any(|path| is_taken(path) || reach(path));
        prop_assert!(wrong, "{}", refused);
    }

    #[test]
    fn the_same_plan_has_the_same_id(files in files(), wishes in wishes()) {
        let parts = parts(&files, &wishes);
        let Ok(plan) = Plan::new(parts.clone()) else { return Ok(()) };
        let mut mixed = parts;
        for (_, edits) in mixed.edits.values_mut() {
            edits.reverse();
            edits.extend(edits.clone());
        }
        mixed.warnings.push(Warning::of_plan(WarningKind::FollowUp, "said beside the plan"));
        prop_assert_eq!(Plan::new(mixed).unwrap().id(), plan.id());
        if !plan.is_empty() {
            prop_assert_ne!(Plan::default().id(), plan.id());
        }
    }

    #[test]
    fn the_basis_is_every_old_file(files in files(), wishes in wishes()) {
        let Ok(plan) = Plan::new(parts(&files, &wishes)) else { return Ok(()) };
        let old = plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys());
        let wanted: BTreeMap<AbsPath, ContentHash> = old.map(|path| (path.clone(), files[path].hash().clone())).collect();
        prop_assert_eq!(plan.basis(), wanted);
    }
}

fn text(content: &str) -> Arc<Text> {
    Arc::new(Text::new(content))
}

fn shift(parts: &mut Parts, from: &str, to: &str) {
    parts.moves.insert(path(from), Move { to: path(to), before: ContentHash::of(from.as_bytes()) });
}

fn edit(parts: &mut Parts, at: &str) {
    parts.edits.insert(path(at), (text("old"), vec![TextEdit::new(0..3, "new")]));
}

fn refusal(build: impl FnOnce(&mut Parts)) -> Option<PlanError> {
    let mut parts = Parts::default();
    build(&mut parts);
    Plan::new(parts).err()
}

fn clash(at: &str, first: &'static str, second: &'static str) -> Option<PlanError> {
    Some(PlanError::Contradiction { path: path(at), first, second })
}

#[test]
fn chains_and_circles_of_moves_are_plans() {
    let chain = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/b");
        shift(parts, "/p/b", "/p/c");
        edit(parts, "/p/b");
    };
    assert_eq!(refusal(chain), None);
    let swap = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/b");
        shift(parts, "/p/b", "/p/a");
        edit(parts, "/p/a");
    };
    assert_eq!(refusal(swap), None);
}

#[test]
fn no_target_is_a_file_that_stays_or_goes() {
    let onto_edited = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/b");
        edit(parts, "/p/b");
    };
    assert_eq!(refusal(onto_edited), clash("/p/b", "edited", "a target"));
    let onto_deleted = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/b");
        parts.deletes.insert(path("/p/b"), text("old"));
    };
    assert_eq!(refusal(onto_deleted), clash("/p/b", "deleted", "a target"));
    let created_and_deleted = |parts: &mut Parts| {
        parts.creates.insert(path("/p/b"), Text::new("new"));
        parts.deletes.insert(path("/p/b"), text("old"));
    };
    assert_eq!(refusal(created_and_deleted), clash("/p/b", "deleted", "a target"));
}

#[test]
fn two_files_do_not_come_to_one_place() {
    let two_moves = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/c");
        shift(parts, "/p/b", "/p/c");
    };
    assert_eq!(refusal(two_moves), Some(PlanError::TargetTwice { path: path("/p/c") }));
    let move_and_create = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/c");
        parts.creates.insert(path("/p/c"), Text::new("new"));
    };
    assert_eq!(refusal(move_and_create), Some(PlanError::TargetTwice { path: path("/p/c") }));
}

#[test]
fn no_file_becomes_a_directory_too() {
    let nested = |parts: &mut Parts| {
        shift(parts, "/p/a", "/p/x");
        parts.creates.insert(path("/p/x/deep/new"), Text::new("new"));
    };
    let wanted = PlanError::FileAndDirectory { outer: path("/p/x"), inner: path("/p/x/deep/new") };
    assert_eq!(refusal(nested), Some(wanted));
}

#[test]
fn edits_outside_a_text_and_overlaps_name_their_file() {
    let outside = |parts: &mut Parts| {
        parts.edits.insert(path("/p/a"), (text("é"), vec![TextEdit::new(0..1, "e")]));
    };
    assert_eq!(refusal(outside), Some(PlanError::OutsideText { path: path("/p/a") }));
    let overlapping = |parts: &mut Parts| {
        let edits = vec![TextEdit::new(0..2, "x"), TextEdit::new(1..3, "y")];
        parts.edits.insert(path("/p/a"), (text("abc"), edits));
    };
    assert!(matches!(refusal(overlapping), Some(PlanError::Overlap { path: at, .. }) if at == path("/p/a")));
}

#[test]
fn what_changes_nothing_is_no_part_of_a_plan() {
    let mut parts = Parts::default();
    parts.edits.insert(path("/p/a"), (text("same"), vec![TextEdit::new(0..4, "same"), TextEdit::new(2..2, "")]));
    shift(&mut parts, "/p/b", "/p/b");
    assert!(Plan::new(parts).unwrap().is_empty());
}
