//! Declarations at the top of a module that only others of it need, and that the module keeps for itself.

use super::references::{UseKind, Uses};
use crate::refactor::Refusal;
use crate::refactor::commonjs::{required_source, says_commonjs};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, VARIABLES, inner};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::Span;

/// Returns the private declarations that nothing needs but the statements, or others of these.
///
/// # Errors
/// Fails where the server cannot say who uses a declaration of Python.
pub(crate) async fn companions<'c>(
    session: &Session,
    code: &'c Code,
    statements: &[Node<'c>],
) -> Result<Vec<Node<'c>>, Refusal> {
    let names = ScopedNames::with_spelled(code);
    let all: Vec<Node<'c>> = code.root().named_children().filter(|it| !statements.contains(it)).collect();
    let mut open: Vec<(Node<'c>, Node<'c>)> = all
        .iter()
        .filter_map(|it| Some((*it, private(code, *it)?)))
        .filter(|(_, name)| is_single(code, *name))
        .collect();
    let mut found: Vec<Node<'c>> = Vec::new();
    loop {
        let goes = |span: Span| statements.iter().chain(&found).any(|it| it.span().contains(span));
        let is_needed = |(statement, name): &(Node<'c>, Node<'c>)| {
            let Some(meaning) = names.at(*name).map(|it| it.meaning) else { return false };
            let mut uses = names.of_meaning(meaning).filter(|it| !statement.span().contains(it.span)).peekable();
            uses.peek().is_some() && uses.all(|it| goes(it.span))
        };
        let Some(at) = open.iter().position(is_needed) else { return Ok(found) };
        let (statement, name) = open.swap_remove(at);
        let inside = |span: Span| goes(span) || statement.span().contains(span);
        if code.family() != Family::Python || is_own(session, code, (name, &inside)).await? {
            found.push(statement);
        }
    }
}

/// Returns the name that a module declares for itself by a statement.
fn private<'c>(code: &'c Code, statement: Node<'c>) -> Option<Node<'c>> {
    // What a module of CommonJS requires is required there, too.
    let is_required = required_source(code, statement).is_some() && says_commonjs(code) == Some(true);
    let name = declared(code, statement).filter(|_| !is_required)?;
    let text = name.text(code.text());
    let is_private = match code.family() {
        Family::Python => text.starts_with('_') && !(text.starts_with("__") && text.ends_with("__")),
        _ => !statement.is("export_statement"),
    };
    is_private.then_some(name)
}

/// Tells whether one statement alone declares the name.
fn is_single(code: &Code, name: Node<'_>) -> bool {
    let text = name.text(code.text());
    let same =
        code.root().named_children().filter_map(|it| declared(code, it)).filter(|it| it.text(code.text()) == text);
    same.count() == 1
}

/// Tells whether no other file of Python has the name from this one, as far as the server knows.
async fn is_own(
    session: &Session,
    code: &Code,
    (name, inside): (Node<'_>, &impl Fn(Span) -> bool),
) -> Result<bool, Refusal> {
    let uses = match Uses::of(session, code, name.start()).await.and_then(|uses| uses.with_takers(session)) {
        Ok(uses) => uses,
        Err(refusal) if refusal.is_failure() => return Err(refusal),
        Err(_) => return Ok(false),
    };
    Ok(uses.iter().all(|(other, one)| other.path == code.path && (inside(one.span) || one.kind == UseKind::Definition)))
}

/// Returns the one name that a statement declares and that can leave with it.
pub(crate) fn declared<'c>(code: &Code, statement: Node<'c>) -> Option<Node<'c>> {
    const NAMED: &[&str] = &[
        "function_definition",
        "class_definition",
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
    ];
    if statement.is("export_statement") && statement.children().any(|child| child.kind() == "default") {
        return None;
    }
    let inner = inner(statement);
    if inner.is_any(NAMED) {
        return inner.child("name");
    }
    let mut parts = inner.named_children();
    let only = parts.next().filter(|_| parts.next().is_none())?;
    let name = match (code.family(), only.kind()) {
        (Family::Python, "assignment") => only.child("left"),
        (_, "variable_declarator") if inner.is_any(VARIABLES) => only.child("name"),
        _ => None,
    };
    name.filter(|name| name.is("identifier"))
}
