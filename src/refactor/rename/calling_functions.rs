//! Functions of libraries that call the one that they are passed, with the arguments that follow it:
//! `self.assertRaises(KeyError, total, [], rate=2)`.

use std::collections::BTreeSet;

use super::definition_queries;
use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::qualified;
use crate::syntax::target::last_name;
use crate::syntax::{Language, Node};

/// What calls the function that it is passed with the arguments that follow, and where it takes that one (Python's `unittest`,
/// `concurrent.futures`, `asyncio` and `contextlib`; pytest).
const CALLING: [(&str, usize); 11] = [
    ("addClassCleanup", 0),
    ("addCleanup", 0),
    ("assertRaises", 1),
    ("assertRaisesRegex", 2),
    ("assertWarns", 1),
    ("assertWarnsRegex", 2),
    ("callback", 0),
    ("raises", 1),
    ("submit", 0),
    ("to_thread", 0),
    ("warns", 1),
];
/// The same of those that leave arguments to who calls what they make (Python's `functools`).
const BINDING: [(&str, usize); 2] = [("partial", 0), ("partialmethod", 0)];

/// Returns the function that a call passes to one of these, going by the name of what is called.
pub(super) fn handed<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    let name = called(call, text)?;
    let (_, at) = CALLING.iter().chain(&BINDING).find(|(calling, _)| *calling == name)?;
    call.child("arguments")?.named_children().nth(*at).filter(|it| it.is_any(&["identifier", "attribute"]))
}

/// Tells whether what is called by such a name is a function of the project, which may do anything.
pub(super) fn is_own(session: &Session, leads: &[Location]) -> bool {
    leads.iter().any(|location| location.path.is_below(session.root()))
}

/// Returns, for each name of a function that is handed on, the call that passes all of its arguments with it, and how many
/// stand before them.
///
/// # Errors
/// Where nobody could be asked what is called.
pub(crate) async fn called_with_all<'c>(
    session: &Session,
    handed: &[(&'c Code, Node<'c>)],
) -> Result<Vec<Option<(Node<'c>, usize)>>, Refusal> {
    let mut found: Vec<_> = handed.iter().map(|(code, name)| calling(code, *name)).collect();
    let (mut at, mut asked) = (Vec::new(), Vec::new());
    for (number, (code, _)) in handed.iter().enumerate() {
        let function = found[number].and_then(|(call, _): (Node<'c>, usize)| call.child("function"));
        asked.extend(function.map(|it| Place { path: code.path.clone(), offset: last_word(it).start() }));
        at.extend(function.map(|_| number));
    }
    if asked.is_empty() {
        return Ok(found);
    }
    let server = session.server(Language::Python, Feature::Definition).await?;
    let files: BTreeSet<_> = asked.iter().map(|place| place.path.clone()).collect();
    session.cover(&server, &Vec::from_iter(files)).await?;
    let leads = definition_queries::locations(&server, Feature::Definition, asked).await?;
    for (number, leads) in at.into_iter().zip(leads) {
        found[number] = found[number].take().filter(|_| !is_own(session, &leads));
    }
    Ok(found)
}

fn calling<'c>(code: &'c Code, name: Node<'c>) -> Option<(Node<'c>, usize)> {
    let function = qualified(name);
    let call = function.parent()?.parent().filter(|it| it.is("call"))?;
    let name = called(call, code.text())?;
    let (_, at) = CALLING.iter().find(|(calling, _)| *calling == name)?;
    let is_it = call.child("arguments")?.named_children().nth(*at) == Some(function);
    is_it.then_some((call, at + 1))
}

fn called<'t>(call: Node<'t>, text: &'t str) -> Option<&'t str> {
    Some(last_name(call.child("function")?.text(text)))
}

/// Returns the name by which a function is called: `total` in `shop.total`.
pub(super) fn last_word(function: Node<'_>) -> Node<'_> {
    function.child("attribute").unwrap_or(function)
}
