//! Another expression in the place of a use: where one can stand, and whether it needs parentheses.

use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, function_of, has_own_object};
use crate::syntax::python::{in_f_string, needs_brackets};
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

/// Refuses where no other expression can stand in the place of a use.
pub(crate) fn check_place(code: &Code, text: &str, one: Node<'_>) -> Result<(), Refusal> {
    fitted(code, text, one).map(drop)
}

/// Refuses a place in which an expression of a script would ask another object than where it stands, or see other arguments.
pub(crate) fn check_object(code: &Code, value: Node<'_>, one: Node<'_>) -> Result<(), Refusal> {
    match asks_object(code, value) && is_of_other_object(one, function_of(value)) {
        true => Err(code.refuse(one.start(), "`this`, or `arguments`, means something else here")),
        false => Ok(()),
    }
}

/// Tells whether an expression of a script asks the object of the function around, or sees its arguments.
pub(crate) fn asks_object(code: &Code, value: Node<'_>) -> bool {
    let asks = |it: Node<'_>| it.is_any(&["meta_property", "super", "this"]) || it.text(code.text()) == "arguments";
    code.family() == Family::Script && value.walk_until(has_own_object).any(|it| asks(it) && !has_own_object(it))
}

/// Tells whether a function or a class between a place and the function around has an object of its own.
pub(crate) fn is_of_other_object(place: Node<'_>, function: Option<Node<'_>>) -> bool {
    place.ancestors().take_while(|it| Some(*it) != function).any(has_own_object)
}

/// Returns an expression as it can stand in the place of a use: in an f-string, with quotes that do not end the string.
pub(crate) fn fitted(code: &Code, text: &str, one: Node<'_>) -> Result<String, Refusal> {
    let parent = one.parent().unwrap_or(one);
    let mut said = Some(text.to_owned());
    for hole in one.ancestors().filter(|node| node.is("interpolation")) {
        let is_shown = hole.text(code.text()).trim_end_matches(['}', ' ']).ends_with('=');
        let opening = hole.parent().and_then(|it| it.child_of_kind("string_start"));
        let delimiter = opening.map_or("", |it| it.text(code.text()).trim_start_matches(char::is_alphabetic));
        said = said.filter(|_| !is_shown).and_then(|said| in_f_string(&said, delimiter));
    }
    let said = said.ok_or_else(|| code.refuse(one.start(), "its value cannot stand in the string"))?;
    if parent.is_any(&["delete_statement", "global_statement", "nonlocal_statement", "export_specifier"])
        || one.ancestors().any(|node| node.is_any(&["type_annotation", "type_query"]))
    {
        return Err(code.refuse(one.start(), "a value cannot stand here"));
    }
    Ok(said)
}

/// Returns what an expression is written as in the place of another one: in parentheses unless it needs none there.
pub(crate) fn in_place(code: &Code, value: Node<'_>, said: String, one: Node<'_>) -> String {
    let parent = one.parent().unwrap_or(one);
    let (value, said) = match bare(value, &said).filter(|(inner, _)| needs_none(*inner, one, parent)) {
        Some((inner, said)) => (inner, said.to_owned()),
        None => (value, said),
    };
    let is_torn = code.family() == Family::Python && needs_brackets(&said) && !is_in_brackets(one);
    let before = &code.text()[..one.start()];
    // `{{` is a brace of an f-string's text, `--` another operator.
    let is_read_on =
        parent.is("interpolation") && said.starts_with('{') || is_signed(value) && before.ends_with(['+', '-']);
    if !is_torn && !is_read_on && needs_none(value, one, parent) { said } else { format!("({said})") }
}

/// Returns what stands in parentheses on one line, as a node and as it is written.
fn bare<'v, 's>(value: Node<'v>, said: &'s str) -> Option<(Node<'v>, &'s str)> {
    let said = said.strip_prefix('(')?.strip_suffix(')')?.trim();
    let inner = value.named_children().next().filter(|it| value.is("parenthesized_expression") && !it.is("comment"))?;
    (!said.contains('\n')).then_some((inner, said))
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

/// What needs no parentheses wherever it stands.
const ATOMS: &[&str] = &[
    "attribute",
    "call",
    "call_expression",
    "dictionary_comprehension",
    "false",
    "generator_expression",
    "identifier",
    "list",
    "list_comprehension",
    "member_expression",
    "none",
    "parenthesized_expression",
    "regex",
    "set_comprehension",
    "string",
    "subscript",
    "subscript_expression",
    "template_string",
    "this",
    "true",
    "tuple",
    "null",
    "array",
    "dictionary",
    "set",
];

/// Tells whether an expression can stand in the place of another one without parentheses.
fn needs_none(value: Node<'_>, one: Node<'_>, parent: Node<'_>) -> bool {
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
        "list",
        "array",
        "set",
        "spread_element",
        "subscript",
        "subscript_expression",
    ];
    let is_number = value.is_any(&["integer", "float", "number"]);
    let is_object = matches!(one.field(), Some("object" | "function" | "value"))
        && parent.is_any(&["attribute", "member_expression", "subscript", "call", "call_expression"]);
    let is_right = one.field() == Some("right")
        && parent.is_any(&[
            "assignment",
            "augmented_assignment",
            "assignment_expression",
            "augmented_assignment_expression",
        ]);
    const SPREAD_OUT: &[&str] = &["expression_list", "sequence_expression", "named_expression", "yield"];
    let is_spread_out = value.is_any(SPREAD_OUT) && !(value.is("expression_list") && parent.is("return_statement"));
    if is_read_differently(value, one, is_object) {
        return false;
    }
    value.is_any(ATOMS)
        || value.is("object") && !begins_statement(one)
        || value.is("new_expression") && value.child("arguments").is_some()
        || binds_closer(value, one, parent)
        || (is_number || value.is("concatenated_string")) && !is_object
        || (parent.is_any(ROOMY) || is_right) && !is_spread_out && !is_object
}

