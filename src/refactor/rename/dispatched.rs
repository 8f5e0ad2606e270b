//! Functions of Python among which the class of the first argument chooses: `@singledispatch`, and what is registered with it by
//! `@show.register`. All are called by one name, with the same arguments. No server leads from the one to the others.

use super::fixtures::{callee, function_of_parameter, is_decorated};
use super::forward_references::is_python;
use super::forwarded_arguments::parameters;
use super::hierarchy::Hierarchy;
use crate::lsp::{Location, Place};
use crate::refactor::Refusal;
use crate::session::{Parsed, SessionError};
use crate::syntax::Node;
use crate::syntax::python::decorators;
use crate::text::{AbsPath, Span};

/// What makes a function choose (Python's `functools`).
const CHOOSING: [&str; 2] = ["singledispatch", "singledispatchmethod"];
const REGISTER: &str = "register";

/// Returns the parameters of that name of the functions that are called with the same arguments as the one whose parameter stands
/// at a place.
pub(super) async fn beside(hierarchy: &Hierarchy<'_>, place: &Place) -> Result<Vec<Place>, Refusal> {
    let Some(parsed) = hierarchy.session.parsed(&place.path)?.filter(|_| is_python(&place.path)) else {
        return Ok(Vec::new());
    };
    let parameter = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + hierarchy.name.len()));
    let Some(function) = function_of_parameter(parameter).filter(|it| !is_chosen_by(*it, parameter)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for base in bases(hierarchy, (&place.path, &parsed), function).await? {
        let Some(own) = base.span.of(hierarchy.session.disk().read(&base.path)?.as_str()).map(str::to_owned) else {
            continue;
        };
        let registered = registered(hierarchy, (&base, &own)).await?;
        for one in std::iter::once(base).chain(registered) {
            found.extend(parameters(hierarchy.session, &[one], hierarchy.name)?);
        }
    }
    let is_there = |it: &Place| it.path == place.path && it.offset == place.offset;
    Ok(found.into_iter().filter(|it| !is_there(it)).collect())
}

/// Tells whether a parameter is the one whose class chooses: calls pass it by its place.
fn is_chosen_by(function: Node<'_>, parameter: Node<'_>) -> bool {
    let is_of_class =
        function.ancestors().take_while(|it| !it.is("function_definition")).any(|it| it.is("class_definition"));
    let listed = function.child("parameters").into_iter().flat_map(Node::named_children);
    listed.take(1 + usize::from(is_of_class)).any(|it| it.span().contains(parameter.span()))
}

/// Returns where the functions are declared with which a function is registered, or itself, where it chooses.
async fn bases(
    hierarchy: &Hierarchy<'_>,
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
) -> Result<Vec<Location>, Refusal> {
    let text = parsed.text.as_str();
    let mut found = Vec::new();
    if CHOOSING.iter().any(|it| is_decorated(function, it, text)) {
        found.extend(function.child("name").map(|it| Location { path: path.clone(), span: it.span() }));
    }
    for decorator in decorators(function).filter(|it| callee(*it, text) == REGISTER) {
        found.extend(led(hierarchy, path, registering(decorator)).await?);
    }
    let Some(own) = function.child("name") else { return Ok(found) };
    let paths = hierarchy.session.disk().files_mentioning(&format!("{REGISTER} {}", own.text(text)));
    for other in paths.into_iter().filter(is_python) {
        let Some(registering) = hierarchy.session.parsed(&other)? else { continue };
        let text = registering.text.as_str();
        for call in registering.tree.nodes().iter().filter(|it| it.is("call")) {
            let Some(given) = given(call, text) else { continue };
            let leads = led(hierarchy, &other, Some(given)).await?;
            if leads.iter().any(|it| it.path == *path && it.span == own.span()) {
                found.extend(led(hierarchy, &other, call.child("function").and_then(registrar)).await?);
            }
        }
    }
    Ok(found)
}

/// Returns where the functions are declared that are registered with the one that is declared at a place.
async fn registered(hierarchy: &Hierarchy<'_>, (base, name): (&Location, &str)) -> Result<Vec<Location>, Refusal> {
    let mut found = Vec::new();
    let paths = hierarchy.session.disk().files_mentioning(&format!("{REGISTER} {name}"));
    for path in paths.into_iter().filter(is_python) {
        let Some(parsed) = hierarchy.session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        for function in parsed.tree.nodes().iter().filter(|it| it.is("function_definition")) {
            for decorator in decorators(function).filter(|it| callee(*it, text) == REGISTER) {
                let leads = led(hierarchy, &path, registering(decorator)).await?;
                let own = function.child("name").filter(|_| leads.contains(base));
                found.extend(own.map(|it| Location { path: path.clone(), span: it.span() }));
            }
        }
        for call in parsed.tree.nodes().iter().filter(|it| it.is("call")) {
            let Some(given) = given(call, text) else { continue };
            if led(hierarchy, &path, call.child("function").and_then(registrar)).await?.contains(base) {
                found.extend(led(hierarchy, &path, Some(given)).await?);
            }
        }
    }
    Ok(found)
}

/// Returns the function that a call registers: `show.register(int, show_number)`.
fn given<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    let called = call.child("function")?.child("attribute").filter(|it| it.text(text) == REGISTER);
    called.and_then(|_| call.child("arguments")?.named_children().nth(1)).filter(|it| it.is("identifier"))
}

/// Returns what a decorator registers a function with: `show` of `@show.register(int)`.
fn registering(decorator: Node<'_>) -> Option<Node<'_>> {
    let written = decorator.named_children().next()?;
    registrar(written.child("function").unwrap_or(written))
}

fn registrar(called: Node<'_>) -> Option<Node<'_>> {
    let object = called.child("object")?;
    Some(object.child("attribute").unwrap_or(object))
}

/// Returns where a name leads.
async fn led(hierarchy: &Hierarchy<'_>, path: &AbsPath, name: Option<Node<'_>>) -> Result<Vec<Location>, Refusal> {
    let Some(name) = name else { return Ok(Vec::new()) };
    let place = Place { path: path.clone(), offset: name.start() };
    Ok(hierarchy.server.definition(&place).await.map_err(SessionError::from)?)
}
