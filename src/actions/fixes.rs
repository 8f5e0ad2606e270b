//! Mending many places at once: fixes of servers, one after the other, each in the text that the one before left.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, StreamExt as _};

use super::declaring::{Candidates, declaring};
use super::findings::{AT_ONCE, by_language, cover, is_of_one_file, told};
use super::fix::{Fix, Stage, UNDECLARED};
use super::fix_edits::{alone, behind_future, changes, declares, fits, suggested, without_stand_ins};
use super::suppression::is_suppression;
use super::unused::{DECORATED, is_unused, unused, without_decorated};
use super::{ActionError, Missing, WhyMissing};
use crate::lsp::{Action, Ask, Feature, LspError, Offered, Server};
use crate::plan::{Parts, Plan, Problem, Warning, WarningKind, difference};
use crate::session::Session;
use crate::syntax::Language;
use crate::text::{AbsPath, ContentHash, Span, Text, TextEdit, TextEdits};

/// What comes of it.
pub struct Mended {
    pub plan: Plan,
    /// How many edits of servers the plan is made of, by the names of the fixes.
    pub counts: BTreeMap<String, usize>,
    pub left: Vec<Left>,
    pub missing: Vec<Missing>,
}

/// A finding that was asked to be mended, and stays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    pub fix: String,
    pub path: AbsPath,
    pub problem: Problem,
    pub reason: String,
    /// Whether there are several fixes to choose from.
    pub has_choice: bool,
}

/// A fix is asked for again in the text that it left, so many times: what it does may bring more to do.
const MOST_ROUNDS: usize = 50;
/// typescript-language-server 5.3 sometimes offers nothing on a busy machine, and all of it when it is asked again.
const AGAIN: usize = 3;
const BREATH: Duration = Duration::from_millis(200);

/// Plans fixes in files, in the order of their kinds.
pub async fn mend(session: &Session, files: &[AbsPath], fixes: &[Fix]) -> Result<Mended, ActionError> {
    let _turn = session.alone().await;
    session.refresh().await;
    let mut fixes = fixes.to_vec();
    fixes.sort_by_key(|fix| (fix.stage(), fix.clone()));
    fixes.dedup();
    let (mut parts, mut missing) = (Parts::default(), Vec::new());
    let (mut counts, mut left) = (BTreeMap::new(), Vec::new());
    for (language, files) in by_language(files) {
        let texts = read(session, &files, &mut parts.warnings);
        let servers = ready(session, (language, &files), &mut missing).await;
        let mut work = Work { session, servers, texts, counts, left, missing, lost: BTreeSet::new() };
        work.mend(&fixes).await;
        for server in &work.servers {
            server.drop_overlays().await;
        }
        for (path, Mending { before, now }) in work.texts {
            let edits = difference(before.as_str(), now.as_str());
            if !edits.is_empty() {
                parts.edits.insert(path, (before, edits));
            }
        }
        (counts, left, missing) = (work.counts, work.left, work.missing);
    }
    left.sort();
    left.dedup();
    parts.warnings.extend(left.iter().map(Left::told));
    Ok(Mended { plan: Plan::new(parts)?, counts, left, missing: Missing::joined(missing) })
}

/// Reads files; those that cannot be read are told.
fn read(session: &Session, files: &[AbsPath], warnings: &mut Vec<Warning>) -> BTreeMap<AbsPath, Mending> {
    let mut texts = BTreeMap::new();
    for path in files {
        match session.disk().read(path) {
            Ok(before) => drop(texts.insert(path.clone(), Mending { now: Arc::clone(&before), before })),
            Err(error) => warnings.push(Warning::at(WarningKind::Unreadable, error.to_string(), path.clone(), None)),
        }
    }
    texts
}

async fn ready(
    session: &Session,
    (language, files): (Language, &[AbsPath]),
    missing: &mut Vec<Missing>,
) -> Vec<Arc<Server>> {
    let mut servers = Vec::new();
    for (name, server) in session.servers(language, Feature::CodeAction).await {
        match server {
            Ok(server) if server.offers(Feature::CodeAction) => servers.push(server),
            Ok(_) => {}
            Err(error) => {
                let why = if error.is_for_want_of_trust() { WhyMissing::Untrusted } else { WhyMissing::Failed };
                missing.push(Missing { files: files.to_vec(), why, ..Missing::of(name.as_str(), &error) });
            }
        }
    }
    servers
}

