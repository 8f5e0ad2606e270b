//! A function that returns at several places: the query is a copy of it without what changes something, which stands right
//! before it returns.

use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Signature;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach, reach_of, reach_without};
use crate::refactor::analysis::indentation::{changed, without_lines};
use crate::refactor::scopes::ScopedNames;
use crate::syntax::{Node, is_any_function};
use crate::text::{Span, TextEdit};

/// The statements of the function, parted.
pub(super) struct EarlyReturns<'c> {
    signature: &'c Signature<'c>,
    /// From the first statement to the last one, a docstring left aside.
    statements: Span,
    returns: Vec<Node<'c>>,
    /// What changes something.
    acting: Vec<Node<'c>>,
}

impl<'c> EarlyReturns<'c> {
    /// Parts the function; refuses where something is changed and goes on, or where the rest changes something, too.
    pub(super) fn of(signature: &'c Signature<'c>, body: Node<'c>) -> Result<Self, Refusal> {
        let code = signature.code;
        let names = ScopedNames::of(code);
        let is_docstring = |it: &Node<'c>| {
            it.is("expression_statement") && it.named_children().next().is_some_and(|it| it.is("string"))
        };
        let statements: Vec<Node<'c>> = body.named_children().skip_while(is_docstring).collect();
        let [first, .., last] = statements.as_slice() else {
            return Err(code.refuse(body.start(), "it does not do something and return a value"));
        };
        let own = || body.walk_until(is_any_function);
        let returns: Vec<Node<'c>> = own().filter(|it| it.is("return_statement")).collect();
        if let Some(empty) = returns.iter().find(|it| it.named_children().next().is_none()) {
            return Err(code.refuse(empty.start(), "it answers nothing here"));
        }
        let acts = |it: &Node<'c>| {
            let stands = it.is("expression_statement") || it.is("delete_statement");
            stands && it.parent().is_some_and(|block| reach_of(&names, code, block, it.span()) == ExpressionReach::Acts)
        };
        let acting: Vec<Node<'c>> = own().filter(acts).collect();
        let goes_on = |it: &&Node<'c>| {
            let block = it.parent().into_iter().flat_map(Node::named_children);
            let mut rest = block.skip_while(|one| one != *it).skip_while(|one| acting.contains(one));
            !rest.next().is_some_and(|it| it.is("return_statement"))
        };
        if let Some(one) = acting.iter().find(goes_on) {
            return Err(code.refuse(one.start(), "it goes on after this, and returns at several places"));
        }
        if acting.is_empty() {
            return Err(code.refuse(body.start(), "nothing is changed by statements of its own here"));
        }
        let statements = Span::new(first.start(), last.end());
        if reach_without(&names, code, body, (statements, &acting)) == ExpressionReach::Acts {
            return Err(code.refuse(body.start(), "what computes the answer may have side effects, too"));
        }
        for value in returns.iter().filter_map(|it| it.named_children().next()) {
            let is_behind = returns.iter().any(|it| it.holds(value) && follows(*it, &acting));
            if is_behind && reach(&names, code, value) != ExpressionReach::Local {
                return Err(code.refuse(value.start(), "the answer may be another one before the change"));
            }
        }
        Ok(Self { signature, statements, returns, acting })
    }

    /// Writes the statements of the query.
    pub(super) fn query(&self) -> String {
        let code = self.signature.code;
        let gone: Vec<TextEdit> = self.acting.iter().map(|it| without_lines(code, it.span())).collect();
        changed(code.text(), self.statements, &gone)
    }

    /// Returns what the query evaluates.
    pub(super) fn kept(&self, span: Span) -> bool {
        self.statements.contains(span) && !self.acting.iter().any(|it| it.span().contains(span))
    }

    /// Lets the function answer no more, the `return` at its end left aside.
    pub(super) fn silenced(&self, last: Node<'_>) -> Vec<TextEdit> {
        let silent = self.returns.iter().filter(|it| **it != last).filter_map(|it| {
            let value = it.named_children().next()?;
            Some(TextEdit::new(Span::new(it.start() + "return".len(), value.end()), ""))
        });
        silent.collect()
    }

    /// Tells whether a name is all that is returned somewhere.
    pub(super) fn returns(&self, name: &str) -> bool {
        let text = self.signature.code.text();
        self.returns.iter().filter_map(|it| it.named_children().next()).any(|it| it.text(text) == name)
    }
}

/// Tells whether a statement stands behind one of some others in its block.
fn follows(statement: Node<'_>, acting: &[Node<'_>]) -> bool {
    acting.iter().any(|it| it.parent() == statement.parent() && it.start() < statement.start())
}
