//! Objects of other classes that stand in the place of those with a renamed member: such as hand on what they are asked for
//! (`__getattr__`), and such as wrap one of them and come where only a type is claimed (`store: Storage = store`). A method of
//! theirs by the old name is told.

use std::collections::BTreeSet;

use super::dynamic_attributes;
use super::forward_references::is_python;
use super::hierarchy::{Hierarchy, LocatedClass, Standpoint};
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
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
    let (handing, mut is_claimed) = (handing(session, &renamed.owners)?, None);
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let edits = gathered.edits_of(&path);
        let mut spans = Vec::new();
        for class in parsed.classes() {
            let kept = |span: Span| !gathered.has(&path, span);
            let method = class.methods.iter().find(|it| it.name == name && kept(it.name_span)).cloned();
            let Some(method) = method else { continue };
            let wraps = edits.iter().any(|edit| method.full_span.contains(edit.span));
            if wraps && is_claimed.is_none() {
                is_claimed = Some(is_type_claimed(session, &renamed.owners)?);
            }
            let class = LocatedClass::new(&path, class);
            if wraps && is_claimed == Some(true) || hands_on(hierarchy, class, &handing).await? {
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

/// Returns the classes that hand on what they are asked for, in files that name one of the owners.
fn handing(session: &Session, owners: &BTreeSet<String>) -> Result<BTreeSet<Standpoint>, Refusal> {
    let mut found = BTreeSet::new();
    let hooked = dynamic_attributes::HOOKS.iter().flat_map(|hook| session.disk().files_mentioning(hook));
    for path in hooked.filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        if owners.iter().all(|owner| whole_words(text, owner).is_empty()) {
            continue;
        }
        let calls = parsed.tree.nodes().iter().filter(|node| dynamic_attributes::hands_on(*node, text));
        let calls = Vec::from_iter(calls.map(Node::span));
        let handing = parsed.classes().iter().filter(|class| calls.iter().any(|call| class.full_span.contains(*call)));
        found.extend(handing.map(|class| LocatedClass::new(&path, class).place()));
    }
    Ok(found)
}

/// Tells whether a class, or one above it, is one of those.
async fn hands_on(
    hierarchy: &Hierarchy<'_>,
    class: LocatedClass,
    handing: &BTreeSet<Standpoint>,
) -> Result<bool, Refusal> {
    if handing.is_empty() {
        return Ok(false);
    }
    Ok(handing.contains(&class.place())
        || hierarchy.ancestors(&class).await?.iter().any(|above| handing.contains(&above.place())))
}

/// Tells whether something of no known type is said to be of one of these classes: a parameter without a type, or what is
/// cast.
fn is_type_claimed(session: &Session, owners: &BTreeSet<String>) -> Result<bool, Refusal> {
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