/// Tells whether what stands around would be read as a part of a value: `new (read())()` makes what `read` returns, and
/// `(a?.b).c` fails where `a` is nothing.
fn is_read_differently(value: Node<'_>, one: Node<'_>, is_object: bool) -> bool {
    let chain = || std::iter::successors(Some(value), |one| one.child("object").or_else(|| one.child("function")));
    let is_made = one.field() == Some("constructor");
    is_made && chain().any(|it| it.is_any(&["call_expression", "new_expression", "object"]))
        || is_object && chain().any(|it| it.children().any(|child| child.is("optional_chain")))
}

/// Tells whether a place is where a statement or the body of an arrow function begins, in which `{` opens a block.
fn begins_statement(one: Node<'_>) -> bool {
    let at_start = std::iter::once(one).chain(one.ancestors()).take_while(|it| it.start() == one.start());
    at_start.into_iter().any(|it| it.field() == Some("body") || it.is_any(&["expression_statement", "program"]))
        || one.ancestors().find(|it| it.start() < one.start()).is_some_and(|it| it.is("export_statement"))
}

/// Tells whether the operator of a value surely binds closer than the one around its place, and formatters leave it without
/// parentheses there.
fn binds_closer(value: Node<'_>, one: Node<'_>, parent: Node<'_>) -> bool {
    match parent.kind() {
        "conditional_expression" | "ternary_expression" => rank(value).is_some() || is_negated(value),
        _ if is_negated(value) => is_negated(parent) || rank(parent) == Some(Rank::Decides),
        _ if is_signed(value) || parent.is("interpolation") => {
            rank(parent).is_some() || parent.is("interpolation") && (is_signed(value) || rank(value).is_some())
        }
        _ => match (rank(value), rank(parent)) {
            (Some(inner), Some(outer)) if one.parent() == Some(parent) => {
                inner > outer && outer <= Rank::Compares
                    || inner == Rank::Multiplies && outer == Rank::Adds
                    || continues(value, one, (parent, outer))
            }
            _ => false,
        },
    }
}

/// Tells whether a value at the left of an operator is what the two would be read as: `a - b`, then `- c`.
fn continues(value: Node<'_>, one: Node<'_>, (parent, outer): (Node<'_>, Rank)) -> bool {
    let is_same = operator(value).map(|it| it.kind()) == operator(parent).map(|it| it.kind());
    let is_left = parent.named_children().next() == Some(one);
    match outer {
        Rank::Decides => is_same,
        Rank::Compares => false,
        Rank::Adds => is_left && rank(value) == Some(Rank::Adds),
        Rank::Multiplies => is_left && is_same,
    }
}

/// Tells whether an expression is `-x`, `+x` or `~x`.
fn is_signed(node: Node<'_>) -> bool {
    let is_sign = |it: Node<'_>| matches!(it.kind(), "-" | "+" | "~");
    node.is_any(&["unary_operator", "unary_expression"])
        && node.child("operator").or_else(|| node.children().next()).is_some_and(is_sign)
}

fn operator(node: Node<'_>) -> Option<Node<'_>> {
    node.child("operator").or_else(|| node.children().find(|it| !it.is_named()))
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
    match (node.kind(), operator(node)?.kind()) {
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
    check_callee(code, one)?;
    put_name(code, one, said)
}

/// Puts another name, which means the same, in the place of one.
pub(crate) fn put_name(code: &Code, one: Node<'_>, said: &str) -> Result<TextEdit, Refusal> {
    let said = fitted(code, said, one)?;
    let name = one.text(code.text());
    let text = if one.is("shorthand_property_identifier") { format!("{name}: {said}") } else { said };
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
