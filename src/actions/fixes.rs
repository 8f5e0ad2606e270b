//! Mending many places at once: fixes of servers, one after the other, each in the text that the one before left.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::findings::by_language;
use super::suppression::is_suppression;
use super::{ActionError, Missing};
use crate::lsp::{Action, Answer, Feature, Server};
use crate::plan::{Parts, Plan, Problem, Warning, WarningKind, difference};
use crate::session::{Session, SessionError};
use crate::syntax::{Language, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit, TextEdits};

/// What is to be mended, in the order in which it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fix {
    /// First: what a name means that nothing declared is only found wrong afterwards.
    AddMissingImports,
    /// Findings with this code, such as `F401` or `TS2304`.
    Rule(String),
    /// What the servers fix by themselves (`source.fixAll`).
    FixAll,
    RemoveUnused,
    /// Last: the others add imports, and leave some without a use.
    OrganizeImports,
}

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
}

/// A fix is asked for again in the text that it left, so many times: what it does may bring more to do.
const MOST_ROUNDS: usize = 50;
/// The codes of names that nothing declares.
const UNDECLARED: &[&str] =
    &["reportUndefinedVariable", "unknown-name", "TS2304", "TS2503", "TS2552", "TS2686", "TS18004"];
/// The codes of imports and variables that nobody uses, where the server has no action for all of them.
const UNUSED: &[&str] = &["F401", "F841"];

impl Fix {
    /// Reads a fix by its name; any other word is the code of a rule.
    pub fn named(name: &str) -> Self {
        match name {
            "organizeImports" => Self::OrganizeImports,
            "addMissingImports" => Self::AddMissingImports,
            "removeUnused" => Self::RemoveUnused,
            "fixAll" => Self::FixAll,
            rule => Self::Rule(rule.to_owned()),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::OrganizeImports => "organizeImports",
            Self::AddMissingImports => "addMissingImports",
            Self::RemoveUnused => "removeUnused",
            Self::FixAll => "fixAll",
            Self::Rule(rule) => rule,
        }
    }

    /// The kind of action that does it to a file as a whole.
    fn kind(&self) -> Option<&'static str> {
        match self {
            Self::OrganizeImports => Some("source.organizeImports"),
            Self::RemoveUnused => Some("source.removeUnused"),
            Self::FixAll => Some("source.fixAll"),
            // Of several candidates, actions for a whole file take the first.
            Self::AddMissingImports | Self::Rule(_) => None,
        }
    }

    /// Tells whether a finding is one that is to be mended.
    fn concerns(&self, problem: &Problem) -> bool {
        let Some(code) = problem.code.as_deref() else { return false };
        match self {
            Self::Rule(rule) => code == rule || code.strip_prefix("TS") == Some(rule),
            Self::AddMissingImports => UNDECLARED.contains(&code),
            Self::RemoveUnused => UNUSED.contains(&code),
            Self::FixAll | Self::OrganizeImports => false,
        }
    }

    /// Tells whether edits are of the kind that the fix is for: imports of the name that is missed.
    fn takes(&self, edits: &[TextEdit], name: &str) -> bool {
        *self != Self::AddMissingImports || edits.iter().any(|edit| imports(&edit.new_text, name))
    }
}

/// Tells whether a text imports a name, by a statement of its own or in the list of another one.
fn imports(text: &str, name: &str) -> bool {
    let is_statement = ["import ", "require("].iter().any(|word| text.contains(word));
    let is_listed = |character: char| character.is_alphanumeric() || "_$,{}* \t\r\n".contains(character);
    let is_list = text.contains([',', '{']) && text.chars().all(is_listed);
    (is_statement || is_list) && !whole_words(text, name).is_empty()
}

/// Plans fixes in files, in the order of their kinds.
pub async fn mend(session: &Session, files: &[AbsPath], fixes: &[Fix]) -> Result<Mended, ActionError> {
    let _turn = session.alone().await;
    session.refresh().await;
    let mut fixes = fixes.to_vec();
    fixes.sort();
    fixes.dedup();
    let mut work = Work { session, parts: Parts::default(), counts: BTreeMap::new(), left: Vec::new() };
    let mut missing = Vec::new();
    for (language, files) in by_language(files) {
        let servers = ready(session, language, &mut missing).await;
        let mended = work.mend(&servers, &files, &fixes).await;
        for server in &servers {
            server.drop_overlays().await;
        }
        missing.extend(mended?);
    }
    missing.sort();
    missing.dedup();
    work.left.sort();
    let unmended = work.left.iter().map(Left::told);
    work.parts.warnings.extend(unmended);
    Ok(Mended { plan: Plan::new(work.parts)?, counts: work.counts, left: work.left, missing })
}

