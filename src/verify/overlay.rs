//! The servers' findings with a plan laid over their documents in memory, and without it.

use std::sync::Arc;

use super::{ByLanguage, CannotCheck, compare, dependents};
use crate::lsp::Feature;
use crate::plan::{Plan, Problem};
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::AbsPath;

/// Compares, with nobody else at the servers meanwhile: an overlay is seen by all who ask.
pub(super) async fn new_problems(session: &Session, plan: &Plan) -> Result<Vec<Problem>, CannotCheck> {
    let _turn = session.alone().await;
    let groups = dependents::of(session, plan);
    let after = with_overlays(session, plan, &groups).await;
    for language in groups.keys() {
        session.server(*language, Feature::Diagnostics).await?.drop_overlays().await;
    }
    let after = after?;
    let before = findings(session, &dependents::with_findings(plan, groups, &after)).await?;
    Ok(compare(plan, &before, &after))
}

async fn with_overlays(session: &Session, plan: &Plan, groups: &ByLanguage) -> Result<Vec<Problem>, CannotCheck> {
    for (path, edit) in plan.edits() {
        let Some(language) = Language::of_path(path).filter(|language| groups.contains_key(language)) else { continue };
        let server = session.server(language, Feature::Diagnostics).await?;
        server.overlay(path, Arc::new(edit.after())).await.map_err(SessionError::from)?;
    }
    findings(session, groups).await
}

/// Asks for the findings in every file of every group.
pub(super) async fn findings(session: &Session, groups: &ByLanguage) -> Result<Vec<Problem>, CannotCheck> {
    let mut found = Vec::new();
    for (language, files) in groups {
        found.extend(of_language(session, *language, files).await?);
    }
    Ok(found)
}

async fn of_language(session: &Session, language: Language, files: &[AbsPath]) -> Result<Vec<Problem>, CannotCheck> {
    let server = session.server(language, Feature::Diagnostics).await?;
    session.cover(&server, files).await?;
    let mut found = Vec::new();
    for file in files {
        found.extend(server.diagnostics(file).await.map_err(SessionError::from)?);
    }
    Ok(found)
}
