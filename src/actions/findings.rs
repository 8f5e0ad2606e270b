//! What the servers of a project find in its files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::stream::{self, StreamExt as _};

use super::Missing;
use crate::lsp::provision::InstallStep;
use crate::lsp::{Feature, LspError, Quirk, Server, ServerName};
use crate::plan::{Problem, Severity};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Language};
use crate::text::AbsPath;

/// All that was found, and what was not looked at.
#[derive(Debug, Default)]
pub struct Findings {
    /// Sorted.
    pub problems: Vec<Problem>,
    /// How many files at least one server looked at.
    pub files: usize,
    pub missing: Vec<Missing>,
}

/// So many questions are on their way at once.
pub(super) const AT_ONCE: usize = 8;

/// Returns the files of a project at or below some paths, or all of it where none is named: those in a language that
/// servers may know.
pub fn files_below(session: &Session, paths: &[AbsPath]) -> Vec<AbsPath> {
    let files = session.disk().files();
    let is_wanted = |path: &AbsPath| paths.is_empty() || paths.iter().any(|above| path.is_below(above));
    let is_code = |path: &AbsPath| Language::of_path(path).is_some_and(|it| it.family() != Family::Data);
    files.iter().map(|entry| entry.path.clone()).filter(|path| is_wanted(path) && is_code(path)).collect()
}

/// Makes a server load what it is asked about. A tsserver also gets what its projects do not hold: it takes no import from
/// there, and changes none.
pub(super) async fn cover(session: &Session, server: &Arc<Server>, files: &[AbsPath]) -> Result<(), SessionError> {
    if !server.spec().has(Quirk::TsserverRequests) {
        return session.cover(server, files).await;
    }
    session.cover_all(server).await
}

/// Asks, in every language, the server that judges plans, and those that mend findings of their own, for what is at least
/// so severe.
pub async fn find(session: &Session, files: &[AbsPath], lowest: Severity) -> Findings {
    session.refresh().await;
    let turn = session.shared().await;
    let mut found = Findings::default();
    let (mut looked_at, mut answers) = (BTreeSet::new(), Vec::new());
    for (language, files) in by_language(files) {
        let Asked { servers, mut missing } = asked(session, language).await;
        for missing in &mut missing {
            missing.files.clone_from(&files);
        }
        found.missing.extend(missing);
        for server in servers {
            let Looked { files, problems } = found.ask(session, &server, (&files, lowest)).await;
            looked_at.extend(files);
            answers.push((server, problems));
        }
    }
    drop(turn);
    for (server, mut problems) in answers {
        found.ask_anew(session, &server, (&mut problems, lowest)).await;
        found.problems.extend(problems);
    }
    let partly = |(name, words): (ServerName, String)| {
        Missing::of(name.as_str(), &format!("it says that it could not read all of the project: {words}"))
    };
    found.missing.extend(session.complaints(looked_at.iter()).into_iter().map(partly));
    found.files = looked_at.len();
    found.problems.retain(|problem| problem.severity <= lowest);
    found.problems.sort();
    found.problems.dedup();
    found.missing = Missing::joined(found.missing);
    found
}

/// Groups files by what their servers are chosen by.
pub(super) fn by_language(files: &[AbsPath]) -> BTreeMap<Language, Vec<AbsPath>> {
    let mut groups: BTreeMap<Language, Vec<AbsPath>> = BTreeMap::new();
    for path in files {
        if let Some(language) = Language::of_path(path) {
            groups.entry(language).or_default().push(path.clone());
        }
    }
    groups
}

/// What a server found, and in which files it looked.
#[derive(Default)]
struct Looked {
    files: BTreeSet<AbsPath>,
    problems: Vec<Problem>,
}

struct Asked {
    servers: Vec<Arc<Server>>,
    missing: Vec<Missing>,
}

