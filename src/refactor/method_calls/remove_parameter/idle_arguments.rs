//! Arguments of Python that hand a parameter on by name, where what stands in its place is the default of what is called:
//! without them nothing changes.
//!
//! ```python
//! def delete(url, data=None):                      def delete(url):
//!     return request("DELETE", url, data=data)  →      return request("DELETE", url)
//! ```

use std::collections::BTreeMap;

use crate::refactor::analysis::call_sites::{Passing, Signature, items};
use crate::refactor::analysis::call_targets::declared;
use crate::refactor::analysis::classes::{Class, ClassHierarchy};
use crate::refactor::analysis::imports::statements::without_items;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::decorators;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

/// Decorators that pass on what a call passes.
const PLAIN: &[&str] = &["abstractmethod", "classmethod", "staticmethod"];

/// Finds those that hand on a parameter for which a literal comes to stand.
pub(super) async fn idle_arguments<'c>(
    session: &Session,
    passing: &Passing<'c>,
    (at, written): (usize, &str),
) -> Vec<(&'c AbsPath, Span)> {
    let mut found = Vec::new();
    for signature in passing.signatures.iter().filter(|it| it.code.family() == Family::Python) {
        let code = signature.code;
        for one in signature.reads(&ScopedNames::of(code), at).unwrap_or_default() {
            if let Some(argument) = handed_on(one)
                && is_default(session, code, argument, written).await
            {
                found.push((&code.path, argument.span()));
            }
        }
    }
    found
}

/// Takes those out of their lists that uses of the parameter are in, where no other edit does.
pub(super) fn without_arguments(
    (code, uses): (&Code, &[Node<'_>]),
    idle: &[(&AbsPath, Span)],
    others: &[TextEdit],
) -> Vec<TextEdit> {
    let goes = |it: &Node<'_>| {
        let is_idle = idle.iter().any(|(path, span)| **path == code.path && *span == it.span());
        is_idle && !others.iter().any(|edit| edit.span.contains(it.span()))
    };
    let mut lists: BTreeMap<usize, (Node<'_>, Vec<Span>)> = BTreeMap::new();
    for argument in uses.iter().filter_map(|one| handed_on(*one)).filter(goes) {
        let list = argument.parent().unwrap_or(argument);
        lists.entry(list.start()).or_insert_with(|| (list, Vec::new())).1.push(argument.span());
    }
    let gone = lists.into_values().flat_map(|(list, gone)| {
        let items: Vec<Span> = items(list).map(Node::span).collect();
        without_items(code, &items, &gone)
    });
    gone.map(|span| TextEdit::new(span, "")).collect()
}

/// Returns the argument by name that a use is the value of.
fn handed_on(one: Node<'_>) -> Option<Node<'_>> {
    let argument = one.parent().filter(|it| it.is("keyword_argument") && it.child("value") == Some(one))?;
    let call = argument.parent().and_then(Node::parent);
    call.is_some_and(|it| it.is("call")).then_some(argument)
}

/// Tells whether a call means one function, whose parameter has that default.
async fn is_default(session: &Session, code: &Code, argument: Node<'_>, written: &str) -> bool {
    let called = argument.parent().and_then(Node::parent).and_then(|call| call.child("function"));
    let name = called.map(|it| it.child("attribute").unwrap_or(it)).filter(|it| it.is("identifier"));
    let Some((name, key)) = name.zip(argument.child("name")) else { return false };
    let Ok(found) = declared(session, code, name.start()).await else { return false };
    let [only] = found.as_slice() else { return false };
    let Ok(there) = Code::known(session, &only.path) else { return false };
    let function = there.covering(only.span).parent().filter(|it| is_any_function(*it));
    let Some(function) = function.filter(|it| it.child("name").is_some_and(|it| it.span() == only.span)) else {
        return false;
    };
    // A decorator may have another default.
    let is_plain = |mark: Node<'_>| PLAIN.contains(&mark.text(there.text()).trim_start_matches('@').trim());
    if !decorators(function).all(is_plain) {
        return false;
    }
    if let Some(class) = Class::around(&there, function)
        && is_overridden(session, &class, name.text(code.text())).await
    {
        return false;
    }
    let Ok(signature) = Signature::bare((&there, function)) else { return false };
    let wanted = key.text(code.text());
    let mut own = signature.parameters.iter().filter(|it| it.name.text(there.text()) == wanted);
    own.any(|it| it.default.is_some_and(|default| default.text(there.text()) == written))
}

/// Tells whether a class below has a method of that name, with another default maybe.
async fn is_overridden(session: &Session, class: &Class<'_>, name: &str) -> bool {
    let Ok(kin) = ClassHierarchy::new(session, class.code.parsed().tree.language()).await else { return true };
    kin.heirs(class).await.map_or(true, |heirs| heirs.iter().any(|heir| heir.class().has(name)))
}
