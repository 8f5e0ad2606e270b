//! Objects of other classes that stand in the place of those with a renamed member: such as hand on what they are asked for
//! (`__getattr__`), and such as wrap one of them and come where only a type is claimed (`store: Storage = store`). A method of
//! theirs by the old name is told.

use std::collections::BTreeSet;

use super::dynamic_attributes;
use super::forward_references::is_python;
use super::hierarchy::{Hierarchy, LocatedClass};
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::{Class, classes};
use crate::syntax::{Node, whole_words};
use crate::text::Span;

/// Tells of their methods.
pub(super) async fn told(
    hierarchy: &Hierarchy<'_>,
    renamed: &Renamed,
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    let (session, name, mut warnings) = (hierarchy.session, hierarchy.name, Vec::new());
    if renamed.classes.is_empty() {
        return Ok(warnings);
    }
    let is_claimed = is_claimed(session, &renamed.owners)?;
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let edits = gathered.edits_of(&path);
        let mut spans = Vec::new();
        for class in classes(&parsed.tree, parsed.text.as_str()) {
            let kept = |span: Span| !gathered.has(&path, span);
            let method = class.methods.iter().find(|it| it.name == name && kept(it.name_span)).cloned();
            let Some(method) = method else { continue };
            let wraps = edits.iter().any(|edit| method.full_span.contains(edit.span));
            let class = LocatedClass { path: path.clone(), class };
            if is_claimed && wraps || hands_on(hierarchy, class, &renamed.owners).await? {
                spans.push(method.name_span);
            }
        }
        if !spans.is_empty() {
            let message =
                format!("objects of another class may be asked for this `{name}` in the place of what is renamed");
            warnings.push(Warning::at_lines(WarningKind::RunTime, message, path, (&parsed.text, &spans)));
        }
    }
    Ok(warnings)
}

/// Tells whether a class, or one above it, hands on what it is asked for, in a file that names one of the owners.
async fn hands_on(hierarchy: &Hierarchy<'_>, class: LocatedClass, owners: &BTreeSet<String>) -> Result<bool, Refusal> {
    let session = hierarchy.session;
    let above = hierarchy.ancestors(&class).await?;
    for one in [class].into_iter().chain(above).filter(|one| one.path.is_below(session.root())) {
        let Some(parsed) = session.parsed(&one.path)? else { continue };
        let text = parsed.text.as_str();
        if is_handing(&parsed, &one.class) && owners.iter().any(|owner| !whole_words(text, owner).is_empty()) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_handing(parsed: &Parsed, class: &Class) -> bool {
    let mut inside = parsed.tree.nodes().iter().filter(|node| class.full_span.contains(node.span()));
    inside.any(|node| dynamic_attributes::hands_on(node, parsed.text.as_str()))
}

/// Tells whether something of no known type is said to be of one of these classes: a parameter without a type, or what is
/// cast.
fn is_claimed(session: &Session, owners: &BTreeSet<String>) -> Result<bool, Refusal> {
    for owner in owners {
        for path in session.disk().files_mentioning(owner).into_iter().filter(is_python) {
            let Some(parsed) = session.parsed(&path)? else { continue };
            let text = parsed.text.as_str();
            if parsed.tree.nodes().iter().any(|node| claims(node, (text, owner))) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn claims(node: Node<'_>, (text, owner): (&str, &str)) -> bool {
    let names = |node: Node<'_>| !whole_words(node.text(text), owner).is_empty();
    if node.is("call") {
        let called = node.child("function").and_then(|it| it.text(text).rsplit('.').next());
        let first = node.child("arguments").and_then(|list| list.named_children().next());
        return called == Some("cast") && first.is_some_and(names);
    }
    let Some(value) = node.child("right").filter(|right| node.is("assignment") && right.is("identifier")) else {
        return false;
    };
    let function = node.ancestors().find(|outer| outer.is("function_definition"));
    let parameters = function.and_then(|it| it.child("parameters")).into_iter().flat_map(Node::named_children);
    let mut untyped = parameters.filter(|it| it.is_any(&["identifier", "default_parameter"]));
    let is_it = |it: Node<'_>| it.child("name").unwrap_or(it).text(text) == value.text(text);
    node.child("type").is_some_and(names) && untyped.any(is_it)
}
