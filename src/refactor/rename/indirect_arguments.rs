//! Arguments of which the server names only the function that takes them: `made(size=1)`, where `made` is one of two classes
//! that share a constructor, and those of decorated functions, of which it names nothing.
//!
//! Seen with basedpyright 1.40: a rename of the parameter leaves such an argument, and `definition` leads from it to the
//! function's name.

use std::collections::BTreeSet;

use super::calling_functions::{handed, is_own, last_word};
use super::fixtures::function_of_parameter;
use super::forward_references::is_python;
use super::forwarded_arguments::{Forwarding, parameters};
use super::hierarchy::Hierarchy;
use super::server_edits::Gathered;
use super::{definition_queries, handing_decorators};
use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Site, site};
use crate::text::{Span, TextEdit};

/// More arguments than this are not asked about: they stay possible.
const MOST: usize = 200;

/// Renames the arguments that only functions take whose parameter is renamed.
pub(super) async fn follow(
    hierarchy: &Hierarchy<'_>,
    new_name: &str,
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let (session, server, name) = (hierarchy.session, hierarchy.server, hierarchy.name);
    let mut is_taken = false;
    for place in places {
        is_taken |= is_parameter(session, place)?;
    }
    let asked = if is_taken { arguments(session, name, gathered)? } else { Vec::new() };
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
    let taking = taken(hierarchy, &open).await?;
    for (argument, parameters) in open.into_iter().zip(taking) {
        let at = at(&argument, name);
        if parameters.is_empty() {
            continue;
        }
        if parameters.is_subset(places) {
            gathered.add(argument.path, TextEdit::new(at, new_name), new_name);
        } else if parameters.is_disjoint(places) {
            gathered.asked.others.insert((argument.path, at));
        }
    }
    Ok(())
}

/// Returns, argument by argument, the parameters of that name by which decorated functions take it, and those that get it from
/// the functions which are called; none where a decorator may not hand it on, or where it may go elsewhere.
pub(super) async fn taken(hierarchy: &Hierarchy<'_>, arguments: &[Place]) -> Result<Vec<BTreeSet<Place>>, Refusal> {
    let (session, server, name) = (hierarchy.session, hierarchy.server, hierarchy.name);
    let functions = called(hierarchy, arguments).await?;
    let mut forwarding = Forwarding::new(hierarchy);
    let mut found = Vec::new();
    for leads in definition_queries::locations(server, Feature::Definition, functions).await? {
        let mut parameters = parameters(session, &leads, name)?;
        if parameters.is_empty() {
            parameters = forwarding.parameters(&leads).await?;
        } else if !handing_decorators::all_hand_on(session, server, (&leads, name)).await? {
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

/// The places of the names of what is called with the arguments, by way of a library's function, too. Seen with basedpyright
/// 1.40: where a decorator gives a function that takes the same (PEP 612), it knows what is taken, and no more where that is
/// declared.
async fn called(hierarchy: &Hierarchy<'_>, arguments: &[Place]) -> Result<Vec<Place>, Refusal> {
    let session = hierarchy.session;
    let (mut found, mut passed) = (Vec::new(), Vec::new());
    for argument in arguments {
        let parsed = session.parsed(&argument.path)?;
        let call = parsed.as_ref().and_then(|parsed| {
            let name = parsed.tree.nodes().covering(at(argument, hierarchy.name));
            Some((parsed.text.as_str(), name.ancestors().find(|outer| outer.is("call"))?))
        });
        let function = call.and_then(|(_, call)| call.child("function"));
        passed.extend(call.and_then(|(text, call)| Some((found.len(), last_word(handed(call, text)?).start()))));
        let offset = function.map_or(argument.offset, |function| last_word(function).start());
        found.push(Place { path: argument.path.clone(), offset });
    }
    let asked = passed.iter().map(|(at, _)| found[*at].clone()).collect();
    let leads = definition_queries::locations(hierarchy.server, Feature::Definition, asked).await?;
    for ((at, offset), leads) in passed.into_iter().zip(leads) {
        if !is_own(session, &leads) {
            found[at].offset = offset;
        }
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
