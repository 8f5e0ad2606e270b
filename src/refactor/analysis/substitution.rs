//! Another expression in the place of a use: where one can stand, and whether it needs parentheses.

use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::syntax::python::needs_brackets;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

/// Refuses where no other expression can stand in the place of a use.
pub(crate) fn check_place(code: &Code, text: &str, one: Node<'_>) -> Result<(), Refusal> {
    let parent = one.parent().unwrap_or(one);
    let interpolation = one.ancestors().find(|node| node.is("interpolation"));
    if let Some(hole) = interpolation
        && (text.contains(['"', '\'', '\\', '\n'])
            || hole.text(code.text()).trim_end_matches(['}', ' ']).ends_with('='))
    {
        return Err(code.refuse(one.start(), "its value cannot stand in the string"));
    }
    if parent.is_any(&["delete_statement", "global_statement", "nonlocal_statement", "export_specifier"])
        || one.ancestors().any(|node| node.is_any(&["type_annotation", "type_query"]))
    {
        return Err(code.refuse(one.start(), "a value cannot stand here"));
    }
    Ok(())
}

/// Returns what an expression is written as in the place of another one: in parentheses unless it needs none there.
pub(crate) fn in_place(code: &Code, value: Node<'_>, said: String, one: Node<'_>) -> String {
    let parent = one.parent().unwrap_or(one);
    let is_torn = code.family() == Family::Python && needs_brackets(&said) && !is_in_brackets(one);
    if !is_torn && needs_none(value, one, parent) { said } else { format!("({said})") }
}

/// Tells whether line ends count as blanks at a place of a Python text.
pub(crate) fn is_in_brackets(one: Node<'_>) -> bool {
    const BRACKETS: &[&str] = &[
        "argument_list",
        "dictionary",
        "dictionary_comprehension",
        "generator_expression",
        "list",
        "list_comprehension",
        "parameters",
        "parenthesized_expression",
        "set",
        "set_comprehension",
        "subscript",
        "tuple",
    ];
    let around = one.ancestors().take_while(|it| !it.kind().ends_with("_statement"));
    around
        .into_iter()
        .any(|it| it.is_any(BRACKETS) && !(it.is("subscript") && it.child("value").is_some_and(|of| of.holds(one))))
}

/// Tells whether an expression can stand in the place of another one without parentheses.
fn needs_none(value: Node<'_>, one: Node<'_>, parent: Node<'_>) -> bool {
    const ATOMS: &[&str] = &[
        "attribute",
        "call",
        "call_expression",
        "false",
        "identifier",
        "list",
        "member_expression",
        "none",
        "parenthesized_expression",
        "string",
        "subscript",
        "subscript_expression",
        "template_string",
        "this",
        "true",
        "null",
        "array",
        "dictionary",
        "set",
    ];
    const ROOMY: &[&str] = &[
        "argument_list",
        "arguments",
        "parenthesized_expression",
        "return_statement",
        "variable_declarator",
        "keyword_argument",
        "pair",
        "template_substitution",
        "if_statement",
        "elif_clause",
        "while_statement",
    ];
    let is_number = value.is_any(&["integer", "float", "number"]);
    let is_object = matches!(one.field(), Some("object" | "function" | "value"))
        && parent.is_any(&["attribute", "member_expression", "subscript", "call", "call_expression"]);
    let is_right =
        one.field() == Some("right") && parent.is_any(&["assignment", "augmented_assignment", "assignment_expression"]);
    const SPREAD_OUT: &[&str] =
        &["expression_list", "generator_expression", "sequence_expression", "named_expression", "tuple", "yield"];
    let is_spread_out = value.is_any(SPREAD_OUT) && !(value.is("expression_list") && parent.is("return_statement"));
    value.is_any(ATOMS)
        || binds_closer(value, one, parent)
        || is_number && !is_object
        || (parent.is_any(ROOMY) || is_right) && !is_spread_out && !is_object
}

/// Tells whether the operator of a value surely binds closer than the one around its place, and formatters leave it without
/// parentheses there.
fn binds_closer(value: Node<'_>, one: Node<'_>, parent: Node<'_>) -> bool {
    match parent.kind() {
        "conditional_expression" | "ternary_expression" => rank(value).is_some() || is_negated(value),
        _ if is_negated(value) => is_negated(parent) || rank(parent) == Some(Rank::Decides),
        _ => match (rank(value), rank(parent)) {
            (Some(inner), Some(outer)) if one.parent() == Some(parent) => {
                inner > outer && outer <= Rank::Compares || inner == Rank::Multiplies && outer == Rank::Adds
            }
            _ => false,
        },
    }
}

/// Tells whether an expression is `not x` or `!x`.
fn is_negated(node: Node<'_>) -> bool {
    let is_mark = |it: Node<'_>| it.kind() == "!";
    node.is("not_operator") || node.is("unary_expression") && node.child("operator").is_some_and(is_mark)
}

/// How close an operator binds; the others are left aside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Decides,
    Compares,
    Adds,
    Multiplies,
}

fn rank(node: Node<'_>) -> Option<Rank> {
    let operator = node.child("operator").or_else(|| node.children().find(|it| !it.is_named()))?;
    match (node.kind(), operator.kind()) {
        ("boolean_operator", _) | ("binary_expression", "&&" | "||") => Some(Rank::Decides),
        ("comparison_operator", _) => Some(Rank::Compares),
        ("binary_expression", "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" | "in" | "instanceof") => {
            Some(Rank::Compares)
        }
        ("binary_expression" | "binary_operator", "+" | "-") => Some(Rank::Adds),
        ("binary_expression" | "binary_operator", "*" | "/") => Some(Rank::Multiplies),
        _ => None,
    }
}

/// Puts an expression in the place of a name.
pub(crate) fn put(code: &Code, one: Node<'_>, said: &str) -> Result<TextEdit, Refusal> {
    check_place(code, said, one)?;
    check_callee(code, one)?;
    let name = one.text(code.text());
    let text = if one.is("shorthand_property_identifier") { format!("{name}: {said}") } else { said.to_owned() };
    Ok(TextEdit::new(one.span(), text))
}

/// Puts the owner of a name before it: `name` is `Owner.name` then.
pub(crate) fn put_member(code: &Code, one: Node<'_>, owner: &str) -> Result<TextEdit, Refusal> {
    let name = one.text(code.text());
    let said = format!("{owner}.{name}");
    if code.family() == Family::Script && one.is("type_identifier") {
        return Err(code.refuse(one.start(), format!("`{name}` is used as a type here")));
    }
    let text = if one.is("shorthand_property_identifier") { format!("{name}: {said}") } else { said };
    Ok(TextEdit::new(one.span(), text))
}

/// Refuses a function of a script that is called: as a member it would be called on what it is a member of.
pub(crate) fn check_callee(code: &Code, one: Node<'_>) -> Result<(), Refusal> {
    let is_callee = one.field() == Some("function") && one.parent().is_some_and(|it| it.is("call_expression"));
    let wrapped = one.parent().is_some_and(|it| it.is_any(&["non_null_expression", "parenthesized_expression"]));
    if code.family() == Family::Script
        && (is_callee || wrapped && one.parent().and_then(Node::field) == Some("function"))
    {
        let reason = format!("`{}` is called: its `this` would be another one", one.text(code.text()));
        return Err(code.refuse(one.start(), reason));
    }
    Ok(())
}
