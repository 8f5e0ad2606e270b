//! Names that a Python program puts together as it runs (`getattr(self, f"visit_{kind}")`), told where the renamed one
//! may be among them: no server knows, and no checker sees.

use std::collections::BTreeSet;

use super::hierarchy::Hierarchy;
use super::python_changes::Renamed;
use super::receivers::Owners;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::Feature;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Session, Sources};
use crate::syntax::{Family, Stem};
use crate::text::{AbsPath, Span};

/// A name that may be put together, what is known of it, and where that stands.
pub(super) struct Assembled {
    member: String,
    stem: Stem,
    places: Vec<(AbsPath, Span)>,
}

/// Finds the beginnings and the ends that the renamed name has, and the names that it is a part of. To be done while a
/// server thinks.
pub(super) async fn find(session: &Session, subject: &Subject) -> Vec<Assembled> {
    if subject.language.family() != Family::Python || subject.is_local() {
        return Vec::new();
    }
    named(session, &subject.name).await
}

/// Leaves out the places where somebody is asked who has no such member.
pub(super) async fn meant(
    session: &Session,
    subject: &Subject,
    gathered: &Gathered,
    mut found: Vec<Assembled>,
) -> Result<Vec<Assembled>, Refusal> {
    if found.is_empty() {
        return Ok(found);
    }
    let server = session.server(subject.language, Feature::Rename).await?;
    let hierarchy = Hierarchy::new(session, &server, &subject.name);
    let renamed = Owners::of_renamed(&hierarchy, &Renamed::of(session, gathered)?).await?;
    for one in &mut found {
        let others =
            if one.member == subject.name { None } else { Some(Owners::named(&hierarchy, &one.member).await?) };
        let mut kept = Vec::new();
        for (path, span) in one.places.drain(..) {
            if others.as_ref().unwrap_or(&renamed).may_be_asked(&hierarchy, (&path, span)).await? {
                kept.push((path, span));
            }
        }
        one.places = kept;
    }
    Ok(found)
}

/// Tells that a function of a Python program may be called where its name is put together, for a sentence about it.
pub(crate) async fn called_unseen(session: &Session, name: &str) -> Option<String> {
    let told = warnings(session, named(session, name).await);
    told.first().map(|told| format!("may be called where no server sees it: {}", told.message))
}

async fn named(session: &Session, name: &str) -> Vec<Assembled> {
    let (sources, name) = (session.sources().clone(), name.to_owned());
    tokio::task::spawn_blocking(move || candidates(&sources, &name)).await.unwrap_or_default()
}

fn candidates(sources: &Sources, name: &str) -> Vec<Assembled> {
    let mut found = Vec::new();
    // Methods for classes are mostly named in small letters: `visit_order`, by `type(node).__name__.lower()`.
    let middles = BTreeSet::from([name.to_owned(), name.to_lowercase(), snake_case(name)]);
    for (stem, places) in sources.stems().iter() {
        let own = Some(name.to_owned()).filter(|name| stem.fits(name));
        let carriers = middles.iter().filter_map(|middle| stem.around(middle));
        let is_carried = |carrier: &String| !sources.disk().files_mentioning(carrier).is_empty();
        let members = own.into_iter().chain(carriers.filter(is_carried));
        found.extend(members.map(|member| Assembled { member, stem: stem.clone(), places: places.clone() }));
    }
    found
}

/// Writes a class's name as a function's: `CardOrder` as `card_order`.
fn snake_case(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_uppercase() && !written.is_empty() && !written.ends_with('_') {
            written.push('_');
        }
        written.extend(character.to_lowercase());
    }
    written
}

/// Tells of them, each at the first of its places.
pub(super) fn warnings(session: &Session, found: Vec<Assembled>) -> Vec<Warning> {
    let warning = |Assembled { member, stem, places }: Assembled| {
        let (path, span) = places.into_iter().next()?;
        let text = session.disk().read(&path).ok()?;
        let ends = said(&stem);
        let message = format!("names that {ends} are put together here, and `{member}` may be one of them");
        Some(Warning::at(WarningKind::RunTime, message, path, text.range(span)))
    };
    found.into_iter().filter_map(warning).collect()
}

fn said(Stem { begins, ends, .. }: &Stem) -> String {
    match (begins.as_str(), ends.as_str()) {
        (begins, "") => format!("begin with `{begins}`"),
        ("", ends) => format!("end with `{ends}`"),
        (begins, ends) => format!("begin with `{begins}` and end with `{ends}`"),
    }
}
