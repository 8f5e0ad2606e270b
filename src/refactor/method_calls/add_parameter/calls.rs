//! What calls pass for a parameter that is added.

use super::Added;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Signature, items, takes_anything};
use crate::refactor::analysis::parameters::put_before;
use crate::refactor::analysis::signatures::{ListOwner, appended};
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

impl Added<'_> {
    /// Tells whether an override calls the method above, and hands on what it is passed itself.
    pub(super) fn is_handed_on(&self, signatures: &[Signature<'_>], (code, call): ListOwner<'_>) -> bool {
        let called = call.child("function").map(|it| it.text(code.text())).unwrap_or_default();
        let is_own = |it: &Signature<'_>| {
            let is_above = ["super().", "super."].iter().any(|word| called.strip_prefix(word) == Some(it.name()));
            is_above && it.code.path == code.path && it.function.holds(call)
        };
        signatures.iter().any(is_own)
    }

    /// Refuses calls whose arguments would come to mean the parameter by its name.
    pub(super) fn check_call(
        &self,
        signatures: &[Signature<'_>],
        (code, call): (&Code, Node<'_>),
    ) -> Result<(), Refusal> {
        let is_open = signatures.iter().any(|it| takes_anything(it.code, it.function));
        let mut passed = call.child("arguments").into_iter().flat_map(items);
        let taken = passed.find(|it| match it.kind() {
            "dictionary_splat" => is_open,
            _ => it.is("keyword_argument") && it.child("name").is_some_and(|it| it.text(code.text()) == self.name),
        });
        match taken {
            Some(argument) => Err(code.refuse(argument.start(), format!("`{}` may be passed here already", self.name))),
            None => Ok(()),
        }
    }

    /// Lets a call pass the value: by its place where all that stands before it is passed by place, else by its name.
    pub(super) fn to_call(
        &self,
        (code, call): (&Code, Node<'_>),
        (signature, slot): (&Signature<'_>, Option<usize>),
        value: &str,
    ) -> Result<Option<TextEdit>, Refusal> {
        let refuse = |reason: &str| Err(code.refuse(call.start(), reason));
        let Some(list) = call.child("arguments") else { return refuse("the call passes its arguments in another way") };
        let passed: Vec<Node<'_>> = items(list).collect();
        let is_placed = |it: &&Node<'_>| !it.is_any(&["keyword_argument", "dictionary_splat"]);
        let is_spread = |it: &Node<'_>| it.is_any(&["spread_element", "list_splat"]);
        let placed = passed.iter().take_while(is_placed).count();
        let is_plain = !passed.iter().any(is_spread);
        if code.family() != Family::Python {
            // What a call leaves out before it, it has to say now.
            let missing = signature.parameters.len().checked_sub(passed.len()).filter(|_| is_plain);
            return match missing {
                Some(0) => Ok(Some(appended(code, list, value))),
                Some(_) if self.default == Some(value) => Ok(None),
                Some(missing) => Ok(Some(appended(code, list, &format!("{}{value}", "undefined, ".repeat(missing))))),
                None => refuse("the call does not pass exactly what the function takes"),
            };
        }
        let is_named = self.default.is_some() && is_word(value);
        match slot.filter(|at| *at <= placed && is_plain && !(is_named && *at == passed.len())) {
            Some(at) if at < passed.len() => Ok(Some(put_before(code, passed[at], value))),
            Some(_) => Ok(Some(appended(code, list, value))),
            None if self.default.is_none() && slot.is_some() && !is_plain => {
                refuse("the arguments that are passed here cannot be determined")
            }
            None => Ok(Some(appended(code, list, &format!("{}={value}", self.name)))),
        }
    }
}

/// Tells whether a value says nothing of what it is for.
fn is_word(value: &str) -> bool {
    matches!(value, "True" | "False" | "None")
}
