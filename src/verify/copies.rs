//! The servers' findings on a copy of the project where the plan is carried out, and on the disk as it is.

use super::compare::early;
use super::declared_types::described;
use super::dependents::{Affected, ByLanguage};
use super::outcome::{CannotCheck, Found};
use super::propagation::{VisibleChanges, carried};
use super::{compare, dependents, excused, findings, overlay};
use crate::plan::{Plan, Problem};
use crate::session::Session;
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::workspace::{Disk, Purpose, ShadowCopy, ShadowError};

/// Compares the project with its copy, which has servers of its own. While these read the copy, the project's say what stood
/// there before.
pub(super) async fn new_problems(session: &Session, plan: &Plan) -> Result<Found, CannotCheck> {
    session.refresh().await;
    let copy = copy_of(session, plan, Purpose::Reading).await?;
    let of_copy = Session::open(copy.root(), session.options().clone())?;
    let outcome = compared(session, plan, (&copy, &of_copy)).await;
    of_copy.close().await;
    outcome
}

async fn compared(
    session: &Session,
    plan: &Plan,
    (copy, of_copy): (&ShadowCopy, &Session),
) -> Result<Found, CannotCheck> {
    let affected = dependents::of(session, plan, &seen_by_others(session, plan, (copy, of_copy)).await);
    let there = after_plan(plan, &affected.files, copy);
    let after = findings::seen(of_copy, &there);
    let before = async {
        let _turn = session.alone().await;
        if session.disk().shows(plan) {
            return findings::on_disk(session, &affected.files).await;
        }
        // The servers see drafts, and the plan was made of what these hide.
        let laid = overlay::lay_saved(session, plan).await;
        let found = match laid {
            Ok(()) => findings::seen(session, &affected.files).await,
            Err(error) => Err(error),
        };
        overlay::drop_overlays(session, plan).await?;
        found
    };
    let (after, before) = tokio::join!(after, before);
    let after: Vec<Problem> = after?.into_iter().map(|problem| home(problem, copy, session.root())).collect();
    let mut before = before?;
    let mut problems = compare(plan, &before, &after);
    if !problems.is_empty() {
        // What is found in a file may depend on what else a server has open, as with tsserver where no project holds it: the
        // other side is asked of servers that know no more.
        before = in_copy_before(session, plan, &affected.files).await?;
        problems = compare(plan, &before, &after);
    }
    let early = early(plan, &before, &after);
    let problems = excused::without(session, plan, problems);
    Ok(Found { problems, looked_at: affected.count() + created(plan), left_out: affected.left_out, early })
}

/// Returns what others may notice of a plan, where servers say what changes in the project and in the copy.
async fn seen_by_others(session: &Session, plan: &Plan, (copy, of_copy): (&ShadowCopy, &Session)) -> VisibleChanges {
    // Servers that see drafts say nothing of what these hide.
    if !session.disk().shows(plan) {
        return unasked(session, plan);
    }
    let mut carried = carried(session, plan);
    let there = |path: &AbsPath| plan.path_after(path).map_or_else(|| path.clone(), |path| copy.copy_of(&path));
    let before = carried.declared.iter().map(|(path, (before, _))| (path.clone(), *before));
    let after = carried.declared.iter().map(|(path, (_, after))| (there(path), *after));
    let asked = async {
        let _turn = session.alone().await;
        described(session, before).await
    };
    let (before, mut after) = tokio::join!(asked, described(of_copy, after));
    for said in after.iter_mut().flatten() {
        *said = said.replace(copy.root().as_str(), session.root().as_str());
    }
    carried.describe(session, plan, (&before, &after));
    carried
}

/// Returns the files that a plan could affect, as far as nobody is asked.
pub(super) fn affected(session: &Session, plan: &Plan) -> Affected {
    dependents::of(session, plan, &unasked(session, plan))
}

/// A declaration that changes is taken for one of another type.
fn unasked(session: &Session, plan: &Plan) -> VisibleChanges {
    let mut carried = carried(session, plan);
    carried.types.extend(carried.declared.iter().map(|(path, _)| path.clone()));
    carried
}

fn created(plan: &Plan) -> usize {
    plan.creates().keys().filter(|path| Language::of_path(path).is_some()).count()
}

/// Returns what the own servers of a copy of the project as it is before the plan find in files.
async fn in_copy_before(session: &Session, plan: &Plan, groups: &ByLanguage) -> Result<Vec<Problem>, CannotCheck> {
    let copy = copy_before(session, plan, Purpose::Reading).await?;
    let there = |files: &Vec<AbsPath>| files.iter().map(|path| copy.copy_of(path)).collect();
    let groups = groups.iter().map(|(language, files)| (*language, there(files))).collect();
    let of_copy = Session::open(copy.root(), session.options().clone())?;
    let found = findings::seen(&of_copy, &groups).await;
    of_copy.close().await;
    Ok(found?.into_iter().map(|problem| home(problem, &copy, session.root())).collect())
}

/// Copies the project, and carries the plan out in the copy.
pub(super) async fn copy_of(session: &Session, plan: &Plan, purpose: Purpose) -> Result<ShadowCopy, CannotCheck> {
    copied(session, plan, move |disk, plan| ShadowCopy::with_plan(disk, plan, purpose)).await
}

/// Copies the project as it is before the plan.
pub(super) async fn copy_before(session: &Session, plan: &Plan, purpose: Purpose) -> Result<ShadowCopy, CannotCheck> {
    copied(session, plan, move |disk, plan| ShadowCopy::before_plan(disk, plan, purpose)).await
}

async fn copied(
    session: &Session,
    plan: &Plan,
    copy: impl FnOnce(&Disk, &Plan) -> Result<ShadowCopy, ShadowError> + Send + 'static,
) -> Result<ShadowCopy, CannotCheck> {
    let (disk, plan) = (session.disk().clone(), plan.clone());
    let made = tokio::task::spawn_blocking(move || copy(&disk, &plan)).await;
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
