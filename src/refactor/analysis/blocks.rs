//! Functions and blocks, as refactorings take them apart.

use crate::refactor::Refusal;
use crate::refactor::request::Target;
use crate::refactor::source_file::{Code, function_around, is_block};
use crate::syntax::{Node, is_any_function};

/// Returns the function that the target names or lies in, with its body.
pub(crate) fn function<'c>(code: &'c Code, target: &Target) -> Result<(Node<'c>, Node<'c>), Refusal> {
    let declared = code.declared(target);
    let named = declared.child("value").filter(|value| is_any_function(*value)).unwrap_or(declared);
    let around = place(code, target).and_then(|offset| function_around(code, offset));
    let found = Some(named).filter(|node| is_any_function(*node)).or(around);
    let with_body = found.and_then(|function| Some((function, function.child("body")?)));
    with_body
        .filter(|(_, body)| is_block(*body))
        .ok_or_else(|| Refusal::NotPossible(format!("the target names no function of `{}`", code.shown)))
}

/// Returns where the target's code begins: its position, or the first word of its lines.
pub(crate) fn place(code: &Code, target: &Target) -> Option<usize> {
    let text = code.text();
    // White space before the first word of a line means that word.
    let offset = target.offset.map(|at| match text[code.line_start(at)..at].trim().is_empty() {
        true => at + text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len(),
        false => at,
    });
    offset.or_else(|| target.lines.map(|lines| code.words(lines).start)).or_else(|| target.place())
}

/// Returns the first statement of a body that does something: docstrings and directives do not.
pub(crate) fn first_statement(body: Node<'_>) -> Option<Node<'_>> {
    body.named_children().find(|statement| {
        let mut parts = statement.named_children();
        !statement.is("expression_statement") || parts.next().is_none_or(|part| !part.is("string"))
    })
}

/// Returns what a part of a function consists of: without comments, and in its body without what comes before the first
/// statement that does something.
pub(crate) fn parts<'c>(function: Node<'c>, part: Node<'c>) -> Vec<Node<'c>> {
    let is_body = function.child("body") == Some(part);
    let first = first_statement(part).map_or(0, Node::start);
    let is_said = |it: &Node<'c>| {
        it.kind().ends_with("comment") || is_body && it.is("expression_statement") && it.start() < first
    };
    part.children().filter(|it| !is_said(it)).collect()
}

/// Returns the white space before a statement, which has to begin its line.
pub(crate) fn indent<'c>(code: &'c Code, statement: Node<'_>) -> Result<&'c str, Refusal> {
    let before = &code.text()[code.line_start(statement.start())..statement.start()];
    let is_white = before.trim().is_empty();
    is_white.then_some(before).ok_or_else(|| code.refuse(statement.start(), "more than a statement is on its line"))
}

/// Tells whether a statement has its lines for itself.
pub(crate) fn is_alone(code: &Code, statement: Node<'_>) -> bool {
    let lines = &code.text()[code.line_start(statement.start())..code.next_line(statement.end())];
    lines.trim() == statement.text(code.text()).trim()
}
