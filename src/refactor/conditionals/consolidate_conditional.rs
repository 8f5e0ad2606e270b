//! Consolidate Conditional Expression.
//!
//! ```python
//! if age < 2:
//!     return 0
//! if months > 12:          →     if age < 2 or months > 12:
//!     return 0                       return 0
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

/// What binds closer than `or` without parentheses.
const CLOSE: &[&str] = &[
    "attribute",
    "call",
    "call_expression",
    "comparison_operator",
    "false",
    "identifier",
    "member_expression",
    "not_operator",
    "parenthesized_expression",
    "subscript",
    "subscript_expression",
    "true",
    "unary_expression",
];
const LEAVES: &[&str] =
    &["return_statement", "raise_statement", "throw_statement", "break_statement", "continue_statement"];

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let extent = code.extent(&request.target);
    let is_first = |node: &Node<'_>| is_plain(*node) && extent.overlaps(node.span());
    for first in code.root().descendants().filter(is_first) {
        let run = alike(&code, first, extent);
        if run.len() > 1 {
            return joined(&code, &run);
        }
    }
    Err(Refusal::NotPossible("no two conditionals there follow each other and leave with the same result".to_owned()))
}

/// Tells whether a node is a conditional without `else` that leaves its block.
fn is_plain(node: Node<'_>) -> bool {
    let body = node.child("consequence");
    let last = body.map(|body| body.named_children().last().filter(|_| is_block(body)).unwrap_or(body));
    node.is("if_statement")
        && node.parent().is_some_and(is_block)
        && node.child("alternative").is_none()
        && last.is_some_and(|last| last.is_any(LEAVES))
}

/// Returns the conditionals from the first one on that do the same.
fn alike<'c>(code: &'c Code, first: Node<'c>, extent: Span) -> Vec<Node<'c>> {
    let body = |node: Node<'c>| node.child("consequence").map(|body| body.text(code.text()));
    let siblings = first.parent().into_iter().flat_map(Node::named_children);
    let from = siblings.skip_while(|node| *node != first);
    from.take_while(|node| is_plain(*node) && body(*node) == body(first) && extent.overlaps(node.span())).collect()
}

fn joined(code: &Code, run: &[Node<'_>]) -> Result<Plan, Refusal> {
    for pair in run.windows(2) {
        let between = Span::new(pair[0].end(), pair[1].start());
        if !between.of(code.text()).unwrap_or_default().trim().is_empty() {
            return Err(code.refuse(pair[0].end(), "the comment between the conditionals would have no place any more"));
        }
    }
    let conditions: Vec<String> =
        run.iter().filter_map(|node| node.child("condition")).flat_map(|it| said(code, it)).collect();
    let whole = one_of(code, run[0], &conditions);
    let head = run[0].child("condition").expect("a conditional has a condition");
    let head = bare(head);
    let rest = Span::new(run[0].end(), run[run.len() - 1].end());
    code.plan(vec![TextEdit::new(head.span(), whole), TextEdit::new(rest, "")])
}

/// Returns a condition without the parentheses that only JavaScript's grammar wants.
fn bare(condition: Node<'_>) -> Node<'_> {
    let inner = condition.named_children().next().filter(|_| condition.is("parenthesized_expression"));
    inner.unwrap_or(condition)
}

/// Writes a conditional's condition that one of several holds, in lines of its own where one would be too long.
fn one_of(code: &Code, conditional: Node<'_>, conditions: &[String]) -> String {
    let is_python = code.family() == Family::Python;
    let or = if is_python { "or" } else { "||" };
    let whole = conditions.join(&format!(" {or} "));
    let (layout, end, indent) = (Layout::of(code), code.newline(), code.indent(conditional.start()));
    let around = if is_python { "if :".len() } else { "if () {".len() };
    if indent.len() + around + whole.len() <= layout.longest() || whole.contains('\n') {
        return whole;
    }
    let step = format!("{end}{indent}{}", layout.step());
    match is_python {
        true => format!("({step}{}{end}{indent})", conditions.join(&format!("{step}{or} "))),
        false => format!("{step}{}{end}{indent}", conditions.join(&format!(" {or}{step}"))),
    }
}

/// Returns the conditions of which one has to hold, each in parentheses where it needs them.
fn said(code: &Code, condition: Node<'_>) -> Vec<String> {
    let inner = if code.family() == Family::Python { condition } else { bare(condition) };
    let text = inner.text(code.text());
    let operator = inner.child("operator").map(|operator| operator.text(code.text()));
    if matches!(operator, Some("or" | "||")) {
        return [inner.child("left"), inner.child("right")]
            .into_iter()
            .flatten()
            .flat_map(|it| part(code, it))
            .collect();
    }
    let compares = inner.is("binary_expression") && operator.is_some_and(|it| it.starts_with(['=', '!', '<', '>']));
    vec![if inner.is_any(CLOSE) || compares { text.to_owned() } else { format!("({text})") }]
}

/// Returns a side of an `or`, which may be one itself; it needs no parentheses that it does not have.
fn part(code: &Code, side: Node<'_>) -> Vec<String> {
    let operator = side.child("operator").map(|operator| operator.text(code.text()));
    match operator {
        Some("or" | "||") => {
            [side.child("left"), side.child("right")].into_iter().flatten().flat_map(|it| part(code, it)).collect()
        }
        _ => vec![side.text(code.text()).to_owned()],
    }
}
