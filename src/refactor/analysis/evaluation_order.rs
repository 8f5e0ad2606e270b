//! When an expression is evaluated, and what evaluating it depends on and does.

use super::pure_calls::{is_pure, varies};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::Span;

/// How far an expression reaches beyond the local variables of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExpressionReach {
    /// It depends on literals and local variables alone.
    Local,
    /// It reads what others can change.
    Reads,
    /// It may change something.
    Acts,
}

const ACTS: &[&str] = &[
    "call",
    "await",
    "yield",
    "named_expression",
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
    "list_splat",
    "dictionary_splat",
    "call_expression",
    "new_expression",
    "await_expression",
    "yield_expression",
    "assignment_expression",
    "augmented_assignment_expression",
    "update_expression",
    "spread_element",
    "jsx_element",
    "jsx_self_closing_element",
    "delete_statement",
    "assignment",
    "augmented_assignment",
    "raise_statement",
    "throw_statement",
    "import_statement",
];
const ASSIGNMENTS: &[&str] = &[
    "assignment",
    "assignment_expression",
    "augmented_assignment",
    "augmented_assignment_expression",
    "named_expression",
    "update_expression",
];
const READS: &[&str] = &["attribute", "subscript", "member_expression", "subscript_expression"];
/// Returns how far a piece of code reaches, functions that it defines left aside.
pub(crate) fn reach(names: &ScopedNames<'_>, code: &Code, piece: Node<'_>) -> ExpressionReach {
    let function = function_of(piece);
    let all = piece.walk_until(|node| is_any_function(node) && node != piece);
    all.map(|node| reach_at(names, code, node, function)).max().unwrap_or(ExpressionReach::Local)
}

/// Returns how far a piece of code reaches that is evaluated as often as before: what answers anew each time, as a clock
/// does, reads alone.
pub(crate) fn reach_once(names: &ScopedNames<'_>, code: &Code, piece: Node<'_>) -> ExpressionReach {
    let function = function_of(piece);
    let all = piece.walk_until(|node| is_any_function(node) && node != piece);
    let reaches = |node| match varies(names, code, node) {
        true => ExpressionReach::Reads,
        false => reach_at(names, code, node, function),
    };
    all.map(reaches).max().unwrap_or(ExpressionReach::Local)
}

/// Returns how far a node by itself reaches, what is below it left aside.
fn reach_at(names: &ScopedNames<'_>, code: &Code, node: Node<'_>, function: Option<Node<'_>>) -> ExpressionReach {
    let is_harmless = node.is_any(&["call", "call_expression"]) && is_pure(names, code, node);
    if node.is_any(ACTS) && !is_harmless || is_deletion(node) {
        return ExpressionReach::Acts;
    }
    if is_harmless || node.is_any(READS) && !is_callee(node) || node.is("template_substitution") {
        return ExpressionReach::Reads;
    }
    // What an operator of Python makes of a list depends on what is in it.
    if code.family() == Family::Python && node.is_any(OPERATORS) && !is_plain(names, code, node, DEEPEST) {
        return ExpressionReach::Reads;
    }
    match names.at(node).filter(|_| node.is_leaf()) {
        Some(name) if !names.is_local(name, function) && !names.is_fixed(name) => ExpressionReach::Reads,
        _ => ExpressionReach::Local,
    }
}

/// How many assignments are followed to what a variable holds.
const DEEPEST: usize = 4;
const OPERATORS: &[&str] = &[
    "binary_operator",
    "boolean_operator",
    "comparison_operator",
    "conditional_expression",
    "interpolation",
    "not_operator",
    "unary_operator",
];
const PLAIN: &[&str] = &["integer", "float", "true", "false", "none", "string_start", "string_content", "string_end"];
const PLAIN_TYPES: &[&str] = &["int", "float", "str", "bool", "bytes", "complex"];
const MAKE_PLAIN: &[&str] = &["abs", "bool", "float", "int", "len", "ord", "round", "str"];

