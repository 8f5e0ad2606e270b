//! Checks that were made, kept for as long as all that they looked at stands.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::SystemTime;

use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared};

use crate::plan::{Count, Digest, Plan, PlanId, Status, Verification, WarningKind};
use crate::text::AbsPath;
use crate::verify::Check;
use crate::workspace::{TreeState, locked};

/// How many checks a project keeps.
const MOST: usize = 32;

/// The checks that were made lately, the last one last.
#[derive(Default)]
pub(super) struct Checks(Mutex<VecDeque<Kept>>);

/// A check with how it was made.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub asked: Asked,
    pub begun: SystemTime,
    pub found: Verification,
}

/// What was checked, and how: by the same question there is the same answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    plan: PlanId,
    /// What the plan's remarks put in doubt; its id says nothing of them.
    doubts: [Count; WarningKind::DOUBTS.len()],
    check: Check,
}

#[derive(Clone)]
struct Kept {
    checked: Checked,
    /// How all below the root stood; nothing where something changed while it was looked at.
    standing: Shared<BoxFuture<'static, Option<TreeState>>>,
}

impl Asked {
    pub(super) fn of(plan: &Plan, check: &Check) -> Self {
        let remarks = Digest::of(plan.warnings());
        let doubts = WarningKind::DOUBTS.map(|kind| remarks.count(kind));
        // How long it may take does not change what it finds.
        Self { plan: plan.id(), doubts, check: Check { timeout: None, ..check.clone() } }
    }
}

impl Checked {
    /// Tells whether a question needs no other check: it is the same, or a weaker one, and this one found nothing.
    pub(super) fn answers(&self, asked: &Asked) -> bool {
        let (known, wanted) = (&self.asked.check, &asked.check);
        let is_stronger = known.level > wanted.level && known.command.is_none() && wanted.command.is_none();
        let finds_nothing = matches!(self.found.status, Status::Clean | Status::Possible);
        let is_same_plan = self.asked.plan == asked.plan && self.asked.doubts == asked.doubts;
        self.asked == *asked || is_same_plan && is_stronger && finds_nothing && known.origin == wanted.origin
    }
}

impl Checks {
    /// Keeps a check of the project at `root`. How its files stand is looked at while the caller goes on: nothing of it may
    /// be younger than the check. What lies outside, an interpreter's libraries for example, is as the servers know it
    /// since they started, for another check too.
    pub(super) fn keep(&self, root: &AbsPath, checked: Checked) {
        // What could not be looked at may be the next time.
        if checked.found.status == Status::Unverified {
            return;
        }
        let (root, begun) = (root.clone(), checked.begun);
        let look =
            tokio::task::spawn_blocking(move || TreeState::of(&root).filter(|standing| standing.is_since(begun)));
        let standing = async { look.await.ok().flatten() }.boxed().shared();
        let mut kept = locked(&self.0);
        kept.retain(|other| other.checked.asked != checked.asked);
        kept.push_back(Kept { checked, standing });
        if kept.len() > MOST {
            kept.pop_front();
        }
    }

    /// Returns the check that was made of the same question, if all below the root stands as it stood then.
    pub(super) async fn recall(&self, root: &AbsPath, asked: &Asked) -> Option<Checked> {
        let kept = locked(&self.0).iter().find(|kept| kept.checked.asked == *asked).cloned()?;
        let then = kept.standing.await?;
        let root = root.clone();
        let now = tokio::task::spawn_blocking(move || TreeState::of(&root)).await.ok()??;
        (now == then).then_some(kept.checked)
    }
}
