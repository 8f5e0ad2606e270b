//! Fields that a string declares: `namedtuple("Point", "x y")`, `TypedDict("Row", {"name": str})`.
//!
//! Seen with basedpyright 1.40: from such a declaration it renames nothing, and from a use of one in a list of names only
//! a part; where a use is declared it says right.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::forward_references::is_python;
use super::probes::{Form, Wanted};
use super::repeated_names::declared_in;
use super::server_edits::Gathered;
use super::{definition_queries, probes};
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{Site, site};
use crate::text::{AbsPath, Span, TextEdit};

/// Tells whether a string stands at a place.
pub(super) fn is_spelled(session: &Session, place: &Place) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    Ok(parsed.tree.nodes().covering(Span::new(place.offset, place.offset + 1)).is("string_content"))
}

/// Renames the fields that are declared in strings at `places`, and every use that the server leads to one of them.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (name, new_name): (&str, &str),
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    if places.is_empty() {
        return Ok(());
    }
    let edit = |offset: usize| TextEdit::new(Span::new(offset, offset + name.len()), new_name);
    for place in places {
        gathered.add(place.path.clone(), edit(place.offset), new_name);
    }
    let uses = uses(session, server, name).await?;
    let meanings = definition_queries::meanings(server, name, uses.clone()).await?;
    let mut open: BTreeSet<(&AbsPath, usize)> = BTreeSet::new();
    for (one, meaning) in uses.iter().zip(meanings) {
        if meaning.is_empty() {
            open.insert((&one.path, one.offset));
        }
        for location in meaning {
            let text = server.seen(&location.path).map_err(SessionError::from)?;
            if declared_in(&location, text.as_str(), name).is_some_and(|declared| places.contains(&declared)) {
                gathered.add(one.path.clone(), edit(one.offset), new_name);
            }
        }
    }
    // What an argument of the class itself names, the server does not say.
    let files: Vec<AbsPath> =
        open.iter().map(|(path, _)| AbsPath::clone(path)).collect::<BTreeSet<_>>().into_iter().collect();
    let built = Wanted { name, forms: &[Form::Built], is_known: &|_, _| false };
    for meant in probes::within(session, server, (&built, &files)).await? {
        let is_field = probes::declarations(session, &meant, name).iter().any(|declared| places.contains(declared));
        if is_field && open.contains(&(&meant.path, meant.span.start)) {
            gathered.add(meant.path.clone(), edit(meant.span.start), new_name);
        }
    }
    Ok(())
}

/// Every place where the name could be that of a field.
async fn uses(session: &Session, server: &Arc<Server>, name: &str) -> Result<Vec<Place>, Refusal> {
    let mut files = session.disk().files_mentioning(name);
    files.retain(is_python);
    session.cover(server, &files).await?;
    let mut found = Vec::new();
    for path in files {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let is_field = |span: &Span| matches!(site(&parsed.tree, text, *span), Site::Member | Site::KeywordArgument);
        let spans = parsed.tree.identifiers_named(text, name).into_iter().filter(is_field);
        found.extend(spans.map(|span| Place { path: path.clone(), offset: span.start }));
    }
    Ok(found)
}
