//! The constant: whether the module has it, where it would come to stand, and how it is written.

use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::imports::required;
use crate::refactor::source_file::{Code, VARIABLES, inner};
use crate::syntax::{Family, Node};

/// Returns the value of the constant of that name, where the module defines it.
pub(super) fn constant<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    let (kind, target, value) = match code.family() {
        Family::Python => ("assignment", "left", "right"),
        _ => ("variable_declarator", "name", "value"),
    };
    let is_outermost = |node: &Node<'_>| crate::refactor::source_file::function_of(*node).is_none();
    let all = code.root().descendants().filter(|node| node.is(kind)).filter(is_outermost);
    let mut named = all.filter(|node| node.child(target).is_some_and(|name_node| name_node.text(code.text()) == name));
    named.next().and_then(|node| node.child(value))
}

/// Returns where the line behind the imports begins that a module opens with.
fn behind_imports(code: &Code) -> usize {
    let is_head = |node: &Node<'_>| {
        let is_docstring = node.is("expression_statement")
            && node.named_children().all(|child| child.is("string"))
            && node.named_children().next().is_some();
        is_docstring
            || node.kind().starts_with("import")
            || node.is("future_import_statement")
            || node.is("hash_bang_line")
    };
    let last = code.root().named_children().take_while(is_head).last();
    let comment = || code.root().children().find(|node| node.is_named() && !node.kind().ends_with("comment"));
    match last {
        Some(last) => code.next_line(last.end()),
        None => comment().map_or(0, |first| code.line_start(first.start())),
    }
}

/// Who knows the constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Here,
    Elsewhere,
}

/// Writes the constant, and tells where: with those that stand right behind the imports, or on a line apart.
pub(super) fn defined(code: &Code, (name, value): (&str, &str), seen: Seen) -> (usize, String) {
    let (at, end) = (behind_imports(code), code.newline());
    let line = match code.family() {
        Family::Python => format!("{name} = {value}{end}"),
        _ => {
            let export = if seen == Seen::Elsewhere { required::export_word(code) } else { "" };
            format!("{export}{} {name} = {value}{}{end}", code.constant_word(), code.semicolon())
        }
    };
    let next = code.root().named_children().find(|node| node.start() >= at);
    let is_constant = |node: &Node<'_>| match code.family() {
        Family::Python => node.named_children().next().is_some_and(|it| it.is("assignment")),
        _ => {
            let word = inner(*node).children().next().map(|it| it.text(code.text()));
            inner(*node).is_any(VARIABLES) && word == Some(code.constant_word())
        }
    };
    let alone = |node: &Node<'_>| comments_above(code, node.start()) == node.start();
    match next.filter(|node| at > 0 && is_constant(node) && alone(node)) {
        Some(next) => (code.line_start(next.start()), line),
        None => (at, apart(code, at, &line)),
    }
}

fn apart(code: &Code, at: usize, line: &str) -> String {
    let end = code.newline();
    // Behind imports a line stays empty; before the first definition two do in Python.
    let before = if at > 0 && !code.text()[..at].ends_with(&end.repeat(2)) { end } else { "" };
    let is_apart = code.text()[at..].starts_with(end);
    let after = match code.family() {
        _ if is_apart => String::new(),
        Family::Python => end.repeat(2),
        _ => end.to_owned(),
    };
    format!("{before}{line}{after}")
}
