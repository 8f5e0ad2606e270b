//! `long-parameter-list`: functions that are told too much.

use super::{Find, Finding, Limit, Limits, Severity, Smell};
use crate::inspect::outline::Function;
use crate::inspect::params::ParameterKind;
use crate::inspect::view::View;
use crate::syntax::Node;

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

/// Tells whether a method says that another one decides on its parameters.
pub(super) fn overrides(function: Node<'_>, text: &str) -> bool {
    let decorated = function.parent().filter(|outer| outer.is("decorated_definition"));
    let marks = function.children().chain(decorated.into_iter().flat_map(Node::children));
    marks.take_while(|mark| mark.field() != Some("body")).any(|mark| match mark.kind() {
        "override_modifier" | "override_specifier" => true,
        "decorator" => mark.text(text).ends_with("override"),
        "modifiers" => mark.text(text).contains("@Override"),
        _ => false,
    })
}
