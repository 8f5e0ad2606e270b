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
use crate::refactor::analysis::conditions::{Joint, bare, joined as joined_by};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

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
            return Err(code.refuse(pair[0].end(), "the comment between the conditionals would be lost"));
        }
    }
    let conditions: Vec<Node<'_>> = run.iter().filter_map(|node| node.child("condition")).collect();
    let head = conditions[0];
    let head = if code.family() == Family::Python { head } else { bare(head) };
    let rest = Span::new(run[0].end(), run[run.len() - 1].end());
    code.plan(vec![TextEdit::new(head.span(), joined_by(code, &conditions, Joint::Or)), TextEdit::new(rest, "")])
}
