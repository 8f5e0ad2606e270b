//! The servers' findings with a plan laid over their documents in memory, and without it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::compare::early;
use super::declared_types::{Said, checked_language, described};
use super::dependents::Affected;
use super::outcome::{CannotCheck, Found};
use super::propagation::{VisibleChanges, carried};
use super::{compare, dependents, excused, findings};
use crate::lsp::{Feature, Quirk};
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
    let described =
        described(session, carried.declared.iter().map(|(path, (before, _))| (path.clone(), *before))).await;
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
    before: &[Said],
) -> Result<(Affected, Vec<Problem>), CannotCheck> {
    lay(session, plan, |edit| Arc::new(edit.after())).await?;
    let after = described(session, carried.declared.iter().map(|(path, (_, after))| (path.clone(), *after))).await;
    carried.describe(session, plan, (before, &after));
    let affected = dependents::of(session, plan, carried);
    let found = findings::seen(session, &affected.files).await?;
    Ok((affected, found))
}
