//! Whether edits leave every name meaning what it meant.
//!
//! One law: renaming preserves resolution. Every occurrence of a name must mean, after the edits, the same
//! bindings as before. From it follows that two things of one scope do not come to share a name, that a
//! renamed use is not caught by an inner binding of its new name, and that a renamed binding does not catch
//! uses of an outer or a built-in name.

mod align;
mod conflict;
mod graph;
mod graph_of;
mod members;
mod message;
mod python;
mod resolve;
mod script;
mod siblings;
#[cfg(test)]
mod tests;

pub use conflict::Conflict;
pub use members::member_conflicts;
pub use siblings::sibling_conflicts;

use crate::text::{Span, TextEdit, TextEdits};

use super::Tree;
use graph_of::graph_of;
use message::Comparison;
use resolve::resolve;

/// Returns where edits of one text change what a name means. Languages whose scopes are not known here
/// have no conflicts. Edits that overlap are not judged; where the text has parts that the grammar cannot
/// read, only what stands outside of them is, and a name that seems to have no binding is taken to have one there.
pub fn conflicts(tree: &Tree, text: &str, edits: &[TextEdit]) -> Vec<Conflict> {
    let Some(before) = graph_of(tree, text) else { return Vec::new() };
    let Ok(edits) = TextEdits::new(edits.to_vec()) else { return Vec::new() };
    if edits.is_empty() || !edits.fits(text) {
        return Vec::new();
    }
    let names: Vec<&str> = before.occurrences.iter().map(|it| it.span.of(text).unwrap_or_default()).collect();
    let after = align::laid_over(tree, &before, text, &edits);
    if after.names.iter().zip(&names).all(|(new, old)| new.as_deref() == Some(old)) {
        return Vec::new();
    }
    let family = tree.language().family();
    let then = resolve(&before, &names, family);
    let now = after.resolve(&before, family);
    let errors = errors(tree);
    Comparison { text, names: &names, before: &before, after: &after, then, now, errors: &errors }.conflicts()
}

/// Returns the stretches that the grammar could not read.
fn errors(tree: &Tree) -> Vec<Span> {
    if !tree.root().has_error() {
        return Vec::new();
    }
    tree.nodes().iter().filter(|node| node.is_error()).map(|node| node.span()).collect()
}

/// One name that a scope decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    pub span: Span,
    pub is_binding: bool,
    /// The number of the scope that the name stands in, for a binding the one that it is bound in.
    pub scope: usize,
    /// The number of what it means: names with the same number are renamed together.
    pub meaning: usize,
    /// Tells whether this text binds it; `global` and built-in names it does not.
    pub is_free: bool,
}

/// Returns every name of a text that is bound or looked up in a scope, in order; members are none.
pub fn names(tree: &Tree, text: &str) -> Vec<Name> {
    let Some(graph) = graph_of(tree, text) else { return Vec::new() };
    let names: Vec<&str> = graph.occurrences.iter().map(|it| it.span.of(text).unwrap_or_default()).collect();
    let resolution = resolve(&graph, &names, tree.language().family());
    let name = |(at, it): (usize, &graph::Occurrence)| Name {
        span: it.span,
        is_binding: it.is_binding(),
        scope: it.scope,
        meaning: resolution.symbols[at],
        is_free: matches!(resolution.target(at), resolve::Target::Free(_)),
    };
    graph.occurrences.iter().enumerate().map(name).collect()
}
