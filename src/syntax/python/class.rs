//! The classes of a Python text: their bases, methods and attributes.

use std::collections::BTreeMap;

use crate::syntax::{DeclarationKind, Node, Site, Tree, site};
use crate::text::Span;

use super::{statements, undecorated};

/// Classes in more definitions than this are left out.
const DEEPEST: usize = 100;

/// One class, nested and local ones included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    pub name: String,
    pub name_span: Span,
    /// The whole definition, decorators included.
    pub full_span: Span,
    /// The names of the classes and functions around it, outermost first, and its own.
    pub path: Vec<String>,
    pub bases: Vec<Base>,
    /// Tells whether a base is named `Protocol`.
    pub is_protocol: bool,
    pub methods: Vec<Method>,
    pub attributes: Vec<Attribute>,
    pub aliases: Vec<Alias>,
    /// The classes in its body.
    pub inner: Vec<InnerClass>,
}

/// A class in the body of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerClass {
    pub name: String,
    pub name_span: Span,
}

/// One member by the name of another: `name = of` in a class body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    pub name: String,
    pub name_span: Span,
    pub of: String,
}

/// A base class as it is written; subscripts are cut off, keywords (`metaclass=…`) are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The whole name, such as `module.Name`.
    pub span: Span,
    /// The last part of the name, the place to ask for its definition.
    pub name_span: Span,
    pub text: String,
}

/// One `def` in a class body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    pub name: String,
    pub name_span: Span,
    /// The whole definition, decorators included.
    pub full_span: Span,
    pub params: Vec<Parameter>,
    /// The decorators without `@` and arguments: `property`, `total.setter`, `functools.cache`.
    pub decorators: Vec<String>,
    pub receiver: Receiver,
    /// A property's getter, setter or deleter.
    pub is_property: bool,
}

/// A named parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub span: Span,
}

/// What a method is called on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    Instance,
    Class,
    Static,
}

impl Class {
    /// Returns the methods, attributes and inner classes with the places of their names; attributes once for each place.
    pub fn members(&self) -> impl Iterator<Item = (&str, Span)> {
        let methods = self.methods.iter().map(|it| (it.name.as_str(), it.name_span));
        let places = |it: &'_ Attribute| it.places.iter().map(|(_, span)| *span).collect::<Vec<_>>();
        let attributes = self.attributes.iter();
        let attributes = attributes.flat_map(move |it| places(it).into_iter().map(|span| (it.name.as_str(), span)));
        methods.chain(attributes).chain(self.inner.iter().map(|it| (it.name.as_str(), it.name_span)))
    }

    /// Returns where a member first has its name.
    pub fn member(&self, name: &str) -> Option<Span> {
        self.members().find(|(member, _)| *member == name).map(|(_, span)| span)
    }
}

/// One attribute with every place that assigns or annotates it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    pub places: Vec<(AttributeKind, Span)>,
}

/// Where an attribute is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    /// In the class body, with or without a value.
    Class,
    /// Through the first parameter of a method: `self.x = …`, `cls.x: int`.
    Own,
}

/// Returns the classes of a text in order, an outer one before those inside it.
pub fn classes(tree: &Tree, text: &str) -> Vec<Class> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for node in tree.nodes().iter() {
        while open.last().is_some_and(|(end, _)| node.start() >= *end) {
            open.pop();
        }
        let is_class = node.is("class_definition");
        if !is_class && !node.is("function_definition") {
            continue;
        }
        let Some(name) = node.child("name") else { continue };
        open.push((node.end(), name.text(text).to_owned()));
        if is_class && open.len() <= DEEPEST {
            let path = open.iter().map(|(_, name)| name.clone()).collect();
            found.push(class(node, name, path, text));
        }
    }
    found
}

fn class(node: Node<'_>, name: Node<'_>, path: Vec<String>, text: &str) -> Class {
    let bases: Vec<Base> = node.child("superclasses").map(|list| bases(list, text)).unwrap_or_default();
    let body = node.child("body");
    Class {
        name: name.text(text).to_owned(),
        name_span: name.span(),
        full_span: whole(node),
        path,
        is_protocol: bases.iter().any(|base| base.name_span.of(text) == Some("Protocol")),
        bases,
        methods: body.map(|body| methods(body, text)).unwrap_or_default(),
        attributes: body.map(|body| attributes(body, text)).unwrap_or_default(),
        aliases: body.map(|body| aliases(body, text)).unwrap_or_default(),
        inner: body.map(|body| inner(body, text)).unwrap_or_default(),
    }
}

fn whole(definition: Node<'_>) -> Span {
    let decorated = definition.parent().filter(|parent| parent.is("decorated_definition"));
    decorated.unwrap_or(definition).span()
}

fn bases(list: Node<'_>, text: &str) -> Vec<Base> {
    list.named_children()
        .filter(|base| !base.is("keyword_argument"))
        .filter_map(|base| self::base(base, text))
        .collect()
}

fn base(expression: Node<'_>, text: &str) -> Option<Base> {
    let mut named = expression;
    while named.is("subscript") {
        named = named.child("value")?;
    }
    let last = match named.kind() {
        "identifier" => named,
        "attribute" => named.child("attribute")?,
        _ => return None,
    };
    Some(Base { span: named.span(), name_span: last.span(), text: named.text(text).to_owned() })
}

