//! An answer that is known before anything is changed: what reckons it goes along, and is asked first.

use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::is_alone;
use crate::refactor::analysis::call_sites::{Call, Signature};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::doubts::in_doubt;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::function_of;
use crate::syntax::{Node, is_any_function};
use crate::text::Span;

const MEMBERS: &[&str] = &["attribute", "member_expression", "subscript", "subscript_expression"];
const CALLS: &[&str] = &["call", "call_expression", "new_expression", "delete_statement", "update_expression"];

/// The statements that reckon the answer.
pub(super) struct Early<'c> {
    pub statements: Vec<Node<'c>>,
}

impl<'c> Early<'c> {
    /// Finds them among the statements before the `return`, whose value hangs on variables of the function.
    pub(super) fn of(signature: &Signature<'c>, statements: &[Node<'c>], value: Node<'c>) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let names = ScopedNames::of(code);
        let refuse = |at: usize, reason: &str| Err(code.refuse(at, reason));
        if reach(&names, code, value) != ExpressionReach::Local {
            return refuse(value.start(), "the answer depends on what is known here alone, and on more than that");
        }
        let is_docstring = |it: &&Node<'c>| it.named_children().next().is_some_and(|it| it.is("string"));
        let skipped = statements.iter().take(1).filter(is_docstring).count();
        let own = |span: Span| {
            let here = names.within(span).filter(|one| names.function_of_meaning(one.meaning) == Some(function));
            here.map(|one| one.meaning).collect::<Vec<usize>>()
        };
        let is_written = |it: &Node<'c>, meaning: usize| names.writes(meaning).any(|one| it.span().contains(one.span));
        let asked = own(value.span());
        let last = statements.iter().rposition(|it| asked.iter().any(|meaning| is_written(it, *meaning)));
        let count = last.map_or(0, |last| last + 1);
        if count <= skipped || count == statements.len() {
            return refuse(value.start(), "the answer depends on what is known here alone");
        }
        let (early, late) = (&statements[skipped..count], &statements[count..]);
        let given = |meaning: usize| early.iter().any(|it| is_written(it, meaning));
        for one in late {
            if let Some(name) = names.within(one.span()).find(|name| given(name.meaning)) {
                return refuse(name.span.start, "what is done behind the answer needs this, too");
            }
        }
        for one in early {
            let inside = || std::iter::once(*one).chain(one.descendants());
            let is_change = |it: &Node<'c>| {
                let is_target = it.field() == Some("left") || it.parent().is_some_and(|it| it.is("update_expression"));
                it.is_any(MEMBERS) && is_target || it.is_any(&["delete_statement", "with_statement"])
            };
            if let Some(change) = inside().find(is_change) {
                return refuse(change.start(), "something is changed before the answer is known");
            }
            if let Some(inner) = inside().find(|it| is_any_function(*it) && !it.is_any(&["lambda", "arrow_function"])) {
                return refuse(inner.start(), "a function is defined before the answer is known");
            }
            if !is_alone(code, *one) {
                return refuse(one.start(), "more than a statement is on its line");
            }
        }
        Ok(Self { statements: early.to_vec() })
    }

    pub(super) fn span(&self) -> Span {
        Span::new(self.statements[0].start(), self.statements[self.statements.len() - 1].end())
    }

    /// Tells whether what reckons the answer may do something that a call needs that has no use for the answer.
    pub(super) fn may_act(&self) -> bool {
        self.statements.iter().flat_map(|it| it.descendants()).any(|it| it.is_any(CALLS))
    }
}

/// Refuses a call whose answer is put where the rest would see it, or would not come about.
pub(super) fn check_target(call: &Call<'_>, target: Option<Node<'_>>) -> Result<(), Refusal> {
    let code = call.code;
    let reason = "the answer is not put into a variable of its own, and would be known before the rest is done";
    let target = target.filter(|it| it.is("identifier")).ok_or_else(|| call.refuse(reason))?;
    let name = target.text(code.text());
    let (names, own) = (ScopedNames::of(code), function_of(call.node));
    let places = names.at(target).into_iter().flat_map(|it| names.of_meaning(it.meaning));
    let is_seen = places.into_iter().any(|one| function_of(code.covering(one.span)) != own);
    if is_seen || code.mentions(call.node, name) {
        in_doubt(code, target.span(), format!("`{name}` may be asked for before the rest is done"))?;
    }
    match call.node.ancestors().find(|it| it.is("try_statement")) {
        Some(guard) => in_doubt(code, guard.span(), "the rest may fail here, behind the answer"),
        None => Ok(()),
    }
}
