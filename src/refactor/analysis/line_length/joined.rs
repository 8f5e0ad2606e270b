//! Lists of a script that a plan makes short enough for one line, joined where Prettier would.

use super::limit::width;
use crate::syntax::{Node, Tree};
use crate::text::{Span, TextEdit};

/// Lists that Prettier has on one line wherever they fit; objects stay as they were begun.
const LISTS: &[&str] = &["arguments", "array_pattern", "export_clause", "formal_parameters", "named_imports"];

/// Returns the edit that joins the first list that meets one of the stretches and fits on a line.
pub(super) fn first(tree: &Tree, text: &str, stretches: &[Span], longest: usize) -> Option<TextEdit> {
    let lists = tree.nodes().iter().filter(|node| is_open(*node, text));
    let mut met = lists.filter(|node| stretches.iter().any(|one| node.span().contains(*one)));
    met.find_map(|node| joined(node, text, longest))
}

/// Tells whether a text has lists in lines of their own that none would need.
pub(super) fn is_loose(tree: &Tree, text: &str, longest: usize) -> bool {
    tree.nodes().iter().any(|node| is_open(node, text) && joined(node, text, longest).is_some())
}

/// Tells whether a node is a list, or a condition, in lines of its own.
fn is_open(node: Node<'_>, text: &str) -> bool {
    let is_condition = node.is("parenthesized_expression") && node.field() == Some("condition");
    (node.is_any(LISTS) || is_condition) && node.text(text).contains('\n')
}

fn joined(list: Node<'_>, text: &str, longest: usize) -> Option<TextEdit> {
    let items: Vec<&str> = list.named_children().map(|it| it.text(text)).collect();
    let is_whole = |item: &&str| !item.contains('\n') && !item.starts_with("//") && !item.starts_with("/*");
    if items.is_empty() || !items.iter().all(is_whole) {
        return None;
    }
    // What a function or an object begins behind the last item stays with it.
    let inside = text.get(list.start() + 1..list.end() - 1)?;
    let said: Vec<&str> = inside.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if !inside.starts_with(['\n', '\r']) {
        return None;
    }
    let said = said.join(" ");
    let said = said.trim_end_matches(',');
    let said = match list.kind() {
        "named_imports" | "export_clause" => format!(" {said} "),
        _ => said.to_owned(),
    };
    let head = &text[text[..list.start()].rfind('\n').map_or(0, |at| at + 1)..=list.start()];
    let tail = text[list.end() - 1..].lines().next().unwrap_or_default();
    let fits = width(head) + width(&said) + width(tail) <= longest;
    fits.then(|| TextEdit::new(Span::new(list.start() + 1, list.end() - 1), said))
}
