//! Names that a Python program puts together as it runs (`getattr(self, f"visit_{kind}")`), told where the renamed one
//! may be among them: no server knows, and no checker sees.

use std::collections::BTreeSet;

use crate::plan::{Warning, WarningKind};
use crate::session::{Session, Sources};
use crate::syntax::Family;
use crate::text::{AbsPath, Span};

use super::subject::Subject;

/// A name that may be put together, the beginning that it has, and where that stands.
pub(super) struct Assembled {
    member: String,
    stem: String,
    path: AbsPath,
    span: Span,
}

/// Finds the beginnings that the renamed name has, and the names at whose end it stands. To be done while a server
/// thinks.
pub(super) async fn find(session: &Session, subject: &Subject) -> Vec<Assembled> {
    if subject.language.family() != Family::Python || subject.is_local() {
        return Vec::new();
    }
    named(session, &subject.name).await
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
    for (stem, (path, span)) in sources.stems().iter() {
        let is_begun = name.len() > stem.len() && name.starts_with(stem.as_str());
        // Methods for classes are mostly named in small letters: `visit_order`, by `type(node).__name__.lower()`.
        let ends = BTreeSet::from([name.to_owned(), name.to_lowercase(), snake_case(name)]);
        let carriers = ends.into_iter().map(|end| format!("{stem}{end}"));
        let is_carried = |carrier: &String| !sources.disk().files_mentioning(carrier).is_empty();
        let members = is_begun.then(|| name.to_owned()).into_iter().chain(carriers.filter(is_carried));
        let of = |member| Assembled { member, stem: stem.clone(), path: path.clone(), span: *span };
        found.extend(members.map(of));
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

/// Tells of them.
pub(super) fn warnings(session: &Session, found: Vec<Assembled>) -> Vec<Warning> {
    let warning = |Assembled { member, stem, path, span }: Assembled| {
        let text = session.disk().read(&path).ok()?;
        let message =
            format!("names that begin with `{stem}` are put together here, and `{member}` may be one of them");
        Some(Warning::at(WarningKind::RunTime, message, path, text.range(span)))
    };
    found.into_iter().filter_map(warning).collect()
}
