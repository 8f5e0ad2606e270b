//! Arguments of which the server names only the function that takes them: `made(size=1)`, where `made` is one of two classes
//! that share a constructor, and those of decorated functions, of which it names nothing.
//!
//! Seen with basedpyright 1.40: a rename of the parameter leaves such an argument, and `definition` leads from it to the
//! function's name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fixtures::function_of_parameter;
use super::forward_references::is_python;
use super::server_edits::Gathered;
use super::{definition_queries, handing_decorators};
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{Span, TextEdit};

/// More arguments than this are not asked about: they stay possible.
const MOST: usize = 200;

/// Renames the arguments that only functions take whose parameter is renamed.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (name, new_name): (&str, &str),
    (places, gathered): (&BTreeSet<Place>, &mut Gathered),
) -> Result<(), Refusal> {
    let mut taken = false;
    for place in places {
        taken |= is_parameter(session, place)?;
    }
    let asked = if taken { arguments(session, name, gathered)? } else { Vec::new() };
    if asked.is_empty() || asked.len() > MOST {
        return Ok(());
    }
    let files: BTreeSet<_> = asked.iter().map(|place| place.path.clone()).collect();
    session.cover(server, &Vec::from_iter(files)).await?;
    let answers = definition_queries::locations(server, Feature::Definition, asked.clone()).await?;
    let mut open = Vec::new();
    for (argument, leads) in asked.into_iter().zip(answers) {
        let parameters = parameters(session, &leads, name)?;
        if !parameters.is_empty() && parameters.is_subset(places) {
            gathered.add(argument.path.clone(), TextEdit::new(at(&argument, name), new_name), new_name);
        } else if !leads_to_name(session, &leads, name)? {
            open.push(argument);
        }
    }
    let decorated = through_decorators(session, server, name, &open).await?;
    for (argument, parameters) in open.into_iter().zip(decorated) {
        if !parameters.is_empty() && parameters.is_subset(places) {
            gathered.add(argument.path.clone(), TextEdit::new(at(&argument, name), new_name), new_name);
        }
    }
    Ok(())
}

/// Returns, argument by argument, the parameters of that name of the decorated functions that are called; none where a
/// decorator may not hand it on.
pub(super) async fn through_decorators(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    arguments: &[Place],
) -> Result<Vec<BTreeSet<Place>>, Refusal> {
    let functions = called(session, arguments, name)?;
    let mut found = Vec::new();
    for leads in definition_queries::locations(server, Feature::Definition, functions).await? {
        let mut parameters = parameters(session, &leads, name)?;
        if !parameters.is_empty() && !handing_decorators::all_hand_on(session, server, (&leads, name)).await? {
            parameters.clear();
        }
        found.push(parameters);
    }
    Ok(found)
}

/// Tells whether a server knows something of that name that an argument is.
fn leads_to_name(session: &Session, leads: &[Location], name: &str) -> Result<bool, Refusal> {
    for location in leads {
        let text = session.disk().read_named(&location.path)?;
        if location.span.of(text.as_str()).is_some_and(|said| said.contains(name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The places of the names of what is called with the arguments. Seen with basedpyright 1.40: where a decorator gives a
/// function that takes the same (PEP 612), it knows what is taken, and no more where that is declared.
fn called(session: &Session, arguments: &[Place], name: &str) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    for argument in arguments {
        let parsed = session.parsed(&argument.path)?;
        let function = parsed.as_ref().and_then(|parsed| {
            let call = parsed.tree.nodes().covering(at(argument, name)).ancestors().find(|outer| outer.is("call"))?;
            let function = call.child("function")?;
            Some(function.child("attribute").unwrap_or(function).start())
        });
        found.push(Place { path: argument.path.clone(), offset: function.unwrap_or(argument.offset) });
    }
    Ok(found)
}

fn at(place: &Place, name: &str) -> Span {
    Span::new(place.offset, place.offset + name.len())
}

fn is_parameter(session: &Session, place: &Place) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    Ok(function_of_parameter(parsed.tree.nodes().covering(Span::new(place.offset, place.offset + 1))).is_some())
}

/// The arguments of that name that are not renamed yet.
fn arguments(session: &Session, name: &str, gathered: &Gathered) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let is_open =
            |span: &Span| !gathered.has(&path, *span) && site(&parsed.tree, text, *span) == Site::KeywordArgument;
        let spans = parsed.tree.identifiers_named(text, name).into_iter().filter(is_open);
        found.extend(spans.map(|span| Place { path: path.clone(), offset: span.start }));
    }
    Ok(found)
}

/// The parameters of that name of the functions whose names stand where a server leads; none where one has no such parameter.
pub(super) fn parameters(session: &Session, leads: &[Location], name: &str) -> Result<BTreeSet<Place>, Refusal> {
    let mut found = BTreeSet::new();
    for location in leads {
        let Some(parsed) = session.parsed(&location.path)? else { return Ok(BTreeSet::new()) };
        let text = parsed.text.as_str();
        let function = parsed.tree.nodes().covering(location.span).parent();
        let is_named = |function: &Node<'_>| {
            function.is("function_definition") && function.child("name").map(Node::span) == Some(location.span)
        };
        let Some(function) = function.filter(is_named) else { return Ok(BTreeSet::new()) };
        let is_own = |span: &Span| {
            let declared = site(&parsed.tree, text, *span) == Site::Declaration(DeclarationKind::Parameter);
            let of = function_of_parameter(parsed.tree.nodes().covering(*span));
            declared && of == Some(function)
        };
        let Some(own) = parsed.tree.identifiers_named(text, name).into_iter().find(is_own) else {
            return Ok(BTreeSet::new());
        };
        found.insert(Place { path: location.path.clone(), offset: own.start });
    }
    Ok(found)
}
