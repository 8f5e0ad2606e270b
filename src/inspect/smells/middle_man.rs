//! `middle-man`: classes that only pass on what they are asked.

use std::collections::BTreeMap;

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::outline::Function;
use crate::inspect::view::View;
use crate::syntax::{Family, Node};

pub(super) const MIDDLE_MAN: Smell = Smell {
    name: "middle-man",
    about: "A class most of whose methods only call the same method of one field.",
    refactoring: "remove-middle-man",
    limits: &[
        Limit { name: "methods", default: 3, about: "methods that only pass a call on to one field" },
        Limit { name: "percent", default: 50, about: "their part of all methods, in percent" },
    ],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for class in view.outline.classes.iter().filter(|class| class.methods > limits.get("methods")) {
        // In Rust a type around another one narrows what can be done with it: that is its work.
        if view.family() == Family::Rust && class.fields < 2 {
            continue;
        }
        let is_own =
            |it: &&Function<'_>| it.class.as_ref() == Some(&class.path) && it.body().is_some() && !is_of_trait(it.node);
        let methods: Vec<&Function<'_>> =
            view.outline.functions.iter().filter(is_own).filter(|it| !is_constructor(it.name(), class)).collect();
        let mut fields: BTreeMap<&str, usize> = BTreeMap::new();
        for field in methods.iter().filter_map(|method| passed_on(method, view.text)) {
            *fields.entry(field).or_default() += 1;
        }
        let Some((field, count)) = fields.into_iter().max_by_key(|(_, count)| *count) else { continue };
        let percent = (100 * count / methods.len().max(1)) as u32;
        if count as u32 <= limits.get("methods") || percent <= limits.get("percent") {
            continue;
        }
        let details = format!("{count} of {} methods only pass the call on to `{field}`", methods.len());
        found.push(view.of_class(class).finding(Severity::Medium, "", details));
    }
    found
}

/// Tells whether a trait asks for a method: whoever wraps another has to pass it on.
fn is_of_trait(method: Node<'_>) -> bool {
    method.ancestors().find(|outer| outer.is("impl_item")).is_some_and(|outer| outer.child("trait").is_some())
}

fn is_constructor(name: &str, class: &crate::inspect::outline::Class<'_>) -> bool {
    matches!(name, "constructor" | "__init__" | "__new__" | "new") || class.path.last().is_some_and(|own| own == name)
}

/// Returns the field whose method of the same name is all that a method calls.
fn passed_on<'t>(method: &Function<'_>, text: &'t str) -> Option<&'t str> {
    let body = method.body()?;
    let mut statements = body.named_children().filter(|it| !is_string(*it));
    let statement = if body.kind().ends_with("block") || body.is("function_body") { statements.next()? } else { body };
    if statements.next().is_some() && statement != body {
        return None;
    }
    let calls = ["call", "call_expression", "method_invocation"];
    let mut inner = std::iter::successors(Some(statement), |node| {
        let mut children = node.named_children();
        let only = children.next().filter(|_| !node.is_any(&calls))?;
        children.next().is_none().then_some(only)
    });
    let call = inner.find(|node| node.is_any(&calls))?;
    let called = if call.is("method_invocation") { call } else { call.child("function")? };
    let name = ["attribute", "property", "field", "name"].into_iter().find_map(|field| called.child(field))?;
    let object = ["object", "value", "operand"].into_iter().find_map(|field| called.child(field))?;
    let receiver = ["object", "value", "operand"].into_iter().find_map(|field| object.child(field))?;
    let is_own = matches!(receiver.text(text), "self" | "this")
        || receiver.is("identifier") && method.node.child("receiver").is_some();
    (is_own && name.text(text) == method.name()).then(|| object.text(text))
}

fn is_string(statement: Node<'_>) -> bool {
    statement.is("expression_statement") && statement.named_children().all(|inner| inner.is("string"))
}
