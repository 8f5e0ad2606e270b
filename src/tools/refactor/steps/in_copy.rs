//! Steps that are carried out in a copy of the project, with servers of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::args::RefactoringStep;
use super::super::step::one;
use crate::plan::{Move, Parts, Plan, Warning, difference};
use crate::session::Session;
use crate::text::AbsPath;
use crate::tools::{ErrorKind, ToolError};
use crate::workspace::{Disk, Purpose, ReadError, ShadowCopy};

/// Plans the steps one after the other. Nothing is written in the project.
pub(super) async fn plan(session: &Session, steps: &[RefactoringStep]) -> Result<Plan, ToolError> {
    let disk = session.disk().clone();
    let made = tokio::task::spawn_blocking(move || ShadowCopy::new(&disk, Purpose::Reading)).await;
    let no_copy = |why: String| ToolError::new(ErrorKind::Environment, format!("the project cannot be copied: {why}"));
    let copy = made.map_err(|error| no_copy(error.to_string()))?.map_err(|error| no_copy(error.to_string()))?;
    let there = Session::open(copy.root(), session.options().clone())?;
    let walked = walk(&there, &copy, steps).await;
    let plan = walked.and_then(|walk| walk.plan(session.disk(), there.disk()));
    there.close().await;
    plan
}

/// Where the files have come to, as far as steps touched them.
struct Walk<'c> {
    copy: &'c ShadowCopy,
    /// Paths of the copy: what a file was called at first, and what it is called now.
    now: BTreeMap<AbsPath, AbsPath>,
    warnings: Vec<Warning>,
}

async fn walk<'c>(there: &Session, copy: &'c ShadowCopy, steps: &[RefactoringStep]) -> Result<Walk<'c>, ToolError> {
    let mut walk = Walk { copy, now: BTreeMap::new(), warnings: Vec::new() };
    let home = format!("{}/", copy.original_of(copy.root()));
    for (at, step) in steps.iter().enumerate() {
        // What an absolute path names is looked for in the copy, too.
        let target = step.target.strip_prefix(&home).unwrap_or(&step.target);
        let plan = one(there, (target, step)).await.map_err(|error| walk.told(at + 1, error))?;
        copy.carry_out(&plan).map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
        walk.take(&plan);
        there.refresh().await;
    }
    Ok(walk)
}

impl Walk<'_> {
    /// Words an error of a step for one who knows nothing of the copy.
    fn told(&self, number: usize, error: ToolError) -> ToolError {
        let home =
            |text: String| text.replace(self.copy.root().as_str(), self.copy.original_of(self.copy.root()).as_str());
        let hints = error.hints.into_iter().map(home).collect();
        ToolError { message: format!("step {number}: {}", home(error.message)), hints, kind: error.kind, choice: None }
    }

    fn take(&mut self, plan: &Plan) {
        let touched =
            plan.edits().keys().chain(plan.moves().keys()).chain(plan.creates().keys()).chain(plan.deletes().keys());
        for path in touched {
            if !self.now.values().any(|now| now == path) {
                self.now.insert(path.clone(), path.clone());
            }
        }
        for now in self.now.values_mut() {
            if let Some(step) = plan.moves().get(now) {
                *now = step.to.clone();
            }
        }
        let home = |warning: &Warning| Warning {
            path: warning.path.as_ref().map(|path| self.copy.original_of(path)),
            ..warning.clone()
        };
        self.warnings.extend(plan.warnings().iter().map(home));
    }

    /// Compares what the touched files were with what they are.
    fn plan(self, before: &Disk, after: &Disk) -> Result<Plan, ToolError> {
        let mut parts = Parts::default();
        for (first, now) in &self.now {
            let (old_path, new_path) = (self.copy.original_of(first), self.copy.original_of(now));
            match (there(before.read(&old_path))?, there(after.read(now))?) {
                (Some(old), Some(new)) => {
                    if old_path != new_path {
                        let step = Move { to: new_path, before: before.hash(&old_path)? };
                        parts.moves.insert(old_path.clone(), step);
                    }
                    let edits = difference(old.as_str(), new.as_str());
                    parts.edits.insert(old_path, (old, edits));
                }
                (Some(old), None) => drop(parts.deletes.insert(old_path, old)),
                (None, Some(new)) => drop(parts.creates.insert(new_path, Arc::unwrap_or_clone(new))),
                (None, None) => {}
            }
        }
        parts.warnings = self.warnings;
        Ok(Plan::new(parts)?)
    }
}

fn there<T>(read: Result<T, ReadError>) -> Result<Option<T>, ToolError> {
    match read {
        Ok(text) => Ok(Some(text)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
