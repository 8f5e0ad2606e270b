//! Join If.
//!
//! ```python
//! if ready:
//!     if items:        →   if ready and items:
//!         go(items)            go(items)
//! ```
//!
//! A conditional that is all that an `else` holds joins it: `else:`, `if b:` is `elif b:`.

use super::decompose_conditional::conditional;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::conditions::{Joint, bare, joined};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

/// What a branch holds, where that is one conditional.
struct Nested<'c> {
    /// The `if`, `elif` or `else` around.
    outer: Node<'c>,
    inner: Node<'c>,
    /// Comments beside the head of the outer one, and between the two.
    comments: Vec<Node<'c>>,
}

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let asked = conditional(&code, request)?;
    let own = branches(asked).into_iter().filter_map(|branch| Nested::of(&code, branch));
    let around = asked.ancestors().find(|it| is_branch(*it)).and_then(|branch| Nested::of(&code, branch));
    let all = own.chain(around.filter(|nested| nested.inner == asked));
    let mut refused = None;
    for nested in all {
        match nested.edit(&code) {
            Ok(edit) => return code.plan(vec![edit]),
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    let none = "it holds more than one conditional, or none, and is not all that another one holds";
    Err(refused.unwrap_or_else(|| code.refuse(asked.start(), none)))
}

fn is_branch(node: Node<'_>) -> bool {
    node.is_any(&["if_statement", "elif_clause", "else_clause"])
}

/// Returns the branches of a conditional from the first one on.
fn branches(conditional: Node<'_>) -> Vec<Node<'_>> {
    let others = conditional.children_in("alternative").filter(|it| is_branch(*it));
    std::iter::once(conditional).chain(others).collect()
}

impl<'c> Nested<'c> {
    fn of(code: &'c Code, outer: Node<'c>) -> Option<Self> {
        let body = outer.child("consequence").or_else(|| outer.child("body"));
        let body = body.or_else(|| outer.named_children().next())?;
        let inner = if is_block(body) { body.named_children().next()? } else { body };
        let is_all = inner == body || body.named_children().count() == 1;
        // `else if` is joined already.
        let is_joined = outer.is("else_clause") && inner == body;
        let end = outer.child("alternative").filter(|_| outer.is("if_statement")).map_or(outer.end(), Node::start);
        let is_comment =
            |it: &Node<'c>| it.kind().ends_with("comment") && it.end() <= end && it.start() > outer.start();
        let condition = outer.child("condition");
        let is_between = |it: &Node<'c>| !inner.holds(*it) && !condition.is_some_and(|condition| condition.holds(*it));
        let comments = code.root().descendants().filter(|it| is_comment(it) && is_between(it)).collect();
        (is_all && !is_joined && inner.is("if_statement")).then_some(Self { outer, inner, comments })
    }

    fn edit(&self, code: &'c Code) -> Result<TextEdit, Refusal> {
        if let Some(behind) = self.comments.iter().find(|it| it.start() > self.inner.start()) {
            return Err(code.refuse(behind.start(), "the comment here would be lost"));
        }
        if self.outer.is("else_clause") { Ok(self.without_else(code)) } else { self.joined(code) }
    }

    /// Writes the two conditionals as one.
    fn joined(&self, code: &'c Code) -> Result<TextEdit, Refusal> {
        let head = self.outer.child("condition").expect("a conditional has a condition");
        let condition = self.inner.child("condition").expect("a conditional has a condition");
        let end = self.end(code)?;
        let has_remark = |it: Node<'_>| it.descendants().any(|one| one.kind().ends_with("comment"));
        if has_remark(head) || has_remark(condition) {
            return Err(code.refuse(head.start(), "a comment stands in the condition"));
        }
        let whole = joined(code, &[head, condition], Joint::And);
        let place = if code.family() == Family::Python { condition } else { bare(condition) };
        let indent = code.indent(self.outer.start());
        let inner = Layout::of(code).moved_with(self.inner.span(), indent, &[TextEdit::new(place.span(), whole)]);
        let inner = if self.outer.is("elif_clause") { format!("el{inner}") } else { inner };
        let is_first = self.outer.is("if_statement") && !crate::syntax::kinds::is_else_if(self.outer);
        let said = match is_first {
            true => format!("{}{inner}", self.remarks(code, indent)),
            false => self.with_remarks(code, inner),
        };
        Ok(TextEdit::new(Span::new(self.outer.start(), end), said))
    }

    /// Returns where the whole ends; what stands behind an `else` has to be the same for both.
    fn end(&self, code: &Code) -> Result<usize, Refusal> {
        let is_last = |it: Node<'c>| it.parent().and_then(|outer| outer.children_in("alternative").last()) == Some(it);
        let theirs: Vec<Node<'c>> = self.outer.children_in("alternative").collect();
        let own: Vec<Node<'c>> = self.inner.children_in("alternative").collect();
        let refuse = |at: Node<'_>, which: &str| {
            Err(code.refuse(
                at.start(),
                format!("what the `else` of the {which} one does would be done in other cases, too"),
            ))
        };
        match (theirs.as_slice(), own.as_slice()) {
            ([], []) if self.outer.is("elif_clause") && !is_last(self.outer) => refuse(self.outer, "outer"),
            ([], []) => Ok(self.outer.end()),
            ([theirs], [own]) => {
                let indent = code.indent(theirs.start());
                let same = Layout::of(code).moved(own.span(), indent) == theirs.text(code.text());
                if same { Ok(theirs.end()) } else { refuse(*theirs, "outer") }
            }
            ([], [own, ..]) => refuse(*own, "inner"),
            ([theirs, ..], _) => refuse(*theirs, "outer"),
        }
    }

    /// Lets an `else` that holds nothing but a conditional be its `else if`.
    fn without_else(&self, code: &'c Code) -> TextEdit {
        let indent = code.indent(self.outer.start());
        let inner = Layout::of(code).moved(self.inner.span(), indent);
        let word = if code.family() == Family::Python { "el" } else { "else " };
        TextEdit::new(self.outer.span(), self.with_remarks(code, format!("{word}{inner}")))
    }

    /// Writes the comments as lines of their own, the last one ended.
    fn remarks(&self, code: &Code, indent: &str) -> String {
        let line = |it: &Node<'_>| format!("{}{}{indent}", it.text(code.text()), code.newline());
        self.comments.iter().map(line).collect()
    }

    /// Puts the comments first into the branch of a conditional that begins a text.
    fn with_remarks(&self, code: &Code, said: String) -> String {
        let Some(first) = self.inner.child("consequence").filter(|_| !self.comments.is_empty()) else { return said };
        let deeper = format!("{}{}", code.indent(self.outer.start()), Layout::of(code).step());
        let head = match code.family() {
            Family::Python => said.find('\n'),
            _ => is_block(first).then(|| said.find("{").filter(|_| said.contains('\n'))).flatten().and(said.find('\n')),
        };
        match head {
            Some(end) => format!(
                "{}{deeper}{}{}",
                &said[..=end],
                self.remarks(code, &deeper).trim_end(),
                &said[end - usize::from(said[..end].ends_with('\r'))..]
            ),
            None => format!("{}{said}", self.remarks(code, code.indent(self.outer.start()))),
        }
    }
}
