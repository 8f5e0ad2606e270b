//! The type variables that a protocol of a generic class of Python needs.
//!
//! A protocol's variable has to say which way it goes (PEP 544): one that is only returned is covariant, one that is only taken
//! contravariant. Type parameters of PEP 695 need not say it.

use std::collections::BTreeMap;

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Generic types that hand out what they are made of, and never take it.
const HANDING_OUT: &[&str] = &[
    "AbstractSet",
    "AsyncIterable",
    "AsyncIterator",
    "Awaitable",
    "Collection",
    "Container",
    "FrozenSet",
    "Iterable",
    "Iterator",
    "Optional",
    "Reversible",
    "Sequence",
    "Tuple",
    "Type",
    "Union",
    "frozenset",
    "tuple",
    "type",
];

/// Where the methods of a class name a type variable of it.
#[derive(Default)]
struct Places {
    is_taken: bool,
    is_returned: bool,
    spans: Vec<Span>,
}

/// The type variables of a class that some methods need.
pub(super) struct TypeVariables<'c> {
    class: Class<'c>,
    needed: BTreeMap<&'c str, Places>,
    /// Those that get another name, as they are declared under it.
    made: BTreeMap<&'c str, (String, String)>,
}

impl<'c> TypeVariables<'c> {
    /// Finds them.
    ///
    /// # Errors
    /// Refuses variables of which it is not known what they are.
    pub(super) fn of(class: Class<'c>, methods: &[Member<'c>]) -> Result<Self, Refusal> {
        let own = parameters(class);
        let variables = if own.is_empty() { given(class)? } else { own.iter().map(|it| it.0).collect() };
        let mut needed: BTreeMap<&str, Places> = BTreeMap::new();
        let text = class.code.text();
        for function in methods.iter().filter_map(Member::function).filter(|_| !variables.is_empty()) {
            let result = function.child("return_type");
            for (part, node) in types_of(function) {
                if node.is("string") {
                    return Err(class.code.refuse(node.start(), "a type of a generic class is written as a string"));
                }
                let Some(name) = variables.iter().find(|it| **it == node.text(text)) else { continue };
                let places = needed.entry(name).or_default();
                let (is_returned, is_both) = (Some(part) == result, !hands_on(class.code, node, part));
                places.is_returned |= is_returned || is_both;
                places.is_taken |= !is_returned || is_both;
                places.spans.push(node.span());
            }
        }
        let mut found = Self { class, needed, made: BTreeMap::new() };
        if own.is_empty() {
            found.make()?;
        }
        Ok(found)
    }

    /// Writes the first line of the protocol.
    pub(super) fn head(&self, name: &str) -> String {
        let text = self.class.code.text();
        let own = parameters(self.class).into_iter().filter(|(one, _)| self.needed.contains_key(one));
        let own: Vec<&str> = own.map(|(_, node)| node.text(text)).collect();
        let first = |places: &Places| places.spans.first().map_or(0, |it| it.start);
        let mut order: Vec<(usize, &str)> = self.needed.iter().map(|(name, it)| (first(it), *name)).collect();
        order.sort_unstable();
        let shown = |one: &str| self.made.get(one).map_or_else(|| one.to_owned(), |(new, _)| new.clone());
        let all: Vec<String> = order.into_iter().map(|(_, one)| shown(one)).collect();
        match (own.is_empty(), all.is_empty()) {
            (false, _) => format!("class {name}[{}](Protocol):", own.join(", ")),
            (true, false) => format!("class {name}(Protocol[{}]):", all.join(", ")),
            (true, true) => format!("class {name}(Protocol):"),
        }
    }

    /// Returns the declarations of variables that are new.
    pub(super) fn declared(&self) -> impl Iterator<Item = &str> {
        self.made.values().map(|(_, declared)| declared.as_str()).filter(|it| !it.is_empty())
    }

    /// Returns the edits by which a stretch of the class names the variables of the protocol.
    pub(super) fn renamed(&self, span: Span) -> Vec<TextEdit> {
        let all = self.made.iter().flat_map(|(name, (new, _))| self.needed[name].spans.iter().map(move |it| (it, new)));
        let mut edits: Vec<TextEdit> = all
            .filter(|(place, _)| span.contains(**place))
            .map(|(place, new)| TextEdit::new(*place, new.clone()))
            .collect();
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Declares variables that say which way they go.
    fn make(&mut self) -> Result<(), Refusal> {
        let code = self.class.code;
        for (name, places) in &self.needed {
            let (ending, way) = match (places.is_taken, places.is_returned) {
                (true, false) => ("_contra", "contravariant"),
                (false, true) => ("_co", "covariant"),
                _ => continue,
            };
            let Some(call) = declaration(code, name) else {
                let reason = format!("`{name}` would have to be {way} in the protocol, and is declared elsewhere");
                return Err(code.refuse(places.spans[0].start, reason));
            };
            if call.text(code.text()).contains("variant=True") || call.text(code.text()).contains("infer_variance") {
                continue;
            }
            let new = format!("{name}{ending}");
            let function = call.child("function").map_or("", |it| it.text(code.text()));
            let others = call.child("arguments").into_iter().flat_map(Node::named_children).skip(1);
            let others: String = others.map(|it| format!("{}, ", it.text(code.text()))).collect();
            let mut declared = format!("{new} = {function}(\"{new}\", {others}{way}=True)");
            match declaration(code, &new).and_then(Node::parent) {
                Some(there) if there.text(code.text()) == declared => declared.clear(),
                _ => check_unused(code, &new)?,
            }
            self.made.insert(name, (new, declared));
        }
        Ok(())
    }
}

