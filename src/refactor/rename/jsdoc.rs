//! Comments that document a parameter of another function than the one that is renamed.
//!
//! Seen with tsserver 6.0: from a name in a parameter's pattern (`({ app, options }) => …`) its rename goes to every
//! `@param options` of the program whose type it does not know, in dependencies too.

use std::collections::BTreeSet;

use crate::session::Parsed;
use crate::syntax::{Node, Site, is_any_function, site};
use crate::text::Span;

/// Returns those of the places of a parameter's name that stand in a comment behind which none of the others declares a
/// parameter.
pub(super) fn strays(parsed: &Parsed, places: &[Span]) -> BTreeSet<Span> {
    let (tree, text) = (&parsed.tree, parsed.text.as_str());
    let is_stray = |span: &Span| {
        site(tree, text, *span) == Site::Comment
            && documented(tree.nodes().covering(*span))
                .is_none_or(|parameters| !places.iter().any(|at| parameters.contains(*at)))
    };
    places.iter().copied().filter(is_stray).collect()
}

/// The parameters of the function that a comment stands before.
fn documented(comment: Node<'_>) -> Option<Span> {
    let is_behind = |next: &Node<'_>| next.start() >= comment.end() && next.is_named();
    let statement =
        comment.parent()?.children().filter(is_behind).find(|next| !next.is_any(&["comment", "decorator"]))?;
    let function = std::iter::once(statement).chain(statement.descendants()).find(|node| is_any_function(*node))?;
    let parameters = function.child("parameters").or_else(|| function.child("parameter"));
    parameters.map(Node::span)
}
