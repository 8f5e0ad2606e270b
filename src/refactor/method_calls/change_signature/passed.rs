//! What a call passes, in the order of the new parameters.

use super::relisted;
use super::wanted::{Slot, Wanted};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Signature, Way, value};
use crate::refactor::analysis::evaluation_order::{Reach, reach};
use crate::refactor::method_calls::remove_parameter::is_idle;
use crate::refactor::scopes::Names;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

/// An argument on its way into the new list.
struct Passed {
    text: String,
    is_named: bool,
}

impl Wanted<'_> {
    pub(super) fn to_call(&self, call: &Call<'_>, first: &Signature<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let list = call.node.child("arguments");
        let list = list.ok_or_else(|| call.refuse("the call passes its arguments in another way"))?;
        if list.named_children().any(|it| it.kind().ends_with("comment")) {
            return Err(call.refuse("a comment among the arguments would be lost"));
        }
        let gone = (0..call.passed.len()).filter(|at| !self.slots.iter().any(|slot| slot.of == Some(*at)));
        if let Some(argument) = gone.filter_map(|at| call.value(at)).find(|it| !is_idle(*it)) {
            return Err(call.code.refuse(argument.start(), "the argument may do something that is needed"));
        }
        let rest: Vec<Node<'_>> = call.list.iter().copied().filter(|it| !call.passed.contains(&Some(*it))).collect();
        self.check_rest(call, &rest)?;
        self.check_evaluation(call)?;
        let mut said = match call.code.family() {
            Family::Python => self.in_python(call, first)?,
            _ => self.in_script(call, first)?,
        };
        said.extend(rest.iter().map(|it| it.text(call.code.text()).to_owned()));
        Ok(relisted(call.code, list, &said))
    }

    /// Refuses arguments that a `*args` takes, where what stands before it does not stay as it is.
    fn check_rest(&self, call: &Call<'_>, rest: &[Node<'_>]) -> Result<(), Refusal> {
        let is_kept = self.slots.iter().enumerate().all(|(at, slot)| slot.of == Some(at));
        match rest.iter().find(|it| !it.is("keyword_argument")).filter(|_| !is_kept) {
            Some(taken) => Err(call.code.refuse(taken.start(), "which parameter this is for would change")),
            None => Ok(()),
        }
    }

    /// Refuses arguments that would be evaluated in another order, and notice.
    fn check_evaluation(&self, call: &Call<'_>) -> Result<(), Refusal> {
        let names = Names::of(call.code);
        let kept: Vec<Node<'_>> =
            self.slots.iter().filter_map(|slot| slot.of).filter_map(|at| call.passed[at]).collect();
        let reaches = |node: Node<'_>| reach(&names, call.code, value(node));
        for (at, one) in kept.iter().enumerate() {
            for earlier in kept[..at].iter().filter(|earlier| earlier.start() > one.start()) {
                let worst = reaches(*one).max(reaches(*earlier));
                if worst == Reach::Acts && reaches(*one).min(reaches(*earlier)) != Reach::Local {
                    return Err(call.code.refuse(one.start(), "the arguments would be evaluated in another order"));
                }
            }
        }
        Ok(())
    }

    fn in_python(&self, call: &Call<'_>, first: &Signature<'_>) -> Result<Vec<String>, Refusal> {
        let (mut is_open, mut said) = (true, Vec::new());
        for (number, slot) in self.slots.iter().enumerate() {
            is_open &= self.keyword.is_none_or(|keyword| number < keyword) && !slot.name.starts_with('*');
            let passed = slot.of.and_then(|at| call.passed[at]);
            let one = match (passed, slot.value) {
                (Some(argument), _) => Passed {
                    text: value(argument).text(call.code.text()).to_owned(),
                    is_named: argument.is("keyword_argument"),
                },
                (None, Some(value)) => Passed { text: value.to_owned(), is_named: slot.default.is_some() },
                (None, None) => {
                    check_missing(call, first, slot)?;
                    is_open = false;
                    continue;
                }
            };
            is_open &= !one.is_named;
            said.push(if is_open { one.text } else { format!("{}={}", slot.name, one.text) });
        }
        Ok(said)
    }

    fn in_script(&self, call: &Call<'_>, first: &Signature<'_>) -> Result<Vec<String>, Refusal> {
        let mut said = Vec::new();
        let mut missing = 0;
        for slot in &self.slots {
            let passed = slot.of.and_then(|at| call.passed[at]).map(|it| it.text(call.code.text()));
            match passed.or(slot.value) {
                Some(text) => {
                    said.extend(std::iter::repeat_n("undefined".to_owned(), missing));
                    said.push(text.to_owned());
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

/// Refuses to pass nothing for what has no default.
fn check_missing(call: &Call<'_>, first: &Signature<'_>, slot: &Slot<'_>) -> Result<(), Refusal> {
    let old = slot.of.map(|at| first.parameters[at]);
    let is_open = slot.default.is_some() || old.is_some_and(|it| it.is_open() || it.way == Way::Rest);
    match is_open || slot.name.starts_with('*') {
        true => Ok(()),
        false => Err(call.refuse(format!("nothing is passed for `{}` here: give it a default, or a value", slot.name))),
    }
}
