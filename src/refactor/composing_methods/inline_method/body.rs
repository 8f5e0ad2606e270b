//! What a function does, as it can go into its calls.

use crate::refactor::Refusal;
use crate::refactor::analysis::tail_returns::leaves;
use crate::refactor::source_file::{Code, is_block};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::Span;

/// Statements, and an answer at the end.
pub(super) struct Body<'c> {
    /// What is done before the answer, comments included.
    pub statements: Vec<Node<'c>>,
    pub value: Option<Node<'c>>,
    /// The `return` at the end.
    pub last: Option<Node<'c>>,
    /// A `return` that stands before the end.
    pub early: Option<Node<'c>>,
    /// What its `return`s have as values.
    pub answers: Vec<Node<'c>>,
    pub extent: Span,
}

/// What sees where it stands, or leaves something behind in the function around.
const TIED: &[&str] = &["global_statement", "nonlocal_statement"];
/// Words of Python that ask who called.
const CALLERS: &[&str] = &["stacklevel", "_getframe", "currentframe"];

impl<'c> Body<'c> {
    pub(super) fn of(code: &'c Code, function: Node<'c>) -> Result<Self, Refusal> {
        let body = function.child("body").ok_or_else(|| code.refuse(function.start(), "it has no body"))?;
        check(code, body)?;
        if !is_block(body) {
            let (value, answers, extent) = (Some(body), vec![body], body.span());
            return Ok(Self { statements: Vec::new(), value, last: None, early: None, answers, extent });
        }
        let is_text = |it: &Node<'c>| {
            it.is("expression_statement") && it.named_children().next().is_some_and(|part| part.is("string"))
        };
        let docstring = body.named_children().find(|it| !is_comment(*it)).filter(is_text);
        let mut statements: Vec<Node<'c>> =
            body.named_children().filter(|it| Some(*it) != docstring && !it.is("pass_statement")).collect();
        let at = statements.iter().rposition(|it| !is_comment(*it)).filter(|at| statements[*at].is("return_statement"));
        let last = at.map(|at| statements[at]);
        if let Some(at) = at {
            statements.truncate(at);
        }
        let value = last.and_then(|it| it.named_children().find(|part| !is_comment(*part)));
        let is_early = |it: &Node<'c>| it.is("return_statement") && Some(*it) != last;
        let early = body.walk_until(is_any_function).find(is_early);
        let given = |it: Node<'c>| it.named_children().find(|part| !is_comment(*part) && it.is("return_statement"));
        let answers = body.walk_until(is_any_function).filter_map(given).collect();
        let all = || statements.iter().copied().chain(last);
        let start = all().next().map_or(body.end(), Node::start);
        let extent = Span::new(start, all().last().map_or(start, Node::end));
        Ok(Self { statements, value, last, early, answers, extent })
    }

    /// Returns the one expression that it consists of.
    pub(super) fn expression(&self) -> Option<Node<'c>> {
        self.value.filter(|_| self.statements.iter().all(|it| is_comment(*it)))
    }

    /// Tells whether it goes on behind its last statement.
    pub(super) fn falls(&self) -> bool {
        let last = self.last.or_else(|| self.statements.iter().rev().find(|it| !is_comment(**it)).copied());
        !last.is_some_and(leaves)
    }
}

pub(super) fn is_comment(node: Node<'_>) -> bool {
    node.kind().ends_with("comment")
}

fn check(code: &Code, body: Node<'_>) -> Result<(), Refusal> {
    let text = code.text();
    for node in body.descendants() {
        let is_asking = code.family() == Family::Python && node.is("identifier") && CALLERS.contains(&node.text(text));
        if node.is_any(TIED) && code.family() != Family::Solidity || is_asking {
            let word = node.text(text).split_whitespace().next().unwrap_or_default();
            return Err(code.refuse(node.start(), format!("`{word}` refers to something else in another function")));
        }
    }
    Ok(())
}
