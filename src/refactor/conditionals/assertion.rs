//! Introduce Assertion.
//!
//! ```python
//! def half(number):                def half(number):
//!     return number / 2      →         assert number > 0
//!                                      return number / 2
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, function, indent, place};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node, Tree, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

const ACTS: &[&str] = &[
    "assignment",
    "assignment_expression",
    "augmented_assignment_expression",
    "await",
    "await_expression",
    "named_expression",
    "new_expression",
    "tuple",
    "update_expression",
    "yield",
    "yield_expression",
];
const HARMLESS: &[&str] = &["callable", "isinstance", "len", "Array.isArray", "Number.isFinite", "Number.isInteger"];

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let statement = statement(&code, request)?;
    let condition = request.params.needed("condition")?.trim();
    check(request, condition)?;
    let (indent, end) = (indent(&code, statement)?, code.newline());
    let line = match code.family() {
        Family::Python => format!("assert {condition}"),
        _ => format!("if (!({condition})) throw new Error({});", serde_json::Value::from(condition)),
    };
    code.plan(vec![TextEdit::new(Span::at(statement.start()), format!("{line}{end}{indent}"))])
}

/// Returns the statement that the assumption is made before: the first one of the lines, or of the function.
fn statement<'c>(code: &'c Code, request: &Request) -> Result<Node<'c>, Refusal> {
    let target = &request.target;
    let is_line = target.lines.is_some() || !is_any_function(code.declared(target));
    let Some(at) = place(code, target).filter(|_| is_line) else {
        let (function, body) = function(code, target)?;
        return first_statement(body).ok_or_else(|| code.refuse(function.start(), "the function does nothing"));
    };
    let here = code.covering(Span::new(at, at + 1));
    let begins = |node: &Node<'_>| node.start() == at && node.parent().is_some_and(is_block);
    let found = std::iter::once(here).chain(here.ancestors()).find(begins);
    found.ok_or_else(|| code.refuse(at, "no statement begins here"))
}

/// Refuses what is no plain expression, and what does something when it is evaluated.
fn check(request: &Request, condition: &str) -> Result<(), Refusal> {
    let tree = Tree::parse(request.target.language, condition);
    let root = tree.nodes().root();
    let is_expression =
        root.named_children().count() == 1 && root.named_children().all(|it| it.is("expression_statement"));
    if tree.error_count() > 0 || !is_expression || condition.ends_with(';') {
        return Err(Refusal::NotPossible(format!("`{condition}` is not an expression")));
    }
    let acts = |node: &Node<'_>| {
        let callee = node.child("function").map(|callee| callee.text(condition));
        node.is_any(ACTS)
            || node.is_any(&["call", "call_expression"]) && callee.is_none_or(|it| !HARMLESS.contains(&it))
    };
    match root.descendants().find(acts) {
        Some(node) => Err(Refusal::NotPossible(format!("`{}` may do more than tell", node.text(condition)))),
        None => Ok(()),
    }
}
