//! Functions of Python that nothing but their own module calls: what they take is nobody else's concern.

use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::{Language, Node, Tree};
use crate::text::{AbsPath, Span};

/// Tells whether two descriptions of a function (`def total(prices: list[int]) -> int`) differ in what it takes alone.
pub(super) fn gives_the_same(before: &str, after: &str) -> bool {
    let result = |said: &str| Some(said.rsplit_once("->")?.1.trim().to_owned());
    let is_function = |said: &str| said.contains("def ");
    is_function(before) && is_function(after) && result(before).is_some() && result(before) == result(after)
}

/// Tells whether a name at a place (a byte offset in the text after the plan) is that of a function of the module which is only
/// called there, and which no other file names.
pub(super) fn is_local(session: &Session, plan: &Plan, (path, at): (&AbsPath, usize)) -> bool {
    let Some(edit) = plan.edits().get(path).filter(|_| Language::of_path(path) == Some(Language::Python)) else {
        return false;
    };
    let text = edit.after();
    let tree = Tree::parse(Language::Python, text.as_str());
    let own = tree.nodes().covering(Span::new(at, at + 1));
    let name = own.text(text.as_str());
    let is_plain = own.parent().is_some_and(|it| {
        it.is("function_definition") && it.child("name") == Some(own) && it.parent().is_some_and(|it| it.is("module"))
    });
    let is_called =
        |node: Node<'_>| node.parent().is_some_and(|it| it.is("call") && it.child("function") == Some(node));
    let places = tree.identifiers_named(text.as_str(), name).into_iter().map(|span| tree.nodes().covering(span));
    let is_own = |node: Node<'_>| node == own || is_called(node);
    let elsewhere = || session.disk().files_mentioning(name).into_iter().chain(plan.edits().keys().cloned());
    let says = |other: &AbsPath| match plan.edits().get(other) {
        Some(edit) => edit.after().as_str().contains(name),
        None => true,
    };
    is_plain && places.into_iter().all(is_own) && !elsewhere().any(|other| other != *path && says(&other))
}

#[cfg(test)]
mod tests {
    use super::gives_the_same;

    #[test]
    fn what_is_taken_is_told_from_what_is_given() {
        let before = "(function) def total(\n    prices: list[int],\n    rate: int\n) -> int";
        assert!(gives_the_same(before, "(function) def total(prices: list[int]) -> int"));
        assert!(!gives_the_same(before, "(function) def total(prices: list[int]) -> float"));
        assert!(!gives_the_same("(variable) total: int", "(variable) total: int"));
    }
}
