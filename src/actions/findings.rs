//! What the servers of a project find in its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::stream::{self, StreamExt as _};

use crate::lsp::{Feature, LspError, Quirk, Server};
use crate::plan::Problem;
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
    pub unread: Vec<Unread>,
}

/// A server that was to be asked, and could not be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    pub server: String,
    pub reason: String,
}

/// A file of which a server said nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    pub path: AbsPath,
    pub reason: String,
}

/// So many questions are on their way at once.
const AT_ONCE: usize = 8;

/// Returns the files of a project at or below some paths, or all of it where none is named: those in a language that
/// servers may know.
pub fn files_below(session: &Session, paths: &[AbsPath]) -> Vec<AbsPath> {
    let files = session.disk().files();
    let is_wanted = |path: &AbsPath| paths.is_empty() || paths.iter().any(|above| path.is_below(above));
    let is_code = |path: &AbsPath| Language::of_path(path).is_some_and(|it| it.family() != Family::Data);
    files.iter().map(|entry| entry.path.clone()).filter(|path| is_wanted(path) && is_code(path)).collect()
}

/// Asks, in every language, the server that judges plans, and those that mend findings of their own.
pub async fn find(session: &Session, files: &[AbsPath]) -> Findings {
    session.refresh().await;
    let _turn = session.shared().await;
    let mut found = Findings::default();
    let mut looked_at = std::collections::BTreeSet::new();
    for (language, files) in by_language(files) {
        let Asked { servers, missing } = asked(session, language).await;
        found.missing.extend(missing);
        for server in servers {
            match ask(session, &server, &files).await {
                Ok(answers) => looked_at.extend(found.take(answers)),
                Err(error) => found.missing.push(Missing::of(server.name().as_str(), &error)),
            }
        }
    }
    found.files = looked_at.len();
    found.problems.sort();
    found.problems.dedup();
    found.missing.sort();
    found.missing.dedup();
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

type Answers = Vec<(AbsPath, Result<Vec<Problem>, String>)>;

/// Asks one server about files. One that hangs or dies is not asked again.
async fn ask(session: &Session, server: &Arc<Server>, files: &[AbsPath]) -> Result<Answers, SessionError> {
    session.cover(server, files).await?;
    if server.spec().has(Quirk::TsserverDiagnostics) {
        // A file that is not open counts as one of whichever project was loaded first, whose options may be others.
        server.open(files).await?;
    }
    let answers = stream::iter(files.to_vec()).map(|file| async move {
        let found = server.diagnostics(&file).await;
        (file, found)
    });
    let mut answers = std::pin::pin!(answers.buffered(AT_ONCE));
    let mut found = Vec::with_capacity(files.len());
    while let Some((file, answer)) = answers.next().await {
        match answer {
            Ok(problems) => found.push((file, Ok(problems))),
            Err(error @ (LspError::NotUtf8 { .. } | LspError::Unreadable { .. } | LspError::BadAnswer { .. })) => {
                found.push((file, Err(error.to_string())));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

impl Findings {
    /// Takes what one server said; returns the files that it looked at.
    fn take(&mut self, answers: Answers) -> Vec<AbsPath> {
        let mut looked_at = Vec::with_capacity(answers.len());
        for (path, answer) in answers {
            match answer {
                Ok(problems) => {
                    looked_at.push(path);
                    self.problems.extend(problems);
                }
                Err(reason) => self.unread.push(Unread { path, reason }),
            }
        }
        looked_at
    }
}

impl Missing {
    pub(super) fn of(server: &str, error: &SessionError) -> Self {
        Self { server: server.to_owned(), reason: error.to_string() }
    }
}
