//! Replace Exception with Test.
//!
//! ```python
//! try:                             if name in prices:
//!     return prices[name]              return prices[name]
//! except KeyError:             →   else:
//!     return 0                         return 0
//! ```
//! What `KeyError`, `IndexError` and `AttributeError` are raised for is read off the code; for all else the caller gives the
//! condition.

mod derived;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::place;
use crate::refactor::analysis::given_text::check_value;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What a handler can ask of the exception that it was entered for.
const ASKS: &[&str] = &["exc_info", "exception", "format_exc", "print_exc"];

/// A `try` with one handler.
struct Attempt<'c> {
    node: Node<'c>,
    body: Node<'c>,
    clause: Node<'c>,
    handler: Node<'c>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let attempt = attempt(&code, request)?;
    attempt.check(&code, &names).noted()?;
    let caught = attempt.caught(&code);
    let given = request.params.given("condition").map(str::trim).filter(|it| !it.is_empty());
    let (condition, warnings) = match given {
        Some(said) => {
            check_value(&code, said)?;
            let doubt = format!("only tests can tell whether `{said}` holds exactly where nothing fails");
            (said.to_owned(), vec![Warning::of_plan(WarningKind::FollowUp, doubt)])
        }
        None => derived::test(session, (&code, &names), (attempt.body, caught)).await?,
    };
    let plan = code.plan(attempt.edits(&code, &condition))?;
    let warnings = plan.warnings().iter().cloned().chain(warnings).collect();
    Ok(plan.with_warnings(warnings))
}

/// Finds the `try` that the target is, or lies in, or the only one of the function that it names.
fn attempt<'c>(code: &'c Code, request: &Request) -> Result<Attempt<'c>, Refusal> {
    let target = &request.target;
    let at = place(code, target).filter(|_| target.name.is_none());
    let node = match at {
        Some(at) => {
            let here = code.covering(Span::new(at, (at + 1).min(code.text().len())));
            let around = std::iter::once(here).chain(here.ancestors()).take_while(|node| !is_any_function(*node));
            let found = around.into_iter().find(|node| node.is("try_statement"));
            found.ok_or_else(|| code.refuse(at, "no `try` stands here"))?
        }
        None => {
            let function = function_at(code, target)?;
            let own = function.walk_until(|node| is_any_function(node) && node != function);
            let all: Vec<Node<'c>> = own.filter(|node| node.is("try_statement")).collect();
            let [only] = all.as_slice() else {
                let reason = format!("the function has {} `try` statements: name one by its line", all.len());
                return Err(code.refuse(function.start(), reason));
            };
            *only
        }
    };
    Attempt::of(code, node)
}

impl<'c> Attempt<'c> {
    fn of(code: &'c Code, node: Node<'c>) -> Result<Self, Refusal> {
        let refuse = |node: Node<'_>, reason: &str| code.refuse(node.start(), reason);
        let clauses: Vec<Node<'c>> =
            node.children().filter(|it| it.is_any(&["except_clause", "except_group_clause", "catch_clause"])).collect();
        if let Some(last) = node.child_of_kind("finally_clause") {
            return Err(refuse(last, "what is done in the end a condition does not do"));
        }
        let [clause] = clauses.as_slice() else {
            return Err(refuse(node, "it has several handlers: a condition has one other way"));
        };
        let body = node.child("body").ok_or_else(|| refuse(node, "it does nothing"))?;
        let handler = clause.child("body").or_else(|| clause.children().find(|it| is_block(*it)));
        let handler = handler.ok_or_else(|| refuse(*clause, "what it does is not known"))?;
        Ok(Self { node, body, clause: *clause, handler })
    }

    /// Returns what is caught, as it is written; nothing where everything is.
    fn caught(&self, code: &'c Code) -> Option<&'c str> {
        let value = self.clause.child("value")?;
        let named = value.named_children().next().filter(|_| value.is("as_pattern"));
        Some(named.unwrap_or(value).text(code.text()))
    }

    /// Returns what the handler calls the exception.
    fn bound(&self) -> Option<Node<'c>> {
        let named = self.clause.child("value").filter(|it| it.is("as_pattern")).and_then(|it| it.child("alias"));
        named.or_else(|| self.clause.child("alias")).or_else(|| self.clause.child("parameter"))
    }

    /// Refuses a handler that is about the exception itself.
    fn check(&self, code: &Code, names: &ScopedNames<'_>) -> Result<(), Refusal> {
        let bound = self.bound().into_iter().flat_map(|it| names.within(it.span()));
        let used = bound.flat_map(|it| names.of_meaning(it.meaning)).find(|it| self.handler.span().contains(it.span));
        if let Some(used) = used {
            return Err(code.refuse(used.span.start, "the handler uses the exception, and there would be none"));
        }
        let is_again = |it: &Node<'_>| it.is("raise_statement") && it.named_children().next().is_none();
        let asks = |it: &Node<'_>| it.is("identifier") && ASKS.contains(&it.text(code.text()));
        match self.handler.descendants().find(|it| is_again(it) || code.family() == Family::Python && asks(it)) {
            Some(node) => Err(code.refuse(node.start(), "the handler uses the exception, and there would be none")),
            None => Ok(()),
        }
    }

    fn edits(&self, code: &Code, condition: &str) -> Vec<TextEdit> {
        match code.family() {
            Family::Python => self.in_python(code, condition),
            _ => self.in_script(code, condition),
        }
    }

    fn in_python(&self, code: &Code, condition: &str) -> Vec<TextEdit> {
        let head = |node: Node<'_>| {
            let colon = node.children().find(|it| it.kind() == ":");
            Span::new(node.start(), colon.map_or(node.start(), Node::end))
        };
        let mut edits = vec![TextEdit::new(head(self.node), format!("if {condition}:"))];
        if let Some(other) = self.node.child_of_kind("else_clause") {
            let lines = Span::new(code.next_line(head(other).end), other.end());
            let text = lines.of(code.text()).unwrap_or_default();
            edits.push(TextEdit::new(Span::at(self.body.end()), format!("{}{text}", code.newline())));
            edits.push(TextEdit::new(Span::new(code.line_start(other.start()), code.next_line(other.end())), ""));
        }
        let is_idle = self.handler.named_children().all(|it| it.is("pass_statement"))
            && !self.clause.descendants().any(|it| it.is("comment"));
        if is_idle {
            let lines = Span::new(code.line_start(self.clause.start()), code.next_line(self.clause.end()));
            edits.push(TextEdit::new(lines, ""));
            return edits;
        }
        edits.push(TextEdit::new(head(self.clause), "else:"));
        // Nothing is left that another exception could hide.
        let raised = self.handler.descendants().filter(|it| it.is("raise_statement"));
        edits.extend(raised.filter_map(|it| {
            let cause = it.child("cause").filter(|cause| cause.is("none"))?;
            let kept = it.named_children().take_while(|one| *one != cause).last()?;
            Some(TextEdit::new(Span::new(kept.end(), cause.end()), ""))
        }));
        edits
    }

    fn in_script(&self, code: &Code, condition: &str) -> Vec<TextEdit> {
        let mut edits =
            vec![TextEdit::new(Span::new(self.node.start(), self.body.start()), format!("if ({condition}) "))];
        let is_idle = self.handler.children().all(|it| !it.is_named());
        edits.push(match is_idle {
            true => {
                let gap = code.text()[..self.clause.start()].trim_end().len();
                TextEdit::new(Span::new(gap, self.clause.end()), "")
            }
            false => TextEdit::new(Span::new(self.clause.start(), self.handler.start()), "else "),
        });
        edits
    }
}
