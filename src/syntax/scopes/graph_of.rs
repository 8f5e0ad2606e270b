//! The scopes of a text, by the rules of its language.

use super::graph::Graph;
use super::{python, script};
use crate::syntax::{Family, Tree};

/// Returns the scopes of a text; nothing for languages whose scopes are not known.
pub(super) fn graph_of(tree: &Tree, text: &str) -> Option<Graph> {
    match tree.language().family() {
        Family::Python => Some(python::build(tree)),
        Family::Script => Some(script::build(tree, text)),
        _ => None,
    }
}
