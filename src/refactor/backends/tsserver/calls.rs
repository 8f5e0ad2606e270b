//! How a function that tsserver made is called, where it errs (seen with TypeScript 5.9 and 6.0): it overlooks `for await`, and
//! gives `call` the types that are the function's.

use super::style::{definition, made, woven};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Node, is_any_function};
use crate::text::{Span, TextEdit};

/// Writes the changes so that the function waits where its statements do, and that its calls say no types for `call`.
pub(super) fn mended(
    session: &Session,
    (code, statements): (&Code, &[Node<'_>]),
    name: &str,
    changes: Vec<TextEdit>,
) -> Vec<TextEdit> {
    let Some(made) = made(session, code, &changes) else { return changes };
    let Some(function) = definition(&made, name) else { return changes };
    let mut edits: Vec<TextEdit> = calls(&made, name).filter_map(without_types).collect();
    let waits = |it: Node<'_>| it.is("for_in_statement") && it.children().any(|word| word.kind() == "await");
    let is_late = statements.iter().flat_map(|it| it.walk_until(is_any_function)).any(waits);
    let is_marked = |word: &str| function.children().any(|it| it.kind() == word);
    if is_late && !is_marked("async") {
        let start = function.children().find(|it| matches!(it.kind(), "function" | "*")).or(function.child("name"));
        edits.extend(start.map(|it| TextEdit::new(Span::at(it.start()), "async ")));
        // What is handed on by `yield*` waits by itself.
        let called = calls(&made, name).filter(|_| !is_marked("*"));
        edits.extend(called.map(|it| TextEdit::new(Span::at(it.start()), "await ")));
    }
    woven(changes, &edits)
}

/// Returns the calls of a function: `name()`, `this.name()`, `name.call(this)`.
fn calls<'c>(made: &'c Code, name: &str) -> impl Iterator<Item = Node<'c>> {
    let own = |it: Node<'c>| it.child("property").unwrap_or(it).text(made.text());
    let is_it = move |node: &Node<'c>| {
        let Some(called) = node.child("function").filter(|_| node.is("call_expression")) else { return false };
        own(called) == name || own(called) == "call" && called.child("object").is_some_and(|it| own(it) == name)
    };
    made.root().descendants().filter(is_it)
}

/// Takes the types away that `name.call<…>(this)` says.
fn without_types(call: Node<'_>) -> Option<TextEdit> {
    let is_by_call = call.child("function").is_some_and(|it| it.child("object").is_some_and(|it| !it.is("this")));
    let types = call.child("type_arguments").filter(|_| is_by_call)?;
    Some(TextEdit::new(types.span(), ""))
}
