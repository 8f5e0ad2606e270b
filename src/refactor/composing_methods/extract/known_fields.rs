//! Fields that checks around some lines of Python show to be there, which no checker knows in another method.
//!
//! ```python
//! if self.job is not None:              if self.job is not None:
//!     said = self.job.name          →       said = self.said()
//!                                       def said(self) -> str:
//!                                           assert self.job is not None
//!                                           return self.job.name
//! ```

use crate::refactor::analysis::pure_calls::is_pure;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::Node;

const LEAVING: &[&str] = &["break_statement", "continue_statement", "raise_statement", "return_statement"];

/// Returns the fields of an object, as they are written, that the lines ask, that may be `None` by what the class declares, and that
/// are something here.
pub(super) fn held(code: &Code, function: Node<'_>, statements: &[Node<'_>], object: &str) -> Vec<String> {
    let text = code.text();
    let first = statements[0];
    let mut known: Vec<(&str, usize)> = Vec::new();
    let mut inner = first;
    for outer in first.ancestors().take_while(|it| *it != function) {
        if outer.is("block") {
            let before = outer.named_children().take_while(|it| *it != inner);
            known.extend(before.filter_map(|it| Some((shown(code, it)?, it.end()))));
            let condition = outer.parent().filter(|it| it.is("if_statement") && it.child("consequence") == Some(outer));
            let condition = condition.and_then(|it| it.child("condition"));
            let parts = condition.into_iter().flat_map(parts);
            known.extend(parts.filter_map(|it| Some((compared(code, it, "is not")?, it.end()))));
        }
        inner = outer;
    }
    if let Some(body) = function.child("body").filter(|_| inner.parent() == function.child("body")) {
        let before = body.named_children().take_while(|it| *it != inner);
        known.extend(before.filter_map(|it| Some((shown(code, it)?, it.end()))));
    }
    let is_set = |field: &str, from: usize| {
        let last = statements[statements.len() - 1].end();
        let writes =
            function.descendants().filter(|it| it.is_any(&["assignment", "augmented_assignment", "delete_statement"]));
        writes.into_iter().any(|it| {
            let left = it.child("left").unwrap_or(it).text(text);
            it.start() >= from && it.end() <= last && left.contains(field)
        })
    };
    // What is called in between may change it.
    let names = ScopedNames::of(code);
    let is_open = |from: usize| {
        let mut calls =
            function.descendants().filter(|it| it.is_any(&["await", "call", "yield"]) && !is_pure(&names, code, *it));
        calls.any(|it| it.start() >= from && it.end() <= first.start())
    };
    let asks = |field: &str| {
        let mut all = statements.iter().flat_map(|one| one.descendants());
        let is_it = |it: Node<'_>| it.is("attribute") && it.text(text) == field;
        all.any(|it| is_it(it) && it.parent().is_some_and(|outer| outer.is_any(&["attribute", "subscript", "call"])))
    };
    let checks = |field: &str| {
        let mut all = statements.iter().flat_map(|one| one.descendants());
        all.any(|it| ["is", "is not"].iter().any(|word| compared(code, it, word) == Some(field)))
    };
    let mut found: Vec<String> = Vec::new();
    for (field, from) in known {
        let name = field.strip_prefix(object).and_then(|it| it.strip_prefix('.')).filter(|it| !it.contains('.'));
        let Some(name) = name else { continue };
        let is_new = !found.iter().any(|it| it == field);
        if is_new
            && asks(field)
            && !checks(field)
            && !is_set(field, from)
            && !is_open(from)
            && may_be_none(function, (code, object), name)
        {
            found.push(field.to_owned());
        }
    }
    found
}

/// Returns what a statement shows to be something, for those behind it.
fn shown<'c>(code: &'c Code, statement: Node<'c>) -> Option<&'c str> {
    if statement.is("assert_statement") {
        return statement.named_children().next().and_then(|it| compared(code, it, "is not"));
    }
    let condition = statement.child("condition").filter(|_| statement.is("if_statement"))?;
    let leaves =
        statement.child("consequence").and_then(|it| it.named_children().last()).is_some_and(|it| it.is_any(LEAVING));
    let is_alone = statement.child("alternative").is_none();
    compared(code, condition, "is").filter(|_| leaves && is_alone)
}

/// Returns what is compared with `None` by a word.
fn compared<'c>(code: &'c Code, node: Node<'c>, word: &str) -> Option<&'c str> {
    if !node.is("comparison_operator") {
        return None;
    }
    let text = node.text(code.text());
    let left = text.strip_suffix("None")?.trim_end().strip_suffix(word)?;
    let left = left.strip_suffix(char::is_whitespace)?.trim_end();
    // `is` ends `is not`, too, but not the other way round.
    (word == "is not" || !left.ends_with(" not")).then_some(left)
}

/// Returns the conditions of which all have to hold.
fn parts(condition: Node<'_>) -> Vec<Node<'_>> {
    let is_and = condition.children().any(|it| it.kind() == "and");
    match condition.is("boolean_operator") && is_and {
        true => condition.named_children().flat_map(parts).collect(),
        false => vec![condition],
    }
}

/// Tells whether a class declares that a field may be `None`.
fn may_be_none(function: Node<'_>, (code, object): (&Code, &str), name: &str) -> bool {
    let text = code.text();
    let class = function.ancestors().find(|it| is_class(*it));
    let declares = |it: &Node<'_>| {
        let left = it.child("left").filter(|_| it.is("assignment")).map_or("", |it| it.text(text));
        left == name || left.strip_prefix(object).and_then(|it| it.strip_prefix('.')) == Some(name)
    };
    let mut declared = class.into_iter().flat_map(Node::descendants).filter(declares);
    declared.any(|it| {
        it.child("type").is_some_and(|of| ["None", "Optional"].iter().any(|word| of.text(text).contains(word)))
    })
}
