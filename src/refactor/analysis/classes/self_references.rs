//! What a piece of a class asks of the object or the class that it belongs to.

use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, is_class, object_of};
use crate::syntax::python::decorators;
use crate::syntax::{Family, Node, is_any_function};

/// What has a `this` of its own.
const OTHERS: &[&str] = &[
    "class",
    "class_declaration",
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "method_definition",
];

/// The places where a piece of a class means its own object or class.
#[derive(Debug, Default)]
pub(crate) struct Usage<'c> {
    /// The names behind `self.`, `cls.` or `this.`.
    pub members: Vec<Node<'c>>,
    /// Where the object is used as a whole: passed on, returned, compared.
    pub whole: Vec<Node<'c>>,
    /// `super`, `__class__`, `new.target`: what hangs on the class that the text stands in.
    pub bound: Vec<Node<'c>>,
    /// `__name` and `#name`: names that no other class can say.
    pub private: Vec<Node<'c>>,
}

impl<'c> Usage<'c> {
    /// Returns the names of members that a script takes out of its object as a whole: `const { size } = this;`.
    pub(crate) fn taken_apart(&self) -> Vec<Node<'c>> {
        let pattern = |whole: &Node<'c>| {
            let declarator = whole.parent().filter(|it| it.is("variable_declarator"))?;
            declarator.child("name").filter(|it| it.is("object_pattern"))
        };
        let key = |item: Node<'c>| match item.kind() {
            "shorthand_property_identifier_pattern" => Some(item),
            "pair_pattern" => item.child("key"),
            "object_assignment_pattern" => item.child("left"),
            _ => None,
        };
        self.whole.iter().filter_map(pattern).flat_map(Node::named_children).filter_map(key).collect()
    }

    /// Tells whether nothing ties the piece to its class.
    pub(crate) fn is_none(&self) -> bool {
        self.members.is_empty() && self.whole.is_empty() && self.bound.is_empty() && self.private.is_empty()
    }
}

/// Returns what a method calls its object or class: `self`, `cls`, `this`; nothing for a static method of Python.
pub(crate) fn receiver<'c>(code: &'c Code, function: Node<'c>) -> Option<&'c str> {
    if code.family() != Family::Python {
        return Some("this");
    }
    first_parameter(code, function).filter(|name| name.is("identifier")).map(|name| name.text(code.text()))
}

/// Returns what the first parameter of a function of Python binds; nothing for a static method.
fn first_parameter<'c>(code: &Code, function: Node<'c>) -> Option<Node<'c>> {
    let is_static = decorators(function).any(|mark| mark.text(code.text()).ends_with("staticmethod"));
    let first = function.child("parameters")?.named_children().next().filter(|_| !is_static)?;
    if first.is("typed_parameter") { first.named_children().next() } else { Some(first) }
}

/// Tells whether a method of Python is marked as one of its class: what it is called on is a class.
pub(crate) fn is_class_method(code: &Code, function: Node<'_>) -> bool {
    decorators(function).any(|mark| mark.text(code.text()).ends_with("classmethod"))
}

/// Returns the class that `this`, or the first parameter of a method of Python, is an object of.
pub(crate) fn class_of_own<'c>(code: &'c Code, names: &ScopedNames<'c>, object: Node<'c>) -> Option<Node<'c>> {
    if code.family() == Family::Python {
        let own = names.at(object)?.meaning;
        let is_first = |it: Node<'_>| names.at(it).is_some_and(|name| name.meaning == own);
        let mut functions = object.ancestors().filter(|it| it.is("function_definition"));
        let method = functions.find(|it| first_parameter(code, *it).is_some_and(is_first))?;
        let around = definition(method).parent().and_then(Node::parent).filter(|it| is_class(*it));
        return around.filter(|_| !is_class_method(code, method));
    }
    let owner = object_of(object).filter(|_| object.is("this"))?;
    let member = object.ancestors().find(|it| it.parent().is_some_and(|outer| outer.is("class_body")))?;
    let is_its = owner == member || is_class(owner);
    member.ancestors().find(|it| is_class(*it)).filter(|_| is_its && member.child_of_kind("static").is_none())
}

/// Collects what a member, or a part of one, asks of its object or class.
pub(crate) fn usage<'c>(code: &'c Code, piece: Node<'c>) -> Usage<'c> {
    let mut usage = Usage::default();
    match code.family() {
        Family::Python => in_python(code, piece, &mut usage),
        _ => in_script(piece, &mut usage),
    }
    usage
}

fn in_python<'c>(code: &'c Code, piece: Node<'c>, usage: &mut Usage<'c>) {
    let text = code.text();
    let around = std::iter::once(piece).chain(piece.ancestors()).filter(|node| node.is("function_definition"));
    // The outermost function below the class is the method.
    let is_method = |node: &Node<'c>| {
        node.ancestors()
            .find(|outer| is_any_function(*outer) || outer.is("class_definition"))
            .is_some_and(|outer| outer.is("class_definition"))
    };
    let inner = piece.child("definition").filter(|it| it.is("function_definition"));
    let method = inner.into_iter().chain(around).find(is_method);
    let own = method.and_then(|method| first_parameter(code, method)).filter(|own| own.is("identifier"));
    let names = ScopedNames::of(code);
    if let Some(own) = own.and_then(|own| names.at(own)) {
        let inside = names.of_meaning(own.meaning).filter(|it| piece.span().contains(it.span) && it.span != own.span);
        for node in inside.map(|name| code.covering(name.span)) {
            object_use(node, "attribute", usage);
        }
    }
    for node in piece.descendants().filter(|node| node.is("identifier")) {
        let name = node.text(text);
        // `other.__class__` is what any object has.
        if matches!(name, "super" | "__class__") && node.field() != Some("attribute") {
            usage.bound.push(node);
        } else if name.starts_with("__") && !name.ends_with("__") {
            usage.private.push(node);
        }
    }
}

fn in_script<'c>(piece: Node<'c>, usage: &mut Usage<'c>) {
    let is_other = |node: Node<'c>| node != piece && node.is_any(OTHERS);
    for node in piece.walk_until(is_other) {
        match node.kind() {
            "this" if node.is_named() => object_use(node, "property", usage),
            "super" if node.is_named() => usage.bound.push(node),
            "meta_property" => usage.bound.push(node),
            _ => {}
        }
    }
    let private = |node: &Node<'c>| node.is("private_property_identifier");
    usage.private.extend(piece.descendants().filter(private));
}

fn object_use<'c>(node: Node<'c>, field: &str, usage: &mut Usage<'c>) {
    let parent = node.parent().filter(|_| node.field() == Some("object"));
    match parent.and_then(|parent| parent.child(field)) {
        Some(member) => usage.members.push(member),
        None => usage.whole.push(node),
    }
}
