//! The places where objects are made: each makes one of the subclass that its code stands for, or has it chosen.

use std::collections::BTreeMap;

use super::super::kinds::{Kind, is_code, is_other};
use super::coded::Coded;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Passing};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::members::check_unused;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// Whether something has to choose the subclass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    Factory,
    Nothing,
}

/// What a file comes to use, and what it uses no more.
struct User<'c> {
    code: &'c Code,
    wanted: Vec<&'c str>,
    gone: Vec<Span>,
}

/// Changes every place that makes an object.
pub(super) fn changed<'c>(
    session: &Session,
    coded: &'c Coded<'c>,
    passing: &'c Passing<'c>,
    edits: &mut Edits,
) -> Result<Needs, Refusal> {
    let mut users: BTreeMap<&AbsPath, User<'c>> = BTreeMap::new();
    let mut needs = if passing.calls.is_empty() { Needs::Factory } else { Needs::Nothing };
    for call in &passing.calls {
        let named = named(call)?;
        let Some(kind) = kind(coded, call) else {
            check_known(coded, call)?;
            needs = Needs::Factory;
            edits.add(call.code, chosen(coded, call, named));
            continue;
        };
        let last = last(named);
        let arguments = call.arguments(&[coded.at]);
        let mut changes = call.without(&arguments, None)?;
        changes.push(TextEdit::new(last.span(), kind.class.as_str()));
        edits.add(call.code, changes);
        let none = || User { code: call.code, wanted: Vec::new(), gone: Vec::new() };
        let user = users.entry(&call.code.path).or_insert_with(none);
        user.gone.extend(arguments.iter().map(|it| it.span()));
        if last == named {
            user.gone.push(last.span());
            if !user.wanted.contains(&kind.class.as_str()) {
                user.wanted.push(&kind.class);
            }
        }
    }
    for user in users.into_values().filter(|it| it.code.path != coded.code().path) {
        for name in user.wanted {
            check_unused(user.code, name)?;
            edits.import(user.code, required::line(session, coded.code(), user.code, name));
        }
        required::leave(session, user.code, &user.gone, edits);
    }
    Ok(needs)
}

/// Returns what a call names the class by.
fn named<'c>(call: &Call<'c>) -> Result<Node<'c>, Refusal> {
    let named = call.node.child("function").or_else(|| call.node.child("constructor"));
    named.ok_or_else(|| call.refuse("an object is made in another way here"))
}

fn last(named: Node<'_>) -> Node<'_> {
    named.child("attribute").or_else(|| named.child("property")).unwrap_or(named)
}

/// Returns the code that is passed, where the text says it.
fn kind<'c>(coded: &'c Coded<'c>, call: &Call<'_>) -> Option<&'c Kind> {
    let default = coded.signature.parameters[coded.at].default.map(|it| it.text(coded.code().text()));
    let said = call.value(coded.at).map(|it| it.text(call.code.text())).or(default)?;
    coded.kinds.iter().find(|it| is_code(it, said))
}

/// Refuses what is passed for the code and is none of the codes.
fn check_known(coded: &Coded<'_>, call: &Call<'_>) -> Result<(), Refusal> {
    let value = call.value(coded.at).filter(|it| is_other(&coded.kinds, it.text(call.code.text())));
    match value {
        Some(value) => {
            let said = value.text(call.code.text());
            Err(call.code.refuse(value.start(), format!("`{said}` is none of the codes")))
        }
        None => Ok(()),
    }
}

/// Lets the class choose.
fn chosen(coded: &Coded<'_>, call: &Call<'_>, named: Node<'_>) -> Vec<TextEdit> {
    let factory = coded.factory;
    match call.code.family() {
        Family::Python => vec![TextEdit::new(Span::at(named.end()), format!(".{factory}"))],
        _ => {
            let said = named.text(call.code.text());
            vec![TextEdit::new(Span::new(call.node.start(), named.end()), format!("{said}.{factory}"))]
        }
    }
}
