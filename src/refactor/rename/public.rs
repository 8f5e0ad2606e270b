//! Names of a Python module that its `__all__` lists as strings.
//!
//! Seen with basedpyright 1.40: a rename follows the strings of a list that is written out, and leaves those of one that is
//! put together (`__all__ = list(base) + ["tool"]`, `[*inner.__all__, "tool"]`); a star import then fails.

use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::Node;
use crate::syntax::python::dunder_all;
use crate::text::{AbsPath, Span, TextEdit};

/// Renames the strings of modules where a renamed name is bound.
pub(super) fn follow(session: &Session, name: &str, new_name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        if !session.disk().read(&path)?.as_str().contains("__all__") {
            continue;
        }
        let Some(parsed) = session.parsed(&path)? else { continue };
        if !gathered.edits_of(&path).iter().any(|edit| edit.new_text == new_name && is_bound(&parsed, edit.span)) {
            continue;
        }
        let listed = dunder_all(&parsed.tree, parsed.text.as_str()).into_iter();
        for (_, span) in listed.filter(|(entry, _)| entry == name) {
            if !gathered.has(&path, span) {
                gathered.add(AbsPath::clone(&path), TextEdit::new(span, new_name), new_name);
            }
        }
    }
    Ok(())
}

/// Tells whether a module gets a name at a place: by a definition, an assignment or an import outside of functions and classes.
fn is_bound(parsed: &Parsed, span: Span) -> bool {
    let node = parsed.tree.nodes().covering(span);
    let defines = |outer: &Node<'_>| outer.is_any(&["function_definition", "class_definition"]);
    let own = node.parent().filter(|outer| defines(outer) && outer.child("name") == Some(node));
    let is_inner = node.ancestors().any(|outer| defines(&outer) && Some(outer) != own);
    let is_given = |outer: Node<'_>| {
        outer.is("assignment") && outer.child("left") == Some(node)
            || outer.is_any(&["import_from_statement", "import_statement"])
    };
    !is_inner && (own.is_some() || node.ancestors().any(is_given))
}
