//! Names that a module finds by its own `__getattr__` when it is asked for them: strings say which there are, and no server
//! follows them (`from pkg import Thing` means anything).

use super::alternative_imports::takers;
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{Node, whole_words};
use crate::text::{AbsPath, Span};

/// Called for what a module has not (Python's data model).
const FINDER: &str = "__getattr__";

/// Notes the strings of such modules that say what is renamed, and the imports that ask them for it.
pub(super) fn note(session: &Session, name: &str, renamed: &Renamed, gathered: &mut Gathered) -> Result<(), Refusal> {
    if renamed.modules.is_empty() {
        return Ok(());
    }
    let names = renamed.module_names();
    let mut finders = Vec::new();
    for path in session.disk().files_mentioning(FINDER) {
        let Some(parsed) = session.parsed(&path)?.filter(|_| path.extension() == "py") else { continue };
        let text = parsed.text.as_str();
        let is_near = renamed.modules.contains(&path) || names.iter().any(|one| !whole_words(text, one).is_empty());
        if is_near && finds(&parsed) {
            let said = said(&parsed, name);
            gathered.asked.unknown.extend(said.into_iter().map(|span| (path.clone(), span)));
            finders.push(path);
        }
    }
    if !finders.is_empty() {
        let taken = takers(session, name, &finders)?.into_iter();
        let left: Vec<(AbsPath, Span)> = taken.filter(|(path, span)| !gathered.has(path, *span)).collect();
        gathered.asked.unknown.extend(left);
    }
    Ok(())
}

/// Tells whether a module has such a function, or is given one.
pub(crate) fn finds(parsed: &Parsed) -> bool {
    let text = parsed.text.as_str();
    let is_inside = |node: Node<'_>| {
        let own = node.parent().filter(|outer| outer.is("function_definition") && outer.child("name") == Some(node));
        node.ancestors().any(|outer| outer.is_any(&["class_definition", "function_definition"]) && Some(outer) != own)
    };
    let binds = |node: &Node<'_>| node.is("identifier") && node.text(text) == FINDER && !is_inside(*node);
    parsed.tree.nodes().iter().any(|node| binds(&node))
}

/// The strings that are the name, or a list of names.
fn said(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_list = |content: &str| {
        content.chars().all(|one| one.is_alphanumeric() || one.is_whitespace() || matches!(one, '_' | ',' | '.' | ':'))
    };
    let contents = parsed.tree.nodes().iter().filter(|node| node.is("string_content") && is_list(node.text(text)));
    let words = |content: Node<'_>| {
        let at = content.start();
        whole_words(content.text(text), name).into_iter().map(move |word| Span::new(at + word.start, at + word.end))
    };
    contents.flat_map(words).collect()
}
