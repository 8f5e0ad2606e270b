//! Which nodes of the grammars are functions, branches, loops and the like.
//!
//! One list for all languages: where two grammars share a word, they mean the same by it.

use crate::syntax::{Family, Language, Node};

/// The languages that are looked into.
pub const LANGUAGES: [Language; 8] = [
    Language::Python,
    Language::TypeScript,
    Language::Tsx,
    Language::JavaScript,
    Language::Solidity,
    Language::Rust,
    Language::Go,
    Language::Java,
];

const FUNCTIONS: &[&str] = &[
    "function_definition",
    "function_declaration",
    "generator_function_declaration",
    "method_definition",
    "function_signature",
    "method_signature",
    "abstract_method_signature",
    "constructor_definition",
    "modifier_definition",
    "fallback_receive_definition",
    "function_item",
    "function_signature_item",
    "method_declaration",
    "method_elem",
    "constructor_declaration",
    "compact_constructor_declaration",
    "annotation_type_element_declaration",
];

/// JavaScript's functions without a declaration: as much a function as any other, by the custom of its tools.
const EXPRESSIONS: &[&str] = &["function_expression", "generator_function", "arrow_function"];

const LAMBDAS: &[&str] = &["lambda", "closure_expression", "func_literal", "lambda_expression"];

const CLASSES: &[&str] = &[
    "class_definition",
    "class_declaration",
    "abstract_class_declaration",
    "class",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
    "contract_declaration",
    "library_declaration",
    "struct_declaration",
    "struct_item",
    "union_item",
    "enum_item",
    "trait_item",
    "impl_item",
    "type_spec",
];

const IFS: &[&str] = &["if_statement", "if_expression"];

const LOOPS: &[&str] = &[
    "for_statement",
    "for_in_statement",
    "enhanced_for_statement",
    "for_expression",
    "while_statement",
    "while_expression",
    "do_statement",
    "do_while_statement",
    "loop_expression",
];

const SWITCHES: &[&str] = &[
    "switch_statement",
    "switch_expression",
    "expression_switch_statement",
    "type_switch_statement",
    "select_statement",
    "match_statement",
    "match_expression",
];

const CASES: &[&str] = &[
    "switch_case",
    "switch_default",
    "switch_block_statement_group",
    "switch_rule",
    "expression_case",
    "type_case",
    "communication_case",
    "default_case",
    "match_arm",
    "case_clause",
];

const CATCHES: &[&str] = &["catch_clause", "except_clause", "except_group_clause"];

const TERNARIES: &[&str] = &["ternary_expression", "conditional_expression"];

const BLOCKS: &[&str] = &["try_statement", "try_with_resources_statement", "with_statement"];

/// Tells whether a node is a function of its own, not a part of the one around it.
pub(super) fn is_function(node: Node<'_>, family: Family) -> bool {
    node.is_any(FUNCTIONS) || family == Family::Script && node.is_any(EXPRESSIONS)
}

/// Tells whether a node is a function inside an expression that counts as a part of the function around it.
pub(super) fn is_lambda(node: Node<'_>, family: Family) -> bool {
    family != Family::Script && node.is_any(LAMBDAS)
}

pub(super) fn is_class(node: Node<'_>) -> bool {
    node.is_any(CLASSES)
}

pub(super) fn is_if(node: Node<'_>) -> bool {
    node.is_any(IFS)
}

/// Tells whether a node only holds another: parentheses, and the words that Solidity's grammar puts around
/// every statement and expression.
pub(super) fn is_wrapper(node: Node<'_>) -> bool {
    node.is_any(&["parenthesized_expression", "expression", "statement"])
}

/// Returns what a node holds, behind all wrappers.
pub(super) fn unwrapped(node: Node<'_>) -> Node<'_> {
    let mut inner = node;
    while let Some(only) = inner.named_children().next().filter(|_| is_wrapper(inner)) {
        inner = only;
    }
    inner
}

/// Tells whether an `if` continues the one before it: `else if`.
pub(super) fn is_else_if(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|_| is_if(node)) else { return false };
    parent.is("else_clause") || is_alternative(if is_wrapper(parent) { parent } else { node })
}

/// Tells whether a node hangs behind the `else` of an `if`, without a node of its own for the `else`.
pub(super) fn is_alternative(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|parent| is_if(*parent)) else { return false };
    if node.is_any(&["else_clause", "elif_clause"]) || !node.is_named() {
        return false;
    }
    // Solidity's grammar gives both branches the same field.
    let is_second = || parent.children().any(|word| word.kind() == "else" && word.end() <= node.start());
    matches!(node.field(), Some("alternative")) || matches!(node.field(), Some("body" | "else")) && is_second()
}

pub(super) fn is_loop(node: Node<'_>) -> bool {
    node.is_any(LOOPS)
}

pub(super) fn is_switch(node: Node<'_>) -> bool {
    node.is_any(SWITCHES)
}

pub(super) fn is_case(node: Node<'_>) -> bool {
    node.is_any(CASES)
}

pub(super) fn is_catch(node: Node<'_>) -> bool {
    node.is_any(CATCHES)
}

pub(super) fn is_ternary(node: Node<'_>) -> bool {
    node.is_any(TERNARIES)
}

/// Tells whether a statement holds others one step deeper.
pub(super) fn is_block_statement(node: Node<'_>) -> bool {
    is_if(node) && !is_else_if(node) || is_loop(node) || is_switch(node) || node.is_any(BLOCKS)
}

/// Returns the operator of `a && b`, `a or b`, `a ?? b`.
pub(super) fn logical_operator(node: Node<'_>) -> Option<&'static str> {
    if !node.is_any(&["binary_expression", "boolean_operator"]) {
        return None;
    }
    let operator = node.child("operator")?.kind();
    matches!(operator, "&&" | "||" | "??" | "and" | "or").then_some(operator)
}

/// Tells whether a node is a comment.
pub(super) fn is_comment(node: Node<'_>) -> bool {
    node.is_named() && node.kind().ends_with("comment")
}
