//! What a server's answer leaves of the name, in languages of which nothing is known but what their servers say.
//!
//! The server is asked where each place of the name leads that it leaves. One that leads to what it renames belongs to
//! it, and is renamed from there, too; so does a declaration to which a renamed place leads. clangd takes the two sides
//! of a header for different things where it does not know how the header is compiled. Of a place that leads nowhere (the
//! argument of a macro that is not expanded, a branch that is not compiled) nobody can tell.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::server_edits::{Asked, Gathered};
use super::subject::Subject;
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Site, site, whole_words};
use crate::text::{AbsPath, Span};

/// So many places are asked about; the rest is asked about when it is told what keeps the name.
const MOST: usize = 200;
/// So often what an answer leaves leads to another one.
const ROUNDS: usize = 4;

/// Tells whether nothing is known of a language but what its server says.
pub(super) fn is_by_protocol(family: Family) -> bool {
    !matches!(family, Family::Python | Family::Script | Family::Solidity | Family::Data)
}

/// Adds what the server leaves though by its own words it belongs to what is renamed.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    if !is_by_protocol(subject.language.family()) || !server.offers(Feature::Definition) {
        return Ok(());
    }
    let named = named(session, subject)?;
    for _ in 0..ROUNDS {
        gathered.asked = Asked::default();
        let left = named.iter().filter(|(path, span)| !gathered.has(path, *span));
        let left: Vec<(AbsPath, Span)> = left.take(MOST).cloned().collect();
        let mut joined = declared(server, &named, gathered).await?;
        for (place, leads) in left.iter().zip(leads(server, &left).await?) {
            if leads.is_empty() {
                gathered.asked.unknown.insert(place.clone());
            } else if leads.iter().all(|to| gathered.has(&to.path, to.span)) {
                joined.push(place.clone());
            } else {
                gathered.asked.others.insert(place.clone());
            }
        }
        if !join(server, request, joined, gathered).await? {
            break;
        }
    }
    Ok(())
}

/// Returns where the name stands in code of its language, the files first that are renamed in.
fn named(session: &Session, subject: &Subject) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let mut named = Vec::new();
    let files = match subject.is_local() {
        true => vec![subject.place.path.clone()],
        false => session.disk().files_mentioning(&subject.name),
    };
    for path in files {
        let Some(file) = session.parsed(&path)? else { continue };
        if file.tree.language().family() != subject.language.family() {
            continue;
        }
        let words = whole_words(file.text.as_str(), &subject.name).into_iter();
        let is_code =
            |span: &Span| !matches!(site(&file.tree, file.text.as_str(), *span), Site::String | Site::Comment);
        named.extend(words.filter(is_code).map(|span| (path.clone(), span)));
    }
    named.sort_by_key(|(path, _)| *path != subject.place.path);
    Ok(named)
}

/// Returns the declarations to which renamed places lead and that are not renamed, asked at one place of each file.
async fn declared(
    server: &Server,
    named: &[(AbsPath, Span)],
    gathered: &Gathered,
) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let mut seen = BTreeSet::new();
    let renamed = named.iter().filter(|(path, span)| gathered.has(path, *span));
    let one_each: Vec<(AbsPath, Span)> = renamed.filter(|(path, _)| seen.insert(path)).take(MOST).cloned().collect();
    let leads = leads(server, &one_each).await?;
    // A place that leads to several things (`Foo { size }`: a field and a variable) says nothing of one of them.
    let alone = leads.into_iter().filter(|leads| leads.len() == 1).flatten();
    let places = alone.map(|to| (to.path, to.span)).filter(|place| named.contains(place));
    Ok(places.filter(|(path, span)| !gathered.has(path, *span)).collect())
}

/// Asks where places lead: to where they are declared, where the server tells that apart, else to where they are defined.
async fn leads(server: &Server, places: &[(AbsPath, Span)]) -> Result<Vec<Vec<Location>>, Refusal> {
    let places: Vec<Place> =
        places.iter().map(|(path, span)| Place { path: path.clone(), offset: span.start }).collect();
    let defined = super::definition_queries::locations(server, Feature::Definition, places.clone()).await?;
    if !server.offers(Feature::Declaration) {
        return Ok(defined);
    }
    let declared = super::definition_queries::locations(server, Feature::Declaration, places).await?;
    Ok(declared.into_iter().zip(defined).map(|(one, other)| if one.is_empty() { other } else { one }).collect())
}

/// Renames from each of the places that is not renamed by now; tells whether that added anything.
async fn join(
    server: &Arc<Server>,
    request: &RenameRequest,
    joined: Vec<(AbsPath, Span)>,
    gathered: &mut Gathered,
) -> Result<bool, Refusal> {
    let mut is_more = false;
    for (path, span) in joined {
        if gathered.has(&path, span) {
            continue;
        }
        let place = Place { path: path.clone(), offset: span.start };
        // What it does not rename from there is told as what nobody knows.
        let answer = server.rename(&place, &request.new_name).await;
        if let Ok(Some(answer)) = answer.map_err(SessionError::from) {
            gathered.absorb(answer, &request.new_name)?;
        }
        match gathered.has(&path, span) {
            true => is_more = true,
            false => drop(gathered.asked.unknown.insert((path, span))),
        }
    }
    Ok(is_more)
}
