//! The servers' findings with a plan laid over their documents in memory, and without it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::compare::{early, in_new_words, renames};
use super::dependents::Affected;
use super::local_functions::{gives_the_same, only_called};
use super::outcome::{CannotCheck, Found};
use super::propagation::{VisibleChanges, carried};
use super::{compare, dependents, excused, findings};
use crate::lsp::{Feature, Place, Quirk};
use crate::plan::{FileEdit, Plan, Problem};
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::{AbsPath, Text};

/// Compares, with nobody else at the servers meanwhile: an overlay is seen by all who ask.
pub(super) async fn new_problems(session: &Session, plan: &Plan) -> Result<Found, CannotCheck> {
    let _turn = session.alone().await;
    // What changed since the plan was made is told before anything is compared.
    session.refresh().await;
    let outcome = compared(session, plan).await;
    drop_overlays(session, plan).await?;
    outcome
}

async fn compared(session: &Session, plan: &Plan) -> Result<Found, CannotCheck> {
    let is_of_the_disk = !session.disk().shows(plan);
    let mut carried = carried(session, plan);
    if is_of_the_disk {
        lay_saved(session, plan).await?;
    }
    let described = described(session, carried.declared.iter().map(|(path, (before, _))| (path, *before))).await;
    let (affected, after) = with_overlays(session, plan, &mut carried, &described).await?;
    let Affected { files, left_out } = affected.clone();
    let asked = dependents::with_findings(plan, files, &after);
    let before = if is_of_the_disk {
        lay_saved(session, plan).await?;
        findings::seen(session, &asked).await?
    } else {
        drop_overlays(session, plan).await?;
        findings::on_disk(session, &asked).await?
    };
    let (problems, early) = (compare(plan, &before, &after), early(plan, &before, &after));
    let problems = match asked_again(session, plan, &problems).await? {
        Some((files, again)) => {
            let others = after.into_iter().filter(|problem| !files.contains(&problem.path));
            compare(plan, &before, &others.chain(again).collect::<Vec<_>>())
        }
        None => problems,
    };
    let problems = excused::without(session, plan, problems);
    Ok(Found { problems, looked_at: affected.count(), left_out, early })
}

/// Asks again about the files with problems that a server may have found by texts that are gone, when it has read them anew:
/// what an earlier plan would have brought is no problem of this one. tsserver is asked again, too: where no project holds a
/// file, what it finds there depends on what else it has read by then.
async fn asked_again(
    session: &Session,
    plan: &Plan,
    problems: &[Problem],
) -> Result<Option<(BTreeSet<AbsPath>, Vec<Problem>)>, CannotCheck> {
    let mut doubted = BTreeMap::<Language, BTreeSet<AbsPath>>::new();
    let mut behind = BTreeMap::<Language, BTreeSet<AbsPath>>::new();
    for path in problems.iter().map(|problem| &problem.path) {
        let Some(language) = checked_language(path) else { continue };
        let server = session.server(language, Feature::Diagnostics).await?;
        if server.may_be_behind(path) {
            behind.entry(language).or_default().insert(path.clone());
        }
        if server.may_be_behind(path) || server.spec().has(Quirk::TsserverDiagnostics) {
            doubted.entry(language).or_default().insert(path.clone());
        }
    }
    if doubted.is_empty() {
        return Ok(None);
    }
    lay(session, plan, |edit| Arc::new(edit.after())).await?;
    for (language, files) in &behind {
        let server = session.server(*language, Feature::Diagnostics).await?;
        server.read_anew(files).await.map_err(SessionError::from)?;
    }
    let groups = doubted.iter().map(|(language, files)| (*language, files.iter().cloned().collect())).collect();
    let again = findings::seen(session, &groups).await?;
    Ok(Some((doubted.into_values().flatten().collect(), again)))
}

/// Lays over what stands on the disk, for a plan that is made of it: the servers see drafts, those of other files too.
pub(super) async fn lay_saved(session: &Session, plan: &Plan) -> Result<(), CannotCheck> {
    for (path, _) in session.disk().drafts() {
        let (Some(language), Ok(saved)) = (checked_language(&path), session.disk().read_saved(&path)) else { continue };
        let server = session.server(language, Feature::Diagnostics).await?;
        server.overlay(&path, saved).await.map_err(SessionError::from)?;
    }
    lay(session, plan, |edit| Arc::clone(&edit.before)).await
}

/// Lays a text over each file that a plan edits.
async fn lay(session: &Session, plan: &Plan, text: impl Fn(&FileEdit) -> Arc<Text>) -> Result<(), CannotCheck> {
    for (path, edit) in plan.edits() {
        let Some(language) = checked_language(path) else { continue };
        let server = session.server(language, Feature::Diagnostics).await?;
        server.overlay(path, text(edit)).await.map_err(SessionError::from)?;
    }
    Ok(())
}