async fn ready(session: &Session, language: Language, missing: &mut Vec<Missing>) -> Vec<Arc<Server>> {
    let mut servers = Vec::new();
    for (name, server) in session.servers(language, Feature::CodeAction).await {
        match server {
            Ok(server) if server.offers(Feature::CodeAction) => servers.push(server),
            Ok(_) => {}
            Err(error) => missing.push(Missing::of(name.as_str(), &error)),
        }
    }
    servers
}

/// The plan as far as it is made.
struct Work<'a> {
    session: &'a Session,
    parts: Parts,
    counts: BTreeMap<String, usize>,
    left: Vec<Left>,
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

/// What one round came to.
#[derive(Default)]
struct Round {
    edits: Vec<TextEdit>,
    taken: usize,
    left: Vec<Left>,
}

impl Work<'_> {
    /// Mends files; returns the servers that fell out meanwhile.
    async fn mend(
        &mut self,
        servers: &[Arc<Server>],
        files: &[AbsPath],
        fixes: &[Fix],
    ) -> Result<Vec<Missing>, ActionError> {
        let mut lost: BTreeMap<String, Missing> = BTreeMap::new();
        for path in files {
            let before = match self.session.disk().read(path) {
                Ok(text) => text,
                Err(error) => {
                    let warning = Warning::at(WarningKind::Unreadable, error.to_string(), path.clone(), None);
                    self.parts.warnings.push(warning);
                    continue;
                }
            };
            let mut now = Arc::clone(&before);
            for fix in fixes {
                self.mend_in(servers, (fix, path), (&mut now, &mut lost)).await;
            }
            let edits = difference(before.as_str(), now.as_str());
            if !edits.is_empty() {
                self.parts.edits.insert(path.clone(), (before, edits));
            }
        }
        Ok(lost.into_values().collect())
    }

    /// Asks one server after the other, until none has anything to do in what the others left.
    async fn mend_in(
        &mut self,
        servers: &[Arc<Server>],
        (fix, path): (&Fix, &AbsPath),
        (now, lost): (&mut Arc<Text>, &mut BTreeMap<String, Missing>),
    ) {
        for _ in 0..MOST_ROUNDS {
            let (before, mut left) = (Arc::clone(now), Vec::new());
            for server in servers {
                let name = server.name().as_str();
                if lost.contains_key(name) {
                    continue;
                }
                match self.repeat(servers, &Asked { server, fix, path }, now).await {
                    Ok(stays) => left.extend(stays),
                    Err(error) => drop(lost.insert(name.to_owned(), Missing::of(name, &error))),
                }
            }
            if servers.len() == 1 || before.hash() == now.hash() {
                return self.left.extend(left);
            }
        }
    }

    /// Asks a server until it has nothing more to do; what it says then stays is returned.
    async fn repeat(
        &mut self,
        servers: &[Arc<Server>],
        asked: &Asked<'_>,
        now: &mut Arc<Text>,
    ) -> Result<Vec<Left>, SessionError> {
        self.session.cover(asked.server, std::slice::from_ref(asked.path)).await?;
        let mut seen = vec![now.hash().clone()];
        for _ in 0..MOST_ROUNDS {
            let round = asked.round(now).await?;
            let Ok(edits) = TextEdits::new(round.edits) else { return Ok(round.left) };
            let next = Arc::new(now.with_content(edits.apply(now.as_str())));
            // What goes round in circles has come to its end.
            if round.taken == 0 || seen.contains(next.hash()) {
                return Ok(round.left);
            }
            seen.push(next.hash().clone());
            *self.counts.entry(asked.fix.as_str().to_owned()).or_default() += round.taken;
            for server in servers {
                server.overlay(asked.path, Arc::clone(&next)).await?;
            }
            *now = next;
        }
        Ok(Vec::new())
    }
}

