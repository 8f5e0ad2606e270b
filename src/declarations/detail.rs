//! What a declaration says of itself.

use crate::inspect::{ParameterKind, outline};
use crate::session::Parsed;
use crate::syntax::{
    Declaration, Family, Node, bases, body_of, declarations, declared_node, entries, is_any_function, with_comments,
};
use crate::text::Span;

use super::module::DeclarationRow;

/// What the text of a declaration says, types as they are written.
#[derive(Debug, Clone, Default)]
pub struct Detail {
    pub documentation: Option<String>,
    pub params: Vec<Param>,
    pub return_type: Option<String>,
    pub is_async: bool,
    /// It raises, throws or reverts itself, or its type says that it may fail.
    pub is_fallible: bool,
    /// What its own body raises, as it is written; what it catches by itself is among it.
    pub raised: Vec<String>,
    pub bases: Vec<String>,
}

/// One parameter.
#[derive(Debug, Clone)]
pub struct Param {
    pub name: String,
    pub type_name: Option<String>,
    pub default: Option<String>,
}

/// Returns the stretch of a declaration with the comments that belong to it, from the beginning of its line where nothing
/// else stands before it there.
pub fn written_span(parsed: &Parsed, row: &DeclarationRow) -> Span {
    let text = parsed.text.as_str();
    let start = with_comments(&parsed.tree, text, row.full_span.start);
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let start = if text[line..start].trim().is_empty() { line } else { start };
    Span::new(start, row.full_span.end)
}

/// Reads what a declaration says of itself.
pub fn detail(parsed: &Parsed, row: &DeclarationRow) -> Detail {
    let (tree, text) = (&parsed.tree, parsed.text.as_str());
    let Some(declaration) = declared(parsed, row) else { return Detail::default() };
    let mut detail = Detail {
        documentation: documentation(parsed, &declaration),
        bases: bases(tree, text, &declaration),
        ..Detail::default()
    };
    if !row.kind.is_callable() {
        return detail;
    }
    let outline = outline(tree, text);
    let Some(function) = outline.functions.iter().find(|it| row.full_span.contains(it.node.span())) else {
        return detail;
    };
    let own = |of: Node<'_>| of.text(text).to_owned();
    let listed = function.parameters.iter().filter(|parameter| parameter.kind != ParameterKind::Receiver);
    detail.params = listed
        .map(|parameter| Param {
            name: parameter.name.map_or_else(|| "_".to_owned(), own),
            type_name: parameter.annotation.map(own),
            default: parameter.name.and_then(default).map(own),
        })
        .collect();
    let node = function.node;
    let returned = node.child("return_type").or_else(|| node.child("result")).or_else(|| node.child("type"));
    detail.return_type = returned.map(|it| it.text(text).trim_start_matches([':', ' ']).trim().to_owned());
    detail.is_async = node
        .children()
        .take_while(|it| it.field() != Some("body"))
        .any(|it| it.kind() == "async" || it.is("function_modifiers") && it.text(text).contains("async"));
    detail.raised = raised(node, text);
    detail.is_fallible = is_fallible(node, text, detail.return_type.as_deref());
    detail
}

/// Finds the declaration of a row again.
pub(super) fn declared(parsed: &Parsed, row: &DeclarationRow) -> Option<Declaration> {
    let is_it = |it: &Declaration| it.name_span == row.name_span && it.path == row.names;
    let (tree, text) = (&parsed.tree, parsed.text.as_str());
    let known = declarations(tree, text).into_iter().find(is_it);
    known.or_else(|| entries(tree, text).into_iter().map(|entry| entry.declaration).find(is_it))
}

fn default(name: Node<'_>) -> Option<Node<'_>> {
    let outer = name.parent()?;
    match outer.kind() {
        "default_parameter" | "typed_default_parameter" | "required_parameter" | "optional_parameter" => {
            outer.child("value")
        }
        "assignment_pattern" => outer.child("right"),
        _ => None,
    }
}

/// Lists what the body of a function raises by name: the class of what is made, or what is raised as it is written.
pub(super) fn raised(function: Node<'_>, text: &str) -> Vec<String> {
    let body = function.child("body").into_iter().flat_map(|body| body.walk_until(is_any_function));
    let mut found: Vec<String> = Vec::new();
    for node in body.filter(|it| it.is_any(&["raise_statement", "throw_statement", "revert_statement"])) {
        let Some(value) = node.child("error").or_else(|| node.named_children().next()) else { continue };
        let made = value.child("function").or_else(|| value.child("constructor")).unwrap_or(value);
        let written = made.text(text);
        let is_name = written.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | '$'));
        if is_name && !found.iter().any(|it| it == written) {
            found.push(written.to_owned());
        }
    }
    found
}

fn is_fallible(function: Node<'_>, text: &str, returned: Option<&str>) -> bool {
    let is_said = returned.is_some_and(|it| it.starts_with("Result") || it.contains("error"));
    let is_checked = |node: Node<'_>| {
        let called = node.child("function").map(|it| it.text(text)).unwrap_or_default();
        node.is("call_expression") && matches!(called, "require" | "revert" | "assert" | "panic")
    };
    let body = function.child("body").into_iter().flat_map(|body| body.walk_until(is_any_function));
    is_said
        || body
            .into_iter()
            .any(|it| it.is_any(&["raise_statement", "throw_statement", "revert_statement"]) || is_checked(it))
}

/// Returns what is written to be read: the string that a Python body begins with, or the comments above.
fn documentation(parsed: &Parsed, declaration: &Declaration) -> Option<String> {
    let (tree, text) = (&parsed.tree, parsed.text.as_str());
    if tree.language().family() == Family::Python {
        let first = body_of(tree, declaration)?.named_children().next()?;
        let string = first.named_children().next().filter(|it| first.is("expression_statement") && it.is("string"))?;
        let content = string.children().find(|it| it.is("string_content"))?;
        return Some(unindented(content.text(text)));
    }
    let (whole, _) = declared_node(tree, declaration);
    let start = with_comments(tree, text, whole.start());
    let above = text[start..whole.start()].trim();
    (!above.is_empty()).then(|| above.lines().map(uncommented).collect::<Vec<_>>().join("\n").trim().to_owned())
}

fn unindented(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn uncommented(line: &str) -> &str {
    let line = line.trim().trim_end_matches("*/");
    line.trim_start_matches(['/', '*', '!', '#']).trim()
}
