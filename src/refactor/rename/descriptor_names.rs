//! Names that descriptors of Python make of the attributes that they are assigned to (`__set_name__`): `f"_{name}"` is the
//! name of something only where a class has an attribute of the rest that is made by a call.

use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Node, Stem};

/// Tells whether a descriptor makes a name at a place that cannot be `member`: nothing is assigned to the attribute that it
/// would be made of.
pub(super) fn makes_others(
    session: &Session,
    (node, text): (Node<'_>, &str),
    (stem, member): (&Stem, &str),
) -> Result<bool, Refusal> {
    match stem.middle(member).filter(|_| is_of_attribute(node, text)) {
        Some(rest) => Ok(!is_assigned(session, rest)?),
        None => Ok(false),
    }
}

/// Tells whether all that is not known of a text is the name that `__set_name__` is told.
fn is_of_attribute(node: Node<'_>, text: &str) -> bool {
    let function = node.ancestors().find(|it| it.is_any(&["function_definition", "lambda"]));
    let is_it = |it: &Node<'_>| it.child("name").is_some_and(|it| it.text(text) == "__set_name__");
    let Some(function) = function.filter(is_it) else { return false };
    let third = function.child("parameters").and_then(|it| it.named_children().nth(2));
    let attribute = third.map(|it| if it.is("identifier") { Some(it) } else { it.named_children().next() });
    let Some(attribute) = attribute.flatten().map(|it| it.text(text)) else { return false };
    node.descendants().filter(|it| it.is("identifier")).all(|it| it.text(text) == attribute)
}

/// Tells whether a class has an attribute of the name that is made by a call.
fn is_assigned(session: &Session, name: &str) -> Result<bool, Refusal> {
    for path in session.disk().files_mentioning(name).into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let places = parsed.tree.identifiers_named(parsed.text.as_str(), name);
        if places.into_iter().any(|span| is_made(parsed.tree.nodes().covering(span))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a name is that of a class's attribute that is assigned what a call returns.
fn is_made(name: Node<'_>) -> bool {
    let assignment = name.parent().filter(|it| it.is("assignment") && it.child("left") == Some(name));
    let is_call = assignment.and_then(|it| it.child("right")).is_some_and(|it| it.is("call"));
    let around = assignment.and_then(Node::parent).and_then(Node::parent).and_then(Node::parent);
    is_call && around.is_some_and(|it| it.is("class_definition"))
}
