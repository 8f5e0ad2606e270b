//! The servers' findings with a plan laid over their documents in memory, and without it.

use std::sync::Arc;

use super::carried::{Carried, carried};
use super::compare::{in_new_words, renames};
use super::dependents::Affected;
use super::{ByLanguage, CannotCheck, Found, compare, dependents, findings};
use crate::lsp::{Feature, Place};
use crate::plan::{Plan, Problem};
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::AbsPath;

/// Compares, with nobody else at the servers meanwhile: an overlay is seen by all who ask.
pub(super) async fn new_problems(session: &Session, plan: &Plan) -> Result<Found, CannotCheck> {
    let _turn = session.alone().await;
    // What changed since the plan was made is told before anything is compared.
    session.refresh().await;
    let mut carried = carried(session, plan);
    let described = described(session, carried.declared.iter().map(|(path, (before, _))| (path, *before))).await;
    let outcome = with_overlays(session, plan, &mut carried, &described).await;
    for language in languages(plan) {
        session.server(language, Feature::Diagnostics).await?.drop_overlays().await;
    }
    let (affected, after) = outcome?;
    let Affected { files, left_out } = affected.clone();
    let before = findings::on_disk(session, &dependents::with_findings(plan, files, &after)).await?;
    Ok(Found { problems: compare(plan, &before, &after), looked_at: affected.count(), left_out })
}

/// Lays the plan's texts over, says which files they may affect, and asks for what is found there.
async fn with_overlays(
    session: &Session,
    plan: &Plan,
    carried: &mut Carried,
    before: &[Option<String>],
) -> Result<(Affected, Vec<Problem>), CannotCheck> {
    for (path, edit) in plan.edits() {
        let Some(language) = checked_language(path) else { continue };
        let server = session.server(language, Feature::Diagnostics).await?;
        server.overlay(path, Arc::new(edit.after())).await.map_err(SessionError::from)?;
    }
    let after = described(session, carried.declared.iter().map(|(path, (_, after))| (path, *after))).await;
    let renames = renames(plan);
    for ((path, _), (old, new)) in carried.declared.iter().zip(before.iter().zip(&after)) {
        let is_same = old.is_some() && old.as_ref().map(|old| in_new_words(old, &renames)) == *new;
        if !is_same {
            carried.types.insert(path.clone());
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
    let is_whole = !code.contains("...") && !code.contains("(class)");
    is_whole.then_some(code)
}

fn languages(plan: &Plan) -> Vec<Language> {
    let groups: ByLanguage = plan.edits().keys().filter_map(checked_language).map(|it| (it, Vec::new())).collect();
    groups.into_keys().collect()
}

fn checked_language(path: &AbsPath) -> Option<Language> {
    Language::of_path(path).filter(|language| *language != Language::Json)
}
