//! Fixtures of pytest: functions that tests ask for by the names of their parameters. No server follows them.

use std::sync::Arc;

use super::RenameRequest;
use super::fixture_sources;
use super::server_edits::Gathered;
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::Node;
use crate::syntax::python::{decorators, words_in};
use crate::text::{AbsPath, Span, TextEdit};

/// What makes the arguments of tests in a module (pytest's hook).
const HOOK: &str = "pytest_generate_tests";

/// Where a fixture is declared, and where it can be asked for: in a module, or below a `conftest.py`.
struct Fixture {
    place: Place,
    regions: Vec<AbsPath>,
}

/// Returns the fixtures that a name at `place` stands for: the declared one, or those that a parameter asks
/// for, with all that override them. None where the name is no fixture. A string gives some of them their name.
pub(super) fn declared(session: &Session, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(Vec::new()) };
    let text = parsed.text.as_str();
    let here = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + name.len()));
    let asks = function_of_parameter(here)
        .is_some_and(|function| is_asking(function, name, text) || hides(function, name, text));
    let declares = here.parent().is_some_and(|function| is_named(function, here) && is_fixture(function, text));
    if !asks && !declares {
        return Ok(Vec::new());
    }
    let all = all_of_name(session, name)?;
    let covers = |fixture: &Fixture, path: &AbsPath| fixture.regions.iter().any(|region| path.is_below(region));
    let sees = |fixture: &&Fixture| covers(fixture, &place.path) || fixture.place == *place;
    let seen: Vec<&AbsPath> = all.iter().filter(sees).flat_map(|fixture| &fixture.regions).collect();
    let related = |fixture: &Fixture| {
        seen.iter().any(|region| covers(fixture, region) || fixture.regions.iter().any(|other| other.is_below(region)))
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
    let regions = regions_of(session, fixtures, &name)?;
    for place in fixtures {
        gathered.add(place.path.clone(), TextEdit::new(at(place, &name), &request.new_name), &request.new_name);
    }
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

fn is_string(session: &Session, place: &Place) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    Ok(parsed.tree.nodes().covering(Span::new(place.offset, place.offset + 1)).is("string_content"))
}

fn at(place: &Place, name: &str) -> Span {
    Span::new(place.offset, place.offset + name.len())
}

/// Returns where else a fixture is meant: those that override it, the parameters that ask for it, and the strings.
pub(crate) fn askers(session: &Session, place: &Place, name: &str) -> Result<(Vec<Place>, Vec<Location>), Refusal> {
    let mut places = declared(session, place, name)?;
    let mut strings = Vec::new();
    let regions = regions_of(session, &places, name)?;
    for place in places.clone() {
        if is_string(session, &place)? {
            places.retain(|one| *one != place);
            strings.push(Location { span: at(&place, name), path: place.path });
        }
    }
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
        for function in parsed
            .tree
            .nodes()
            .iter()
            .filter(|node| node.is("function_definition") && is_decorated(*node, "fixture", text))
        {
            let own = function.child("name").filter(|own| own.text(text) == name);
            let own = own.filter(|_| is_fixture(function, text)).or_else(|| given_name(function, (text, name)));
            let Some(own) = own else { continue };
            let place = Place { path: path.clone(), offset: own.start() };
            found.push(Fixture { regions: fixture_sources::regions(session, &path, name)?, place });
        }
    }
    Ok(found)
}

/// The string by which a fixture is asked for in the place of its function's name.
fn given_name<'t>(function: Node<'t>, (text, name): (&str, &str)) -> Option<Node<'t>> {
    let is_name = |argument: &Node<'_>| {
        argument.is("keyword_argument") && argument.child("name").is_some_and(|own| own.text(text) == "name")
    };
    let own = decorators(function).filter(|it| callee(*it, text) == "fixture").flat_map(Node::descendants);
    let mut strings =
        own.filter(is_name).filter_map(|argument| argument.child("value")?.child_of_kind("string_content"));
    strings.find(|string| string.text(text) == name)
}

fn regions_of(session: &Session, fixtures: &[Place], name: &str) -> Result<Vec<AbsPath>, Refusal> {
    let mut regions = Vec::new();
    for fixture in fixtures {
        regions.extend(fixture_sources::regions(session, &fixture.path, name)?);
    }
    Ok(regions)
}

fn is_named(function: Node<'_>, name: Node<'_>) -> bool {
    function.is("function_definition") && function.child("name").is_some_and(|own| own.span() == name.span())
}

/// A function below `@pytest.fixture`, with arguments or without; one that gets its name as an argument
/// goes by another name than its own.
fn is_fixture(function: Node<'_>, text: &str) -> bool {
    let decorates =
        |decorator: Node<'_>| callee(decorator, text) == "fixture" && !decorator.text(text).contains("name=");
    decorators(function).any(decorates)
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
    let gives = |mark: Node<'_>| {
        let written = mark.text(text);
        written.contains("parametrize")
            && !written.contains("indirect")
            && !crate::syntax::whole_words(written, name).is_empty()
    };
    let mut marks = decorators(function).chain(marks_around(function, text));
    (own.starts_with("test") || is_decorated(function, "fixture", text)) && !marks.any(gives)
}

