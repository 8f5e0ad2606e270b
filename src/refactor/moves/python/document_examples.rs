//! Examples in documents that import a module by its name (Python's `doctest`), which tests may run.

use crate::syntax::python::examples_of;
use crate::syntax::{Language, Node, Tree};
use crate::text::{Span, TextEdit};

/// Returns the edits by which the examples of a document import a module, and ask it for something, by another name.
pub(super) fn led(document: &str, (old, new): (&str, &str)) -> Vec<TextEdit> {
    let made = examples_of(document);
    let text = made.text();
    if old == new || !text.contains(old) {
        return Vec::new();
    }
    let tree = Tree::parse(Language::Python, text);
    let nodes = || tree.nodes().iter();
    let is_it = |node: &Node<'_>| node.text(text) == old;
    let is_plain = |node: &Node<'_>| node.parent().is_some_and(|it| it.is("import_statement"));
    let imported = nodes().filter(|node| node.is("dotted_name") && begins(node.text(text), old));
    let imported: Vec<Node<'_>> = imported.filter(|node| is_import(*node)).collect();
    let mut spans: Vec<Span> = imported.iter().map(|node| Span::new(node.start(), node.start() + old.len())).collect();
    if imported.iter().any(|node| is_plain(node) && is_it(node)) {
        let is_part = |node: &Node<'_>| node.parent().is_some_and(|it| it.is("dotted_name"));
        let used = nodes().filter(|node| node.is_any(&["attribute", "identifier"]) && is_it(node) && !is_part(node));
        spans.extend(used.filter(|node| node.field() != Some("attribute")).map(Node::span));
    }
    spans.sort();
    spans.dedup();
    spans.into_iter().filter_map(|span| Some(TextEdit::new(made.origin(span)?, new))).collect()
}

/// Tells whether a dotted name is a module's, or that of something below it.
fn begins(said: &str, module: &str) -> bool {
    said.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Tells whether a name stands where a statement says which module it imports.
fn is_import(name: Node<'_>) -> bool {
    let Some(parent) = name.parent() else { return false };
    let statement = if parent.is("aliased_import") { parent.parent() } else { Some(parent) };
    match statement {
        Some(it) if it.is("import_from_statement") => name.field() == Some("module_name"),
        Some(it) => it.is("import_statement"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::led;

    #[test]
    fn examples_of_documents_are_led() {
        let document =
            "lib says:\n\n>>> from lib import Box\n>>> import lib\n>>> lib.Box(lib.size)\n4\n>>> libs = other.lib\n";
        let mut text = document.to_owned();
        for edit in led(document, ("lib", "shop.core")).into_iter().rev() {
            text.replace_range(edit.span.start..edit.span.end, &edit.new_text);
        }
        let wanted = "lib says:\n\n>>> from shop.core import Box\n>>> import shop.core\n>>> shop.core.Box(shop.core.size)\n4\n\
                      >>> libs = other.lib\n";
        assert_eq!(text, wanted);
        assert!(led(">>> import lib as l\n>>> lib.x\n", ("lib", "core")).len() == 1);
        assert_eq!(led(">>> from a import lib\n", ("lib", "core")), []);
    }
}
