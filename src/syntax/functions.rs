//! The functions of a text that somebody can name, in every language.

use crate::text::Span;

use super::kinds::{Role, Roles};
use super::{Node, Tree};

/// One function with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionSite {
    pub name: String,
    /// Where the name stands; for a function that is called by a keyword, the keyword.
    pub at: usize,
    /// The names of the classes, contracts and functions around, outermost first.
    pub owners: Vec<String>,
    /// The number of the function's node.
    pub node: usize,
    pub span: Span,
    /// Everything before the body.
    pub head: Span,
    pub body: Option<usize>,
}

/// What carries the names of functions beside classes.
const MODULES: &[&str] = &["internal_module", "mod_item", "namespace_definition"];

/// What stands in more named things than this is left out.
const DEEPEST: usize = 100;

/// Returns the named functions of a text in order, an outer one before those inside it.
pub fn functions(tree: &Tree, text: &str) -> Vec<FunctionSite> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for node in tree.nodes().iter().filter(|node| is_any_function(*node) || is_owner(*node)) {
        while open.pop_if(|(end, _)| *end <= node.index()).is_some() {}
        let is_function = is_any_function(node);
        let Some((name, at)) = (if is_function { named(node, text) } else { owner(node, text) }) else { continue };
        if is_function && open.len() <= DEEPEST {
            let owners = open.iter().map(|(_, owner)| owner.clone()).collect();
            found.push(site(node, (name.clone(), at), receiver(node, text, owners)));
        }
        open.push((node.next_index(), name));
    }
    found
}

/// Tells whether a node is a function of any kind, with a name or without.
pub fn is_any_function(node: Node<'_>) -> bool {
    const KINDS: Roles = Roles::NONE.with(Role::Function).with(Role::Expression).with(Role::Lambda);
    node.roles().any(KINDS) && !node.is_leaf()
}

/// Tells whether a function is asynchronous: in Python `async def`, in scripts `async`.
pub fn is_async(function: Node<'_>) -> bool {
    function.children().any(|it| it.kind() == "async")
}

fn is_owner(node: Node<'_>) -> bool {
    node.has(Role::Class) || node.is_any(MODULES)
}

fn site(node: Node<'_>, (name, at): (String, usize), owners: Vec<String>) -> FunctionSite {
    let body = node.child("body");
    let end = body.map_or_else(|| node.end(), Node::start);
    let span = node.parent().filter(|outer| outer.is("decorated_definition")).unwrap_or(node).span();
    FunctionSite {
        name,
        at,
        owners,
        node: node.index(),
        span,
        head: Span::new(node.start(), end),
        body: body.map(Node::index),
    }
}

fn owner(node: Node<'_>, text: &str) -> Option<(String, usize)> {
    let name = node.child(if node.is("impl_item") { "type" } else { "name" })?;
    Some((name.text(text).to_owned(), name.start()))
}

/// Go writes a method's type beside it.
fn receiver(node: Node<'_>, text: &str, mut owners: Vec<String>) -> Vec<String> {
    let types = node.child("receiver").into_iter().flat_map(Node::descendants).filter(|it| it.is("type_identifier"));
    owners.extend(types.take(1).map(|it| it.text(text).to_owned()));
    owners
}

/// Returns a function's name: its own, or that of what it is assigned to.
fn named(node: Node<'_>, text: &str) -> Option<(String, usize)> {
    let whole = |name: Node<'_>| (!name.span().is_empty()).then(|| (name.text(text).to_owned(), name.start()));
    match node.kind() {
        "constructor_definition" => return Some(("constructor".to_owned(), node.start())),
        "fallback_receive_definition" => {
            let word = if node.child_of_kind("receive").is_some() { "receive" } else { "fallback" };
            return Some((word.to_owned(), node.start()));
        }
        _ => {}
    }
    if let Some(name) = node.child("name") {
        return whole(name);
    }
    if let Some(declarator) = node.child("declarator") {
        let names = std::iter::once(declarator).chain(declarator.descendants());
        return names.into_iter().find(|it| it.is_any(&["identifier", "field_identifier"])).and_then(whole);
    }
    assigned(node).and_then(whole)
}

/// Returns the name that the expression is given: `const name = …`, `name: …`, `exports.name = …`.
fn assigned(function: Node<'_>) -> Option<Node<'_>> {
    const AROUND: &[&str] = &["parenthesized_expression", "as_expression", "satisfies_expression"];
    let mut value = function;
    let outer = loop {
        let outer = value.parent()?;
        if !outer.is_any(AROUND) {
            break outer;
        }
        value = outer;
    };
    match (outer.kind(), value.field()) {
        ("variable_declarator", Some("value")) => outer.child("name"),
        ("pair", Some("value")) => outer.child("key"),
        ("public_field_definition" | "field_definition", Some("value")) => {
            outer.child("name").or_else(|| outer.child("property"))
        }
        ("assignment_expression" | "assignment", Some("right")) => {
            let left = outer.child("left")?;
            Some(left.child("property").or_else(|| left.child("attribute")).unwrap_or(left))
        }
        ("export_statement", _) => outer.child_of_kind("default"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
