//! `complex-conditional`: conditions that nobody can check by reading.

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;
use crate::syntax::Node;
use crate::syntax::kinds::{Role, logical_operator};

pub(super) const COMPLEX_CONDITIONAL: Smell = Smell {
    name: "complex-conditional",
    about: "A condition with many operators of different kinds.",
    refactoring: "decompose-conditional",
    limits: &[
        Limit { name: "operators", default: 4, about: "`and`, `or` and `??` where they are mixed" },
        Limit { name: "alike", default: 9, about: "operators where all are the same" },
    ],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let outermost = |node: &Node<'_>| {
        let outer = || node.ancestors().find(|outer| !outer.has(Role::Wrapper));
        logical_operator(*node).is_some() && outer().is_none_or(|outer| logical_operator(outer).is_none())
    };
    let mut found = Vec::new();
    for node in view.tree.nodes().iter().filter(outermost) {
        let is_part = |part: Node<'_>| part.has(Role::Wrapper) || logical_operator(part).is_some();
        let operators: Vec<&str> =
            node.walk_until(|part| part.is_named() && !is_part(part)).filter_map(logical_operator).collect();
        let is_mixed = operators.iter().any(|operator| *operator != operators[0]);
        let limit = if is_mixed { limits.get("operators") } else { limits.get("alike") };
        let count = operators.len() as u32;
        if count <= limit {
            continue;
        }
        let kind = if is_mixed { "mixed" } else { "equal" };
        let details = format!("{count} {kind} logical operators in one condition, at most {limit}");
        let key: String = node.text(view.text).split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        found.push(view.of_node(node).finding(Severity::graded(count, limit), &key, details));
    }
    found
}
