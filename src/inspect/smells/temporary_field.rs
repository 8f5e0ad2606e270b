//! `temporary-field`: fields that only one method fills and reads, as if they were its variables.

use std::collections::BTreeMap;

use super::declarations::inherits;
use super::finding::{Finding, Severity};
use super::smell::{Find, Limits, Smell};
use crate::inspect::outline::{Class, Function};
use crate::inspect::view::View;
use crate::syntax::Node;
use crate::syntax::kinds::Role;

pub(super) const TEMPORARY_FIELD: Smell = Smell {
    name: "temporary-field",
    about: "A private field that one method alone sets before it reads it.",
    refactoring: "replace-method-with-method-object",
    limits: &[],
    find: Find::InFile(find),
};

/// The mentions of one field in the methods of a class.
#[derive(Default)]
struct Mentions<'t> {
    /// The methods beside the constructor, by index, with the first mention in each.
    methods: BTreeMap<usize, Node<'t>>,
    count: usize,
    /// The constructor gives it more than an empty value.
    is_filled: bool,
}

fn find(view: &View<'_>, _: &Limits<'_>) -> Vec<Finding> {
    if view.is_test() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for class in view.outline.classes.iter().filter(|class| class.methods > 1) {
        // What has a class above shares its fields with it.
        if inherits(class.node, view.text) {
            continue;
        }
        for (field, mentions) in mentions(class, view) {
            let Some((method, first)) = mentions.methods.first_key_value().filter(|_| mentions.methods.len() == 1)
            else {
                continue;
            };
            let is_temporary = !mentions.is_filled
                && mentions.count > 1
                && is_assigned(*first)
                && is_alone(field, view, class)
                && !is_conditional(*first, &view.outline.functions[*method]);
            if !is_temporary {
                continue;
            }
            let method = view.outline.functions[*method].name();
            let details = format!("only `{method}` uses `{field}`, and sets it first");
            found.push(view.of_node(*first).finding(Severity::Low, field, details));
        }
    }
    found
}

fn mentions<'t>(class: &Class<'t>, view: &View<'t>) -> BTreeMap<&'t str, Mentions<'t>> {
    let mut all: BTreeMap<&str, Mentions<'_>> = BTreeMap::new();
    for (at, function) in view.outline.functions.iter().enumerate() {
        if !class.node.holds(function.node) || !is_method(function, class) {
            continue;
        }
        let is_constructor =
            matches!(function.name(), "__init__" | "constructor") || function.path.last() == class.path.last();
        for (name, member) in view.within_all(function).filter_map(|node| own_field(node, view.text)) {
            if !is_private(name) {
                continue;
            }
            let field = all.entry(name).or_default();
            if is_constructor {
                field.is_filled |= !is_emptied(member, view.text);
            } else {
                field.methods.entry(at).or_insert(member);
                field.count += 1;
            }
        }
    }
    all
}

/// Functions inside a method belong to it.
fn is_method(function: &Function<'_>, class: &Class<'_>) -> bool {
    function.class.as_ref() == Some(&class.path)
}

/// Reads `self.name`, `this.name`.
fn own_field<'t>(node: Node<'t>, text: &'t str) -> Option<(&'t str, Node<'t>)> {
    if !node.is_any(&["attribute", "member_expression", "field_access"]) {
        return None;
    }
    let object = node.child("object")?.text(text);
    let name = ["attribute", "property", "field"].into_iter().find_map(|field| node.child(field))?;
    matches!(object, "self" | "this").then(|| (name.text(text), node))
}

fn is_private(name: &str) -> bool {
    name.starts_with('#') || name.starts_with('_') && !name.starts_with("__")
}

fn is_assigned(member: Node<'_>) -> bool {
    let is_target = member.field() == Some("left");
    is_target && member.parent().is_some_and(|outer| outer.is_any(&["assignment", "assignment_expression"]))
}

/// Tells whether a field is only filled under a condition: then it keeps a value from one call to the next.
fn is_conditional(member: Node<'_>, method: &Function<'_>) -> bool {
    let mut around = member.ancestors().take_while(|outer| *outer != method.node);
    around.any(|outer| outer.has(Role::If) || outer.is_any(&["try_statement", "conditional_expression"]))
}

fn is_emptied(member: Node<'_>, text: &str) -> bool {
    let value = member.parent().and_then(|outer| outer.child("right")).map(|value| value.text(text));
    is_assigned(member) && matches!(value, Some("None" | "null" | "undefined"))
}

/// Tells whether nothing outside of the class mentions the field, and no text names it.
fn is_alone(field: &str, view: &View<'_>, class: &Class<'_>) -> bool {
    let words = crate::syntax::whole_words(view.text, field);
    words.into_iter().all(|span| class.node.span().contains(span))
}
