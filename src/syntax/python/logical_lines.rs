//! Logical lines (The Python Language Reference, 2.1.5): a statement goes over line ends within brackets only.

use super::lexer::{TokenKind, lex};
use crate::syntax::{Node, Nodes};

/// What line ends stand in; anywhere else one of them ends a statement too early.
const OF_LINES: &[&str] = &[
    "block",
    "case_clause",
    "class_definition",
    "decorated_definition",
    "elif_clause",
    "else_clause",
    "except_clause",
    "except_group_clause",
    "finally_clause",
    "for_statement",
    "function_definition",
    "if_statement",
    "match_statement",
    "module",
    "try_statement",
    "while_statement",
    "with_statement",
];

/// Counts the line ends that cut a statement in two. The grammar takes them for blanks.
pub fn broken_lines(nodes: &Nodes, text: &str) -> usize {
    let ends = lex(text).into_iter().filter(|token| token.kind == TokenKind::Newline && token.span.end < text.len());
    ends.map(|token| nodes.covering(token.span)).filter(|around| !around.is_error() && !is_of_lines(*around)).count()
}

fn is_of_lines(node: Node<'_>) -> bool {
    node.is_any(OF_LINES)
}

/// Tells whether an expression goes over line ends outside of its own brackets, so that it needs some around it.
pub fn needs_brackets(expression: &str) -> bool {
    let text = expression.trim_end();
    lex(text).into_iter().any(|token| token.kind == TokenKind::Newline && token.span.end < text.len())
}