/// The files of one language on their way.
pub(super) struct Work<'a> {
    session: &'a Session,
    pub(super) servers: Vec<Arc<Server>>,
    texts: BTreeMap<AbsPath, Mending>,
    counts: BTreeMap<String, usize>,
    left: Vec<Left>,
    missing: Vec<Missing>,
    /// Servers that fell out.
    lost: BTreeSet<String>,
}

/// A text, and what it has become.
struct Mending {
    before: Arc<Text>,
    now: Arc<Text>,
}

/// One fix, asked of one server.
struct Asked<'a> {
    server: &'a Arc<Server>,
    fix: &'a Fix,
    path: &'a AbsPath,
}

/// What an action is to be for.
struct Cause<'a> {
    code: &'a str,
    message: &'a str,
    span: Span,
    /// Nothing else was found on its line.
    is_alone: bool,
}

impl Cause<'_> {
    fn is_mended_by(&self, action: &Action) -> bool {
        let is_for = action.fixes.is_empty() || action.fixes.iter().any(|code| code == self.code);
        action.is_of("quickfix") && action.disabled.is_none() && is_for
    }
}

/// Why a finding is not mended.
struct Stays {
    reason: String,
    /// Where there is one.
    choice: Vec<(Action, Vec<TextEdit>)>,
}

impl Stays {
    fn because(reason: &str) -> Self {
        Self { reason: reason.to_owned(), choice: Vec::new() }
    }
}

/// What stays, by the fix, the number of the server and the file.
type Stay<'f> = BTreeMap<(&'f Fix, usize, AbsPath), Vec<Left>>;

/// What one round came to.
#[derive(Default)]
struct Round {
    edits: Vec<TextEdit>,
    taken: usize,
    left: Vec<Left>,
    /// Findings that several imports would mend; what is left where none of them is the one.
    undecided: Vec<(Candidates, Left)>,
    /// Set where the server has not said what it finds in the file.
    unheard: Option<LspError>,
}

