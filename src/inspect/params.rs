//! The parameters of a function, as its language writes them.

use crate::syntax::python::decorators;
use crate::syntax::{Family, Node};

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter<'t> {
    /// Nothing where a pattern takes the argument apart, or the parameter has no name.
    pub name: Option<Node<'t>>,
    /// The type as it is written.
    pub annotation: Option<Node<'t>>,
    pub kind: ParameterKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    Plain,
    /// Given by its name only: Python's, behind `*`.
    Named,
    /// Takes what is left of the arguments.
    Rest,
    /// `self`, `cls`, `&self`: the object that a method is called on.
    Receiver,
}

/// Returns the parameters of a function, the receiver included.
pub(super) fn parameters<'t>(function: Node<'t>, family: Family, text: &str) -> Vec<Parameter<'t>> {
    let single = function.child("parameter").map(plain);
    let list = match family {
        Family::Solidity => Some(function),
        _ => function.child("parameters"),
    };
    let listed = list.into_iter().flat_map(Node::named_children);
    let mut found: Vec<Parameter<'t>> = single.into_iter().chain(listed.flat_map(|node| of(node, family))).collect();
    if let Some(star) = by_name_only(list, family) {
        let behind = |one: &&mut Parameter<'_>| one.name.is_some_and(|name| name.start() > star);
        let plain = found.iter_mut().filter(|one| one.kind == ParameterKind::Plain).filter(behind);
        for one in plain {
            one.kind = ParameterKind::Named;
        }
    }
    if let Some(first) = found.first_mut()
        && is_receiver(first, function, family, text)
    {
        first.kind = ParameterKind::Receiver;
    }
    found
}

/// Returns where the parameters begin that are given by name only: behind `*` or `*rest`.
fn by_name_only(list: Option<Node<'_>>, family: Family) -> Option<usize> {
    let mut children = list.filter(|_| family == Family::Python)?.children();
    children.find(|child| child.is_any(&["keyword_separator", "list_splat_pattern"])).map(Node::start)
}

/// Python's receiver is what a method takes first, whatever it is called, unless the method is static.
fn is_receiver(first: &Parameter<'_>, function: Node<'_>, family: Family, text: &str) -> bool {
    match family {
        Family::Python => first.kind == ParameterKind::Plain && is_method(function) && !is_static(function, text),
        Family::Script => first.name.is_some_and(|name| name.text(text) == "this"),
        _ => first.kind == ParameterKind::Receiver,
    }
}

/// Tells whether a class is the next thing around, conditions apart, that has names of its own.
fn is_method(function: Node<'_>) -> bool {
    let mut outer = function.ancestors().filter(|outer| outer.is_any(&["class_definition", "function_definition"]));
    outer.next().is_some_and(|outer| outer.is("class_definition"))
}

fn is_static(function: Node<'_>, text: &str) -> bool {
    decorators(function).any(|decorator| decorator.text(text).trim_start_matches('@').trim() == "staticmethod")
}

fn plain(name: Node<'_>) -> Parameter<'_> {
    let name = name.is_leaf().then_some(name);
    Parameter { name, annotation: None, kind: ParameterKind::Plain }
}

fn of(node: Node<'_>, family: Family) -> Vec<Parameter<'_>> {
    match family {
        Family::Python => python(node).into_iter().collect(),
        Family::Script => script(node).into_iter().collect(),
        Family::Go => go(node),
        Family::Rust => rust(node).into_iter().collect(),
        _ => declared(node).into_iter().collect(),
    }
}

fn python(node: Node<'_>) -> Option<Parameter<'_>> {
    let inner = match node.kind() {
        "identifier" | "list_splat_pattern" | "dictionary_splat_pattern" | "tuple_pattern" => node,
        "default_parameter" | "typed_default_parameter" => node.child("name")?,
        "typed_parameter" => node.named_children().next()?,
        _ => return None,
    };
    let annotation = node.child("type");
    let is_rest = inner.is_any(&["list_splat_pattern", "dictionary_splat_pattern"]);
    let name = if is_rest { inner.named_children().next()? } else { inner };
    let kind = if is_rest { ParameterKind::Rest } else { ParameterKind::Plain };
    Some(Parameter { name: name.is_leaf().then_some(name), annotation, kind })
}

fn script(node: Node<'_>) -> Option<Parameter<'_>> {
    let annotation = node.child("type").and_then(|type_| type_.named_children().next());
    let pattern = match node.kind() {
        "required_parameter" | "optional_parameter" => node.child("pattern").or_else(|| node.child("name"))?,
        "assignment_pattern" => node.child("left")?,
        "decorator" => return None,
        _ => node,
    };
    let is_rest = pattern.is("rest_pattern");
    let name = if is_rest { pattern.named_children().next()? } else { pattern };
    let kind = if is_rest { ParameterKind::Rest } else { ParameterKind::Plain };
    Some(Parameter { name: name.is_leaf().then_some(name), annotation, kind })
}

/// One declaration of Go can name several parameters of one type.
fn go(node: Node<'_>) -> Vec<Parameter<'_>> {
    let kind = match node.kind() {
        "parameter_declaration" => ParameterKind::Plain,
        "variadic_parameter_declaration" => ParameterKind::Rest,
        _ => return Vec::new(),
    };
    let annotation = node.child("type");
    let named: Vec<_> = node.children_in("name").map(|name| Parameter { name: Some(name), annotation, kind }).collect();
    if named.is_empty() { vec![Parameter { name: None, annotation, kind }] } else { named }
}

fn rust(node: Node<'_>) -> Option<Parameter<'_>> {
    match node.kind() {
        "self_parameter" => Some(Parameter { name: None, annotation: None, kind: ParameterKind::Receiver }),
        "parameter" => {
            let name = node.child("pattern").filter(|pattern| pattern.is("identifier"));
            Some(Parameter { name, annotation: node.child("type"), kind: ParameterKind::Plain })
        }
        _ => None,
    }
}

/// Java and Solidity: a type and a name.
fn declared(node: Node<'_>) -> Option<Parameter<'_>> {
    let annotation = node.child("type");
    match node.kind() {
        "formal_parameter" | "parameter" => {
            Some(Parameter { name: node.child("name"), annotation, kind: ParameterKind::Plain })
        }
        "spread_parameter" => {
            let name = node.named_children().find_map(|part| part.child("name"));
            Some(Parameter { name, annotation, kind: ParameterKind::Rest })
        }
        _ => None,
    }
}
