//! What stands in string literals and comments.

use crate::text::Span;

use super::{Node, Nodes};

/// Text that a program carries or explains itself with. A docstring is a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prose {
    String,
    Comment,
}

pub(super) fn of(nodes: &Nodes) -> Vec<(Prose, Span)> {
    let mut found = Vec::new();
    for node in nodes.iter().filter(|node| node.is_named() && !node.span().is_empty()) {
        match node.kind() {
            kind if is_comment(kind) => found.push((Prose::Comment, node.span())),
            "jsx_text" => found.push((Prose::String, node.span())),
            kind if is_literal(kind) => push_parts(node, &mut found),
            _ => {}
        }
    }
    found.sort_by_key(|(_, span)| *span);
    found
}

pub(super) fn is_comment(kind: &str) -> bool {
    matches!(kind, "comment" | "line_comment" | "block_comment" | "html_comment" | "hash_bang_line")
}

/// Kinds that are a whole literal, quotes included. A single character's literal is none.
pub(super) fn is_literal(kind: &str) -> bool {
    matches!(
        kind,
        "string"
            | "string_literal"
            | "raw_string"
            | "raw_string_literal"
            | "heredoc_body"
            | "template_string"
            | "template_literal_type"
            | "interpreted_string_literal"
            | "ansi_c_string"
            | "unicode_string_literal"
            | "yul_string_literal"
            | "system_lib_string"
    )
}

/// Takes a literal's inside apart at the children that are code again.
fn push_parts(literal: Node<'_>, found: &mut Vec<(Prose, Span)>) {
    let inside = inside(literal);
    let mut at = inside.start;
    for code in literal.children().filter(|child| !is_text(*child)) {
        push(found, at, code.start().min(inside.end));
        at = code.end().max(at);
    }
    push(found, at, inside.end);
}

/// Returns the stretch between a literal's quotes.
fn inside(literal: Node<'_>) -> Span {
    let Span { start, end } = literal.span();
    if literal.is("heredoc_body") {
        return literal.span();
    }
    let (Some(first), Some(last)) = (literal.children().next(), literal.children().last()) else {
        // A leaf: one quote at each end, and perhaps a mark (`$'…'`) before the first, is all there is.
        let opening = match literal.kind() {
            "ansi_c_string" => 2,
            "unicode_string_literal" => "unicode\"".len(),
            _ => 1,
        };
        return if end - start > opening { Span::new(start + opening, end - 1) } else { Span::at(start) };
    };
    if let Some(content) = literal.child_of_kind("string_content").filter(|_| literal.is("raw_string_literal")) {
        return content.span();
    }
    if let Some(content) = literal.child_of_kind("raw_string_content") {
        return content.span();
    }
    let is_quote = |node: Node<'_>| !node.is_named() || node.is_any(&["string_start", "string_end"]);
    let from = if is_quote(first) { first.end() } else { start };
    let to = if is_quote(last) && last != first { last.start() } else { end };
    Span::new(from, to.max(from))
}

/// Tells whether a literal's child is a part of its text, or its quotes.
fn is_text(child: Node<'_>) -> bool {
    match child.kind() {
        "string_content" | "string_fragment" | "multiline_string_fragment" | "heredoc_content" => true,
        "interpreted_string_literal_content" | "raw_string_literal_content" | "raw_string_content" => true,
        "raw_string_delimiter" | "escape_sequence" | "string_start" | "string_end" => true,
        _ => !child.is_named() && child.is_leaf(),
    }
}

fn push(found: &mut Vec<(Prose, Span)>, start: usize, end: usize) {
    if start < end {
        found.push((Prose::String, Span::new(start, end)));
    }
}
