//! New findings that are no fault of a plan.

use super::{inferred_results, kept_imports};
use crate::plan::{Plan, Problem};
use crate::session::Session;

/// Leaves them out.
pub(super) fn without(session: &Session, plan: &Plan, problems: Vec<Problem>) -> Vec<Problem> {
    let is_excused =
        |it: &Problem| inferred_results::is_of(session, plan, it) || kept_imports::is_of(session, plan, it);
    problems.into_iter().filter(|problem| !is_excused(problem)).collect()
}
