//! Split If.
//!
//! ```python
//! if ready and items:        if ready:
//!     go(items)          →       if items:
//!                                    go(items)
//! ```

use super::decompose_conditional::conditional;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::conditions::{Joint, bare, joined, on_one_line, operands};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let asked = conditional(&code, request)?;
    let branch = branch(asked, request.target.offset);
    let condition = branch.child("condition").ok_or_else(|| code.refuse(branch.start(), "it has no condition"))?;
    let parts = operands(&code, bare(condition), Joint::And);
    check(&code, branch, parts.len())?;
    let inside = request.target.offset.filter(|offset| condition.span().contains(Span::at(*offset)));
    let cut = inside.map_or(1, |offset| cut(&parts, offset));
    let (first, second) = parts.split_at(cut);
    code.plan(vec![split(&code, branch, (first, second))])
}

/// Returns the branch that a place lies in the condition of: the first one, or an `elif`.
fn branch(asked: Node<'_>, offset: Option<usize>) -> Node<'_> {
    let others = asked.children_in("alternative").filter(|it| it.is("elif_clause"));
    let is_meant = |it: &Node<'_>| {
        let head = it.child("condition").map(|condition| Span::new(it.start(), condition.end()));
        head.zip(offset).is_some_and(|(head, offset)| head.start <= offset && offset <= head.end)
    };
    others.into_iter().find(is_meant).unwrap_or(asked)
}

fn check(code: &Code, branch: Node<'_>, parts: usize) -> Result<(), Refusal> {
    let condition = branch.child("condition").unwrap_or(branch);
    if !branch.is_any(&["if_statement", "elif_clause"]) {
        return Err(code.refuse(branch.start(), "it is an expression"));
    }
    if parts < 2 {
        let is_either = operands(code, bare(condition), Joint::Or).len() > 1;
        let reason = match is_either {
            true => "its conditions are joined by an `or`: what it does would have to stand twice",
            false => "its condition is not put together of several",
        };
        return Err(code.refuse(branch.start(), reason));
    }
    let next = branch.parent().filter(|_| branch.is("elif_clause")).unwrap_or(branch);
    let mut others = next.children_in("alternative").filter(|it| it.start() > branch.start());
    if let Some(other) = others.next() {
        return Err(code.refuse(other.start(), "what its `else` does would have to stand twice"));
    }
    match condition.descendants().find(|it| it.kind().ends_with("comment")) {
        Some(comment) => Err(code.refuse(comment.start(), "a comment stands in the condition")),
        None => Ok(()),
    }
}

/// Returns how many conditions go first: those before the one at a place, at least one.
fn cut(parts: &[Node<'_>], offset: usize) -> usize {
    let before = parts.iter().filter(|it| it.end() <= offset).count();
    before.clamp(1, parts.len() - 1)
}

fn split(code: &Code, branch: Node<'_>, (first, second): (&[Node<'_>], &[Node<'_>])) -> TextEdit {
    let said = |parts: &[Node<'_>]| match parts {
        [only] => on_one_line(code, bare(*only)),
        several => joined(code, several, Joint::And),
    };
    let condition = branch.child("condition").expect("a conditional has a condition");
    let (layout, end, indent) = (Layout::of(code), code.newline(), code.indent(branch.start()));
    let base = format!("{indent}{}", layout.step());
    let whole = Span::new(condition.start(), branch.end());
    let inner = |text: String| layout.moved_with(whole, &base, &[TextEdit::new(condition.span(), text)]);
    let text = match code.family() {
        Family::Python => {
            let inner = inner(said(second));
            let word = if branch.is("elif_clause") { "elif" } else { "if" };
            format!("{word} {}:{end}{base}if {inner}", said(first))
        }
        _ => {
            let inner = inner(format!("({})", said(second)));
            format!("if ({}) {{{end}{base}if {inner}{end}{indent}}}", said(first))
        }
    };
    TextEdit::new(branch.span(), text)
}
