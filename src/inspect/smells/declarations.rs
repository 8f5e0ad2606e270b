//! What a declaration says of itself: private, inheriting, overriding, of one statement.

use crate::inspect::outline::Function;
use crate::inspect::view::View;
use crate::syntax::{Family, Node};

/// Tells whether a member is private by a keyword or a sigil, in Python by an underscore.
pub(super) fn is_private(node: Node<'_>, name: &str, view: &View<'_>) -> bool {
    match view.family() {
        Family::Python => name.starts_with('_') && !name.ends_with("__"),
        Family::Go => name.starts_with(char::is_lowercase),
        Family::Script => {
            let word = |child: Node<'_>| child.is("accessibility_modifier") && child.text(view.text) == "private";
            name.starts_with('#') || node.children().any(word)
        }
        Family::Java => {
            let modifiers = node.child_of_kind("modifiers");
            let has_annotation = |it: Node<'_>| it.named_children().any(|child| child.kind().ends_with("annotation"));
            modifiers.is_some_and(|it| it.children().any(|word| word.kind() == "private") && !has_annotation(it))
        }
        Family::Solidity => node
            .children()
            .any(|child| child.is("visibility") && matches!(child.text(view.text), "private" | "internal")),
        _ => false,
    }
}

/// Returns the one statement of a body, documentation left out.
pub(super) fn only_statement<'t>(function: &Function<'t>) -> Option<Node<'t>> {
    let is_documentation =
        |node: &Node<'_>| node.is("expression_statement") && node.named_children().all(|inner| inner.is("string"));
    let mut statements = function.body()?.named_children().filter(|node| !is_documentation(node));
    let only = statements.next()?;
    statements.next().is_none().then_some(only)
}

/// Tells whether a class has another above it, in its own project or outside.
pub(super) fn inherits(class: Node<'_>, text: &str) -> bool {
    bases(class, text).iter().any(|base| base != "object")
}

/// Returns the names of the classes that a class says it is made from.
pub(super) fn bases(class: Node<'_>, text: &str) -> Vec<String> {
    let above = class
        .children()
        .filter(|child| matches!(child.field(), Some("superclasses" | "superclass")) || child.is("class_heritage"));
    let names = above.flat_map(Node::descendants).filter(|node| {
        let is_argument =
            node.ancestors().take(3).any(|outer| outer.is_any(&["keyword_argument", "type_arguments", "arguments"]));
        node.is_leaf() && node.is_any(&["identifier", "type_identifier", "property_identifier"]) && !is_argument
    });
    names.map(|node| node.text(text).to_owned()).collect()
}

/// Tells whether a method says that another one decides on its parameters.
pub(super) fn overrides(function: Node<'_>, text: &str) -> bool {
    let decorated = function.parent().filter(|outer| outer.is("decorated_definition"));
    let marks = function.children().chain(decorated.into_iter().flat_map(Node::children));
    marks.take_while(|mark| mark.field() != Some("body")).any(|mark| match mark.kind() {
        "override_modifier" | "override_specifier" => true,
        "decorator" => mark.text(text).ends_with("override"),
        "modifiers" => mark.text(text).contains("@Override"),
        _ => false,
    })
}
