//! Fixtures of pytest: functions that tests ask for by the names of their parameters. No server follows them.

use std::sync::Arc;

use super::RenameRequest;
use super::server_edits::Gathered;
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::Node;
use crate::syntax::python::decorators;
use crate::text::{AbsPath, Span, TextEdit};

/// Where a fixture is declared, and where it can be asked for: in a module, or below a `conftest.py`.
struct Fixture {
    place: Place,
    region: AbsPath,
}

/// Returns the fixtures that a name at `place` stands for: the declared one, or those that a parameter asks
/// for, with all that override them. None where the name is no fixture.
pub(super) fn declared(session: &Session, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(Vec::new()) };
    let text = parsed.text.as_str();
    let here = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + name.len()));
    let asks = function_of_parameter(here).is_some_and(|function| is_asking(function, name, text));
    let declares = here.parent().is_some_and(|function| is_named(function, here) && is_fixture(function, text));
    if !asks && !declares {
        return Ok(Vec::new());
    }
    let all = all_of_name(session, name)?;
    let sees = |fixture: &&Fixture| place.path.is_below(&fixture.region) || fixture.place == *place;
    let seen: Vec<&AbsPath> = all.iter().filter(sees).map(|fixture| &fixture.region).collect();
    let related = |fixture: &Fixture| {
        seen.iter().any(|region| fixture.region.is_below(region) || region.is_below(&fixture.region))
    };
    Ok(all.iter().filter(|fixture| related(fixture)).map(|fixture| fixture.place.clone()).collect())
}

/// Adds the parameters, with their uses, and the strings by which tests ask for one of `fixtures`.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    request: &RenameRequest,
    fixtures: &[Place],
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let Some(first) = fixtures.first() else { return Ok(()) };
    let text = session.disk().read(&first.path)?;
    let name: String = text.as_str()[first.offset..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let regions: Vec<AbsPath> = fixtures.iter().map(|place| region(&place.path)).collect();
    for (path, parsed) in asking(session, &regions, &name)? {
        for span in asked_in_strings(&parsed, &name) {
            gathered.add(path.clone(), TextEdit::new(span, request.new_name.clone()), &request.new_name);
        }
        for offset in asked_in_parameters(&parsed, &name) {
            let place = Place { path: path.clone(), offset };
            let answer = server.rename(&place, &request.new_name).await.map_err(SessionError::from)?;
            gathered.absorb(answer.unwrap_or_default(), &request.new_name)?;
        }
    }
    Ok(())
}

/// Returns where else a fixture is meant: those that override it, the parameters that ask for it, and the strings.
pub(crate) fn askers(session: &Session, place: &Place, name: &str) -> Result<(Vec<Place>, Vec<Location>), Refusal> {
    let mut places = declared(session, place, name)?;
    let mut strings = Vec::new();
    let regions: Vec<AbsPath> = places.iter().map(|place| region(&place.path)).collect();
    for (path, parsed) in asking(session, &regions, name)? {
        let spans = asked_in_strings(&parsed, name).into_iter();
        strings.extend(spans.map(|span| Location { path: path.clone(), span }));
        let offsets = asked_in_parameters(&parsed, name).into_iter();
        places.extend(offsets.map(|offset| Place { path: path.clone(), offset }));
    }
    Ok((places, strings))
}

/// Reads the modules of some regions that mention a name.
fn asking(session: &Session, regions: &[AbsPath], name: &str) -> Result<Vec<(AbsPath, Arc<Parsed>)>, Refusal> {
    let mut found = Vec::new();
    if regions.is_empty() {
        return Ok(found);
    }
    for path in session.disk().files_mentioning(name) {
        if path.extension() != "py" || !regions.iter().any(|region| path.is_below(region)) {
            continue;
        }
        found.extend(session.parsed(&path)?.map(|parsed| (path, parsed)));
    }
    Ok(found)
}

