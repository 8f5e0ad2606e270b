//! Statements of a script that call nothing when their module is loaded.

use super::evaluation_order::{ExpressionReach, reach};
use crate::refactor::commonjs::required_source;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, VARIABLES};
use crate::syntax::Node;

const DECLARE: &[&str] = &[
    "ambient_declaration",
    "comment",
    "function_declaration",
    "function_signature",
    "generator_function_declaration",
    "import_statement",
    "interface_declaration",
    "type_alias_declaration",
];
/// What makes a value without calling anybody, if it is given values that are written out.
const MAKERS: &[&str] = &[
    "Array",
    "Array.of",
    "BigInt",
    "Date",
    "Error",
    "Map",
    "Object.create",
    "Object.freeze",
    "Object.fromEntries",
    "Object.seal",
    "Promise.resolve",
    "RegExp",
    "Set",
    "Symbol",
    "Symbol.for",
    "TextDecoder",
    "TextEncoder",
    "WeakMap",
    "WeakSet",
];
const LITERALS: &[&str] = &["false", "null", "number", "string", "true", "undefined"];
const CLASSES: &[&str] = &["abstract_class_declaration", "class_declaration"];

/// Tells whether a statement of a module only declares something, or computes a value without any call.
pub(crate) fn is_idle(names: &ScopedNames<'_>, code: &Code, statement: Node<'_>) -> bool {
    let inner = statement.child("declaration").filter(|_| statement.is("export_statement")).unwrap_or(statement);
    match inner.is_any(CLASSES) {
        true => !statement.children().any(|it| it.is("decorator")) && is_idle_class(names, code, inner),
        // What it loads does not know the module yet.
        false if required_source(code, inner).is_some() => true,
        false if inner.is_any(VARIABLES) => {
            let values = inner.named_children().filter_map(|declarator| declarator.child("value"));
            let is_idle = |value| is_made(names, code, value) || reach(names, code, value) != ExpressionReach::Acts;
            values.into_iter().all(is_idle)
        }
        false => inner.is_any(DECLARE) || reach(names, code, inner) != ExpressionReach::Acts,
    }
}

/// Tells whether a value is one that the language makes of what is written out at most: `new Map([["a", 1]])`, `Symbol("any")`.
pub(crate) fn is_made(names: &ScopedNames<'_>, code: &Code, value: Node<'_>) -> bool {
    let Some(maker) = value.child("constructor").or_else(|| value.child("function")) else { return false };
    let root = maker.child("object").unwrap_or(maker);
    let mut given = value.child("arguments").into_iter().flat_map(Node::named_children);
    MAKERS.contains(&maker.text(code.text()))
        && names.at(root).is_some_and(|name| name.is_free)
        && given.all(|one| {
            let is_composed = one.is_any(&["array", "object"]) && reach(names, code, one) != ExpressionReach::Acts;
            one.is_any(LITERALS) || is_composed || is_made(names, code, one)
        })
}

/// Tells whether a class calls nothing before an object of it is made.
fn is_idle_class(names: &ScopedNames<'_>, code: &Code, class: Node<'_>) -> bool {
    let is_idle = |node: Node<'_>| reach(names, code, node) != ExpressionReach::Acts;
    let is_idle_member = |member: Node<'_>| {
        let is_static = member.children().any(|it| it.kind() == "static");
        let name = member.child("name").or_else(|| member.child("property"));
        name.is_none_or(is_idle) && member.child("value").is_none_or(|value| !is_static || is_idle(value))
    };
    let runs = ["class_static_block", "decorator"];
    let body = class.child("body").into_iter().flat_map(Node::named_children);
    !class.descendants().any(|it| it.is_any(&runs))
        && class.child_of_kind("class_heritage").is_none_or(is_idle)
        && body.into_iter().all(is_idle_member)
}