/// Tells whether a value of Python is a number, a text or a truth, which never changes.
fn is_plain(names: &ScopedNames<'_>, code: &Code, value: Node<'_>, depth: usize) -> bool {
    let is_call =
        value.is("call") && value.child("function").is_some_and(|it| MAKE_PLAIN.contains(&it.text(code.text())));
    if is_call || value.is_any(PLAIN) {
        return true;
    }
    if value.is_any(OPERATORS) || value.is_any(&["parenthesized_expression", "string"]) {
        return value.named_children().all(|operand| is_plain(names, code, operand, depth));
    }
    let Some(name) = names.at(value).filter(|name| depth > 0 && !name.is_free) else { return false };
    let mut writes = names.writes(name.meaning).map(|write| code.covering(write.span));
    writes.all(|write| {
        let parent = write.parent();
        let typed = parent.and_then(|parent| parent.child("type"));
        let given =
            parent.filter(|it| it.is_any(&["assignment", "augmented_assignment"]) && it.child("left") == Some(write));
        typed.is_some_and(|typed| PLAIN_TYPES.contains(&typed.text(code.text())))
            || given.and_then(|it| it.child("right")).is_some_and(|right| is_plain(names, code, right, depth - 1))
    })
}

fn is_deletion(node: Node<'_>) -> bool {
    node.is("unary_expression") && node.children().next().is_some_and(|first| first.kind() == "delete")
}

/// What is called is looked up; that it could be another function by then is left aside.
fn is_callee(node: Node<'_>) -> bool {
    node.field() == Some("function")
}

/// Tells whether the two keep their meaning when the second one is evaluated before the first.
pub(crate) fn can_swap(first: ExpressionReach, second: ExpressionReach) -> bool {
    !matches!(
        (first, second),
        (ExpressionReach::Acts, ExpressionReach::Reads | ExpressionReach::Acts)
            | (ExpressionReach::Reads, ExpressionReach::Acts)
    )
}

/// Fails where `inner` is not evaluated exactly once, and always, when `statement` is carried out.
pub(crate) fn evaluated_once(code: &Code, statement: Node<'_>, inner: Node<'_>) -> Result<(), &'static str> {
    let mut child = inner;
    for parent in inner.ancestors() {
        let reason = match code.family() {
            Family::Python => lazy_in_python(parent, child),
            _ => lazy_in_script(code, parent, child),
        };
        if let Some(reason) = reason {
            return Err(reason);
        }
        if parent == statement {
            return Ok(());
        }
        child = parent;
    }
    Ok(())
}

pub(crate) const PERHAPS: &str = "it is evaluated only under a condition";
const OFTEN: &str = "it is evaluated repeatedly";
const ELSEWHERE: &str = "it is evaluated at another time than the statement around it";

fn lazy_in_python(parent: Node<'_>, child: Node<'_>) -> Option<&'static str> {
    let place = || parent.named_children().position(|node| node == child).unwrap_or_default();
    match (parent.kind(), child.field()) {
        ("boolean_operator", Some("right")) | ("elif_clause" | "case_clause" | "except_clause", _) => Some(PERHAPS),
        ("conditional_expression", _) if place() != 1 => Some(PERHAPS),
        ("comparison_operator", _) if place() > 1 => Some(PERHAPS),
        ("assert_statement", _) if place() > 0 => Some(PERHAPS),
        ("with_clause", _) if place() > 0 => Some(ELSEWHERE),
        ("while_statement", _) => Some(OFTEN),
        ("for_statement", Some("left")) | ("assignment" | "augmented_assignment", Some("left")) => Some(ELSEWHERE),
        ("delete_statement" | "global_statement" | "type" | "decorator" | "parameters" | "named_expression", _) => {
            Some(ELSEWHERE)
        }
        ("lambda" | "function_definition" | "class_definition" | "decorated_definition", _) => Some(ELSEWHERE),
        (kind, _) if kind.ends_with("comprehension") || kind == "generator_expression" => Some(OFTEN),
        _ => None,
    }
}

