//! Members that the same uses mean: what is asked of a union is declared by each of its members.
//!
//! Seen with TypeScript 6.0: tsserver changes the one declaration that was asked for and every such use,
//! and leaves the declarations beside it. Of a member that is called, it names one declaration only.

use std::sync::Arc;

use super::gathered::Gathered;
use super::subject::Subject;
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{DeclarationKind, Site, site};
use crate::text::Span;

/// At most so many uses are asked for their declarations.
const USES: usize = 16;

/// Returns the declarations beside those that are changed, where the rename began at a member.
pub(super) async fn declarations(
    session: &Session,
    server: &Arc<Server>,
    (subject, start): (&Subject, &Place),
    gathered: &Gathered,
) -> Result<Vec<Place>, Refusal> {
    let length = subject.name.len();
    if !is_member(session, start, length)? {
        return Ok(Vec::new());
    }
    let mut beside = Vec::new();
    for place in uses(session, gathered)? {
        for found in server.definition(&place).await.map_err(SessionError::from)? {
            let other = Place { path: found.path.clone(), offset: found.span.start };
            let is_new = found.path.is_below(session.root()) && !gathered.has(&found.path, found.span);
            if is_new && is_named(session, &found.path, subject, found.span)? && is_member(session, &other, length)? {
                beside.push(other);
            }
        }
    }
    Ok(beside)
}

/// The places behind a dot that the rename changes: the first of every file before the second of any.
fn uses(session: &Session, gathered: &Gathered) -> Result<Vec<Place>, Refusal> {
    let mut ranked = Vec::new();
    for path in gathered.paths() {
        let text = session.disk().read(path)?;
        let edits = gathered.edits_of(path);
        let dotted = edits.iter().filter(|edit| text.as_str()[..edit.span.start].ends_with('.'));
        ranked.extend(
            dotted.enumerate().map(|(rank, edit)| (rank, Place { path: path.clone(), offset: edit.span.start })),
        );
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    Ok(ranked.into_iter().take(USES).map(|(_, place)| place).collect())
}

fn is_named(session: &Session, path: &crate::text::AbsPath, subject: &Subject, span: Span) -> Result<bool, Refusal> {
    Ok(span.of(session.disk().read(path)?.as_str()) == Some(subject.name.as_str()))
}

/// Tells whether a member of a class, an interface or an object is declared there.
fn is_member(session: &Session, place: &Place, length: usize) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    let span = Span::new(place.offset, place.offset + length);
    let kind = site(&parsed.tree, parsed.text.as_str(), span);
    Ok(matches!(kind, Site::Declaration(DeclarationKind::Method | DeclarationKind::Property)))
}