fn all_of_name(session: &Session, name: &str) -> Result<Vec<Fixture>, Refusal> {
    let disk = session.disk();
    let mut found = Vec::new();
    for path in disk.files_mentioning(&format!("fixture {name}")) {
        let Some(parsed) = session.parsed(&path)?.filter(|_| path.extension() == "py") else { continue };
        let text = parsed.text.as_str();
        for function in parsed.tree.nodes().iter().filter(|node| is_fixture(*node, text)) {
            let Some(own) = function.child("name").filter(|own| own.text(text) == name) else { continue };
            let place = Place { path: path.clone(), offset: own.start() };
            found.push(Fixture { region: region(&path), place });
        }
    }
    Ok(found)
}

fn region(path: &AbsPath) -> AbsPath {
    let dir = path.parent().filter(|_| path.file_name() == "conftest.py");
    dir.unwrap_or_else(|| path.clone())
}

fn is_named(function: Node<'_>, name: Node<'_>) -> bool {
    function.is("function_definition") && function.child("name").is_some_and(|own| own.span() == name.span())
}

/// A function below `@pytest.fixture`, with arguments or without; one that gets its name as an argument
/// goes by another name than its own.
fn is_fixture(function: Node<'_>, text: &str) -> bool {
    let decorates =
        |decorator: Node<'_>| callee(decorator, text) == "fixture" && !decorator.text(text).contains("name=");
    function.is("function_definition") && decorators(function).any(decorates)
}

/// Tells whether the last name of one of its decorators is `name`.
pub(super) fn is_decorated(function: Node<'_>, name: &str, text: &str) -> bool {
    decorators(function).any(|decorator| callee(decorator, text) == name)
}

/// The last name of what a decorator calls.
pub(super) fn callee<'t>(decorator: Node<'_>, text: &'t str) -> &'t str {
    let written = decorator.text(text).trim_start_matches('@').split('(').next().unwrap_or_default().trim();
    written.rsplit('.').next().unwrap_or_default()
}

/// Tests and fixtures ask by their parameters, unless `parametrize` gives the value itself, not the fixture's parameter.
pub(super) fn is_asking(function: Node<'_>, name: &str, text: &str) -> bool {
    let own = function.child("name").map(|own| own.text(text)).unwrap_or_default();
    let gives = |decorator: Node<'_>| {
        let written = decorator.text(text);
        written.contains("parametrize")
            && !written.contains("indirect")
            && !crate::syntax::whole_words(written, name).is_empty()
    };
    (own.starts_with("test") || is_fixture(function, text)) && !decorators(function).any(gives)
}

pub(super) fn function_of_parameter(name: Node<'_>) -> Option<Node<'_>> {
    let parameters = name.ancestors().take(3).find(|node| node.is("parameters"))?;
    parameters.parent().filter(|function| function.is("function_definition"))
}

fn asked_in_parameters(parsed: &Parsed, name: &str) -> Vec<usize> {
    let text = parsed.text.as_str();
    let spans = parsed.tree.identifiers_named(text, name).into_iter();
    let asks = |span: &Span| {
        let node = parsed.tree.nodes().covering(*span);
        let is_name =
            node.parent().is_none_or(|parent| parent.child("value").is_none_or(|value| value.span() != *span));
        is_name && function_of_parameter(node).is_some_and(|function| is_asking(function, name, text))
    };
    spans.filter(asks).map(|span| span.start).collect()
}

fn asked_in_strings(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_call = |node: &Node<'_>| {
        let callee = node.child("function").map(|callee| callee.text(text)).unwrap_or_default();
        node.is("call") && matches!(callee.rsplit('.').next(), Some("usefixtures" | "getfixturevalue"))
    };
    let calls = parsed.tree.nodes().iter().filter(is_call);
    let strings = calls.filter_map(|call| call.child("arguments")).flat_map(Node::descendants);
    strings.filter(|node| node.is("string_content") && node.text(text) == name).map(Node::span).collect()
}