fn methods(body: Node<'_>, text: &str) -> Vec<Method> {
    statements(body).filter(|node| node.is("function_definition")).filter_map(|node| method(node, text)).collect()
}

fn inner(body: Node<'_>, text: &str) -> Vec<InnerClass> {
    let named = statements(body).filter(|node| node.is("class_definition")).filter_map(|class| class.child("name"));
    named.map(|name| InnerClass { name: name.text(text).to_owned(), name_span: name.span() }).collect()
}

fn method(node: Node<'_>, text: &str) -> Option<Method> {
    let name = node.child("name")?;
    let decorators: Vec<String> = node
        .parent()
        .filter(|parent| undecorated(*parent) == node)
        .map(|decorated| {
            decorated.children().filter(|child| child.is("decorator")).map(|it| decorator(it, text)).collect()
        })
        .unwrap_or_default();
    let has = |wanted: &str| decorators.iter().any(|name| name == wanted || name.ends_with(&format!(".{wanted}")));
    let own_name = name.text(text);
    Some(Method {
        name: own_name.to_owned(),
        name_span: name.span(),
        full_span: whole(node),
        params: node.child("parameters").map(|list| parameters(list, text)).unwrap_or_default(),
        receiver: match () {
            () if has("staticmethod") => Receiver::Static,
            () if has("classmethod") || matches!(own_name, "__new__" | "__init_subclass__" | "__class_getitem__") => {
                Receiver::Class
            }
            () => Receiver::Instance,
        },
        is_property: ["property", "cached_property", "abstractproperty", "setter", "getter", "deleter"]
            .iter()
            .any(|it| has(it)),
        decorators,
    })
}

fn decorator(node: Node<'_>, text: &str) -> String {
    let called = node.named_children().next();
    let named = called.and_then(|call| call.child("function").filter(|_| call.is("call"))).or(called);
    named.map(|named| named.text(text).to_owned()).unwrap_or_default()
}

fn parameters(list: Node<'_>, text: &str) -> Vec<Parameter> {
    list.walk_until(|node| node.is_any(&["type", "lambda"]) || node.field() == Some("value"))
        .filter(|node| node.is("identifier") && node.field() != Some("value"))
        .filter(|node| matches!(site::python::of(*node), Site::Declaration(DeclarationKind::Parameter)))
        .map(|node| Parameter { name: node.text(text).to_owned(), span: node.span() })
        .collect()
}

fn attributes(body: Node<'_>, text: &str) -> Vec<Attribute> {
    let mut places: BTreeMap<&str, Vec<(AttributeKind, Span)>> = BTreeMap::new();
    let in_body = body.walk_until(|node| node.is_any(&["function_definition", "class_definition", "lambda"]));
    for node in in_body.filter(|node| node.is("identifier")) {
        let is_bound =
            matches!(site::python::of(node), Site::Declaration(DeclarationKind::Property | DeclarationKind::Variable));
        if is_bound && !in_comprehension(node, body) {
            places.entry(node.text(text)).or_default().push((AttributeKind::Class, node.span()));
        }
    }
    for method in statements(body).filter(|node| node.is("function_definition")) {
        for node in own_attributes(method, text) {
            places.entry(node.text(text)).or_default().push((AttributeKind::Own, node.span()));
        }
    }
    let mut found: Vec<Attribute> =
        places.into_iter().map(|(name, places)| Attribute { name: name.to_owned(), places }).collect();
    found.sort_by_key(|attribute| attribute.places.first().map(|(_, span)| *span));
    found
}

fn aliases(body: Node<'_>, text: &str) -> Vec<Alias> {
    let assignments = body.walk_until(|node| node.is_any(&["function_definition", "class_definition", "lambda"]));
    let named = |assignment: Node<'_>| {
        let name = assignment.child("left").filter(|left| left.is("identifier"))?;
        let of = assignment.child("right").filter(|right| right.is("identifier"))?;
        Some(Alias { name: name.text(text).to_owned(), name_span: name.span(), of: of.text(text).to_owned() })
    };
    assignments.filter(|node| node.is("assignment")).filter_map(named).collect()
}

fn in_comprehension(node: Node<'_>, body: Node<'_>) -> bool {
    node.ancestors().take_while(|outer| *outer != body).any(|outer| outer.is("for_in_clause"))
}

/// Returns the attribute names that a method assigns through its first parameter.
fn own_attributes<'t>(method: Node<'t>, text: &'t str) -> impl Iterator<Item = Node<'t>> {
    let list = method.child("parameters");
    let first = list.map(|list| parameters(list, text)).and_then(|params| params.into_iter().next());
    let receiver = first.map(|parameter| parameter.name).unwrap_or_default();
    method
        .walk_until(|node| node.is("class_definition"))
        .filter(|node| node.is("identifier") && node.field() == Some("attribute"))
        .filter(|node| matches!(site::python::of(*node), Site::Declaration(DeclarationKind::Property)))
        .filter(move |node| {
            let object = node.parent().and_then(|attribute| attribute.child("object"));
            object.is_some_and(|object| object.text(text) == receiver)
        })
}
