//! Which expressions of Python are of built-in types, as far as the text of one function says it.

use crate::syntax::scopes::Name;
use crate::syntax::{Node, Tree};
use crate::text::Span;

/// A built-in type, as coarse as it has to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// A number, a truth value, nothing.
    Scalar,
    Text,
    /// A container with whatever in it.
    Container,
}

/// The names of one text, and what is known of them.
pub(super) struct Values<'t> {
    tree: &'t Tree,
    text: &'t str,
    names: &'t [Name],
}

/// How many assignments are followed.
const DEEPEST: usize = 4;

impl<'t> Values<'t> {
    /// `names` are those that the scopes of the text decide on, in order.
    pub(super) fn of(tree: &'t Tree, text: &'t str, names: &'t [Name]) -> Self {
        Self { tree, text, names }
    }

    fn name(&self, node: Node<'_>) -> Option<Name> {
        let at = self.names.binary_search_by_key(&node.start(), |name| name.span.start).ok()?;
        Some(self.names[at]).filter(|name| name.span == node.span())
    }

    /// Tells whether a name is a built-in one: nothing in the text binds it.
    pub(super) fn is_built_in(&self, node: Node<'_>) -> bool {
        self.name(node).is_some_and(|name| name.is_free)
    }

    /// Returns the built-in type of an expression.
    pub(super) fn plain(&self, node: Node<'_>) -> Option<Plain> {
        self.within(node, DEEPEST)
    }

    fn within(&self, node: Node<'_>, depth: usize) -> Option<Plain> {
        match node.kind() {
            "integer" | "float" | "true" | "false" | "none" => Some(Plain::Scalar),
            "string" | "concatenated_string" => Some(Plain::Text),
            "list"
            | "tuple"
            | "dictionary"
            | "set"
            | "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "expression_list" => Some(Plain::Container),
            "parenthesized_expression" => self.within(node.named_children().next()?, depth),
            "not_operator" => Some(Plain::Scalar),
            "unary_operator" => self.within(node.child("argument")?, depth).filter(|it| *it == Plain::Scalar),
            "comparison_operator" => {
                let is_identity = node.children_in("operators").all(|it| matches!(it.kind(), "is" | "is not"));
                let mut operands = node.named_children();
                let scalar = |it: Node<'_>| matches!(self.within(it, depth), Some(Plain::Scalar | Plain::Text));
                (is_identity || operands.all(scalar)).then_some(Plain::Scalar)
            }
            "boolean_operator" => {
                let left = self.within(node.child("left")?, depth)?;
                (self.within(node.child("right")?, depth)? == left).then_some(left)
            }
            "binary_operator" => self.operated(node, depth),
            "call" => self.made(node),
            "identifier" if depth > 0 => self.held(node, depth - 1),
            _ => None,
        }
    }

    fn operated(&self, node: Node<'_>, depth: usize) -> Option<Plain> {
        let left = self.within(node.child("left")?, depth)?;
        let right = self.within(node.child("right")?, depth)?;
        let operator = node.child("operator")?.kind();
        match (left, operator, right) {
            (Plain::Scalar, "+" | "-" | "*" | "&" | "|" | "^", Plain::Scalar) => Some(Plain::Scalar),
            (Plain::Text, "+", Plain::Text) | (Plain::Text, "*", Plain::Scalar) => Some(Plain::Text),
            _ => None,
        }
    }

    /// What a built-in function returns, whether it raises or not.
    fn made(&self, call: Node<'_>) -> Option<Plain> {
        let function = call.child("function").filter(|it| it.is("identifier") && self.is_built_in(*it))?;
        match function.text(self.text) {
            "len" | "int" | "float" | "bool" | "isinstance" | "issubclass" | "callable" | "hasattr" | "id" | "ord"
            | "hash" => Some(Plain::Scalar),
            "str" | "repr" | "chr" | "bytes" | "ascii" | "hex" | "oct" | "bin" | "format" => Some(Plain::Text),
            "list" | "dict" | "set" | "tuple" | "frozenset" | "sorted" | "range" | "dir" | "vars" | "globals"
            | "locals" => Some(Plain::Container),
            _ => None,
        }
    }

    /// What a variable holds wherever it is bound.
    fn held(&self, node: Node<'_>, depth: usize) -> Option<Plain> {
        let name = self.name(node).filter(|name| !name.is_free)?;
        let mut found = None;
        for binding in self.names.iter().filter(|it| it.meaning == name.meaning && it.is_binding) {
            let plain = self.bound(self.tree.nodes().covering(binding.span), depth)?;
            if found.is_some_and(|found| found != plain) {
                return None;
            }
            found = Some(plain);
        }
        found
    }

    fn bound(&self, name: Node<'_>, depth: usize) -> Option<Plain> {
        let parent = name.parent()?;
        match parent.kind() {
            "assignment" if parent.child("left") == Some(name) => match parent.child("right") {
                Some(value) => self.within(value, depth),
                None => said(parent.child("type")?.text(self.text)),
            },
            "typed_parameter" | "typed_default_parameter" => {
                let default = parent.child("value").map(|it| self.within(it, depth));
                let said = said(parent.child("type")?.text(self.text))?;
                (default.is_none_or(|default| default == Some(said))).then_some(said)
            }
            _ => None,
        }
    }
}

/// Reads an annotation; what may be several things is nothing that is known.
fn said(annotation: &str) -> Option<Plain> {
    match annotation.trim().trim_matches(['"', '\'']).split('[').next().unwrap_or_default() {
        "int" | "float" | "bool" | "None" => Some(Plain::Scalar),
        "str" | "bytes" => Some(Plain::Text),
        "list" | "dict" | "set" | "tuple" | "frozenset" | "List" | "Dict" | "Set" | "Tuple" | "FrozenSet"
            if !annotation.contains('|') =>
        {
            Some(Plain::Container)
        }
        _ => None,
    }
}

/// Tells whether a list, a tuple or a set is written out with nothing in it that compares in a way of its own.
pub(super) fn is_written_out(values: &Values<'_>, node: Node<'_>) -> bool {
    let is_simple = |it: Node<'_>| matches!(values.plain(it), Some(Plain::Scalar | Plain::Text));
    node.is_any(&["list", "tuple", "set"]) && node.named_children().all(is_simple)
        || node.is("parenthesized_expression") && node.named_children().all(|it| is_written_out(values, it))
        || Span::is_empty(node.span())
}