async fn asked(session: &Session, language: Language) -> Asked {
    let (judge, others) =
        tokio::join!(session.server(language, Feature::Diagnostics), session.servers(language, Feature::CodeAction));
    let mut asked = Asked { servers: Vec::new(), missing: Vec::new() };
    match judge {
        Ok(server) => asked.servers.push(server),
        Err(error) => asked.missing.push(Missing::of(language.id(), &error)),
    }
    for (name, other) in others {
        let gives_opinion = session.options().config.server(&name).is_some_and(|spec| spec.has(Quirk::SecondOpinion));
        match other {
            _ if gives_opinion || asked.servers.iter().any(|known| *known.name() == name) => {}
            Ok(server) => asked.servers.push(server),
            // The judge's own failure is told once.
            Err(error) => asked.missing.push(Missing::of(name.as_str(), &error)),
        }
    }
    asked
}

impl Findings {
    /// Asks again about the files with problems that may be of texts that are gone, with nobody else at the servers meanwhile.
    async fn ask_anew(
        &mut self,
        session: &Session,
        server: &Arc<Server>,
        (problems, lowest): (&mut Vec<Problem>, Severity),
    ) {
        let is_behind = |path: &AbsPath| server.may_be_behind(path);
        let files: BTreeSet<AbsPath> = problems.iter().map(|it| it.path.clone()).filter(is_behind).collect();
        if files.is_empty() {
            return;
        }
        let _turn = session.alone().await;
        let is_anew = server.read_anew(&files).await.is_ok();
        server.drop_overlays().await;
        if is_anew {
            let files: Vec<AbsPath> = files.into_iter().collect();
            let again = self.ask(session, server, (&files, lowest)).await;
            problems.retain(|problem| !again.files.contains(&problem.path));
            problems.extend(again.problems);
        }
    }

    /// Asks one server about files. One that hangs or dies is not asked again.
    async fn ask(
        &mut self,
        session: &Session,
        server: &Arc<Server>,
        (files, lowest): (&[AbsPath], Severity),
    ) -> Looked {
        let mut looked = Looked::default();
        let name = server.name().as_str();
        if let Err(error) = prepared(session, server, files).await {
            self.missing.push(Missing { files: files.to_vec(), ..Missing::of(name, &error) });
            return looked;
        }
        let answers = stream::iter(files.to_vec()).map(|file| async move {
            let found = match lowest {
                Severity::Hint => server.suggestions(&file).await,
                _ => server.diagnostics(&file).await,
            };
            (file, found)
        });
        let mut answers = std::pin::pin!(answers.buffered(AT_ONCE).enumerate());
        while let Some((at, (file, answer))) = answers.next().await {
            match answer {
                Ok(problems) => {
                    looked.problems.extend(problems);
                    looked.files.insert(file);
                }
                Err(error) if is_of_one_file(&error) => {
                    self.missing.push(Missing { files: vec![file], ..Missing::of(name, &error) });
                }
                Err(error) => {
                    self.missing.push(Missing { files: files[at..].to_vec(), ..Missing::of(name, &error) });
                    break;
                }
            }
            told(session, server, ("looked into", at + 1, files.len()));
        }
        looked
    }
}

async fn prepared(session: &Session, server: &Arc<Server>, files: &[AbsPath]) -> Result<(), SessionError> {
    session.cover(server, files).await?;
    if server.spec().has(Quirk::TsserverDiagnostics) {
        // A file that is not open counts as one of whichever project was loaded first, whose options may be others.
        server.open(files).await?;
    }
    Ok(())
}

/// Tells whether a server that failed at one file may be asked about others.
pub(super) fn is_of_one_file(error: &LspError) -> bool {
    use LspError::{BadAnswer, NotUtf8, Refused, Unheard, Unreadable};
    matches!(error, NotUtf8 { .. } | Unreadable { .. } | BadAnswer { .. } | Refused { .. } | Unheard { .. })
}

/// How often it is told how far the asking is.
const TOLD: usize = 20;

/// Tells those who wait how many files are done, of how many.
pub(super) fn told(session: &Session, server: &Server, (what, done, of): (&'static str, usize, usize)) {
    if done % of.div_ceil(TOLD) == 0 {
        session.options().progress.step(server.name(), InstallStep::Counted { what, done, of });
    }
}
