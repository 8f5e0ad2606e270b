//! The servers' findings on a copy of the project where the plan is carried out, and on the disk as it is.

use super::{ByLanguage, CannotCheck, compare, dependents, overlay};
use crate::plan::{Plan, Problem};
use crate::session::Session;
use crate::text::AbsPath;
use crate::workspace::{Purpose, ShadowCopy};

/// Compares the project with its copy, which has servers of its own.
pub(super) async fn new_problems(session: &Session, plan: &Plan) -> Result<Vec<Problem>, CannotCheck> {
    let groups = dependents::of(session, plan);
    let copy = copy_of(session, plan, Purpose::Reading).await?;
    let changed = Session::open(copy.root(), session.options().clone())?;
    let there = after_plan(plan, &groups, &copy);
    let found = overlay::findings(&changed, &there).await;
    changed.close().await;
    let after: Vec<Problem> = found?.into_iter().map(|problem| home(problem, &copy, session.root())).collect();
    let _turn = session.alone().await;
    let before = overlay::findings(session, &dependents::with_findings(plan, groups, &after)).await?;
    Ok(compare(plan, &before, &after))
}

/// Copies the project, and carries the plan out in the copy.
pub(super) async fn copy_of(session: &Session, plan: &Plan, purpose: Purpose) -> Result<ShadowCopy, CannotCheck> {
    let (disk, plan) = (session.disk().clone(), plan.clone());
    let made = tokio::task::spawn_blocking(move || ShadowCopy::with_plan(&disk, &plan, purpose)).await;
    made.map_err(|error| CannotCheck::Copy(error.to_string()))?.map_err(|error| CannotCheck::Copy(error.to_string()))
}

fn after_plan(plan: &Plan, groups: &ByLanguage, copy: &ShadowCopy) -> ByLanguage {
    let there = |path: &AbsPath| plan.path_after(path).map(|path| copy.copy_of(&path));
    let mut moved: ByLanguage =
        groups.iter().map(|(language, files)| (*language, files.iter().filter_map(there).collect())).collect();
    for path in plan.creates().keys() {
        if let Some(language) = crate::syntax::Language::of_path(path) {
            moved.entry(language).or_default().push(copy.copy_of(path));
        }
    }
    moved
}

/// Names a finding in the copy by the project's own path.
pub(super) fn home(problem: Problem, copy: &ShadowCopy, root: &AbsPath) -> Problem {
    let path = copy.original_of(&problem.path);
    let message = problem.message.replace(copy.root().as_str(), root.as_str());
    Problem { path, message, ..problem }
}
