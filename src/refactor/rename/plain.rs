//! Renames by a server that keeps to the protocol and of which nothing more is known.

use std::sync::Arc;

use super::server_edits::Gathered;
use super::subject::Subject;
use super::{RenameRequest, contract_casts, unresolved_mentions};
use crate::lsp::{LspError, Prepared, Quirk, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};

/// Asks the server once, when it has read every file whose text mentions the name.
pub(super) async fn gather(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    request: &RenameRequest,
) -> Result<Gathered, Refusal> {
    let mut files = session.disk().files_mentioning(&subject.name);
    if !files.contains(&subject.place.path) {
        files.push(subject.place.path.clone());
    }
    session.cover(server, &files).await?;
    let mut gathered = Gathered::by(server.name().as_str());
    if server.spec().has(Quirk::PrepareFirst)
        && let Some(reason) = unwilling(server, subject).await
    {
        return Err(refused(server, subject, reason));
    }
    match server.rename(&subject.place, &request.new_name).await {
        Ok(Some(answer)) => {
            gathered.absorb(answer, &request.new_name)?;
            follow_module(server, request, &mut gathered).await?;
        }
        Ok(None) => {
            let silent = "it gave no reason".to_owned();
            return Err(refused(server, subject, unwilling(server, subject).await.unwrap_or(silent)));
        }
        Err(LspError::Refused { message, .. }) => return Err(refused(server, subject, server.quoted(&message))),
        Err(error) => return Err(SessionError::from(error).into()),
    }
    if !gathered.has(&subject.place.path, subject.span) {
        return Err(Refusal::NothingFound { server: gathered.server, name: subject.name.clone() });
    }
    unresolved_mentions::follow(session, server, (subject, request), &mut gathered).await?;
    contract_casts::tell(session, subject, &mut gathered).await;
    Ok(gathered)
}

/// Adds the edits of a module's rename, where the server leaves them to the question about the move of its files.
async fn follow_module(server: &Arc<Server>, request: &RenameRequest, gathered: &mut Gathered) -> Result<(), Refusal> {
    if !server.spec().has(Quirk::ModuleRenameIsMove) || gathered.moves.is_empty() {
        return Ok(());
    }
    let answer = server.will_rename_files(&gathered.moves).await.map_err(SessionError::from)?;
    gathered.absorb(answer, &request.new_name)
}

/// Asks the server why it would not rename; nothing where it would.
pub(super) async fn unwilling(server: &Arc<Server>, subject: &Subject) -> Option<String> {
    match server.prepare_rename(&subject.place).await {
        Ok(Prepared::Nothing) => Some("nothing that can be renamed stands there for it".to_owned()),
        Err(LspError::Refused { message, .. }) => Some(server.quoted(&message)),
        _ => None,
    }
}

/// The refusal for a reason, quoted where the server gave it.
pub(super) fn refused(server: &Arc<Server>, subject: &Subject, reason: String) -> Refusal {
    Refusal::ServerRefused { server: server.name().to_string(), name: subject.name.clone(), reason }
}
