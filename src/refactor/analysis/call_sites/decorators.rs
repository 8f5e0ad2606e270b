//! What stands between the calls of a function and the function itself.

use super::{Signature, items};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::refuse_all;
use crate::refactor::source_file::{Code, definition};
use crate::syntax::{Family, Node, is_any_function};

/// Decorators that leave what calls pass alone.
const HARMLESS: &[&str] =
    &["abstractmethod", "asynccontextmanager", "classmethod", "contextmanager", "overload", "override", "staticmethod"];
/// Those that pass it on, and do something besides.
const PASSING: &[&str] = &["beartype", "cache", "deprecated", "final", "lru_cache", "typechecked"];

impl<'c> Signature<'c> {
    /// Refuses a function that may be passed something else than its calls pass.
    pub(super) fn check_marks(&self) -> Result<(), Refusal> {
        refuse_all(self.opaque_marks().map(|mark| self.code.refuse(mark.start(), self.reason(mark))))
    }

    /// Refuses a function that something is done around: its body is not all that its calls do.
    pub(crate) fn check_bare(&self) -> Result<(), Refusal> {
        let is_more = |mark: &Node<'_>| !HARMLESS.contains(&called(self.code, *mark));
        let more = self.marks().into_iter().filter(is_more);
        refuse_all(more.map(|mark| {
            let said = mark.text(self.code.text());
            self.code.refuse(mark.start(), format!("what `{said}` does around the function would be lost"))
        }))
    }

    /// Returns the decorators that may pass something else to the function than its calls do.
    pub(crate) fn opaque_marks(&self) -> impl Iterator<Item = Node<'c>> {
        let code = self.code;
        let is_known = move |mark: Node<'_>| {
            let name = called(code, mark);
            HARMLESS.contains(&name) || PASSING.contains(&name) || hands_on(code, mark)
        };
        self.marks().into_iter().filter(move |mark| !is_known(*mark))
    }

    /// Tells of each of them, where the caller goes on in spite of it.
    pub(crate) fn decorated(&self) -> impl Iterator<Item = Result<Warning, Refusal>> {
        self.opaque_marks().map(|mark| doubt(self.code, mark.span(), self.reason(mark)))
    }

    pub(crate) fn reason(&self, mark: Node<'_>) -> String {
        let said = mark.text(self.code.text()).trim_start_matches('@');
        format!("the arguments that `@{said}` passes to the function cannot be determined")
    }

    fn marks(&self) -> Vec<Node<'c>> {
        let own = definition(self.function).children().filter(|it| it.is("decorator"));
        let mut marks: Vec<Node<'c>> = own.collect();
        let members = self.class.filter(|_| self.code.family() != Family::Python).map(|it| it.members());
        for member in members.into_iter().flatten() {
            if member.node == self.function || member.function() == Some(self.function) {
                marks.extend(member.decorators().filter(|mark| !marks.contains(mark)).collect::<Vec<_>>());
            }
        }
        marks
    }
}

/// Returns the last word of what a decorator calls.
fn called<'c>(code: &'c Code, mark: Node<'c>) -> &'c str {
    let said = mark.text(code.text()).trim_start_matches('@');
    let said = said.split('(').next().unwrap_or(said);
    said.rsplit('.').next().unwrap_or(said).trim()
}

/// Tells whether a decorator of the same file hands on whatever is passed: it gives back the function itself, or one that
/// takes `*args, **kwargs` and does nothing with them but to call it.
fn hands_on(code: &Code, mark: Node<'_>) -> bool {
    let Some(name) = mark.named_children().next().filter(|it| it.is("identifier")) else { return false };
    let text = code.text();
    let is_named = |node: &Node<'_>| node.child("name").is_some_and(|it| it.text(text) == name.text(text));
    let mut made = code.root().named_children().filter(|it| it.is("function_definition") && is_named(it));
    let (Some(made), None) = (made.next(), made.next()) else { return false };
    let taken = made.child("parameters").into_iter().flat_map(items).map(|it| word(code, it)).collect::<Vec<_>>();
    let [function] = taken.as_slice() else { return false };
    let own = || made.walk_until(|node| is_any_function(node) && node != made);
    let returned: Vec<&str> = own()
        .filter(|it| it.is("return_statement"))
        .map(|it| it.named_children().next().map_or("", |value| value.text(text)))
        .collect();
    let inner = |said: &&str| own().find(|it| is_any_function(*it) && *it != made && named(code, *it) == Some(*said));
    let is_passed = |said: &&str| said == function || inner(said).is_some_and(|it| passes_on(code, it, function));
    !returned.is_empty() && returned.iter().all(is_passed)
}

/// Tells whether a function hands all that it takes to another one, each time as it came.
fn passes_on(code: &Code, inner: Node<'_>, function: &str) -> bool {
    let listed: Vec<Node<'_>> = inner.child("parameters").into_iter().flat_map(items).collect();
    let [args, kwargs] = listed.as_slice() else { return false };
    let (args, kwargs) = (bare(code, *args), bare(code, *kwargs));
    if !args.starts_with('*') || args.starts_with("**") || !kwargs.starts_with("**") {
        return false;
    }
    let body = inner.child("body").into_iter().flat_map(Node::descendants);
    let words: Vec<Node<'_>> = body.filter(|it| it.is("identifier")).collect();
    let is_call = |node: &Node<'_>| {
        let call = node.parent().filter(|it| it.is("call") && it.child("function") == Some(*node));
        let passed = call.and_then(|it| it.child("arguments"));
        let passed: Vec<&str> = passed.into_iter().flat_map(items).map(|it| it.text(code.text())).collect();
        passed == [args, kwargs]
    };
    let uses = |word: &str| words.iter().filter(|it| it.text(code.text()) == word).count();
    // `function.__name__` calls nothing.
    let is_asked = |it: &&Node<'_>| it.parent().is_some_and(|outer| outer.is("attribute"));
    let calls = words.iter().filter(|it| it.text(code.text()) == function && !is_asked(it));
    let count = calls.clone().count();
    count > 0
        && calls.clone().all(is_call)
        && uses(args.trim_start_matches('*')) == count
        && uses(kwargs.trim_start_matches('*')) == count
}

fn named<'c>(code: &'c Code, function: Node<'c>) -> Option<&'c str> {
    function.child("name").map(|it| it.text(code.text()))
}

/// Returns a parameter without its type: `*args`.
fn bare<'c>(code: &'c Code, parameter: Node<'c>) -> &'c str {
    parameter.text(code.text()).split(':').next().unwrap_or_default().trim()
}

/// Returns the name of a plain parameter.
fn word<'c>(code: &'c Code, parameter: Node<'c>) -> &'c str {
    bare(code, parameter).split('=').next().unwrap_or_default().trim()
}
