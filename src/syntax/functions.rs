//! The functions of a text that somebody can name, in every language.

use crate::text::Span;

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

/// Kinds of nodes that are functions.
const FUNCTIONS: &[&str] = &[
    "function_definition",
    "function_declaration",
    "generator_function_declaration",
    "function_signature",
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
    "method_signature",
    "abstract_method_signature",
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
    "constructor_definition",
    "fallback_receive_definition",
    "modifier_definition",
    "function_item",
    "function_signature_item",
    "lambda",
];

/// Kinds of nodes whose functions carry their names.
const OWNERS: &[&str] = &[
    "class_definition",
    "class_declaration",
    "abstract_class_declaration",
    "class",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "contract_declaration",
    "library_declaration",
    "internal_module",
    "impl_item",
    "trait_item",
    "mod_item",
    "class_specifier",
    "struct_specifier",
    "namespace_definition",
];

/// What stands in more named things than this is left out.
const DEEPEST: usize = 100;

/// Returns the named functions of a text in order, an outer one before those inside it.
pub fn functions(tree: &Tree, text: &str) -> Vec<FunctionSite> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for node in tree.nodes().iter().filter(|node| node.is_any(FUNCTIONS) || node.is_any(OWNERS)) {
        while open.pop_if(|(end, _)| *end <= node.index()).is_some() {}
        let is_function = node.is_any(FUNCTIONS);
        let Some((name, at)) = (if is_function { named(node, text) } else { owner(node, text) }) else { continue };
        if is_function && open.len() <= DEEPEST {
            let owners = open.iter().map(|(_, owner)| owner.clone()).collect();
            found.push(site(node, (name.clone(), at), receiver(node, text, owners)));
        }
        open.push((node.next_index(), name));
    }
    found
}

/// Tells whether a node is a function, with a name or without.
pub fn is_function(node: Node<'_>) -> bool {
    node.is_any(FUNCTIONS) && !node.is_leaf()
}

/// Counts the ways through a function: one, and one more for every decision (McCabe). What stands in inner
/// functions with names of their own is theirs; `inner` holds the numbers of their nodes.
pub fn cyclomatic(function: Node<'_>, inner: &std::collections::BTreeSet<usize>) -> u32 {
    let is_other = |node: Node<'_>| node != function && inner.contains(&node.index());
    let decisions = function.walk_until(is_other).filter(|node| !is_other(*node) && is_decision(*node)).count();
    1 + u32::try_from(decisions).unwrap_or(u32::MAX - 1)
}

fn is_decision(node: Node<'_>) -> bool {
    match node.kind() {
        "binary_expression" | "boolean_operator" => {
            node.children().any(|child| matches!(child.kind(), "&&" | "||" | "??" | "and" | "or"))
        }
        // The label of a default is none, nor is the arm that takes the rest.
        "case_statement" | "switch_label" => node.children().all(|child| child.kind() != "default"),
        "case" => !node.is_named() && node.parent().is_some_and(|parent| parent.is("yul_switch_statement")),
        _ => node.is_any(DECISIONS),
    }
}

const DECISIONS: &[&str] = &[
    "if_statement",
    "elif_clause",
    "elseif_statement",
    "if_expression",
    "if_clause",
    "while_statement",
    "while_expression",
    "do_statement",
    "do_while_statement",
    "repeat_statement",
    "for_statement",
    "for_in_statement",
    "for_in_clause",
    "for_expression",
    "for_range_loop",
    "enhanced_for_statement",
    "c_style_for_statement",
    "conditional_expression",
    "ternary_expression",
    "except_clause",
    "catch_clause",
    "case_clause",
    "case_item",
    "switch_case",
    "switch_rule",
    "expression_case",
    "type_case",
    "communication_case",
    "match_arm",
    "yul_if_statement",
    "yul_for_statement",
];

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
