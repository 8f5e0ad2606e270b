//! Attributes that a Python class also lists as strings: in `__slots__` and `__match_args__`, and in an attribute of its own
//! whose entries a loop asks its objects for.
//!
//! ```python
//! class Node:
//!     fields = ("left", "right")
//!
//!     def children(self):
//!         return [getattr(self, field) for field in self.fields]
//! ```
//!
//! Seen with pyright 1.1.414 and basedpyright 1.40: a rename of the attribute leaves the strings, and its first
//! assignment fails.

use std::collections::{BTreeMap, BTreeSet};

use super::dynamic_attributes::asked_by_name;
use super::forward_references::is_python;
use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::python::{Class, classes, listed_in, loops_around};
use crate::syntax::{Node, Tree};
use crate::text::{AbsPath, Span, TextEdit};

const LISTS: [&str; 2] = ["__slots__", "__match_args__"];
/// The names by which methods know their object and its class.
const OWN: [&str; 2] = ["self", "cls"];

/// Renames the strings of classes that declare a renamed attribute, and of their relatives in the same file. Those of
/// relatives elsewhere are told with all that is mentioned and not changed.
pub(super) fn follow(session: &Session, name: &str, new_name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    let mut asked = BTreeMap::new();
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        let mut spans = Vec::new();
        for (span, list) in listed(tree, text, name) {
            if !asked.contains_key(&list) {
                asked.insert(list.clone(), LISTS.contains(&list.as_str()) || is_looped_over(session, &list)?);
            }
            spans.extend(asked[&list].then_some(span));
        }
        if spans.is_empty() {
            continue;
        }
        let classes = classes(tree, text);
        let concerned = concerned(&classes, &|span| gathered.has(&path, span));
        for span in spans.into_iter().filter(|span| is_of(&classes, &concerned, *span)) {
            gathered.add(AbsPath::clone(&path), TextEdit::new(span, new_name), new_name);
        }
    }
    Ok(())
}

/// Returns the strings of a name that stand in lists, each with what the list is called.
fn listed(tree: &Tree, text: &str, name: &str) -> BTreeSet<(Span, String)> {
    let known = LISTS.into_iter().filter(|list| text.contains(list));
    let entries = known.flat_map(|list| listed_in(tree, text, list).into_iter().map(move |entry| (entry, list)));
    let known = entries.filter(|((entry, _), _)| entry == name).map(|((_, span), list)| (span, list.to_owned()));
    let strings = tree.nodes().iter().filter(|node| node.is("string_content") && node.text(text) == name);
    known.chain(strings.filter_map(|string| Some((string.span(), variable(string, text)?.to_owned())))).collect()
}

/// Returns the name that the statement around a string gives to a list in a class.
fn variable<'t>(string: Node<'_>, text: &'t str) -> Option<&'t str> {
    let assignment = string.ancestors().take_while(|outer| !outer.is("call")).find(|outer| outer.is("assignment"))?;
    let scope = assignment.ancestors().find(|outer| outer.is_any(&["class_definition", "function_definition"]))?;
    let left = assignment.child("left").filter(|left| scope.is("class_definition") && left.is("identifier"))?;
    Some(left.text(text))
}

/// Tells whether a loop over an attribute of an object asks this object for each entry.
fn is_looped_over(session: &Session, list: &str) -> Result<bool, Refusal> {
    for path in session.disk().files_mentioning(list).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        if parsed.tree.nodes().iter().any(|node| asks_for_each(node, text, list)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn asks_for_each(call: Node<'_>, text: &str, list: &str) -> bool {
    let Some((object, asked)) = asked_by_name(call, text) else { return false };
    let said = |node: Option<Node<'_>>| node.map_or("", |it| it.text(text));
    let is_same = |one: &str| one == object.text(text) || [one, object.text(text)].iter().all(|it| OWN.contains(it));
    let is_list = |it: &Node<'_>| said(it.child("attribute")) == list && is_same(said(it.child("object")));
    let gives = |it: Node<'_>| {
        said(it.child("left")) == asked.text(text)
            && it
                .child("right")
                .is_some_and(|right| std::iter::once(right).chain(right.descendants()).any(|it| is_list(&it)))
    };
    loops_around(call).any(gives)
}

/// The numbers of the classes that declare a renamed member, of those above these, and of those below.
fn concerned(classes: &[Class], is_renamed: &dyn Fn(Span) -> bool) -> BTreeSet<usize> {
    let declares = |class: &Class| {
        let attributes = class.attributes.iter().flat_map(|attribute| &attribute.places).map(|(_, span)| *span);
        attributes.chain(class.methods.iter().map(|method| method.name_span)).any(is_renamed)
    };
    let declaring: BTreeSet<usize> = (0..classes.len()).filter(|at| declares(&classes[*at])).collect();
    // What a relative on another line has is its own.
    let above = closed(&declaring, |heir, base| extends(&classes[heir], &classes[base]), classes.len());
    let below = closed(&declaring, |base, heir| extends(&classes[heir], &classes[base]), classes.len());
    above.union(&below).copied().collect()
}

/// Returns numbers with all that they lead to.
fn closed(from: &BTreeSet<usize>, leads: impl Fn(usize, usize) -> bool, count: usize) -> BTreeSet<usize> {
    let (mut found, mut open) = (from.clone(), Vec::from_iter(from.iter().copied()));
    while let Some(at) = open.pop() {
        let next = (0..count).filter(|other| leads(at, *other) && found.insert(*other));
        open.extend(next.collect::<Vec<_>>());
    }
    found
}

fn extends(heir: &Class, base: &Class) -> bool {
    heir.bases.iter().any(|written| written.text == base.name)
}

/// Tells whether the innermost class around a place is one of these.
fn is_of(classes: &[Class], concerned: &BTreeSet<usize>, span: Span) -> bool {
    let around = (0..classes.len()).filter(|at| classes[*at].full_span.contains(span));
    around.min_by_key(|at| classes[*at].full_span.len()).is_some_and(|at| concerned.contains(&at))
}
