//! Steps that are laid over the project as drafts, of which nobody else sees anything.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use super::super::args::RefactoringStep;
use super::super::step::{broke, one};
use crate::plan::{Parts, Plan, Warning, difference};
use crate::refactor::doubts::Doubts;
use crate::session::Session;
use crate::text::{AbsPath, Text};
use crate::tools::{Project, ToolError};
use crate::workspace::{Draft, Redrafted, locked};

/// How the files that steps change stood before: what was read, and the draft that said so.
type Before = BTreeMap<AbsPath, (Arc<Text>, Option<Draft>)>;

/// Plans the steps, and leaves the drafts as they were; nothing where a step does more than change texts. To be called by
/// one who is alone in the project.
pub(super) async fn plan(
    project: &Arc<Project>,
    steps: Vec<RefactoringStep>,
    doubts: Doubts,
    cancelled: &CancellationToken,
) -> Result<Option<Plan>, ToolError> {
    let before: Arc<Mutex<Before>> = Arc::default();
    let (there, laid, stop) = (Arc::clone(project), Arc::clone(&before), cancelled.clone());
    // Even a step that breaks leaves nothing behind.
    let walked = tokio::spawn(async move {
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(ToolError::cancelled()),
            plan = doubts.within(walk(there.session(), &steps, &laid)) => plan,
        }
    });
    let walked = walked.await.map_err(broke);
    let before = std::mem::take(&mut *locked(&before));
    let session = project.session();
    let back = |(path, (text, draft)): (AbsPath, (Arc<Text>, Option<Draft>))| match draft {
        Some(draft) => (path, draft.base, draft.text),
        None => (path, Some(Arc::clone(&text)), Some(text)),
    };
    session.redraft(before.into_iter().map(back).collect::<Vec<Redrafted>>()).await?;
    walked?
}

async fn walk(session: &Session, steps: &[RefactoringStep], before: &Mutex<Before>) -> Result<Option<Plan>, ToolError> {
    let mut warnings: Vec<Warning> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let told = |error: ToolError| ToolError { message: format!("step {}: {}", at + 1, error.message), ..error };
        let plan = one(session, (&step.target, step)).await.map_err(told)?;
        if !plan.moves().is_empty() || !plan.creates().is_empty() || !plan.deletes().is_empty() {
            return Ok(None);
        }
        warnings.extend(plan.warnings().iter().cloned());
        lay(session, &plan, before).await?;
    }
    let mut parts = Parts { warnings, ..Parts::default() };
    for (path, (text, _)) in &*locked(before) {
        let now = session.disk().read(path)?;
        parts.edits.insert(path.clone(), (Arc::clone(text), difference(text.as_str(), now.as_str())));
    }
    Ok(Some(Plan::new(parts)?))
}

/// Lays what a plan makes of its files over them.
async fn lay(session: &Session, plan: &Plan, before: &Mutex<Before>) -> Result<(), ToolError> {
    let mut drafts: Vec<Redrafted> = Vec::new();
    for (path, edit) in plan.edits() {
        let draft = session.disk().draft(path);
        let base = draft.as_ref().map_or_else(|| Some(Arc::clone(&edit.before)), |draft| draft.base.clone());
        drafts.push((path.clone(), base, Some(Arc::new(edit.after()))));
        locked(before).entry(path.clone()).or_insert_with(|| (Arc::clone(&edit.before), draft));
    }
    Ok(session.redraft(drafts).await?)
}
