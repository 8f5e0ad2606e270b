//! `message-chain`: reaching through one object after the other.

use std::collections::HashSet;

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;
use crate::syntax::{DeclarationKind, Node};

pub(super) const MESSAGE_CHAIN: Smell = Smell {
    name: "message-chain",
    about: "A caller that asks an object for another, that one for a third, and so on.",
    refactoring: "hide-delegate",
    limits: &[Limit { name: "links", default: 4, about: "members without arguments behind each other" }],
    find: Find::InFile(find),
};

const MEMBERS: &[&str] =
    &["attribute", "member_expression", "field_expression", "field_access", "selector_expression", "method_invocation"];

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    if view.is_test() {
        return Vec::new();
    }
    let limit = limits.get("links");
    let long = |node: &Node<'_>| {
        node.is_any(MEMBERS)
            && !node.parent().is_some_and(|outer| continues(outer, *node))
            && links(*node, view.text) > limit
    };
    let mut imported: Option<HashSet<String>> = None;
    let mut found = Vec::new();
    for node in view.tree.nodes().iter().filter(long) {
        let imported = imported.get_or_insert_with(|| imports(view));
        let root = root(node).text(view.text);
        let is_module =
            imported.contains(root) || root.starts_with(char::is_uppercase) || view.function_around(node).is_none();
        if is_module {
            continue;
        }
        let chain: String = node.text(view.text).split_whitespace().collect();
        let details = format!("{} links in `{}`, at most {limit}", links(node, view.text), shortened(&chain));
        found.push(view.of_node(node).finding(Severity::Low, &chain, details));
    }
    found
}

/// Tells whether `outer` takes a member of what `node` gives.
fn continues(outer: Node<'_>, node: Node<'_>) -> bool {
    let is_call = outer.is_any(&["call", "call_expression"]) && outer.child("function") == Some(node);
    outer.is_any(MEMBERS) && object(outer) == Some(node)
        || is_call && outer.parent().is_some_and(|it| continues(it, outer))
}

fn object(member: Node<'_>) -> Option<Node<'_>> {
    ["object", "value", "operand"].into_iter().find_map(|field| member.child(field))
}

/// Counts the members that are taken one of the other; the object's own fields come first and are free.
fn links(chain: Node<'_>, text: &str) -> u32 {
    let mut count = 0;
    let mut node = chain;
    loop {
        let has_arguments = |call: Node<'_>| {
            call.child("arguments").is_some_and(|arguments| arguments.named_children().next().is_some())
        };
        if node.is_any(MEMBERS) && (node == chain || !has_arguments(node)) {
            let Some(inner) = object(node) else { return count };
            let is_link = !node.is("method_invocation") || !has_arguments(node);
            count += u32::from(is_link && !is_adapter(node, text));
            node = inner;
        } else if node.is_any(&["call", "call_expression"]) && !has_arguments(node) {
            let Some(called) = node.child("function") else { return count };
            node = called;
        } else {
            let is_self = node.is_any(&["this", "self"]);
            return count.saturating_sub(u32::from(is_self));
        }
    }
}

/// Tells whether a member only gives the same thing in another form.
fn is_adapter(member: Node<'_>, text: &str) -> bool {
    const FORMS: &[&str] = &[
        "as_deref",
        "as_mut",
        "as_ref",
        "as_str",
        "await",
        "borrow",
        "borrow_mut",
        "clone",
        "cloned",
        "collect",
        "copied",
        "err",
        "get",
        "get_mut",
        "into",
        "into_iter",
        "iter",
        "iter_mut",
        "length",
        "lock",
        "ok",
        "read",
        "rev",
        "stream",
        "take",
        "then",
        "toList",
        "toString",
        "to_owned",
        "to_string",
        "trim",
        "unwrap",
        "write",
    ];
    let name = ["attribute", "property", "field", "name"].into_iter().find_map(|field| member.child(field));
    name.is_some_and(|name| FORMS.contains(&name.text(text)))
}

fn root(chain: Node<'_>) -> Node<'_> {
    let mut node = chain;
    while let Some(inner) = object(node).or_else(|| node.child("function")) {
        node = inner;
    }
    node
}

fn imports(view: &View<'_>) -> HashSet<String> {
    let imported = view.outline.declarations.iter().filter(|it| {
        matches!(it.kind, DeclarationKind::Import | DeclarationKind::ImportAlias | DeclarationKind::Module)
    });
    // `import os.path` binds `os`, and declares no name of its own.
    let is_bare =
        |node: &Node<'_>| node.is("dotted_name") && node.parent().is_some_and(|parent| parent.is("import_statement"));
    let bare = view.tree.nodes().iter().filter(is_bare).filter_map(|name| name.named_children().next());
    imported.map(|it| it.name.clone()).chain(bare.map(|name| name.text(view.text).to_owned())).collect()
}

fn shortened(chain: &str) -> String {
    if chain.chars().count() <= 60 { chain.to_owned() } else { chain.chars().take(59).chain(['…']).collect() }
}
