//! `long-parameter-list`: functions that are told too much.

use super::declarations::overrides;
use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::outline::Function;
use crate::inspect::params::ParameterKind;
use crate::inspect::view::View;

pub(super) const LONG_PARAMETER_LIST: Smell = Smell {
    name: "long-parameter-list",
    about: "A function with more parameters than a caller can tell apart by their places.",
    refactoring: "introduce-parameter-object",
    limits: &[Limit {
        name: "parameters",
        default: 7,
        about: "parameters; the receiver and those that are given by name only are not counted",
    }],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let limit = limits.get("parameters");
    let functions = view.outline.functions.iter().filter(|function| !overrides(function.node, view.text));
    let counted = functions.map(|function| (function, count(function))).filter(|(_, count)| *count > limit);
    counted
        .map(|(function, count)| {
            let details = format!("{count} parameters, at most {limit}");
            view.of_function(function).finding(Severity::graded(count, limit), "", details)
        })
        .collect()
}

fn count(function: &Function<'_>) -> u32 {
    function.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::Plain).count() as u32
}
