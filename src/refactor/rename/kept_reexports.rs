//! A rename in Python that stops at the first re-export, which keeps the old public name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{Site, site};
use crate::text::{AbsPath, Span, Text, TextEdit, TextEdits};

/// Takes out what is reached through a package's `__init__`, and makes its import `new as old`.
///
/// Which places those are is asked of the server with the re-export laid over as `old as old`: a rename of
/// that alias changes them and nothing else.
pub(super) async fn stop_at_reexports(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let mut kept: BTreeSet<(AbsPath, Span)> = BTreeSet::new();
    let mut reexports = Vec::new();
    for path in gathered.paths().filter(|path| path.file_stem() == "__init__") {
        reexports.extend(of_package(session, gathered, path)?);
    }
    for reexport in &reexports {
        let beyond = through(session, server, subject, reexport).await;
        server.drop_overlays().await;
        kept.extend(beyond?);
    }
    let is_imported =
        |path: &AbsPath, span: Span| reexports.iter().any(|one| one.path == *path && one.imported == span);
    gathered.retain(|path, span| !kept.contains(&(path.clone(), span)) || is_imported(path, span));
    for one in reexports.iter().filter(|one| one.alias.is_none()) {
        gathered.replace(&one.path, one.imported, format!("{} as {}", request.new_name, subject.name));
    }
    Ok(())
}

/// A name at a package's front door: `from … import name`, or `from … import name as name`.
struct Reexport {
    path: AbsPath,
    imported: Span,
    alias: Option<Span>,
}

/// The edited names that a package passes on.
fn of_package(session: &Session, gathered: &Gathered, path: &AbsPath) -> Result<Vec<Reexport>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(Vec::new()) };
    let text = parsed.text.as_str();
    let edits = gathered.edits_of(path).into_iter().map(|edit| edit.span);
    let reexport = |imported: Span| {
        let alias = match site(&parsed.tree, text, imported) {
            Site::ImportSpecifier { .. } => None,
            Site::ImportedName { alias, .. } if alias.of(text) == imported.of(text) => Some(alias),
            _ => return None,
        };
        Some(Reexport { path: path.clone(), imported, alias })
    };
    Ok(edits.filter_map(reexport).collect())
}

/// Every place that a rename of the alias would change, in offsets of the texts on the disk.
async fn through(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    reexport: &Reexport,
) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let (path, span) = (&reexport.path, reexport.imported);
    // Any fresh name will do: only the places count.
    let fresh = format!("{}_kept", subject.name);
    if let Some(alias) = reexport.alias {
        let place = Place { path: path.clone(), offset: alias.start };
        return asked(server, &place, &fresh).await;
    }
    let text = session.disk().read(path)?;
    let inserted = format!(" as {}", subject.name);
    let aliased = TextEdits::new(vec![TextEdit::new(Span::at(span.end), inserted.clone())])
        .map_err(|overlap| Refusal::BadAnswer { server: server.name().to_string(), problem: overlap.to_string() })?;
    let laid_over = Arc::new(Text::new(aliased.apply(text.as_str())));
    server.overlay(path, laid_over).await.map_err(SessionError::from)?;
    let alias = Place { path: path.clone(), offset: span.end + " as ".len() };
    let back = |(file, place): (AbsPath, Span)| {
        let shift = if file == *path && place.start > span.end { inserted.len() } else { 0 };
        (file, Span::new(place.start - shift, place.end - shift))
    };
    Ok(asked(server, &alias, &fresh).await?.into_iter().map(back).collect())
}

/// The places that a rename would change, in offsets of the texts that the server sees.
async fn asked(server: &Arc<Server>, place: &Place, new_name: &str) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let answer = server.rename(place, new_name).await.map_err(SessionError::from)?.unwrap_or_default();
    let (edits, _) = answer.edits_alone().map_err(|operation| Refusal::not_carried_out(server, operation))?;
    let spans = |(file, edits): (AbsPath, Vec<TextEdit>)| edits.into_iter().map(move |edit| (file.clone(), edit.span));
    Ok(edits.into_iter().flat_map(spans).collect())
}
