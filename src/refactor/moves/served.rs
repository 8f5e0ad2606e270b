//! Moves in languages for which there is nothing but their server (LSP 3.17 § workspace/willRenameFiles).

use super::{Changes, Relocation};
use crate::lsp::{Answer, Feature, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::AbsPath;

/// Asks the server of a language about a move; where none answers, or it would change nothing though the
/// text shows the name, a remark says so.
pub(super) async fn changes(
    session: &Session,
    relocation: &Relocation,
    language: Language,
    files: &[AbsPath],
) -> Result<Changes, Refusal> {
    let server = match session.server(language, Feature::WillRenameFiles).await {
        Ok(server) => server,
        Err(SessionError::NoServer { .. }) => return Ok(unserved(session, relocation, language, None)),
        // A directory's other files are planned all the same, and what is missing is told.
        Err(error) if relocation.is_dir => return Ok(unserved(session, relocation, language, Some(&error))),
        Err(error) => return Err(error.into()),
    };
    let dependents = mentioning(session, relocation, language);
    let wanted: Vec<AbsPath> = files.iter().chain(&dependents).cloned().collect();
    session.cover(&server, &wanted).await?;
    let answer = ask(&server, relocation).await?;
    check(session, &server, &answer)?;
    let mut changes = Changes { edits: answer.edits, ..Changes::default() };
    if changes.edits.is_empty() && !dependents.is_empty() {
        let message = format!(
            "`{}` would change nothing, though {} files mention `{}`",
            server.name(),
            dependents.len(),
            relocation.from.file_stem()
        );
        changes.warnings.push(Warning::of_plan(WarningKind::FollowUp, message));
    }
    Ok(changes)
}

/// Asks once, for the directory or for the file.
pub(super) async fn ask(server: &Server, relocation: &Relocation) -> Result<Answer, Refusal> {
    let pairs = [(relocation.from.clone(), relocation.to.clone())];
    Ok(server.will_rename_files(&pairs).await.map_err(SessionError::from)?)
}

fn check(session: &Session, server: &Server, answer: &Answer) -> Result<(), Refusal> {
    let server = server.name().to_string();
    if let Some(path) = answer.edits.keys().find(|path| !path.is_below(session.root())) {
        return Err(Refusal::EditsOutside { server, path: path.to_string() });
    }
    if !(answer.moves.is_empty() && answer.creates.is_empty() && answer.deletes.is_empty()) {
        let problem = "it would move, create or delete files of its own accord".to_owned();
        return Err(Refusal::BadAnswer { server, problem });
    }
    Ok(())
}

fn unserved(session: &Session, relocation: &Relocation, language: Language, error: Option<&SessionError>) -> Changes {
    let mut changes = Changes::default();
    let mentioned = mentioning(session, relocation, language).len();
    if mentioned > 0 {
        let why = error.map_or_else(String::new, |error| format!(" ({error})"));
        let stem = relocation.from.file_stem();
        let message =
            format!("no server plans moves of {} files{why}: {mentioned} of them mention `{stem}`", language.id());
        changes.warnings.push(Warning::of_plan(WarningKind::FollowUp, message));
    }
    changes
}

fn mentioning(session: &Session, relocation: &Relocation, language: Language) -> Vec<AbsPath> {
    let stays = |path: &AbsPath| !relocation.files.contains_key(path);
    let is_kin = |path: &AbsPath| Language::of_path(path).is_some_and(|other| other.family() == language.family());
    let found = session.disk().files_mentioning(relocation.from.file_stem());
    found.into_iter().filter(|path| stays(path) && is_kin(path)).collect()
}