impl Work<'_> {
    async fn mend(&mut self, fixes: &[Fix]) {
        for stage in fixes.chunk_by(|one, next| one.stage() == next.stage()) {
            let mut left = BTreeMap::new();
            let mut files: BTreeSet<AbsPath> = self.texts.keys().cloned().collect();
            // What was mended in one file may bring a fix for another: tsserver suggests ten spellings at a time.
            for _ in 0..MOST_ROUNDS {
                let hashes = |work: &Self| work.texts.values().map(|it| it.now.hash().clone()).collect::<Vec<_>>();
                let before = hashes(self);
                for fix in stage {
                    self.mend_one(fix, files.clone(), &mut left).await;
                }
                let open = left.values().flatten().filter(|stays: &&Left| !stays.has_choice);
                files = open.map(|stays| stays.path.clone()).collect();
                if files.is_empty() || hashes(self) == before {
                    break;
                }
            }
            self.left.extend(left.into_values().flatten());
            if stage[0].stage() == Stage::Imports && !fixes.contains(&Fix::OrganizeImports) {
                self.restore_import_order().await;
            }
        }
    }

    /// Returns the files whose texts are others by now.
    pub(super) fn changed(&self) -> Vec<AbsPath> {
        let changed = self.texts.iter().filter(|(_, text)| text.before.hash() != text.now.hash());
        changed.map(|(path, _)| path.clone()).collect()
    }

    /// Returns a file as it was at first, and as it is now.
    pub(super) fn texts_of(&self, path: &AbsPath) -> (Arc<Text>, Arc<Text>) {
        let Mending { before, now } = &self.texts[path];
        (Arc::clone(before), Arc::clone(now))
    }

    /// Makes one fix with every server; what stays is noted by fix, server and file.
    async fn mend_one<'f>(&mut self, fix: &'f Fix, mut files: BTreeSet<AbsPath>, left: &mut Stay<'f>) {
        // What one server did may bring more to do for another one.
        for _ in 0..MOST_ROUNDS {
            let mut changed = BTreeSet::new();
            for (at, server) in self.servers.clone().iter().enumerate() {
                let stays = self.repeat(server, (fix, &files), &mut changed).await;
                left.extend(stays.into_iter().map(|(path, stays)| ((fix, at, path), stays)));
            }
            if self.servers.len() == 1 || changed.is_empty() {
                break;
            }
            files = changed;
        }
    }

    /// Asks a server until it has nothing more to do in files; what it says then stays is returned. In each round it is
    /// asked about all of them, and all texts change at its end: so the outcome hangs on no order of answers.
    pub(super) async fn repeat(
        &mut self,
        server: &Arc<Server>,
        (fix, files): (&Fix, &BTreeSet<AbsPath>),
        changed: &mut BTreeSet<AbsPath>,
    ) -> BTreeMap<AbsPath, Vec<Left>> {
        let mut left = BTreeMap::new();
        let mut asked: Vec<AbsPath> = files.iter().cloned().collect();
        let mut seen: BTreeMap<AbsPath, Vec<ContentHash>> = BTreeMap::new();
        if let Err(error) = cover(self.session, server, &asked).await {
            self.lose(server, &error, &asked);
        }
        for _ in 0..MOST_ROUNDS {
            if self.lost.contains(server.name().as_str()) {
                break;
            }
            let mut next = Vec::new();
            for (path, round) in self.round(server, (fix, &asked)).await {
                left.insert(path.clone(), round.left);
                let text = &self.texts[&path].now;
                let Ok(edits) = TextEdits::new(round.edits) else { continue };
                let after = Arc::new(text.with_content(edits.apply(text.as_str())));
                let seen = seen.entry(path.clone()).or_insert_with(|| vec![text.hash().clone()]);
                // What goes round in circles has come to its end.
                if round.taken > 0 && !seen.contains(after.hash()) {
                    seen.push(after.hash().clone());
                    *self.counts.entry(fix.as_str().to_owned()).or_default() += round.taken;
                    next.push((path, after));
                }
            }
            asked = next.iter().map(|(path, _)| path.clone()).collect();
            changed.extend(asked.iter().cloned());
            for (path, after) in next {
                self.lay(&path, &after).await;
                if let Some(text) = self.texts.get_mut(&path) {
                    text.now = after;
                }
            }
            if asked.is_empty() {
                break;
            }
        }
        left
    }

    /// Asks what can be done in files as they are now, several at once; the answers are in the files' order.
    async fn round(&mut self, server: &Arc<Server>, (fix, files): (&Fix, &[AbsPath])) -> Vec<(AbsPath, Round)> {
        let session = self.session;
        let asked: Vec<_> = files.iter().map(|path| (path.clone(), Arc::clone(&self.texts[path].now))).collect();
        let answers = stream::iter(asked).map(|(path, text)| async move {
            let answer = Asked { server, fix, path: &path }.round(&text).await;
            (path, answer)
        });
        let mut answers = std::pin::pin!(answers.buffered(AT_ONCE).enumerate());
        let mut rounds = Vec::with_capacity(files.len());
        while let Some((at, (path, answer))) = answers.next().await {
            match answer {
                Ok(round) => {
                    if let Some(unheard) = &round.unheard {
                        self.missing.push(Missing {
                            files: vec![path.clone()],
                            ..Missing::of(server.name().as_str(), unheard)
                        });
                    }
                    rounds.push((path, round));
                }
                Err(error) if is_of_one_file(&error) => {
                    self.missing.push(Missing { files: vec![path], ..Missing::of(server.name().as_str(), &error) });
                }
                Err(error) => {
                    self.lose(server, &error, &files[at..]);
                    break;
                }
            }
            told(session, server, ("mended", at + 1, files.len()));
        }
        for (path, round) in &mut rounds {
            if let Err(error) = self.decide(server, path, round).await {
                self.missing.push(Missing { files: vec![path.clone()], ..Missing::of(server.name().as_str(), &error) });
            }
        }
        rounds
    }

    /// Takes the imports of which it can be told that they are the ones, with nobody else at the server meanwhile.
    async fn decide(&self, server: &Server, path: &AbsPath, round: &mut Round) -> Result<(), LspError> {
        let text = &self.texts[path].now;
        let mut known: BTreeMap<String, Option<Vec<TextEdit>>> = BTreeMap::new();
        for (candidates, left) in std::mem::take(&mut round.undecided) {
            let name = candidates.name.of(text.as_str()).unwrap_or_default().to_owned();
            if !known.contains_key(&name) {
                let found = declaring(server, (path, text), &candidates, self.session.root()).await?;
                known.insert(name.clone(), found);
            }
            match &known[&name] {
                Some(edits) if fits(&round.edits, edits) => {
                    round.edits.extend(edits.iter().cloned());
                    round.taken += 1;
                }
                // In the next round.
                Some(_) => {}
                None => round.left.push(left),
            }
        }
        Ok(())
    }

    /// Does without a server from now on.
    fn lose(&mut self, server: &Server, error: &dyn std::fmt::Display, files: &[AbsPath]) {
        let name = server.name().as_str();
        self.lost.insert(name.to_owned());
        self.missing.push(Missing { files: files.to_vec(), ..Missing::of(name, &error) });
    }

    /// Lays a text over the documents of all servers.
    pub(super) async fn lay(&mut self, path: &AbsPath, text: &Arc<Text>) {
        for server in self.servers.clone() {
            let is_lost = self.lost.contains(server.name().as_str());
            if !is_lost && let Err(error) = server.overlay(path, Arc::clone(text)).await {
                self.lose(&server, &error, std::slice::from_ref(path));
            }
        }
    }
}

