//! What a server cannot know to belong together, so that a check has to tell whether a rename is whole.

use std::collections::BTreeSet;

use super::server_edits::Gathered;
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::refactor::moves::Importers;
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span};

/// Members that JavaScript asks of any object (ECMAScript, `ToPrimitive`, `JSON.stringify`, and the prototype that an object
/// literal sets).
pub(super) const OF_OBJECTS: [&str; 5] = ["toString", "toLocaleString", "valueOf", "toJSON", "__proto__"];
/// What is asked of those who listen to events (the DOM's `EventListener`).
const OF_LISTENERS: &str = "handleEvent";
/// What a browser asks of the classes of elements (the HTML standard, custom elements).
const OF_ELEMENTS: [&str; 6] = [
    "connectedCallback",
    "disconnectedCallback",
    "connectedMoveCallback",
    "adoptedCallback",
    "attributeChangedCallback",
    "observedAttributes",
];
/// Bases are followed so far.
const LINE: usize = 16;

/// Tells whether the language or a browser may ask for the member at a place itself, whatever the types say.
pub(super) async fn is_asked_for(
    session: &Session,
    server: &Server,
    (name, place): (&str, &Place),
) -> Result<bool, Refusal> {
    if name == OF_LISTENERS {
        return Ok(!session.disk().files_mentioning("addEventListener").is_empty());
    }
    if OF_ELEMENTS.contains(&name) {
        return is_of_element(session, server, place).await;
    }
    Ok(OF_OBJECTS.contains(&name))
}

/// Tells whether the class around a place extends an element, by the name of the first base that is not the project's; what
/// a call returns may be one.
async fn is_of_element(session: &Session, server: &Server, place: &Place) -> Result<bool, Refusal> {
    let mut at = place.clone();
    for _ in 0..LINE {
        let Some(parsed) = session.parsed(&at.path)? else { return Ok(false) };
        let here = Span::new(at.offset, at.offset + 1);
        let mut around = parsed.tree.nodes().covering(here).ancestors();
        let Some(base) = around.find(is_class).and_then(base) else { return Ok(false) };
        if base.is("call_expression") || base.text(parsed.text.as_str()).ends_with("Element") {
            return Ok(true);
        }
        let base = Place { path: at.path.clone(), offset: base.end().saturating_sub(1) };
        let found = server.definition(&base).await.map_err(SessionError::from)?;
        let Some(next) = found.into_iter().find(|location| location.path.is_below(session.root())) else {
            return Ok(false);
        };
        at = Place { path: next.path, offset: next.span.start };
    }
    Ok(false)
}

pub(super) fn is_class(node: &Node<'_>) -> bool {
    node.is_any(&["class_declaration", "abstract_class_declaration", "class"])
}

/// What a class extends.
pub(super) fn base(class: Node<'_>) -> Option<Node<'_>> {
    let first = class.child_of_kind("class_heritage")?.named_children().next()?;
    match first.kind() {
        "extends_clause" => first.child("value"),
        "implements_clause" => None,
        _ => Some(first),
    }
}

/// Where in TypeScript and JavaScript more may bear a member's name than tsserver says: it is spelled in strings that no
/// type explains, in a file that the changed ones may come to.
pub(super) fn of_script(session: &Session, name: &str, gathered: &Gathered) -> Vec<String> {
    let importers = Importers::of(session);
    let near: BTreeSet<&AbsPath> = gathered.paths().chain(importers.reached(gathered.paths())).collect();
    let spelled = session.disk().files_mentioning(name).into_iter().find(|path| {
        near.contains(path)
            && Language::of_path(path).is_some_and(|language| language.family() == Family::Script)
            && session.disk().read(path).is_ok_and(|text| is_spelled(text.as_str(), name, path, gathered))
    });
    let spelled = spelled.and_then(|path| path.relative_to(session.root()));
    spelled.map(|path| format!("`{name}` is spelled as a string in `{path}`")).into_iter().collect()
}

/// Tells whether a string is just the name, and stays.
fn is_spelled(text: &str, name: &str, path: &AbsPath, gathered: &Gathered) -> bool {
    let forms = ["\"", "'", "`"].map(|quote| format!("{quote}{name}{quote}"));
    let places = forms.iter().flat_map(|form| text.match_indices(form.as_str()));
    places.map(|(at, _)| Span::new(at + 1, at + 1 + name.len())).any(|span| !gathered.has(path, span))
}