fn lazy_in_script(code: &Code, parent: Node<'_>, child: Node<'_>) -> Option<&'static str> {
    let operator = parent.child("operator").map(|operator| operator.text(code.text())).unwrap_or_default();
    let is_optional = |head: Option<Node<'_>>| {
        head.is_some_and(|head| head != child && head.walk_until(is_any_function).any(|node| node.is("optional_chain")))
            || parent.children().any(|node| node.is("optional_chain"))
    };
    match (parent.kind(), child.field()) {
        ("binary_expression", Some("right")) if matches!(operator, "&&" | "||" | "??") => Some(PERHAPS),
        ("augmented_assignment_expression", _) if matches!(operator, "&&=" | "||=" | "??=") => Some(PERHAPS),
        ("ternary_expression", Some("consequence" | "alternative")) => Some(PERHAPS),
        ("if_statement", Some("consequence" | "alternative")) | ("else_clause" | "switch_case", _) => Some(PERHAPS),
        ("call_expression", Some("arguments")) if is_optional(parent.child("function")) => Some(PERHAPS),
        ("subscript_expression", Some("index")) if is_optional(parent.child("object")) => Some(PERHAPS),
        ("while_statement" | "do_statement" | "for_statement", _) => Some(OFTEN),
        ("for_in_statement", Some("left" | "body")) => Some(OFTEN),
        ("assignment_expression" | "augmented_assignment_expression", Some("left")) => Some(ELSEWHERE),
        ("update_expression" | "decorator" | "formal_parameters" | "class_body", _) => Some(ELSEWHERE),
        (kind, _) if kind.contains("type") && kind != "typeof" => Some(ELSEWHERE),
        _ if is_any_function(parent) => Some(ELSEWHERE),
        _ => None,
    }
}

/// Returns how far all that reaches which a statement evaluates before one of its expressions.
pub(crate) fn reach_before(
    names: &ScopedNames<'_>,
    code: &Code,
    statement: Node<'_>,
    inner: Node<'_>,
) -> ExpressionReach {
    let mut most = ExpressionReach::Local;
    let mut child = inner;
    for parent in inner.ancestors() {
        // Python gives the target its value last.
        let is_late = |node: &Node<'_>| parent.is_any(&["assignment", "for_statement"]) && node.field() == Some("left");
        let earlier = parent.children().take_while(|node| *node != child).filter(|node| node.is_named());
        let earlier = earlier.filter(|node| code.family() != Family::Python || !is_late(node));
        most = earlier.map(|node| reach(names, code, node)).fold(most, ExpressionReach::max);
        if parent == statement {
            break;
        }
        child = parent;
    }
    most
}

/// Returns how far the statements of a block reach that lie in a stretch; giving local variables their values is
/// no act.
pub(crate) fn reach_of(names: &ScopedNames<'_>, code: &Code, block: Node<'_>, stretch: Span) -> ExpressionReach {
    reach_without(names, code, block, (stretch, &[]))
}

/// Returns how far they reach without some parts.
pub(crate) fn reach_without(
    names: &ScopedNames<'_>,
    code: &Code,
    block: Node<'_>,
    (stretch, gone): (Span, &[Node<'_>]),
) -> ExpressionReach {
    let function = function_of(block).or(Some(block).filter(|block| is_any_function(*block)));
    let is_local = |node: Node<'_>| {
        let left = node.child("left").or_else(|| node.child("argument"));
        left.and_then(|left| names.at(left)).is_some_and(|name| names.is_local(name, function))
    };
    let inside = block.children().filter(|node| node.is_named() && stretch.contains(node.span()));
    let all = inside.flat_map(|statement| statement.walk_until(|it| is_any_function(it) || gone.contains(&it)));
    let all = all.filter(|node| !gone.contains(node));
    let others = all.filter(|node| !(node.is_any(ASSIGNMENTS) && is_local(*node)));
    others.map(|node| reach_at(names, code, node, function)).max().unwrap_or(ExpressionReach::Local)
}

/// Tells whether one of its parts is evaluated more than once.
pub(crate) fn repeats(node: Node<'_>, part: Node<'_>) -> bool {
    let is_head = |field: &str| node.child(field).is_some_and(|head| head == part || head.holds(part));
    let is_loop = node.is_any(&["for_statement", "for_in_statement"]) && !is_head("right");
    is_loop
        || node.is_any(&["while_statement", "do_statement", "generator_expression"])
        || node.kind().ends_with("comprehension")
}