/// Returns the names and the strings in the types that a function writes, each with its parameters or what it returns.
fn types_of(function: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    let parts = function.child("parameters").into_iter().chain(function.child("return_type"));
    let is_type = |it: &Node<'_>| it.ancestors().take_while(|outer| *outer != function).any(|outer| outer.is("type"));
    let words = parts.flat_map(|part| part.descendants().map(move |it| (part, it)));
    words.filter(|(_, it)| it.is_any(&["identifier", "string"]) && is_type(it)).collect()
}

/// Returns the type parameters of a class (PEP 695), each with its name.
fn parameters(class: Class<'_>) -> Vec<(&str, Node<'_>)> {
    let list = class.node.child("type_parameters").into_iter().flat_map(Node::named_children);
    let text = class.code.text();
    let named = |it: Node<'_>| it.descendants().find(|inner| inner.is("identifier")).map(|name| name.text(text));
    list.into_iter().filter_map(|it| Some((named(it)?, it))).collect()
}

/// Returns the type variables among what the bases of a class are given: `Generic[K, V]`.
fn given(class: Class<'_>) -> Result<Vec<&str>, Refusal> {
    let (code, text) = (class.code, class.code.text());
    let names = ScopedNames::of(code);
    let mut found = Vec::new();
    for base in class.bases().into_iter().filter(|base| base.is("subscript")) {
        let of = base.child("value");
        let last = of.map_or("", |it| it.text(text).rsplit('.').next().unwrap_or_default());
        let inner = base.descendants().filter(|it| it.is("identifier") && it.field() != Some("attribute"));
        for node in inner.filter(|it| !of.is_some_and(|of| of == *it || of.holds(*it))) {
            let is_class = || names.at(node).is_some_and(|it| it.is_free) || makes_class(code, node.text(text));
            match declaration(code, node.text(text)) {
                Some(call) if call.child("function").is_some_and(|it| it.text(text).ends_with("TypeVar")) => {}
                None if matches!(last, "Generic" | "Protocol") => {}
                None if is_class() => continue,
                _ => {
                    let reason = format!("whether `{}` is a plain type variable is not known", node.text(text));
                    return Err(code.refuse(node.start(), reason));
                }
            }
            found.push(node.text(text));
        }
    }
    Ok(found)
}

fn makes_class(code: &Code, name: &str) -> bool {
    let all = code.root().named_children().filter_map(|node| Class::of(code, node.child("definition").unwrap_or(node)));
    all.into_iter().any(|it| it.name() == name)
}

/// Returns the call that makes what a name of the module stands for: `TypeVar("T")`.
fn declaration<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    let statements = code.root().named_children().filter_map(|it| it.named_children().next());
    let mut made = statements.filter(|it| it.is("assignment"));
    let found = made.find(|it| it.child("left").is_some_and(|left| left.text(code.text()) == name));
    found?.child("right").filter(|it| it.is("call"))
}

/// Tells whether a type around a variable goes the same way as the variable.
fn hands_on(code: &Code, node: Node<'_>, outer: Node<'_>) -> bool {
    let around = node.ancestors().take_while(|it| *it != outer);
    let mut generic = around.filter(|it| it.is_any(&["generic_type", "subscript"]));
    generic.all(|it| {
        let of = it.named_children().next().map_or("", |of| of.text(code.text()));
        HANDING_OUT.contains(&of.rsplit('.').next().unwrap_or_default())
    })
}
