//! Invert If.
//!
//! ```python
//! if not ready:        if ready:
//!     wait()               go()
//! else:            →   else:
//!     go()                 wait()
//! ```
//!
//! A guard (`if done: return`, `if is_odd: continue`) is turned into a branch that holds what stands behind it.

use super::decompose_conditional::conditional;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::conditions::negation;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let tree = conditional(&code, request)?;
    if let Some(edit) = unguarded(&code, tree) {
        return code.plan(vec![edit]);
    }
    let (condition, then, other) = parts(&code, tree)?;
    let negated = negation((code.text(), code.family()), condition);
    let is_whole = negated.starts_with("not (") && negated.contains('\n');
    let is_wrapped = condition.is("parenthesized_expression") && !is_whole;
    let negated = if is_wrapped { format!("({negated})") } else { negated };
    let text = |span: Span| span.of(code.text()).unwrap_or_default();
    code.plan(vec![
        TextEdit::new(condition.span(), negated),
        TextEdit::new(then, text(other)),
        TextEdit::new(other, text(then)),
    ])
}

/// Lets the opposite of a guard that goes on with the loop, or leaves the function, hold what stands behind it.
fn unguarded(code: &Code, tree: Node<'_>) -> Option<TextEdit> {
    let (condition, then) = (tree.child("condition")?, tree.child("consequence")?);
    if !tree.is("if_statement") || tree.child("alternative").is_some() {
        return None;
    }
    let only = if is_block(then) { then.named_children().next() } else { Some(then) };
    let is_bare = |node: &Node<'_>| node.named_children().next().is_none();
    let leave = only.filter(|only| is_bare(only) && (then == *only || then.named_children().count() == 1))?;
    let (block, owner) = (tree.parent()?, tree.parent()?.parent()?);
    let is_end = match leave.kind() {
        "continue_statement" => owner.is_any(&["do_statement", "for_in_statement", "for_statement", "while_statement"]),
        "return_statement" => is_any_function(owner),
        _ => false,
    };
    // Comments among them.
    let rest: Vec<Node<'_>> =
        block.children().filter(|it| it.is_named()).skip_while(|it| *it != tree).skip(1).collect();
    let (first, last) = (rest.first()?, rest.last()?);
    if !is_end || owner.child("body") != Some(block) || tree.descendants().any(|it| it.kind().ends_with("comment")) {
        return None;
    }
    let (layout, end, indent) = (Layout::of(code), code.newline(), code.indent(tree.start()));
    let base = format!("{indent}{}", layout.step());
    let inner = layout.moved(Span::new(first.start(), last.end()), &base);
    let negated = negation((code.text(), code.family()), condition);
    let said = match code.family() {
        Family::Python => format!("if {negated}:{end}{base}{inner}"),
        _ => format!("if ({negated}) {{{end}{base}{inner}{end}{indent}}}"),
    };
    Some(TextEdit::new(Span::new(tree.start(), last.end()), said))
}

/// Returns the condition, and what is done, or said, in the one case and in the other.
fn parts<'c>(code: &Code, tree: Node<'c>) -> Result<(Node<'c>, Span, Span), Refusal> {
    let missing = || code.refuse(tree.start(), "it has no `else`: try `replace-nested-conditional-with-guard-clauses`");
    if tree.is("conditional_expression") {
        let parts: Vec<Node<'c>> = tree.named_children().collect();
        return match parts.as_slice() {
            [then, condition, other] => Ok((*condition, then.span(), other.span())),
            _ => Err(missing()),
        };
    }
    let condition = tree.child("condition").ok_or_else(missing)?;
    let others: Vec<Node<'c>> = tree.children_in("alternative").collect();
    let [other] = others.as_slice() else { return Err(several(code, tree, others.len())) };
    if tree.is("ternary_expression") {
        let then = tree.child("consequence").ok_or_else(missing)?;
        return Ok((condition, then.span(), other.span()));
    }
    let inner = other.named_children().next().unwrap_or(*other);
    if !other.is("else_clause") || inner.is("if_statement") {
        return Err(several(code, tree, 2));
    }
    match code.family() {
        Family::Python => {
            Ok((condition, lines(code, tree, other.start())?, lines(code, *other, code.next_line(other.end()))?))
        }
        _ => Ok((condition, tree.child("consequence").ok_or_else(missing)?.span(), inner.span())),
    }
}

fn several(code: &Code, tree: Node<'_>, branches: usize) -> Refusal {
    let reason = match branches {
        0 => "it has no `else`: try `replace-nested-conditional-with-guard-clauses`",
        _ => "it has more than two branches",
    };
    code.refuse(tree.start(), reason)
}

/// Returns the lines between the head of a branch and `end`.
fn lines(code: &Code, head: Node<'_>, end: usize) -> Result<Span, Refusal> {
    let colon = head.children().find(|it| it.kind() == ":").map_or(head.start(), Node::end);
    let span = Span::new(code.next_line(colon), code.line_start(end).max(code.next_line(colon)));
    let is_last = end >= code.text().len() && !code.text().ends_with('\n');
    let rest = code.text()[colon..span.start].trim();
    match span.is_empty() || is_last || !rest.is_empty() && !rest.starts_with('#') {
        true => Err(code.refuse(head.start(), "a branch shares its line with something else")),
        false => Ok(span),
    }
}
