//! Several refactorings as one plan: each is planned where the one before it is carried out.

mod in_copy;
mod independent;
mod on_drafts;

use std::sync::Arc;

use super::args::RefactoringStep;
use super::step::broke;
use crate::plan::Plan;
use crate::refactor::doubts::Doubts;
use crate::tools::{Context, Project, ToolError};

/// Plans the steps one after the other. Nothing is written in the project.
///
/// Renames that have nothing to do with each other are planned side by side. As long as steps change texts alone, each is
/// laid over the project as drafts that nobody else sees: the servers are warm and know it. Once one moves, creates or
/// deletes files, all are carried out in a copy of the project instead: a server that has read a file from the disk goes
/// on seeing it there.
pub(super) async fn plan(
    context: &Context,
    project: &Arc<Project>,
    steps: &[RefactoringStep],
    doubts: Doubts,
) -> Result<Plan, ToolError> {
    let side_by_side = async { Ok(independent::plan(project.session(), steps).await) };
    if let Some(plan) = context.unless_cancelled(doubts.within(side_by_side)).await? {
        return Ok(plan);
    }
    let mut planned = None;
    if let Some(alone) = context.alone_in(project).await {
        let (there, own, cancelled) = (Arc::clone(project), steps.to_vec(), context.cancelled.clone());
        // A task of its own: whatever becomes of the call, what was laid over is taken away again.
        let work = tokio::spawn(async move {
            let planned = on_drafts::plan(&there, own, doubts, &cancelled).await;
            drop(alone);
            planned
        });
        planned = work.await.map_err(broke).flatten().transpose();
    }
    context.back_in(project).await;
    if let Some(planned) = planned {
        return planned;
    }
    context.unless_cancelled(doubts.within(in_copy::plan(project.session(), steps))).await
}
