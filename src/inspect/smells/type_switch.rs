//! `switch-on-type`: deciding by the class of an object what the object could decide itself.

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;
use crate::syntax::Node;
use crate::syntax::kinds::{Role, is_else_if};

pub(super) const SWITCH_ON_TYPE: Smell = Smell {
    name: "switch-on-type",
    about: "A chain of conditions, or a switch, that asks one object for its class again and again.",
    refactoring: "replace-conditional-with-polymorphism",
    limits: &[Limit {
        name: "classes",
        default: 3,
        about: "classes that are asked for; built-in types are not counted",
    }],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let limit = limits.get("classes");
    let mut found = Vec::new();
    for node in view.tree.nodes().iter() {
        let asked = if node.has(Role::If) && !is_else_if(node) {
            chain(node, view.text)
        } else if node.is("type_switch_statement") {
            cases(node, view.text)
        } else {
            continue;
        };
        let Some((subject, classes)) = asked else { continue };
        if classes.len() as u32 <= limit {
            continue;
        }
        let details = format!("`{subject}` is asked for {} classes: {}", classes.len(), classes.join(", "));
        let severity = Severity::graded(classes.len() as u32, limit);
        found.push(view.of_node(node).finding(severity, &subject, details));
    }
    found
}

/// Returns the object that an `if` and its `else if`s ask for its class, and the classes.
fn chain(first: Node<'_>, text: &str) -> Option<(String, Vec<String>)> {
    let mut subject: Option<String> = None;
    let mut classes = Vec::new();
    let mut branches = vec![first];
    while let Some(branch) = branches.pop() {
        let clauses = branch.children().filter(|it| it.is("elif_clause"));
        let behind = branch.children().filter(|it| it.field() == Some("alternative"));
        let inner = behind.flat_map(|it| std::iter::once(it).chain(it.children())).find(|it| it.has(Role::If));
        for (who, class) in clauses.chain([branch]).filter_map(|it| question(it.child("condition")?, text)) {
            if *subject.get_or_insert_with(|| who.clone()) == who && !is_built_in(&class) {
                classes.push(class);
            }
        }
        branches.extend(inner);
    }
    Some((subject?, classes))
}

/// Reads `isinstance(who, Class)`, `who instanceof Class`.
fn question(condition: Node<'_>, text: &str) -> Option<(String, String)> {
    let condition =
        if condition.is("parenthesized_expression") { condition.named_children().next()? } else { condition };
    let (who, class) = match condition.kind() {
        "call" if condition.child("function")?.text(text) == "isinstance" => {
            let mut arguments = condition.child("arguments")?.named_children();
            (arguments.next()?, arguments.next()?)
        }
        "binary_expression" if condition.child("operator")?.kind() == "instanceof" => {
            (condition.child("left")?, condition.child("right")?)
        }
        "instanceof_expression" => (condition.child("left")?, condition.child("right")?),
        _ => return None,
    };
    Some((who.text(text).to_owned(), class.text(text).to_owned()))
}

/// Reads Go's `switch x := y.(type)`.
fn cases(switch: Node<'_>, text: &str) -> Option<(String, Vec<String>)> {
    let types = switch.children().filter(|it| it.is("type_case")).flat_map(|case| case.children_in("type"));
    let classes = types.filter(|it| it.is_named()).map(|it| it.text(text).to_owned()).filter(|it| !is_built_in(it));
    Some((switch.child("value")?.text(text).to_owned(), classes.collect()))
}

/// Types that no project can give a method to.
fn is_built_in(class: &str) -> bool {
    let name = class.rsplit(['.', '*']).next().unwrap_or(class);
    let is_go = class.starts_with(['[', '*']) && name.starts_with(char::is_lowercase) || class.starts_with("map[");
    let known = [
        "Array",
        "ArrayBuffer",
        "Blob",
        "Boolean",
        "Date",
        "Error",
        "Function",
        "Map",
        "Number",
        "Object",
        "Promise",
        "RegExp",
        "Set",
        "String",
        "Symbol",
        "Uint8Array",
        "Integer",
        "Long",
        "Double",
        "Float",
        "Short",
        "Byte",
        "Character",
        "BigDecimal",
        "BigInteger",
        "List",
        "Collection",
        "CharSequence",
        "Iterable",
        "Mapping",
        "Sequence",
    ];
    is_go || known.contains(&name) || class.starts_with('(') || !name.contains(char::is_uppercase)
}
