//! Classes above a member's that cannot be found: what they declare or call of that name, nobody can tell.

use std::collections::BTreeSet;

use crate::lsp::{Location, Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::source_file::is_class;
use crate::session::{Session, SessionError};
use crate::syntax::{Node, is_any_function};
use crate::text::Span;

/// What declares a member of a class in a script.
const MEMBERS: &[&str] = &[
    "abstract_method_signature",
    "field_definition",
    "method_definition",
    "method_signature",
    "public_field_definition",
];

/// A class, as far as it can be followed to those above it.
struct Heir {
    name: String,
    /// What it extends, with the place of its last name.
    bases: Vec<(String, Place, Span)>,
}

/// Tells of what the classes around these places extend, they or those above them, that leads nowhere.
pub(super) async fn told(
    session: &Session,
    server: &Server,
    (name, places): (&str, &BTreeSet<Place>),
) -> Result<Vec<Warning>, Refusal> {
    let mut open = Vec::new();
    for place in places {
        let Some(parsed) = session.parsed(&place.path)? else { continue };
        let node = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + name.len()));
        open.extend(owner(node, parsed.text.as_str()).map(|class| (place.path.clone(), class.span())));
    }
    let (mut seen, mut warnings) = (BTreeSet::new(), Vec::new());
    while let Some((path, span)) = open.pop() {
        if !seen.insert((path.clone(), span)) {
            continue;
        }
        let Some(heir) = heir(session, &Location { path: path.clone(), span })? else { continue };
        for (base, place, written) in heir.bases {
            let found = server.definition(&place).await.map_err(SessionError::from)?;
            let mut is_known = false;
            for location in found {
                if leads_on(session, &location)? {
                    is_known = true;
                    open.extend(class_named(session, &location)?.map(|class| (location.path, class)));
                }
            }
            if !is_known {
                let message = format!(
                    "`{base}`, which `{}` extends, cannot be found: it may declare or call `{name}`",
                    heir.name
                );
                let range = session.disk().read(&path)?.range(written);
                warnings.push(Warning::at(WarningKind::PossibleUse, message, path.clone(), range));
            }
        }
    }
    Ok(warnings)
}

/// Returns the class that a name declares a member of.
fn owner<'t>(name: Node<'t>, text: &str) -> Option<Node<'t>> {
    let parent = name.parent()?;
    let is_named = matches!(name.field(), Some("name" | "property"));
    let is_script = parent.is_any(MEMBERS) && is_named;
    let is_method = parent.is("function_definition") && is_named;
    let is_variable = parent.is("assignment") && name.field() == Some("left");
    let is_own = parent.is("attribute") && parent.child("object").is_some_and(|it| it.text(text) == "self");
    let mut around = if is_method { parent.ancestors() } else { name.ancestors() };
    match is_script || is_own {
        true => around.find(|it| is_class(*it)),
        false if is_method || is_variable => around.find(|it| is_class(*it) || is_any_function(*it)),
        false => None,
    }
    .filter(|it| is_class(*it))
}

fn heir(session: &Session, at: &Location) -> Result<Option<Heir>, Refusal> {
    let Some(parsed) = session.parsed(&at.path)? else { return Ok(None) };
    let (class, text) = (parsed.tree.nodes().covering(at.span), parsed.text.as_str());
    let listed = class.child("superclasses").into_iter().flat_map(Node::named_children);
    let heritage = class.children().find(|it| it.is("class_heritage"));
    let extended = heritage.into_iter().flat_map(Node::named_children);
    let extended = extended.filter_map(|it| if it.is("extends_clause") { it.child("value") } else { Some(it) });
    let bases = listed.chain(extended).filter_map(|base| {
        let named = if base.is("subscript") { base.child("value")? } else { base };
        let last = match named.kind() {
            "attribute" => named.child("attribute")?,
            "member_expression" => named.child("property")?,
            "identifier" => named,
            _ => return None,
        };
        let place = Place { path: at.path.clone(), offset: last.start() };
        Some((named.text(text).to_owned(), place, named.span()))
    });
    let name = class.child("name").map_or("it", |it| it.text(text)).to_owned();
    Ok(Some(Heir { name, bases: bases.collect() }))
}

/// Tells whether a definition is more than the import that should have led to it.
fn leads_on(session: &Session, location: &Location) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&location.path)? else { return Ok(true) };
    let node = parsed.tree.nodes().covering(location.span);
    let required = node.ancestors().find(|it| it.is("variable_declarator")).and_then(|it| it.child("value"));
    let is_required = required.is_some_and(|it| it.text(parsed.text.as_str()).starts_with("require("));
    let is_import = |it: &Node<'_>| it.kind().starts_with("import");
    Ok(!is_required && !is_import(&node) && !node.ancestors().any(|it| is_import(&it)))
}

/// Returns the class whose name stands where a definition leads.
fn class_named(session: &Session, location: &Location) -> Result<Option<Span>, Refusal> {
    let Some(parsed) = session.parsed(&location.path)? else { return Ok(None) };
    let name = parsed.tree.nodes().covering(Span::at(location.span.start));
    Ok(name.parent().filter(|it| is_class(*it) && name.field() == Some("name")).map(|it| it.span()))
}
