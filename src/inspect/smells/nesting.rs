//! `deep-nesting`: control statements inside control statements.

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;

pub(super) const DEEP_NESTING: Smell = Smell {
    name: "deep-nesting",
    about: "Conditions, loops and other blocks inside each other, too many at once to be kept in mind.",
    refactoring: "replace-nested-conditional-with-guard-clauses",
    limits: &[Limit { name: "depth", default: 5, about: "statements inside each other" }],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let limit = limits.get("depth");
    let deep = view.outline.functions.iter().filter(|function| view.measures(function).depth > limit);
    deep.map(|function| {
        let depth = view.measures(function).depth;
        let severity = if depth > limit + 2 { Severity::High } else { Severity::Medium };
        view.of_function(function).finding(severity, "", format!("{depth} blocks inside each other, at most {limit}"))
    })
    .collect()
}
