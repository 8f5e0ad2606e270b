//! Collections of Python that begin empty and are filled later: no server knows what they hold.
//!
//! `orders = []` holds what `orders.append(order)` puts in. In a text laid over it that statement is followed by
//! `orders = [order]`, so that the server takes the list for one of such members, too. What else is put in elsewhere stays
//! unknown: what is found by that is told.

use std::collections::BTreeSet;

use super::insertions::{Insertion, Rank};
use crate::session::Parsed;
use crate::syntax::Node;

/// What makes an empty collection.
const EMPTY: [&str; 4] = ["list", "dict", "set", "deque"];

/// A variable, or a member of `self`, with the function or the class that it is one of.
type Key<'t> = (usize, &'t str);

/// Returns what has to be written into a text so that its collections hold what is put into them.
pub(super) fn insertions(parsed: &Parsed) -> Vec<Insertion> {
    let text = parsed.text.as_str();
    let nodes = || parsed.tree.nodes().iter();
    let empty: BTreeSet<Key<'_>> = nodes().filter_map(|node| begun(node, text)).collect();
    if empty.is_empty() {
        return Vec::new();
    }
    let filled = nodes().filter(|node| node.is("expression_statement")).filter_map(|statement| {
        let (collection, held) = put(statement.named_children().next()?, text)?;
        let is_known = key(collection, text).is_some_and(|key| empty.contains(&key));
        let written = format!("; {} = {held}", collection.text(text));
        is_known.then(|| Insertion { at: statement.end(), rank: Rank::Part, written })
    });
    filled.collect()
}

/// The collection that an assignment makes empty, where no annotation says what it holds.
fn begun<'t>(assignment: Node<'_>, text: &'t str) -> Option<Key<'t>> {
    let (left, right) = (assignment.child("left")?, assignment.child("right")?);
    if !assignment.is("assignment") || assignment.child("type").is_some() {
        return None;
    }
    let is_literal = right.is_any(&["list", "dictionary"]) && right.named_children().next().is_none();
    let is_made = || {
        let called = right.child("function").is_some_and(|it| EMPTY.contains(&it.text(text)));
        called && right.child("arguments").is_some_and(|it| it.named_children().next().is_none())
    };
    if is_literal || right.is("call") && is_made() { key(left, text) } else { None }
}

/// The collection that a statement puts something into, and one that holds just that.
fn put<'t>(inner: Node<'t>, text: &str) -> Option<(Node<'t>, String)> {
    if inner.is("assignment") {
        let left = inner.child("left").filter(|left| left.is("subscript"))?;
        let (at, value) = (left.child("subscript")?, inner.child("right")?);
        if at.is("slice") || value.is("assignment") {
            return None;
        }
        return Some((left.child("value")?, format!("{{{}: {}}}", at.text(text), value.text(text))));
    }
    let function = inner.child("function").filter(|it| inner.is("call") && it.is("attribute"))?;
    let last = inner.child("arguments")?.named_children().last()?;
    if last.is_any(&["keyword_argument", "list_splat", "generator_expression"]) {
        return None;
    }
    let (collection, held) = (function.child("object")?, last.text(text));
    let one = match function.child("attribute")?.text(text) {
        "append" | "appendleft" | "insert" => format!("[{held}]"),
        "extend" => format!("[*{held}]"),
        "add" => format!("{{{held}}}"),
        _ => return None,
    };
    Some((collection, one))
}

/// By what a variable is known again in its function or module, and a member of `self` in its class.
fn key<'t>(collection: Node<'_>, text: &'t str) -> Option<Key<'t>> {
    let is_own = collection.is("attribute") && collection.child("object").is_some_and(|it| it.text(text) == "self");
    let home = match collection.kind() {
        "identifier" => "function_definition",
        "attribute" if is_own => "class_definition",
        _ => return None,
    };
    let around = collection.ancestors().find(|outer| outer.is(home)).map_or(0, Node::start);
    Some((around, collection.span().of(text)?))
}
