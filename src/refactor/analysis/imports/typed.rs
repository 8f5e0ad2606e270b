//! Imports of Python that type checkers alone see: those below `if TYPE_CHECKING:`.

use super::placement::{begun, gap_below, in_block, items_for, place, takes, with_names};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

const CHECKING: &str = "TYPE_CHECKING";

/// Tells whether a statement of a module is an `if TYPE_CHECKING:` without anything else.
pub(super) fn is_for_types(code: &Code, statement: Node<'_>) -> bool {
    let condition = statement.child("condition").map(|it| it.text(code.text()));
    let is_asked = condition.is_some_and(|it| matches!(it.rsplit('.').next(), Some(CHECKING)));
    let is_outer = statement.parent().is_some_and(|it| it.is("module"));
    is_asked && is_outer && statement.is("if_statement") && statement.child("alternative").is_none()
}

/// Tells whether a name is there for type checkers alone.
pub(crate) fn is_only_seen(code: &Code, name: &str) -> bool {
    let names = ScopedNames::of(code);
    let is_below = |node: Node<'_>| node.ancestors().any(|outer| is_for_types(code, outer));
    let mut bindings = names.named(name).filter(|it| it.is_binding).peekable();
    bindings.peek().is_some() && bindings.all(|it| is_below(code.covering(it.span)))
}

/// Tells whether what stands at a place is there for type checkers alone: `if TYPE_CHECKING:`.
pub(crate) fn is_unrun(code: &Code, node: Node<'_>) -> bool {
    let is_asked = |outer: Node<'_>, inner: Node<'_>| {
        outer.child("condition").is_some_and(|it| is_for_checkers(it.text(code.text())))
            && outer.child("consequence") == Some(inner)
    };
    std::iter::once(node).chain(node.ancestors()).zip(node.ancestors()).any(|(inner, outer)| is_asked(outer, inner))
}

/// Returns the imports of the first `if TYPE_CHECKING:` of a module, as far as the last one has its line for itself.
fn seen(code: &Code) -> Option<Vec<Node<'_>>> {
    let block = code.root().named_children().find(|it| is_for_types(code, *it))?.child("consequence")?;
    let is_import = |it: &Node<'_>| it.is_any(&["import_statement", "import_from_statement"]);
    let imports: Vec<Node<'_>> = block.named_children().filter(is_import).collect();
    let last = imports.last()?.start();
    code.text()[code.line_start(last)..last].trim().is_empty().then_some(imports)
}

/// Tells whether a module has imports that type checkers alone see.
pub(crate) fn has_typed(code: &Code) -> bool {
    seen(code).is_some()
}

/// Adds imports to those that are there for type checkers alone, names of one module to those that are taken of it; nothing
/// where there are none.
pub(crate) fn typed_edits(code: &Code, lines: &[String]) -> Option<Vec<TextEdit>> {
    let standing = seen(code)?;
    // A remark is about the one import.
    let is_bare = |text: &str| !text.contains('#');
    let joined = |line: &String| {
        let is_it = |it: &&Node<'_>| takes(code, **it, line) && is_bare(it.text(code.text())) && is_bare(line);
        let statement = standing.iter().find(is_it)?;
        Some(with_names(code, *statement, &items_for(code, *statement, line), &[]))
    };
    let (mut edits, mut rest) = (Vec::new(), Vec::new());
    for line in lines {
        match joined(line) {
            Some(own) => edits.extend(own),
            None => rest.push(line.clone()),
        }
    }
    edits.extend(in_block(code, &standing, rest));
    Some(edits)
}

/// Returns where the imports end that type checkers alone see, where these stand right below all others, at `at`.
pub(crate) fn below_typed(code: &Code, at: usize) -> usize {
    let next = code.root().named_children().find(|it| it.start() >= at && !it.is("comment"));
    next.filter(|it| is_for_types(code, *it)).map_or(at, |it| code.next_line(it.end()))
}

/// Lets type checkers alone see what imports bring, below an `if TYPE_CHECKING:` of their own; returns the import that this
/// needs, too. `new` are imports that come anyway.
pub(crate) fn typed_block(code: &Code, lines: &[String], new: &[String]) -> (TextEdit, Option<String>) {
    let names = ScopedNames::of(code);
    let imports = code.root().named_children().filter(|it| it.is("import_statement"));
    let typing = imports.flat_map(|it| it.children_in("name")).find_map(|it| match it.text(code.text()) {
        "typing" => Some("typing"),
        _ if it.child("name").is_some_and(|name| name.text(code.text()) == "typing") => {
            it.child("alias").map(|alias| alias.text(code.text()))
        }
        _ => None,
    });
    let typing = typing.or_else(|| new.iter().find_map(|line| line.strip_prefix("import typing as ")));
    let is_known = names.named(CHECKING).any(|it| it.is_binding);
    let (condition, line) = match typing {
        _ if is_known => (CHECKING.to_owned(), None),
        Some(typing) => (format!("{typing}.{CHECKING}"), None),
        None => (CHECKING.to_owned(), Some(format!("from typing import {CHECKING}"))),
    };
    let (end, layout) = (code.newline(), Layout::of(code));
    let inside = layout.inside(&begun(code, code, lines));
    let at = place(code);
    let is_apart = code.text()[at..].starts_with(['\r', '\n']);
    let gap = if is_apart { String::new() } else { gap_below(code, at) };
    (TextEdit::new(Span::at(at), format!("{end}if {condition}:{end}{inside}{gap}")), line)
}

/// Tells whether a condition of Python holds for type checkers: `TYPE_CHECKING`, `typing.TYPE_CHECKING or …`.
pub(crate) fn is_for_checkers(condition: &str) -> bool {
    condition.split(" or ").any(|one| one.trim().rsplit('.').next() == Some("TYPE_CHECKING") && !one.contains(' '))
}
