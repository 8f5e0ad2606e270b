//! A rename in Python that stops at the first re-export, which keeps the old public name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::gathered::Gathered;
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
        reexports.extend(specifiers(session, gathered, path)?.into_iter().map(|span| (path.clone(), span)));
    }
    for (path, span) in &reexports {
        let beyond = through(session, server, subject, (path, *span)).await;
        server.drop_overlays().await;
        kept.extend(beyond?);
    }
    gathered.retain(|path, span| !kept.contains(&(path.clone(), span)) || reexports.contains(&(path.clone(), span)));
    for (path, span) in &reexports {
        gathered.replace(path, *span, format!("{} as {}", request.new_name, subject.name));
    }
    Ok(())
}

/// The edited names of `from … import name` at a package's front door.
fn specifiers(session: &Session, gathered: &Gathered, path: &AbsPath) -> Result<Vec<Span>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(Vec::new()) };
    let text = parsed.text.as_str();
    let edits = gathered.edits_of(path).into_iter().map(|edit| edit.span);
    Ok(edits.filter(|span| matches!(site(&parsed.tree, text, *span), Site::ImportSpecifier { .. })).collect())
}

/// Every place that a rename of the alias would change, in offsets of the texts on the disk.
async fn through(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    reexport: (&AbsPath, Span),
) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let (path, span) = reexport;
    let text = session.disk().read(path)?;
    let inserted = format!(" as {}", subject.name);
    let aliased = TextEdits::new(vec![TextEdit::new(Span::at(span.end), inserted.clone())])
        .map_err(|overlap| Refusal::BadAnswer { server: server.name().to_string(), problem: overlap.to_string() })?;
    let laid_over = Arc::new(Text::new(aliased.apply(text.as_str())));
    server.overlay(path, laid_over).await.map_err(SessionError::from)?;
    let alias = Place { path: path.clone(), offset: span.end + " as ".len() };
    // Any fresh name will do: only the places count.
    let answer = server.rename(&alias, &format!("{}_kept", subject.name)).await.map_err(SessionError::from)?;
    let mut places = Vec::new();
    for (file, edits) in answer.unwrap_or_default().edits {
        for edit in edits {
            let shift = if file == *path && edit.span.start > span.end { inserted.len() } else { 0 };
            places.push((file.clone(), Span::new(edit.span.start - shift, edit.span.end - shift)));
        }
    }
    Ok(places)
}
