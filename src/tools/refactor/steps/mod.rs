//! Several refactorings as one plan: each is planned where the one before it is carried out.

mod in_copy;
mod on_drafts;

use std::sync::Arc;

use super::args::Step;
use super::{named, request};
use crate::plan::Plan;
use crate::refactor::catalog::{self, Search};
use crate::refactor::doubts::Doubts;
use crate::session::Session;
use crate::tools::{Context, Project, ToolError};

/// Plans the steps one after the other. Nothing is written in the project.
///
/// As long as they change texts alone, each is laid over the project as drafts that nobody else sees: the servers are warm
/// and know it. Once one moves, creates or deletes files, all are carried out in a copy of the project instead: a server
/// that has read a file from the disk goes on seeing it there.
pub(super) async fn plan(
    context: &Context,
    project: &Arc<Project>,
    steps: &[Step],
    doubts: Doubts,
) -> Result<Plan, ToolError> {
    if let Some(alone) = context.alone_in(project).await {
        let (there, own, cancelled) = (Arc::clone(project), steps.to_vec(), context.cancelled.clone());
        // A task of its own: whatever becomes of the call, what was laid over is taken away again.
        let work = tokio::spawn(async move {
            let planned = on_drafts::plan(&there, own, doubts, &cancelled).await;
            drop(alone);
            planned
        });
        let planned = work.await;
        context.back_in(project).await;
        if let Some(plan) = planned.map_err(broke)?? {
            return Ok(plan);
        }
    } else {
        context.back_in(project).await;
    }
    context.unless_cancelled(doubts.within(in_copy::plan(project.session(), steps))).await
}

/// Plans one step as the session sees the project; `target` may be another word for the step's own.
pub(super) async fn one(session: &Session, (target, step): (&str, &Step)) -> Result<Plan, ToolError> {
    let refactoring = named(&step.refactoring)?;
    let request = request(session, refactoring, (target, &step.params))?;
    Ok(catalog::plan(session, refactoring, &request, Search::Quick).await?)
}

fn broke(error: tokio::task::JoinError) -> ToolError {
    ToolError::new(crate::tools::ErrorKind::Internal, format!("the steps could not be planned: {error}"))
}