/// Takes away what was laid over.
pub(super) async fn drop_overlays(session: &Session, plan: &Plan) -> Result<(), CannotCheck> {
    let drafts = session.disk().drafts();
    let languages: BTreeSet<Language> =
        plan.edits().keys().chain(drafts.iter().map(|(path, _)| path)).filter_map(checked_language).collect();
    for language in languages {
        session.server(language, Feature::Diagnostics).await?.drop_overlays().await;
    }
    Ok(())
}

/// Lays the plan's texts over, says which files they may affect, and asks for what is found there.
async fn with_overlays(
    session: &Session,
    plan: &Plan,
    carried: &mut VisibleChanges,
    before: &[Option<String>],
) -> Result<(Affected, Vec<Problem>), CannotCheck> {
    lay(session, plan, |edit| Arc::new(edit.after())).await?;
    let after = described(session, carried.declared.iter().map(|(path, (_, after))| (path, *after))).await;
    let mut renames = renames(plan);
    renames.retain(|old, _| carried.given_up.contains(old));
    for ((path, (_, at)), (old, new)) in carried.declared.iter().zip(before.iter().zip(&after)) {
        let old = old.as_ref().map(|old| in_new_words(old, &renames));
        let is_same = old.is_some() && old == *new;
        let gives_the_same = old.zip(new.as_ref()).is_some_and(|(old, new)| gives_the_same(&old, new));
        if is_same {
            continue;
        }
        let called = gives_the_same.then(|| only_called(session, plan, (path, *at))).flatten();
        match called {
            Some(name) => drop(carried.names.entry(path.clone()).or_default().insert(name)),
            None => drop(carried.types.insert(path.clone())),
        }
    }
    let affected = dependents::of(session, plan, carried);
    let found = findings::seen(session, &affected.files).await?;
    Ok((affected, found))
}

/// Asks what the servers say of declarations: their types. Nothing where one says nothing.
async fn described(session: &Session, declared: impl Iterator<Item = (&AbsPath, usize)>) -> Vec<Option<String>> {
    let mut found = Vec::new();
    for (path, offset) in declared {
        found.push(description(session, Place { path: path.clone(), offset }).await);
    }
    found
}

async fn description(session: &Session, place: Place) -> Option<String> {
    let server = session.server(checked_language(&place.path)?, Feature::Diagnostics).await.ok()?;
    if !server.offers(Feature::Hover) {
        return None;
    }
    let told = server.hover(&place).await.ok()??;
    // Behind the first block of code stands what its author wrote.
    let code = told.split("```").nth(1).unwrap_or(&told).trim().to_owned();
    // Of a class only its name is told, be it made by a call.
    (!is_cut(&code) && !code.contains("(class)")).then_some(code)
}

/// Tells whether a server left something out: dots that are no part of a type (`(...) -> int`, `tuple[int, ...]`, the default
/// value of a stub, `...rest`).
fn is_cut(code: &str) -> bool {
    code.match_indices("...").any(|(at, dots)| {
        let (before, behind) = (&code[..at], &code[at + dots.len()..]);
        let of_tuple = || {
            let item = before.strip_suffix(", ").and_then(|item| item.rsplit_once("tuple["));
            behind.starts_with(']') && item.is_some_and(|(_, item)| is_balanced(item))
        };
        let is_rest = behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '[' | '{' | '('));
        let is_any = before.ends_with('(') && behind.starts_with(')');
        !(is_rest || is_any || before.ends_with("= ") || of_tuple())
    })
}

/// Tells whether every bracket that is opened is closed, and none other, so that a comma is none of the list around.
fn is_balanced(item: &str) -> bool {
    let mut open = 0_usize;
    item.chars().all(|c| {
        match c {
            '[' | '(' => open += 1,
            ']' | ')' if open == 0 => return false,
            ']' | ')' => open -= 1,
            ',' if open == 0 => return false,
            _ => {}
        }
        true
    }) && open == 0
}

fn checked_language(path: &AbsPath) -> Option<Language> {
    Language::of_path(path).filter(|language| *language != Language::Json)
}

#[cfg(test)]
mod tests {
    use super::is_cut;

    #[test]
    fn dots_that_a_type_is_written_with_are_nothing_left_out() {
        for whole in [
            "(variable) f: (...) -> int",
            "(variable) a: tuple[list[dict[str, int]], ...]",
            "(function) def f(a: int = ...) -> str",
            "function f(...rest: string[]): [...string[], number]",
        ] {
            assert!(!is_cut(whole), "{whole}");
        }
        for cut in ["const a: { b: string; ... 5 more ...; }", "(variable) a: dict[str, ...]", "let a: string | ...;"] {
            assert!(is_cut(cut), "{cut}");
        }
    }
}
