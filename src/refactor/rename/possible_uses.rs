//! Uses that no server changes and that may be meant all the same: each is asked for, and those of other things are left
//! out.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hierarchy::Hierarchy;
use super::proximity::{Nearness, WeighedPlaces};
use super::subject::Subject;
use super::{Aliases, constructors, definition_queries};
use crate::lsp::{Feature, Location, Place, Server};
use crate::plan::Parts;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{Family, Node, Site, is_any_function, site};
use crate::text::{AbsPath, Span};

/// More places than this are not asked about one by one: they stay possible.
const MOST: usize = 200;

/// Takes out the uses that the server knows to mean something else than the plan renames.
pub(super) async fn without_others(
    session: &Session,
    (subject, aliases): (&Subject, Aliases),
    parts: &Parts,
    mut found: WeighedPlaces,
) -> Result<WeighedPlaces, Refusal> {
    let mut open = uses(&found);
    if open.is_empty() {
        return Ok(found);
    }
    let server = session.server(subject.language, Feature::Rename).await?;
    if !server.offers(Feature::Definition) {
        return Ok(found);
    }
    for (path, span) in open.split_off(open.len().min(MOST)) {
        found.entry((Nearness::Unasked, path)).or_default().push(span);
    }
    let files: Vec<AbsPath> = open.iter().map(|(path, _)| path.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    session.cover(&server, &files).await?;
    // Past a re-export that keeps the old name, that is what it is called.
    let empty = Parts::default();
    let renamed = if aliases == Aliases::Keep { &empty } else { parts };
    let asked: BTreeSet<(AbsPath, Span)> = open.iter().cloned().collect();
    let others = known_as_others(session, &server, (renamed, &subject.name), open).await?;
    for ((nearness, path), spans) in &mut found {
        let is_kept = |span: &Span| {
            let place = (path.clone(), *span);
            asked.contains(&place) && !others.contains(&place)
        };
        spans.retain(|span| *nearness != Nearness::Use || is_kept(span));
    }
    found.retain(|_, spans| !spans.is_empty());
    Ok(found)
}

fn uses(found: &WeighedPlaces) -> Vec<(AbsPath, Span)> {
    let uses = found.iter().filter(|((nearness, _), _)| *nearness == Nearness::Use);
    uses.flat_map(|((_, path), spans)| spans.iter().map(|span| (path.clone(), *span))).collect()
}

/// Returns the places that lead to a declaration of that name which the plan does not rename.
async fn known_as_others(
    session: &Session,
    server: &Arc<Server>,
    (parts, name): (&Parts, &str),
    open: Vec<(AbsPath, Span)>,
) -> Result<BTreeSet<(AbsPath, Span)>, Refusal> {
    let places: Vec<Place> = open.iter().map(|(path, span)| Place { path: path.clone(), offset: span.start }).collect();
    let meanings = definition_queries::meanings(server, name, places).await?;
    let is_other = |(path, span): (&AbsPath, Span), leads: &[Location]| {
        let said: Vec<&Location> = leads.iter().filter(|location| !is_own(session, (path, span), location)).collect();
        !said.is_empty() && !said.into_iter().any(|location| is_renamed(parts, location))
    };
    let mut others = BTreeSet::new();
    let (mut arguments, mut of_own_class) = (Vec::new(), Vec::new());
    for ((path, span), leads) in open.into_iter().zip(meanings) {
        let other = is_other((&path, span), &leads);
        match session.parsed(&path)? {
            Some(file) if site(&file.tree, file.text.as_str(), span) == Site::KeywordArgument => {
                let argument = file.tree.nodes().covering(span);
                if other {
                    arguments.push(((path, span), leads));
                } else if leads.is_empty() && constructors::own_class(argument, file.text.as_str()).is_some() {
                    of_own_class.push((path, span));
                }
            }
            _ if other => drop(others.insert((path, span))),
            _ => {}
        }
    }
    if arguments.is_empty() && of_own_class.is_empty() {
        return Ok(others);
    }
    let hierarchy = Hierarchy::new(session, server, name);
    let built = constructors::built(&hierarchy, parts).await?;
    // What calls its own class (`cls(size=1)`) calls a constructor.
    others.extend(of_own_class.into_iter().filter(|_| built.is_none()));
    for ((path, span), leads) in arguments {
        if !built.may_take(&hierarchy, &Place { path: path.clone(), offset: span.start }, &leads).await? {
            others.insert((path, span));
        }
    }
    Ok(others)
}

/// Tells whether an answer leads to where the name stands, and that says nothing: `const { size } = unknown` declares a
/// variable, and TypeScript takes every function of JavaScript that sets `this.size` for a constructor.
fn is_own(session: &Session, (path, span): (&AbsPath, Span), location: &Location) -> bool {
    let Ok(Some(file)) = session.parsed(path) else { return false };
    if file.tree.language().family() != Family::Script {
        return false;
    }
    if location.path != *path {
        return is_generated(session, &location.path);
    }
    let text = file.text.as_str();
    if is_import_of_nothing(&file, location.span) {
        return true;
    }
    if site(&file.tree, text, span) == Site::ShorthandPattern {
        return location.span == span;
    }
    let by = |span: Span| borrower(file.tree.nodes().covering(span), text);
    by(span).is_some_and(|own| by(location.span).is_some_and(|other| own == other))
}

/// Tells whether a file of the project is none of its sources: what a compiler wrote, which says what its source said then.
fn is_generated(session: &Session, path: &AbsPath) -> bool {
    let is_library = path.as_path().components().any(|part| part.as_os_str() == "node_modules");
    path.is_below(session.root()) && !is_library && !session.disk().files().holds(path)
}

/// Tells whether a place is what an import of a script takes by a path: a server that leads there, and not on, has not found
/// the module.
fn is_import_of_nothing(file: &Parsed, span: Span) -> bool {
    let name = file.tree.nodes().covering(span);
    let statement = name.ancestors().find(|outer| outer.is("import_statement"));
    let source = statement.and_then(|statement| statement.child("source"));
    is_path(source.map(Node::span), file.text.as_str())
}

/// Tells whether a module is named by its path.
pub(super) fn is_path(module: Option<Span>, text: &str) -> bool {
    module
        .and_then(|module| module.of(text))
        .is_some_and(|module| module.trim_start_matches(['"', '\'']).starts_with('.'))
}

/// Returns the function whose `this` a name is a member of, where custom does not make it a constructor: these begin with
/// a capital.
fn borrower(name: Node<'_>, text: &str) -> Option<usize> {
    let object = name.parent().filter(|member| member.is("member_expression"))?.child("object")?;
    object.is("this").then_some(())?;
    let function = object.ancestors().find(|node| is_any_function(*node) && !node.is("arrow_function"))?;
    function.is_any(&["function_declaration", "function_expression", "function"]).then_some(())?;
    let named = function.child("name").map_or("", |name| name.text(text));
    let is_assigned =
        function.parent().is_some_and(|outer| outer.is_any(&["assignment_expression", "variable_declarator"]));
    let is_constructor = named.starts_with(char::is_uppercase) || named.is_empty() && is_assigned;
    (!is_constructor).then(|| function.index())
}

fn is_renamed(parts: &Parts, location: &Location) -> bool {
    let Some((text, edits)) = parts.edits.get(&location.path) else { return false };
    // `{ size }` that becomes `{ size: length }` keeps the property that is asked for.
    let kept = location.span.of(text.as_str()).map(|name| format!("{name}:"));
    let keeps = |new: &str| kept.as_ref().is_some_and(|kept| new.starts_with(kept.as_str()));
    edits.iter().any(|edit| edit.span.overlaps(location.span) && !keeps(&edit.new_text))
}