/// Tells whether a test hides a fixture from the others that it asks for: `parametrize` gives the parameter of that name, and
/// with it what they ask for (pytest's documentation, "Override a fixture with direct test parametrization").
fn hides(function: Node<'_>, name: &str, text: &str) -> bool {
    let is_test = function.child("name").is_some_and(|own| own.text(text).starts_with("test"));
    let given = |call: Node<'_>| {
        let arguments = call.child("arguments").filter(|_| call.is("call"))?;
        Some(argument_names(arguments, text, name)).filter(|found| !found.is_empty())
    };
    let marks = decorators(function).filter(|mark| callee(*mark, text) == "parametrize");
    let is_given = marks.flat_map(Node::named_children).any(|call| given(call).is_some());
    let parameters = function.child("parameters").into_iter().flat_map(Node::named_children);
    let own = |it: Node<'_>| it.text(text).split([':', '=', ' ']).next().map(str::trim);
    let others = parameters.filter(|it| own(*it).is_some_and(|it| it != "self" && it != name));
    is_test && is_given && others.count() > 0
}

/// Refuses the parameter of a test that asks for a fixture which is not the project's: pytest's own, or a plugin's.
pub(super) fn check_own(
    session: &Session,
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
    name: &str,
) -> Result<(), Refusal> {
    let text = parsed.text.as_str();
    let is_mark = |mark: Node<'_>| {
        mark.text(text).contains("mark.") && crate::syntax::whole_words(mark.text(text), name).is_empty()
    };
    let parameters = function.child("parameters").into_iter().flat_map(Node::named_children);
    let mut asking = parameters.filter(|it| it.is_any(&["identifier", "typed_parameter"]));
    let asked = asking.find(|it| it.text(text).split([':', ' ']).next() == Some(name));
    let own = function.child("name").map_or("", |own| own.text(text));
    let is_called = crate::syntax::whole_words(text, own).len() > 1;
    let Some(asked) = asked.filter(|_| !is_called && decorators(function).all(is_mark)) else { return Ok(()) };
    if !all_of_name(session, name)?.is_empty() {
        return Ok(());
    }
    let place = super::subject::at(path, &parsed.text, asked.start()).below(session.root());
    let why = format!("a fixture of pytest or of a plugin is asked for by the name `{name}` at {place}");
    Err(Refusal::NotPossible(why))
}

/// What marks the tests of a class or of a module: the decorators of the class, and `pytestmark`.
pub(super) fn marks_around<'t>(function: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let is_mark = |statement: &Node<'_>| {
        let left = statement.named_children().next().filter(|it| it.is("assignment")).and_then(|it| it.child("left"));
        left.is_some_and(|left| left.text(text) == "pytestmark")
    };
    let around = function.ancestors().filter(|outer| outer.is_any(&["class_definition", "module"]));
    let marks = around.flat_map(|outer| {
        let body = outer.child("body").unwrap_or(outer);
        decorators(outer).chain(body.named_children().filter(is_mark)).collect::<Vec<_>>()
    });
    marks.collect()
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
        let asks = |function| is_asking(function, name, text) || hides(function, name, text);
        is_name && function_of_parameter(node).is_some_and(asks)
    };
    spans.filter(asks).map(|span| span.start).collect()
}

/// The strings that ask for a fixture: `usefixtures("store")`, what `parametrize` hands to it, and what a hook of a module says
/// of it (`"store" in metafunc.fixturenames`).
fn asked_in_strings(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let mut found = Vec::new();
    for call in parsed.tree.nodes().iter().filter(|node| node.is("call")) {
        let called = call.child("function").map_or("", |called| called.text(text));
        let Some(arguments) = call.child("arguments") else { continue };
        match called.rsplit('.').next() {
            Some("usefixtures" | "getfixturevalue") => {
                let strings = arguments.descendants().filter(|node| node.is("string_content"));
                found.extend(strings.filter(|node| node.text(text) == name).map(Node::span));
            }
            Some("parametrize") if arguments.text(text).contains("indirect") || marks_hiding(call, text, name) => {
                found.extend(argument_names(arguments, text, name));
            }
            _ => {}
        }
    }
    found.extend(said_by_hooks(parsed, name));
    found
}

fn marks_hiding(call: Node<'_>, text: &str, name: &str) -> bool {
    let decorated = call.parent().filter(|it| it.is("decorator")).and_then(Node::parent);
    decorated.and_then(|it| it.child("definition")).is_some_and(|function| hides(function, name, text))
}

/// The strings by which `pytest_generate_tests` says a name.
pub(super) fn said_by_hooks(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_hook = |node: &Node<'_>| {
        node.is("function_definition") && node.child("name").is_some_and(|own| own.text(text) == HOOK)
    };
    parsed.tree.nodes().iter().filter(is_hook).flat_map(|hook| words_in(hook, text, name)).collect()
}

/// Where `parametrize("a, b", …, indirect=["a"])` names parameters (pytest's documentation).
pub(super) fn argument_names(arguments: Node<'_>, text: &str, name: &str) -> Vec<Span> {
    let is_of = |at: usize, argument: Node<'_>| match argument.child("name").map(|own| own.text(text)) {
        Some(keyword) if argument.is("keyword_argument") => matches!(keyword, "argnames" | "indirect"),
        _ => at == 0,
    };
    let named = arguments.named_children().enumerate().filter(|(at, argument)| is_of(*at, *argument));
    named.flat_map(|(_, argument)| words_in(argument, text, name)).collect()
}
