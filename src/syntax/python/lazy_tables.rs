//! Tables by which packages find their names when they are asked for them: `{"Order": ".orders"}`, `{"orders": ["Order"]}`,
//! `_import_structure["orders"].append("Order")`.

use crate::syntax::Node;

/// Called for what a module has not (Python's data model).
const FINDER: &str = "__getattr__";
/// What the module itself is by its own name.
const OWN_MODULE: &str = "sys.modules[__name__]";

/// An entry of such a table.
pub struct Listed<'t> {
    /// The string that says the module.
    pub module: Node<'t>,
    /// The list of names that the module has, with the one that is meant; nothing where the name leads to its module.
    pub names: Option<Node<'t>>,
}

/// Tells whether a module finds names by a function of its own, or puts something in its own place that does.
pub fn finds_names(root: Node<'_>, text: &str) -> bool {
    let scopes = ["class_definition", "function_definition"];
    let is_inside = |node: Node<'_>| {
        let own = node.parent().filter(|outer| outer.is("function_definition") && outer.child("name") == Some(node));
        node.ancestors().any(|outer| outer.is_any(&scopes) && Some(outer) != own)
    };
    let is_put =
        |node: &Node<'_>| node.is("assignment") && node.child("left").is_some_and(|left| left.text(text) == OWN_MODULE);
    let binds = |node: &Node<'_>| node.is("identifier") && node.text(text) == FINDER;
    root.descendants().any(|node| (binds(&node) || is_put(&node)) && !is_inside(node))
}

/// Reads the entry that the content of a string is the name of.
pub fn listed<'t>(content: Node<'t>, text: &str) -> Option<Listed<'t>> {
    let string = content.parent().filter(|string| string.is("string"))?;
    let outer = string.parent()?;
    let of_key = |key: Node<'t>| key.named_children().find(|part| part.is("string_content"));
    if outer.is("pair") && outer.child("key") == Some(string) {
        let value = outer.child("value")?;
        let first = if value.is_any(&["tuple", "list"]) { value.named_children().next()? } else { value };
        return Some(Listed { module: of_key(first.is("string").then_some(first)?)?, names: None });
    }
    if !outer.is_any(&["list", "tuple", "set", "argument_list"]) {
        return None;
    }
    let around = outer.parent()?;
    if around.is("pair") && around.child("value") == Some(outer) {
        let key = around.child("key").filter(|key| key.is("string"))?;
        if key.text(text) == string.text(text) {
            let first = outer.named_children().next().filter(|first| *first != string && first.is("string"))?;
            return Some(Listed { module: of_key(first)?, names: None });
        }
        return Some(Listed { module: of_key(key)?, names: Some(outer) });
    }
    // `table["orders"] = ["Order"]`, `table["orders"].append("Order")`, `.extend(["Order"])`
    let subscript = match around.kind() {
        "assignment" | "augmented_assignment" => around.child("left"),
        "call" => added_to(around, text),
        "argument_list" => around.parent().and_then(|call| added_to(call, text)),
        _ => None,
    };
    let key = subscript.filter(|left| left.is("subscript"))?.child("subscript").filter(|key| key.is("string"))?;
    Some(Listed { module: of_key(key)?, names: Some(outer) })
}

fn added_to<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    let function = call.child("function").filter(|function| function.is("attribute"))?;
    let adds = matches!(function.child("attribute")?.text(text), "append" | "extend" | "add" | "update");
    function.child("object").filter(|_| adds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, Tree};

    #[test]
    fn entries_say_their_module() {
        let said = [
            ("T = {'x': '.m'}", Some(".m")),
            ("T = {'x': ('m', 'x')}", Some("m")),
            ("T = {'m': ['a', 'x']}", Some("m")),
            ("attach(__name__, submod_attrs={'m': ['x']})", Some("m")),
            ("T['m'] = ['x']", Some("m")),
            ("T['m'].append('x')", Some("m")),
            ("T['m'].extend(['a', 'x'])", Some("m")),
            ("T = ['x']", None),
            ("T = {'a': 'x'}", None),
        ];
        for (text, wanted) in said {
            let tree = Tree::parse(Language::Python, text);
            let mut names = tree.nodes().iter().filter(|node| node.is("string_content") && node.text(text) == "x");
            let found = names.find_map(|name| listed(name, text));
            assert_eq!(found.map(|found| found.module.text(text)), wanted, "{text}");
        }
    }

    #[test]
    fn modules_that_find_names() {
        let finds = |text: &str| {
            let tree = Tree::parse(Language::Python, text);
            finds_names(tree.nodes().root(), text)
        };
        assert!(finds("def __getattr__(name): ...") && finds("__getattr__, __dir__ = attach(__name__)"));
        assert!(finds("if A:\n pass\nelse:\n sys.modules[__name__] = Lazy(__name__)"));
        assert!(!finds("class A:\n def __getattr__(self, name): ...") && !finds("x = sys.modules[__name__]"));
    }
}
