//! Moves in languages for which there is nothing but their server (LSP 3.17 § workspace/willRenameFiles).

use super::{Changes, Relocation};
use crate::lsp::{Edits, Feature, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::workspace::OutsideRoot;

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
    let (edits, warnings) = ask(session, &server, relocation).await?;
    let mut changes = Changes { edits, warnings, ..Changes::default() };
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

/// Asks once, for the directory or for the file. An answer that does more than edit files of the project is refused.
pub(super) async fn ask(
    session: &Session,
    server: &Server,
    relocation: &Relocation,
) -> Result<(Edits, Vec<Warning>), Refusal> {
    let pairs = [(relocation.from.clone(), relocation.to.clone())];
    let answer = server.will_rename_files(&pairs).await.map_err(SessionError::from)?;
    let (edits, warnings) = answer.edits_alone().map_err(|operation| Refusal::not_carried_out(server, operation))?;
    for path in edits.keys() {
        match session.disk().contain(path) {
            Err(OutsideRoot::Leaves { leads_to, .. }) => {
                return Err(Refusal::EditsOutside { server: server.name().to_string(), path: leads_to });
            }
            contained => drop(contained?),
        }
    }
    Ok((edits, warnings))
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
