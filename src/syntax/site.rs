//! What an identifier stands in.

mod kinds;
pub(super) mod python;
pub(super) mod script;

pub use kinds::{DeclarationKind, Site};

use crate::text::Span;

use super::{Family, Node, Tree, prose};

/// Tells what the token at `span` stands in.
pub fn site(tree: &Tree, text: &str, span: Span) -> Site {
    let Some(token) = token(tree, span) else { return Site::Other };
    if let Some(site) = of_prose(tree, token, text) {
        return site;
    }
    if !token.is_named() || is_word_node(token) {
        let is_word = token.text(text).starts_with(char::is_alphabetic);
        return if is_word { Site::Keyword } else { Site::Other };
    }
    if !super::tree::is_identifier_kind(token.kind(), tree.language()) {
        return Site::Other;
    }
    match tree.language().family() {
        Family::Python => python::in_text(token, text),
        Family::Script => script::of(token, text),
        _ => super::declarations::site_of(tree, token),
    }
}

/// Returns the innermost node at the span.
fn token(tree: &Tree, span: Span) -> Option<Node<'_>> {
    let wide = if span.is_empty() { Span::new(span.start, span.start + 1) } else { span };
    let node = tree.nodes().covering(wide);
    (node.parent().is_some()).then_some(node)
}

fn of_prose(tree: &Tree, token: Node<'_>, text: &str) -> Option<Site> {
    let literal = std::iter::once(token).chain(token.ancestors().take(3)).find(|node| {
        let is_code = node.is_any(&["interpolation", "template_substitution", "template_type"]);
        is_code || node.is_named() && (prose::is_comment(node.kind()) || prose::is_literal(node.kind()))
    })?;
    if prose::is_comment(literal.kind()) {
        return Some(Site::Comment);
    }
    if !prose::is_literal(literal.kind())
        || (literal != token && super::tree::is_identifier_kind(token.kind(), tree.language()))
    {
        return None;
    }
    Some(match script::module_specifier(literal, text) {
        Some(whole) if tree.language().family() == Family::Script => Site::ModuleSpecifier { whole },
        _ => Site::String,
    })
}

/// Named nodes that are one fixed word.
fn is_word_node(token: Node<'_>) -> bool {
    token.is_leaf()
        && token.is_any(&[
            "this",
            "super",
            "true",
            "false",
            "null",
            "none",
            "undefined",
            "predefined_type",
            "this_type",
        ])
}
