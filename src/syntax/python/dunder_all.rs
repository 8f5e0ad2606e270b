//! The names that Python code lists as strings in a variable: a module's public ones in `__all__`.

use crate::syntax::{Node, Tree};
use crate::text::Span;

/// Returns the strings of `__all__` with the places of their contents: `__all__ = […]` or `(…)`, with an
/// annotation or without, `+=`, `.extend([…])`, `.append("…")`, `.remove("…")`; both sides of a `+` between lists.
pub fn dunder_all(tree: &Tree, text: &str) -> Vec<(String, Span)> {
    listed_in(tree, text, "__all__")
}

/// Returns the strings that are listed in every variable of that name, in the same forms.
pub fn listed_in(tree: &Tree, text: &str, variable: &str) -> Vec<(String, Span)> {
    tree.nodes()
        .iter()
        .filter(|node| node.is("identifier") && node.text(text) == variable)
        .filter_map(|name| listed(name, text))
        .flat_map(|list| list.walk_until(|node| node.is_any(&["string", "call", "lambda"])))
        .filter(|node| node.is("string"))
        .filter_map(|string| entry(string, text))
        .collect()
}

/// Returns the expression that an occurrence of `__all__` is given or grows by.
fn listed<'t>(name: Node<'t>, text: &str) -> Option<Node<'t>> {
    let parent = name.parent()?;
    match parent.kind() {
        "assignment" | "augmented_assignment" if name.field() == Some("left") => parent.child("right"),
        "attribute" => {
            let method = parent.child("attribute")?.text(text);
            let call = parent.parent().filter(|call| call.is("call"))?;
            matches!(method, "extend" | "append" | "remove").then(|| call.child("arguments"))?
        }
        _ => None,
    }
}

fn entry(string: Node<'_>, text: &str) -> Option<(String, Span)> {
    let mut contents = string.children().filter(|child| child.is("string_content"));
    let content = contents.next()?;
    contents.next().is_none().then(|| (content.text(text).to_owned(), content.span()))
}
