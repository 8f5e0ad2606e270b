//! What a call passes, in the order of the new parameters.

use super::new_parameters::{Slot, Wanted};
use super::relisted;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Call, Signature, value};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::indentation::changed;
use crate::refactor::doubts::in_doubt;
use crate::refactor::method_calls::remove_parameter::is_idle;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::TextEdit;

/// An argument on its way into the new list.
struct Passed {
    text: String,
    is_named: bool,
}

impl Wanted<'_> {
    /// Writes the arguments of a call anew; `inner` is what becomes of calls among them.
    pub(super) fn to_call(
        &self,
        call: &Call<'_>,
        first: &Signature<'_>,
        inner: &[TextEdit],
    ) -> Result<Vec<TextEdit>, Refusal> {
        let list = call.node.child("arguments");
        let list = list.ok_or_else(|| call.refuse("the call passes its arguments in another way"))?;
        let gone = (0..call.passed.len()).filter(|at| !self.slots.iter().any(|slot| slot.of == Some(*at)));
        if let Some(argument) = gone.filter_map(|at| call.value(at)).find(|it| !is_idle(*it)) {
            in_doubt(call.code, argument.span(), "the argument may have side effects")?;
        }
        let rest: Vec<Node<'_>> = call.list.iter().copied().filter(|it| !call.passed.contains(&Some(*it))).collect();
        self.check_rest(call, &rest)?;
        self.check_evaluation(call)?;
        let said = |text: &dyn Fn(Node<'_>) -> String| {
            let (mut said, placed_count) = match call.code.family() {
                Family::Python => self.in_python(call, first, text)?,
                _ => (self.in_script(call, first, text)?, None),
            };
            let (placed, named): (Vec<Node<'_>>, Vec<Node<'_>>) =
                rest.iter().partition(|it| !it.is("keyword_argument"));
            let at = placed_count.unwrap_or(said.len());
            said.splice(at..at, placed.into_iter().map(text));
            said.extend(named.into_iter().map(text));
            said.splice(..0, call.kept.iter().copied().chain(call.receiver).map(text));
            Ok::<_, Refusal>(relisted(call.code, list, &said))
        };
        // What stays as it is keeps the calls in it.
        let plain = said(&|node| node.text(call.code.text()).to_owned())?;
        if plain.is_empty() {
            return Ok(plain);
        }
        match list.children().find(|it| it.kind().ends_with("comment")) {
            Some(comment) => Err(call.code.refuse(comment.start(), "the comment among the arguments would be lost")),
            None => said(&|node| within(call.code, node, inner)),
        }
    }

    /// Refuses arguments that a `*args` takes, where not all that stands before it is passed by its place.
    fn check_rest(&self, call: &Call<'_>, rest: &[Node<'_>]) -> Result<(), Refusal> {
        let is_rest =
            |slot: &Slot<'_>| slot.of.is_some() && slot.name.starts_with(['*', '.']) && !slot.name.starts_with("**");
        let is_placed = |slot: &Slot<'_>| match slot.of.and_then(|at| call.passed[at]) {
            Some(argument) => !argument.is("keyword_argument"),
            None => slot.value.is_some() && slot.default.is_none(),
        };
        let takes_rest = self.slots.iter().position(is_rest).is_some_and(|at| self.slots[..at].iter().all(is_placed));
        match rest.iter().find(|it| !it.is("keyword_argument")).filter(|_| !takes_rest) {
            Some(taken) => Err(call.code.refuse(taken.start(), "which parameter this is for would change")),
            None => Ok(()),
        }
    }

    /// Refuses arguments that would be evaluated in another order, and notice.
    fn check_evaluation(&self, call: &Call<'_>) -> Result<(), Refusal> {
        let names = ScopedNames::of(call.code);
        let kept: Vec<Node<'_>> =
            self.slots.iter().filter_map(|slot| slot.of).filter_map(|at| call.passed[at]).collect();
        // A function that is passed does nothing yet.
        let reaches = |node: Node<'_>| match is_any_function(value(node)) {
            true => ExpressionReach::Local,
            false => reach(&names, call.code, value(node)),
        };
        for (at, one) in kept.iter().enumerate() {
            for earlier in kept[..at].iter().filter(|earlier| earlier.start() > one.start()) {
                let worst = reaches(*one).max(reaches(*earlier));
                if worst == ExpressionReach::Acts && reaches(*one).min(reaches(*earlier)) != ExpressionReach::Local {
                    return Err(call.code.refuse(one.start(), "the arguments would be evaluated in another order"));
                }
            }
        }
        Ok(())
    }

    /// Returns the arguments, and how many of them are passed by their place.
    fn in_python(
        &self,
        call: &Call<'_>,
        first: &Signature<'_>,
        text: &dyn Fn(Node<'_>) -> String,
    ) -> Result<(Vec<String>, Option<usize>), Refusal> {
        let (mut is_open, mut said, mut placed) = (!call.is_by_name, Vec::new(), 0);
        for (number, slot) in self.slots.iter().enumerate() {
            is_open &= self.keyword.is_none_or(|keyword| number < keyword) && !slot.name.starts_with('*');
            let passed = slot.of.and_then(|at| call.passed[at]);
            let one = match (passed, slot.value) {
                (Some(argument), _) => {
                    Passed { text: text(value(argument)), is_named: argument.is("keyword_argument") }
                }
                (None, Some(value)) => Passed { text: value.to_owned(), is_named: slot.default.is_some() },
                (None, None) => {
                    check_missing(call, first, slot)?;
                    is_open = false;
                    continue;
                }
            };
            is_open &= !one.is_named;
            placed += usize::from(is_open);
            said.push(if is_open { one.text } else { format!("{}={}", slot.name, one.text) });
        }
        Ok((said, Some(placed)))
    }

    fn in_script(
        &self,
        call: &Call<'_>,
        first: &Signature<'_>,
        text: &dyn Fn(Node<'_>) -> String,
    ) -> Result<Vec<String>, Refusal> {
        let mut said = Vec::new();
        let mut missing = 0;
        for slot in &self.slots {
            let passed = slot.of.and_then(|at| call.passed[at]).map(text);
            match passed.or_else(|| slot.value.map(str::to_owned)) {
                Some(text) => {
                    said.extend(std::iter::repeat_n("undefined".to_owned(), missing));
                    said.push(text);
                    missing = 0;
                }
                None => {
                    check_missing(call, first, slot)?;
                    missing += 1;
                }
            }
        }
        Ok(said)
    }
}

/// Returns a node as it reads with the edits in it.
fn within(code: &Code, node: Node<'_>, edits: &[TextEdit]) -> String {
    let inside: Vec<TextEdit> = edits.iter().filter(|edit| node.span().contains(edit.span)).cloned().collect();
    changed(code.text(), node.span(), &inside)
}

/// Refuses to pass nothing for what has no default. Where no types say that it is needed, a script that passed nothing goes on
/// to do so.
fn check_missing(call: &Call<'_>, first: &Signature<'_>, slot: &Slot<'_>) -> Result<(), Refusal> {
    let old = slot.of.map(|at| first.parameters[at]);
    let is_open = slot.default.is_some()
        || slot.is_optional
        || old.is_some_and(|it| it.is_open() || it.way == ArgumentSource::Rest)
        || old.is_some() && call.code.family() == Family::Script && !first.code.is_typed_script();
    match is_open || slot.name.starts_with('*') {
        true => Ok(()),
        false => Err(call.refuse(format!("nothing is passed for `{}` here: give it a default, or a value", slot.name))),
    }
}
