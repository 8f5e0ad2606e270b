//! Attributes that a Python class also lists as strings, in `__slots__` and `__match_args__`.
//!
//! Seen with pyright 1.1.414 and basedpyright 1.40: a rename of the attribute leaves the strings, and its first
//! assignment fails.

use std::collections::BTreeSet;

use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::python::{Class, classes, listed_in};
use crate::text::{AbsPath, Span, TextEdit};

const LISTS: [&str; 2] = ["__slots__", "__match_args__"];

/// Renames the strings of classes that declare a renamed attribute, and of their relatives in the same file. Those of
/// relatives elsewhere are told with all that is mentioned and not changed.
pub(super) fn follow(session: &Session, name: &str, new_name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let text = session.disk().read(&path)?;
        if !LISTS.iter().any(|list| text.as_str().contains(list)) {
            continue;
        }
        let Some(parsed) = session.parsed(&path)? else { continue };
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        let listed = LISTS.iter().flat_map(|list| listed_in(tree, text, list));
        let spans: Vec<Span> = listed.filter(|(entry, _)| entry == name).map(|(_, span)| span).collect();
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

/// The numbers of the classes that declare a renamed member, of those that they extend, and of those that extend them.
fn concerned(classes: &[Class], is_renamed: &dyn Fn(Span) -> bool) -> BTreeSet<usize> {
    let declares = |class: &Class| {
        let attributes = class.attributes.iter().flat_map(|attribute| &attribute.places).map(|(_, span)| *span);
        attributes.chain(class.methods.iter().map(|method| method.name_span)).any(is_renamed)
    };
    let mut found: BTreeSet<usize> = (0..classes.len()).filter(|at| declares(&classes[*at])).collect();
    let mut open: Vec<usize> = found.iter().copied().collect();
    while let Some(at) = open.pop() {
        let is_near = |other: usize| extends(&classes[at], &classes[other]) || extends(&classes[other], &classes[at]);
        for other in (0..classes.len()).filter(|other| is_near(*other)) {
            if found.insert(other) {
                open.push(other);
            }
        }
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
