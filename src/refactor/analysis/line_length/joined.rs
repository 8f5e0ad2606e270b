//! Lists that a plan makes short enough for one line, joined where Prettier would, or Black.

use super::limit::width;
use crate::syntax::{Family, Node, Tree};
use crate::text::{Span, TextEdit};

/// Lists that Prettier has on one line wherever they fit; objects stay as they were begun.
const LISTS: &[&str] = &["arguments", "array_pattern", "export_clause", "formal_parameters", "named_imports"];

/// The same of Black, as long as no comma ends them.
const PYTHON_LISTS: &[&str] = &["argument_list", "parameters"];

/// How the lists of a file stand on one line.
pub(super) struct Style {
    /// In columns.
    pub longest: usize,
    /// What stands inside the braces of names.
    pub blank: &'static str,
}

/// Returns the lists in lines of their own that meet one of the stretches.
pub(super) fn met<'t>(tree: &'t Tree, text: &'t str, stretches: &'t [Span]) -> impl Iterator<Item = Node<'t>> {
    let lists = tree.nodes().iter().filter(|node| is_open(tree, *node, text));
    lists.filter(|node| stretches.iter().any(|one| node.span().contains(*one)))
}

impl Style {
    /// Returns the edit that joins the first list that meets one of the stretches and fits on a line.
    pub(super) fn first(&self, tree: &Tree, text: &str, stretches: &[Span]) -> Option<TextEdit> {
        met(tree, text, stretches).find_map(|node| self.joined(node, text))
    }

    /// Tells whether a text has lists in lines of their own that none would need.
    pub(super) fn is_loose(&self, tree: &Tree, text: &str) -> bool {
        tree.nodes().iter().any(|node| is_open(tree, node, text) && self.joined(node, text).is_some())
    }

    fn joined(&self, list: Node<'_>, text: &str) -> Option<TextEdit> {
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
        let is_told = list.children().any(|it| it.is("comment"));
        if list.is_any(PYTHON_LISTS) && (is_told || said.len() > 1 || said.iter().any(|line| line.ends_with(','))) {
            return None;
        }
        let said = said.join(" ");
        let said = said.trim_end_matches(',');
        let said = match list.kind() {
            "named_imports" | "export_clause" => format!("{0}{said}{0}", self.blank),
            _ => said.to_owned(),
        };
        let head = &text[text[..list.start()].rfind('\n').map_or(0, |at| at + 1)..=list.start()];
        let tail = text[list.end() - 1..].lines().next().unwrap_or_default();
        let fits = width(head) + width(&said) + width(tail) <= self.longest;
        fits.then(|| TextEdit::new(Span::new(list.start() + 1, list.end() - 1), said))
    }
}

/// Tells whether a node is a list, or a condition, in lines of its own.
fn is_open(tree: &Tree, node: Node<'_>, text: &str) -> bool {
    let is_condition = || node.is("parenthesized_expression") && node.field() == Some("condition");
    let is_meant = match tree.language().family() {
        Family::Python => node.is_any(PYTHON_LISTS),
        _ => node.is_any(LISTS) || is_condition(),
    };
    is_meant && node.text(text).contains('\n')
}
