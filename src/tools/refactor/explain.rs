//! All that stands in the way of a refactoring, one row each.

use super::args::PreviewArgs;
use super::step::{named, request};
use crate::refactor::Refusal;
use crate::refactor::catalog::{self, Search};
use crate::refactor::refusal::Overruled;
use crate::render::{ExplainedAnswer, ExplainedHead, ObstacleRow};
use crate::syntax::target::Target;
use crate::tools::{Context, ToolError};

/// Looks for every obstacle, by the text and by the servers.
///
/// # Errors
/// What kept the checks from being made; an obstacle is none.
pub async fn explained(context: &Context, args: &PreviewArgs) -> Result<ExplainedAnswer, ToolError> {
    let steps = args.wanted()?;
    let [step] = steps.as_slice() else {
        return Err(ToolError::invalid("one refactoring at a time is explained, not `steps`"));
    };
    let refactoring = named(&step.refactoring)?;
    let project = context.project_of(args.project_root.as_deref(), Target::parse(&step.target)?.path()).await?;
    let session = project.session();
    let request = request(session, refactoring, (&step.target, &step.params))?;
    let work = async { Ok(catalog::plan(session, refactoring, &request, Search::Whole).await) };
    let planned = context.unless_cancelled(args.doubts().within(work)).await?;
    let obstacles: Vec<ObstacleRow> = match planned {
        Ok(_) => Vec::new(),
        Err(hindrance) if hindrance.is_failure() => return Err(hindrance.into()),
        Err(refusal) => refusal.obstacles().into_iter().map(row).collect(),
    };
    let head =
        ExplainedHead { refactoring: refactoring.name, target: step.target.clone(), is_possible: obstacles.is_empty() };
    Ok(ExplainedAnswer { explained: head, obstacles })
}

fn row(obstacle: &Refusal) -> ObstacleRow {
    let (place, reason) = obstacle.parted();
    let overruled = match obstacle.overruled() {
        Overruled::Force => "force".to_owned(),
        Overruled::Given(param) => param.to_owned(),
        Overruled::Never => "no".to_owned(),
    };
    ObstacleRow { place: place.unwrap_or_default().to_owned(), reason, overruled_by: overruled }
}
