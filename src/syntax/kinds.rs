//! What the nodes of the grammars are to those who look at the shape of code.

use super::{Family, Node};

pub use super::roles::{Role, Roles};

/// Tells whether a node is a function of its own, not a part of the one around it: with JavaScript's, one without
/// a declaration is as much a function as any other, by the custom of its tools.
pub fn is_function(node: Node<'_>, family: Family) -> bool {
    node.has(Role::Function) || family == Family::Script && node.has(Role::Expression)
}

/// Tells whether a node is a function inside an expression that counts as a part of the function around it.
pub fn is_lambda(node: Node<'_>, family: Family) -> bool {
    family != Family::Script && node.has(Role::Lambda)
}

/// Returns what a node holds, behind all wrappers.
pub fn unwrapped(node: Node<'_>) -> Node<'_> {
    let mut inner = node;
    while let Some(only) = inner.has(Role::Wrapper).then(|| inner.named_children().next()).flatten() {
        inner = only;
    }
    inner
}

/// Tells whether an `if` continues the one before it: `else if`.
pub fn is_else_if(node: Node<'_>) -> bool {
    let Some(parent) = node.has(Role::If).then(|| node.parent()).flatten() else { return false };
    parent.has(Role::Else) || is_alternative(if parent.has(Role::Wrapper) { parent } else { node })
}

/// Tells whether a node hangs behind the `else` of an `if`, without a node of its own for the `else`.
pub fn is_alternative(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|parent| parent.has(Role::If)) else { return false };
    if node.has(Role::Else) || node.has(Role::ElseIf) || !node.is_named() {
        return false;
    }
    // Solidity's grammar gives both branches the same field.
    let is_second = || parent.children().any(|word| word.kind() == "else" && word.end() <= node.start());
    matches!(node.field(), Some("alternative")) || matches!(node.field(), Some("body" | "else")) && is_second()
}

/// Tells whether a statement holds others one step deeper.
pub fn is_block_statement(node: Node<'_>) -> bool {
    const DEEPER: Roles = Roles::NONE.with(Role::Loop).with(Role::Switch).with(Role::Block);
    node.roles().any(DEEPER) || node.has(Role::If) && !is_else_if(node)
}

/// Returns the operator of `a && b`, `a or b`, `a ?? b`.
pub fn logical_operator(node: Node<'_>) -> Option<&'static str> {
    if !node.has(Role::Binary) {
        return None;
    }
    node.children().map(Node::kind).find(|operator| matches!(*operator, "&&" | "||" | "??" | "and" | "or"))
}
