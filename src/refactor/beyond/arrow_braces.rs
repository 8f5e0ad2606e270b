//! Puts braces around the body of an arrow function, or takes them away where it holds nothing but a `return`.
//!
//! ```ts
//! const made = (name) => ({ name })   ⇄   const made = (name) => {
//!                                           return { name }
//!                                         }
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::request::{Request, Run, Target};
use crate::refactor::source_file::{Code, statement_of};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let arrow = arrow_at(&code, &request.target)?;
    let body = arrow.child("body").ok_or_else(|| code.refuse(arrow.start(), "it has no body"))?;
    let edit = match body.is("statement_block") {
        true => without_braces(&code, arrow, body)?,
        false => with_braces(&code, arrow, body),
    };
    code.plan(vec![edit])
}

/// Returns the arrow function that is meant: in whose head the place lies, else the one around it; the value of what is named;
/// the first one in lines.
fn arrow_at<'c>(code: &'c Code, target: &Target) -> Result<Node<'c>, Refusal> {
    let is_arrow = |it: &Node<'c>| it.is("arrow_function");
    let none = |at: usize| code.refuse(at, "no arrow function stands here");
    if let Some(value) = target.name.and_then(|_| code.declared(target).child("value")).filter(is_arrow) {
        return Ok(value);
    }
    if let Some(lines) = target.lines {
        let span = code.words(lines);
        return code
            .root()
            .descendants()
            .filter(is_arrow)
            .find(|it| span.contains(Span::at(it.start())))
            .ok_or_else(|| none(span.start));
    }
    let at = target.place().ok_or_else(|| none(0))?;
    let here = code.covering(Span::new(at, (at + 1).min(code.text().len())));
    let block = statement_of(here).and_then(Node::parent);
    let around = || std::iter::once(here).chain(here.ancestors()).take_while(|it| Some(*it) != block).filter(is_arrow);
    let in_head = |it: &Node<'c>| it.child("body").is_some_and(|body| at < body.start());
    around().find(in_head).or_else(|| around().next()).ok_or_else(|| none(at))
}

/// Returns the sign between parameters and body, with the comments that stand behind it.
fn sign<'c>(arrow: Node<'c>, body: Node<'c>) -> (usize, Vec<Node<'c>>) {
    let sign = arrow.children().find(|it| it.kind() == "=>").map_or(body.start(), Node::end);
    let comments = arrow.children().filter(|it| it.is("comment") && it.start() >= sign && it.end() <= body.start());
    (sign, comments.collect())
}

fn with_braces(code: &Code, arrow: Node<'_>, body: Node<'_>) -> TextEdit {
    let (layout, end) = (Layout::of(code), code.newline());
    let indent = code.indent(arrow.start());
    let inner = format!("{indent}{}", layout.step());
    let (sign, comments) = sign(arrow, body);
    // Parentheses around an object say that it is no block.
    let mut inside = body.named_children().filter(|_| body.is("parenthesized_expression"));
    let object = inside.next().filter(|it| it.is("object") && inside.next().is_none());
    let value = layout.moved(object.unwrap_or(body).span(), &inner);
    let said: String = comments.iter().map(|it| format!("{inner}{}{end}", it.text(code.text()))).collect();
    let text = format!(" {{{end}{said}{inner}return {value}{}{end}{indent}}}", code.semicolon());
    TextEdit::new(Span::new(sign, body.end()), text)
}

fn without_braces(code: &Code, arrow: Node<'_>, body: Node<'_>) -> Result<TextEdit, Refusal> {
    let statements: Vec<Node<'_>> = body.named_children().collect();
    let returned = match statements.as_slice() {
        [only] => only.named_children().next().filter(|_| only.is("return_statement")),
        _ => None,
    };
    let value = returned.ok_or_else(|| {
        let place = statements.first().map_or(body.start(), |it| it.start());
        code.refuse(place, "the body does more than return a value")
    })?;
    let (layout, end) = (Layout::of(code), code.newline());
    let inner = format!("{}{}", code.indent(arrow.start()), layout.step());
    let (sign, mut comments) = sign(arrow, body);
    comments.extend(body.descendants().filter(|it| it.is("comment") && !value.span().contains(it.span())));
    let is_open = value.text(code.text()).starts_with('{') || value.is("sequence_expression");
    let around = |text: String| if is_open { format!("({text})") } else { text };
    let text = match comments.as_slice() {
        [] => format!(" {}", around(layout.moved(value.span(), code.indent(arrow.start())))),
        all => {
            let said: String = all.iter().map(|it| format!("{end}{inner}{}", it.text(code.text()))).collect();
            format!("{said}{end}{inner}{}", around(layout.moved(value.span(), &inner)))
        }
    };
    Ok(TextEdit::new(Span::new(sign, body.end()), text))
}
