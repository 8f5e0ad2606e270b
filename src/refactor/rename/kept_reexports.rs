//! A rename in Python that stops at the first re-export, which keeps the old public name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{LspError, Place, Server};
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
    let mut reexports = Vec::new();
    for path in gathered.paths().filter(|path| path.file_stem() == "__init__") {
        reexports.extend(of_package(session, gathered, path)?);
    }
    stop(session, server, (&subject.name, &request.new_name), &reexports, gathered).await
}

/// Stops at these imports, which keep the old name for those who take it from there.
pub(super) async fn stop(
    session: &Session,
    server: &Arc<Server>,
    (name, new_name): (&str, &str),
    reexports: &[Reexport],
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let mut kept: BTreeSet<(AbsPath, Span)> = BTreeSet::new();
    for reexport in reexports {
        let beyond = through(session, server, name, reexport).await;
        server.drop_overlays().await;
        kept.extend(beyond?);
    }
    let is_imported =
        |path: &AbsPath, span: Span| reexports.iter().any(|one| one.path == *path && one.imported == span);
    gathered.retain(|path, span| !kept.contains(&(path.clone(), span)) || is_imported(path, span));
    for one in reexports {
        let text = if one.alias.is_none() { format!("{new_name} as {name}") } else { new_name.to_owned() };
        gathered.put(&one.path, TextEdit::new(one.imported, text));
    }
    Ok(())
}

/// A name at a package's front door: `from … import name`, or `from … import name as name`.
pub(super) struct Reexport {
    pub path: AbsPath,
    pub imported: Span,
    pub alias: Option<Span>,
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
    name: &str,
    reexport: &Reexport,
) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let (path, span) = (&reexport.path, reexport.imported);
    // Any fresh name will do: only the places count.
    let fresh = format!("{name}_kept");
    if let Some(alias) = reexport.alias {
        let place = Place { path: path.clone(), offset: alias.start };
        return asked(server, &place, &fresh).await;
    }
    let text = session.disk().read(path)?;
    let inserted = format!(" as {name}");
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

/// Every place in other files that a rename of what a module defines would change, if it imported nothing under that name.
pub(super) async fn used_without(
    session: &Session,
    server: &Arc<Server>,
    (path, own): (&AbsPath, Span),
    imports: &[Span],
) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let text = session.disk().read(path)?;
    let fresh = format!("{}_kept", own.of(text.as_str()).unwrap_or_default());
    let inserted = format!(" as {fresh}");
    let aliased = imports.iter().map(|span| TextEdit::new(Span::at(span.end), inserted.clone())).collect();
    let edits = TextEdits::new(aliased)
        .map_err(|overlap| Refusal::BadAnswer { server: server.name().to_string(), problem: overlap.to_string() })?;
    let before = imports.iter().filter(|span| span.end <= own.start).count();
    server.overlay(path, Arc::new(Text::new(edits.apply(text.as_str())))).await.map_err(SessionError::from)?;
    let place = Place { path: path.clone(), offset: own.start + before * inserted.len() };
    let mut found = asked(server, &place, &fresh).await?;
    found.retain(|(file, _)| file != path);
    Ok(found)
}

/// The places that a rename would change, in offsets of the texts that the server sees.
async fn asked(server: &Arc<Server>, place: &Place, new_name: &str) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let answer = match server.rename(place, new_name).await {
        // In a part that is not run where it looks, a server knows no name.
        Err(LspError::Refused { .. }) => return Ok(Vec::new()),
        answer => answer.map_err(SessionError::from)?.unwrap_or_default(),
    };
    let (edits, _) = answer.edits_alone().map_err(|operation| Refusal::not_carried_out(server, operation))?;
    let spans = |(file, edits): (AbsPath, Vec<TextEdit>)| edits.into_iter().map(move |edit| (file.clone(), edit.span));
    Ok(edits.into_iter().flat_map(spans).collect())
}
