//! Items of object literals of a script: `{ total() {}, rate: 3 }`.

use super::classes::comments_above;
use super::imports::statements::without_items;
use crate::refactor::commonjs::is_whole_export;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Returns what holds a function in an object literal: a method, or a key with its value.
pub(crate) fn item_of_function(function: Node<'_>) -> Option<Node<'_>> {
    let item = function.parent().filter(|it| it.is("pair")).unwrap_or(function);
    is_item(item).then_some(item)
}

/// Returns the item that a key belongs to.
pub(crate) fn item_of_key(key: Node<'_>) -> Option<Node<'_>> {
    let item = key.parent().filter(|it| it.child("key").or(it.child("name")) == Some(key))?;
    is_item(item).then_some(item)
}

/// Tells whether a node is an item of an object literal.
pub(crate) fn is_item(item: Node<'_>) -> bool {
    item.parent().is_some_and(|it| it.is("object"))
}

/// Takes an item out, with the comments above it.
pub(crate) fn without_item(code: &Code, item: Node<'_>) -> Vec<TextEdit> {
    let whole = |it: Node<'_>| Span::new(comments_above(code, it.start()), it.end());
    let items: Vec<Span> = item.parent().into_iter().flat_map(Node::named_children).map(whole).collect();
    without_items(code, &items, &[whole(item)]).into_iter().map(|span| TextEdit::new(span, "")).collect()
}

/// Returns where the object that holds an item goes to somebody who may ask it for anything: as an argument, as a value.
pub(crate) fn handed_on(code: &Code, item: Node<'_>) -> Option<Span> {
    let is_around = |it: &Node<'_>| {
        it.is_any(&["as_expression", "object", "pair", "parenthesized_expression", "satisfies_expression"])
    };
    let object = item.ancestors().take_while(is_around).last()?;
    let outer = object.parent()?;
    if outer.is("export_statement") || is_whole_export(code, object) {
        return None;
    }
    let Some(variable) = outer.child("name").filter(|it| outer.is("variable_declarator") && it.is("identifier")) else {
        return Some(object.span());
    };
    let names = ScopedNames::of(code);
    let uses = names.at(variable).into_iter().flat_map(|it| names.of_meaning(it.meaning));
    let mut uses = uses.map(|it| code.covering(it.span)).filter(|it| *it != variable);
    uses.find(|it| !is_asked(code, *it)).map(Node::span)
}

/// Tells whether an object is asked for members that are named, or exported, where its name stands.
fn is_asked(code: &Code, name: Node<'_>) -> bool {
    let Some(outer) = name.parent() else { return false };
    let pattern = outer.child("name").filter(|_| outer.is("variable_declarator"));
    let takes_named = |it: Node<'_>| it.is("object_pattern") && !it.named_children().any(|it| it.is("rest_pattern"));
    outer.is("member_expression") && outer.child("object") == Some(name)
        || outer.is_any(&["export_specifier", "export_statement", "type_query"])
        || is_whole_export(code, name)
        || pattern.is_some_and(takes_named)
}
