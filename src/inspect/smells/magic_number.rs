//! `magic-number`: numbers whose meaning stands nowhere.

use std::collections::BTreeMap;

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;
use crate::syntax::Node;

pub(super) const MAGIC_NUMBER: Smell = Smell {
    name: "magic-number",
    about: "A number that a file compares or computes with again and again, and gives no name.",
    refactoring: "replace-magic-number-with-symbolic-constant",
    limits: &[Limit { name: "uses", default: 4, about: "uses of one number in comparisons and arithmetic of a file" }],
    find: Find::InFile(find),
};

/// Numbers that say what they mean: counts, halves, percents, powers of two and ten, parts of time and circles.
const PLAIN: &[&str] = &[
    "0", "1", "2", "3", "4", "8", "10", "12", "16", "24", "32", "60", "64", "90", "100", "128", "180", "255", "256",
    "360", "365", "512", "1000", "1024", "3600", "4096", "65535", "65536", "86400", "1000000", "0.5", "0.25", "1.0",
    "2.0", "0.0", "100.0", "1.5",
];

const NUMBERS: &[&str] = &[
    "integer",
    "float",
    "number",
    "number_literal",
    "integer_literal",
    "float_literal",
    "int_literal",
    "decimal_integer_literal",
    "decimal_floating_point_literal",
];

const OPERATIONS: &[&str] = &["binary_expression", "comparison_operator", "binary_operator"];

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    if view.is_test() {
        return Vec::new();
    }
    let mut uses: BTreeMap<&str, Vec<Node<'_>>> = BTreeMap::new();
    for node in view.tree.nodes().iter().filter(|node| node.is_any(NUMBERS) && is_operand(*node, view.text)) {
        if is_telling(node.text(view.text)) && view.function_around(node).is_some() {
            uses.entry(node.text(view.text)).or_default().push(node);
        }
    }
    let limit = limits.get("uses");
    let often = uses.into_iter().filter(|(_, places)| places.len() as u32 > limit);
    often
        .map(|(number, places)| {
            let lines: Vec<String> = places.iter().map(|node| view.line(node.start()).to_string()).collect();
            let details = format!("{number} is used {} times: lines {}", places.len(), lines.join(", "));
            view.of_node(places[0]).finding(Severity::Low, number, details)
        })
        .collect()
}

/// Hexadecimal numbers are patterns of bits, which have no other name.
fn is_telling(number: &str) -> bool {
    let number = number.trim_end_matches(['L', 'l', 'n', 'f', 'd']).replace('_', "");
    !number.starts_with("0x")
        && !number.starts_with("0b")
        && !number.starts_with("0o")
        && !PLAIN.contains(&number.as_str())
}

/// Tells whether a number is compared or computed with; how long something is, is told by counting.
fn is_operand(node: Node<'_>, text: &str) -> bool {
    let Some(parent) = node.parent().filter(|parent| parent.is_any(OPERATIONS)) else { return false };
    let is_bits = |token: Node<'_>| matches!(token.kind(), "<<" | ">>" | ">>>" | "&" | "|" | "^");
    let is_length = |other: Node<'_>| {
        let other = other.text(text);
        other.starts_with("len(") || other.ends_with("length") || other.ends_with("len()") || other.ends_with("size()")
    };
    !parent.children().any(is_bits) && !parent.named_children().any(is_length)
}