impl Asked<'_> {
    /// Returns what can be done in one go.
    async fn round(&self, text: &Text) -> Result<Round, SessionError> {
        if let Some(kind) = self.fix.kind() {
            let whole = Span::new(0, text.as_str().len());
            let actions = self.server.code_actions(self.path, whole, &[kind.to_owned()]).await?;
            for action in actions.iter().filter(|action| action.disabled.is_none()) {
                let Some(edits) = self.edits(action).await? else { continue };
                if changes(&edits, text) {
                    return Ok(Round { edits, taken: 1, left: Vec::new() });
                }
            }
            if *self.fix != Fix::RemoveUnused {
                return Ok(Round::default());
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
            let cause = Cause { code: problem.code.as_deref().unwrap_or_default(), span, is_alone };
            match self.chosen(text, &cause, actions) {
                Ok(edits) if fits(&round.edits, &edits) => {
                    round.edits.extend(edits);
                    round.taken += 1;
                }
                // In the next round.
                Ok(_) => {}
                Err(reason) => {
                    let (fix, path) = (self.fix.as_str().to_owned(), self.path.clone());
                    round.left.push(Left { fix, path, problem: problem.clone(), reason });
                }
            }
        }
        Ok(round)
    }

    /// Chooses the one fix of a finding that is certain: the preferred one, or the only one. Of imports that go by one
    /// name, no server can tell which is meant.
    fn chosen(&self, text: &Text, cause: &Cause<'_>, actions: Vec<Action>) -> Result<Vec<TextEdit>, String> {
        let old = |_: &AbsPath, span: Span| span.of(text.as_str()).map(str::to_owned);
        let name = cause.span.of(text.as_str()).unwrap_or_default();
        let is_import = *self.fix == Fix::AddMissingImports;
        let mut candidates: Vec<(Action, Vec<TextEdit>)> = Vec::new();
        for action in actions.into_iter().filter(|action| cause.is_mended_by(action) && !is_suppression(action, old)) {
            // What is said only later is for a whole file.
            let Some(answer) = action.answer.clone() else { continue };
            let Some(edits) = alone(answer, self.path) else {
                return Err("its fix changes other files: plan it by itself".to_owned());
            };
            let is_new = candidates.iter().all(|(_, known)| *known != edits);
            if !is_new || !self.fix.takes(&edits, name) || !changes(&edits, text) {
                continue;
            }
            if action.fixes.is_empty() && !cause.is_alone && !is_import {
                return Err(format!("{} does not say which finding of the line its fixes are for", self.server.name()));
            }
            candidates.push((action, edits));
        }
        let preferred: Vec<_> = candidates.iter().filter(|(action, _)| action.is_preferred && !is_import).collect();
        match (preferred.as_slice(), candidates.as_slice()) {
            ([(_, edits)], _) | ([], [(_, edits)]) => Ok(edits.clone()),
            (_, []) => Err(format!("{} has no fix for it", self.server.name())),
            (_, several) => {
                let titles: Vec<&str> = several.iter().take(3).map(|(action, _)| action.title.as_str()).collect();
                Err(format!("{} fixes to choose from: {}", several.len(), titles.join("; ")))
            }
        }
    }

    /// Returns what an action does to this file, if that is all that it does.
    async fn edits(&self, action: &Action) -> Result<Option<Vec<TextEdit>>, SessionError> {
        let answer = self.server.edit_of(action).await.map_err(SessionError::from)?;
        Ok(answer.ok().and_then(|answer| alone(answer, self.path)))
    }
}

/// Returns the edits of an answer that changes this file and nothing else.
fn alone(answer: Answer, path: &AbsPath) -> Option<Vec<TextEdit>> {
    let (mut edits, _) = answer.edits_alone().ok()?;
    let own = edits.remove(path)?;
    edits.is_empty().then_some(own)
}

fn changes(edits: &[TextEdit], text: &Text) -> bool {
    edits.iter().any(|edit| edit.span.of(text.as_str()) != Some(edit.new_text.as_str()))
}

/// Tells whether edits can be made in the same go as others: nothing of theirs touches.
fn fits(taken: &[TextEdit], edits: &[TextEdit]) -> bool {
    let touch = |one: &Span, other: &Span| one.start <= other.end && other.start <= one.end;
    !edits.iter().any(|edit| taken.iter().any(|known| touch(&edit.span, &known.span)))
}

impl Left {
    fn told(&self) -> Warning {
        let code = self.problem.code.as_deref().unwrap_or_default();
        let message = format!("{code} stays: {}", self.reason);
        Warning::at(WarningKind::FollowUp, message, self.path.clone(), self.problem.range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_names_what_is_missed() {
        assert!(imports("from util import Order\n", "Order"));
        assert!(imports("import { helper } from \"./util\";\n", "helper"));
        assert!(imports("const { helper } = require(\"./util\");\n", "helper"));
        assert!(imports(", helper", "helper"));
        assert!(imports("{ helper, Order }", "helper"));
        assert!(!imports("from util import Order\n", "helper"));
        assert!(!imports("helpers", "helpers"), "another spelling is no import");
        assert!(!imports("function helper(one, two) {}\n", "helper"));
    }
}