impl Asked<'_> {
    /// Returns what can be done in one go.
    async fn round(&self, text: &Text) -> Result<Round, LspError> {
        let title = self.fix.title(Language::of_path(self.path));
        if let Some(kind) = title.map(|_| "quickfix").or(self.fix.kind()) {
            let (mut edits, mut unheard) = self.of_file(text, (kind, title)).await?;
            for _ in 0..AGAIN {
                if edits.is_some() || unheard.is_some() || !self.knows_unused().await? {
                    break;
                }
                tokio::time::sleep(BREATH).await;
                (edits, unheard) = self.of_file(text, (kind, title)).await?;
            }
            if let Some(edits) = edits {
                let (edits, left) = self.sparing(text, edits).await?;
                return Ok(Round { edits, taken: 1, left, unheard, ..Round::default() });
            }
            if *self.fix != Fix::RemoveUnused || unheard.is_some() {
                return Ok(Round { unheard, ..Round::default() });
            }
        }
        let mut round = Round::default();
        let found = self.server.findings(self.path).await?;
        let line = |problem: &Problem| problem.range.map(|range| range.start.line);
        let lines: Vec<Option<u32>> = found.iter().map(|(problem, ..)| line(problem)).collect();
        for (problem, span, finding) in &found {
            let Some(span) = span.filter(|_| self.fix.concerns(problem)) else { continue };
            let actions = self.server.fixes(self.path, span, finding).await?;
            let is_alone = lines.iter().filter(|other| **other == line(problem)).count() == 1;
            let code = problem.code.as_deref().unwrap_or_default();
            let cause = Cause { code, message: &problem.message, span, is_alone };
            match self.chosen(text, &cause, actions) {
                Ok(edits) if fits(&round.edits, &edits) => {
                    round.edits.extend(edits);
                    round.taken += 1;
                }
                // In the next round.
                Ok(_) => {}
                Err(Stays { reason, choice }) => {
                    let (fix, path) = (self.fix.as_str().to_owned(), self.path.clone());
                    let has_choice = !choice.is_empty();
                    let left = Left { fix, path, problem: problem.clone(), reason, has_choice };
                    match *self.fix == Fix::AddMissingImports && !choice.is_empty() {
                        true => round.undecided.push((Candidates { name: span, all: choice }, left)),
                        false => round.left.push(left),
                    }
                }
            }
        }
        Ok(round)
    }

    /// Returns what the first action does that changes the file as a whole, and what the server has not said.
    async fn of_file(
        &self,
        text: &Text,
        (kind, title): (&str, Option<&str>),
    ) -> Result<(Option<Vec<TextEdit>>, Option<LspError>), LspError> {
        let whole = Span::new(0, text.as_str().len());
        let Offered { actions, unheard } =
            self.server.code_actions(self.path, whole, (&[kind.to_owned()], Ask::Anew)).await?;
        let is_it = |action: &&Action| action.disabled.is_none() && title.is_none_or(|it| action.title == it);
        for action in actions.iter().filter(is_it) {
            let Some(edits) = self.edits(action).await? else { continue };
            if changes(&edits, text) {
                return Ok((Some(edits), unheard));
            }
        }
        Ok((None, unheard))
    }

    /// Tells whether a tsserver finds something that nobody uses, which its language server may not have asked it to mend.
    async fn knows_unused(&self) -> Result<bool, LspError> {
        Ok(*self.fix == Fix::RemoveUnused && !unused(self.server, self.path).await?.is_empty())
    }

    /// Returns the edits that take nothing decorated away, and what stays by that.
    async fn sparing(&self, text: &Text, edits: Vec<TextEdit>) -> Result<(Vec<TextEdit>, Vec<Left>), LspError> {
        if *self.fix != Fix::RemoveUnused {
            return Ok((edits, Vec::new()));
        }
        let (edits, spared) = without_decorated(self.path, text.as_str(), edits);
        let mut found = if spared.is_empty() { Vec::new() } else { unused(self.server, self.path).await? };
        let span = |problem: &Problem| problem.range.and_then(|range| text.span(range));
        found.retain(|problem| span(problem).is_some_and(|at| spared.iter().any(|it| it.contains(at))));
        let (fix, path) = (self.fix.as_str().to_owned(), self.path.clone());
        let left = |problem| Left {
            fix: fix.clone(),
            path: path.clone(),
            problem,
            reason: DECORATED.to_owned(),
            has_choice: false,
        };
        Ok((edits, found.into_iter().map(left).collect()))
    }

    /// Chooses the one fix of a finding that is certain: the preferred one, or the only one. Of imports that go by one
    /// name, no server can tell which is meant.
    fn chosen(&self, text: &Text, cause: &Cause<'_>, actions: Vec<Action>) -> Result<Vec<TextEdit>, Stays> {
        let old = |_: &AbsPath, span: Span| span.of(text.as_str()).map(str::to_owned);
        let name = cause.span.of(text.as_str()).unwrap_or_default();
        let is_import = *self.fix == Fix::AddMissingImports;
        let (mut candidates, mut is_declared): (Vec<(Action, Vec<TextEdit>)>, _) = (Vec::new(), false);
        for action in actions.into_iter().filter(|action| cause.is_mended_by(action) && !is_suppression(action, old)) {
            // What is said only later is for a whole file.
            let Some(answer) = action.answer.clone() else { continue };
            let Some(edits) = alone(answer, self.path) else {
                return Err(Stays::because("its fix changes other files: plan it by itself"));
            };
            let edits = behind_future(self.path, text.as_str(), edits);
            let is_new = candidates.iter().all(|(_, known)| *known != edits);
            if UNDECLARED.contains(&cause.code) && declares(&edits, name) {
                is_declared = true;
                continue;
            }
            if !is_new || !self.fix.takes(&edits, name) || !changes(&edits, text) {
                continue;
            }
            if is_unused(cause.code) && !without_decorated(self.path, text.as_str(), edits.clone()).1.is_empty() {
                return Err(Stays::because(DECORATED));
            }
            if action.fixes.is_empty() && !cause.is_alone && !is_import {
                let name = self.server.name();
                return Err(Stays::because(&format!(
                    "{name} does not say which finding of the line its fixes are for"
                )));
            }
            candidates.push((action, edits));
        }
        without_stand_ins(&mut candidates);
        let preferred: Vec<_> = candidates.iter().filter(|(action, _)| action.is_preferred && !is_import).collect();
        match (preferred.as_slice(), candidates.as_slice()) {
            ([(_, edits)], _) | ([], [(_, edits)]) => Ok(edits.clone()),
            (_, []) if let Some(edit) = suggested(cause.message, cause.span, name).filter(|_| !is_import) => {
                Ok(vec![edit])
            }
            (_, []) if is_declared => {
                Err(Stays::because("its fix declares the name: plan it by itself, if that is meant"))
            }
            (_, []) => Err(Stays::because(&format!("{} has no fix for it", self.server.name()))),
            (_, several) => {
                let titles: Vec<&str> = several.iter().take(3).map(|(action, _)| action.title.as_str()).collect();
                let reason = format!("{} fixes to choose from: {}", several.len(), titles.join("; "));
                Err(Stays { reason, choice: candidates })
            }
        }
    }

    /// Returns what an action does to this file, if that is all that it does.
    async fn edits(&self, action: &Action) -> Result<Option<Vec<TextEdit>>, LspError> {
        let answer = self.server.edit_of(action).await?;
        Ok(answer.ok().and_then(|answer| alone(answer, self.path)))
    }
}

impl Left {
    fn told(&self) -> Warning {
        let code = self.problem.code.as_deref().unwrap_or_default();
        let message = format!("{code} stays: {}", self.reason);
        Warning::at(WarningKind::FollowUp, message, self.path.clone(), self.problem.range)
    }
}
