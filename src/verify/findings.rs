//! What the servers find in files: as they see them now, or as they stand on the disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures::stream::{self, StreamExt as _, TryStreamExt as _};

use super::dependents::ByLanguage;
use super::outcome::CannotCheck;
use crate::lsp::provision::InstallStep;
use crate::lsp::{Feature, Quirk, Server, ServerName};
use crate::plan::Problem;
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::workspace::locked;

/// So many questions are on their way at once: a server that is busy finds the next one waiting.
const AT_ONCE: usize = 8;

/// What was found in files as they stand on the disk.
#[derive(Default)]
struct Known(Mutex<ByFile>);

type ByFile = BTreeMap<(ServerName, AbsPath), Arc<Vec<Problem>>>;

/// Asks for the findings in every file of every group, as the servers see them.
pub(super) async fn seen(session: &Session, groups: &ByLanguage) -> Result<Vec<Problem>, CannotCheck> {
    let mut found = Vec::new();
    for (language, files) in groups {
        let server = ready(session, *language, files).await?;
        found.extend(asked(session, &server, files).await?.into_iter().flatten());
    }
    Ok(found)
}

/// As [`seen`], where no text is laid over any. What was found is kept as long as every file stands.
pub(super) async fn on_disk(session: &Session, groups: &ByLanguage) -> Result<Vec<Problem>, CannotCheck> {
    let known = session.kept(|_, _| Known::default());
    let mut found = Vec::new();
    for (language, files) in groups {
        let server = session.server(*language, Feature::Diagnostics).await?;
        let key = |file: &AbsPath| (server.name().clone(), file.clone());
        let is_unknown = |file: &&AbsPath| !locked(&known.0).contains_key(&key(file));
        let wanted: Vec<AbsPath> = files.iter().filter(is_unknown).cloned().collect();
        if !wanted.is_empty() {
            let server = ready(session, *language, &wanted).await?;
            let answers = asked(session, &server, &wanted).await?;
            locked(&known.0).extend(wanted.iter().map(key).zip(answers.into_iter().map(Arc::new)));
        }
        let known = locked(&known.0);
        found.extend(files.iter().filter_map(|file| known.get(&key(file))).flat_map(|found| found.iter().cloned()));
    }
    Ok(found)
}

/// Returns the server of a language with the files loaded, and open where it is by that that it knows whose they are.
async fn ready(session: &Session, language: Language, files: &[AbsPath]) -> Result<Arc<Server>, CannotCheck> {
    let server = session.server(language, Feature::Diagnostics).await?;
    session.cover(&server, files).await?;
    if server.spec().has(Quirk::TsserverDiagnostics) {
        // A file that is not open counts as one of whichever project was loaded first, whose options may be others.
        server.open(files).await.map_err(SessionError::from)?;
    }
    Ok(server)
}

/// How often it is told how far the asking is.
const TOLD: usize = 20;

/// Asks about several files at once; the answers are in the files' order.
async fn asked(session: &Session, server: &Server, files: &[AbsPath]) -> Result<Vec<Vec<Problem>>, CannotCheck> {
    let (progress, of) = (&session.options().progress, files.len());
    let answers = stream::iter(files.to_vec()).map(|file| async move { server.diagnostics(&file).await });
    let told = answers.buffered(AT_ONCE).enumerate().map(|(at, answer)| {
        if (at + 1) % of.div_ceil(TOLD) == 0 {
            progress.step(server.name(), InstallStep::Counted { what: "diagnosed", done: at + 1, of });
        }
        answer
    });
    Ok(told.try_collect().await.map_err(SessionError::from)?)
}
