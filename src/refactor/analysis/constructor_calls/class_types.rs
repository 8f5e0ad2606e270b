//! Types that are a class itself, not its objects, and what makes objects by them.
//!
//! ```ts
//! function open(made: typeof Order) {
//!   return new made(2);
//! }
//! ```
//! In Python: `made: type[Order]`.

use crate::refactor::source_file::{Code, function_of};
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node};

/// Types made of a class that make nothing by themselves.
const ASKING: &[&str] = &["ConstructorParameters", "InstanceType"];
/// What a name's type can hold beside the class.
const AROUND: &[&str] = &[
    "binary_operator",
    "generic_type",
    "parenthesized_type",
    "subscript",
    "type",
    "type_annotation",
    "type_parameter",
    "union_type",
];

/// Tells whether the name of a class stands in such a type, and whether objects may be made of what has it. A variable makes
/// them in the function that it belongs to.
pub(super) fn may_make(code: &Code, class: Node<'_>) -> bool {
    let Some(whole) = class_type(code, class) else { return false };
    let makes = |name: Node<'_>| {
        let is_made = |it: &Node<'_>| {
            let made = it.child("constructor").or_else(|| it.child("function"));
            made.is_some_and(|made| made.text(code.text()) == name.text(code.text()))
        };
        function_of(name).unwrap_or(code.root()).descendants().any(|it| is_made(&it))
    };
    variable(whole).is_none_or(makes)
}

/// Returns the type that is the class itself.
fn class_type<'c>(code: &Code, class: Node<'c>) -> Option<Node<'c>> {
    if code.family() == Family::Python {
        let made = class.ancestors().find(|it| !it.is_any(&["attribute", "type", "type_parameter"]))?;
        let head = made.named_children().next().filter(|_| made.is_any(&["generic_type", "subscript"]))?;
        return matches!(last_name(head.text(code.text())), "type" | "Type").then_some(made);
    }
    let asked = class.ancestors().find(|it| it.is("type_query"))?;
    let around = asked.ancestors().find(|it| !it.is("parenthesized_type"))?;
    let is_made = around.is("type_arguments")
        && around.parent().and_then(|it| it.child("name")).is_some_and(|it| ASKING.contains(&it.text(code.text())));
    (asked.end() == class.end() && !is_made && !around.is_any(&["index_type_query", "lookup_type"])).then_some(asked)
}

/// Returns the name of the variable or parameter that has the type.
fn variable(whole: Node<'_>) -> Option<Node<'_>> {
    let holder = whole.ancestors().find(|it| !it.is_any(AROUND))?;
    match holder.kind() {
        "required_parameter" | "optional_parameter" if holder.child_of_kind("accessibility_modifier").is_none() => {
            holder.child("pattern")
        }
        "variable_declarator" | "typed_default_parameter" => holder.child("name"),
        "typed_parameter" => holder.named_children().next(),
        "assignment" => holder.child("left").filter(|it| it.is("identifier")),
        _ => None,
    }
}
