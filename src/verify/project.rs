//! The checkers' findings in two copies of the project: one as it is, one with the plan carried out.

use std::collections::BTreeSet;

use super::checker::{Running, SHOWN_LINES};
use super::compare::early;
use super::dependents::Affected;
use super::outcome::{CannotCheck, Found};
use super::{Check, PATIENCE, compare, copies};
use crate::lsp::Feature;
use crate::plan::{Plan, Problem, Severity};
use crate::session::Session;
use crate::syntax::Language;
use crate::text::{AbsPath, quoted_end};
use crate::workspace::{Purpose, ShadowCopy};

/// Compares by the project's own command where there is one, else by the languages' checkers.
pub(super) async fn new_problems(session: &Session, plan: &Plan, check: &Check) -> Result<Found, CannotCheck> {
    session.refresh().await;
    let copies =
        (copies::copy_before(session, plan, Purpose::Running), copies::copy_of(session, plan, Purpose::Running));
    let (before, after) = tokio::try_join!(copies.0, copies.1)?;
    let running = Running { guard: &session.options().guard, within: check.timeout.unwrap_or(PATIENCE) };
    if let Some(command) = &check.command {
        let problems = running.by_command(command, session.root(), (before.root(), after.root())).await?;
        return Ok(Found { problems, ..Found::default() });
    }
    // A checker looks at whole projects, whatever of them could be affected.
    let affected = copies::affected(session, plan);
    let looked_at = affected.count() + affected.left_out;
    let asked = Asked { session, plan, affected: &affected };
    let old = running.by_checkers(&asked, &before, State::Before);
    let new = running.by_checkers(&asked, &after, State::After);
    let (old, new) = tokio::try_join!(old, new)?;
    Ok(Found { problems: compare(plan, &old, &new), looked_at, left_out: 0, early: early(plan, &old, &new) })
}

/// What checkers are asked about.
struct Asked<'a> {
    session: &'a Session,
    plan: &'a Plan,
    affected: &'a Affected,
}

/// Which of the two copies is looked at.
#[derive(Clone, Copy)]
enum State {
    Before,
    After,
}

impl Running<'_> {
    /// A command that succeeds before and fails after is one problem; one that fails before proves nothing.
    async fn by_command(
        &self,
        command: &str,
        root: &AbsPath,
        (before, after): (&AbsPath, &AbsPath),
    ) -> Result<Vec<Problem>, CannotCheck> {
        let old = self.shell(command, before).await?;
        if !old.status.success() {
            let reason = format!("it fails without the plan, too: {}", quoted_end(&old.last_words(SHOWN_LINES)));
            return Err(CannotCheck::Command { command: command.to_owned(), reason });
        }
        let new = self.shell(command, after).await?;
        if new.status.success() {
            return Ok(Vec::new());
        }
        Ok(vec![Problem {
            path: root.clone(),
            range: None,
            severity: Severity::Error,
            code: None,
            message: format!("`{command}` fails: {}", quoted_end(&new.last_words(SHOWN_LINES))),
            source: Some("command".to_owned()),
        }])
    }

    /// Runs each concerned language's checker in a copy, wherever the checker has a project file, and names
    /// the findings by the project's own paths.
    async fn by_checkers(
        &self,
        asked: &Asked<'_>,
        copy: &ShadowCopy,
        state: State,
    ) -> Result<Vec<Problem>, CannotCheck> {
        let mut found = Vec::new();
        let mut done = BTreeSet::new();
        // Solidity's compiler takes its sources from memory.
        let Asked { session, plan, affected } = asked;
        for (language, files) in affected.files.iter().filter(|(language, _)| **language != Language::Solidity) {
            let language = *language;
            let server = session.server(language, Feature::Diagnostics).await?;
            let Some(checker) = session.checker(server.name(), copy.root()).await? else {
                return Err(CannotCheck::NoChecker(language.id().to_owned()));
            };
            let there = files.iter().filter_map(|path| {
                let path = match state {
                    State::Before => Some(path.clone()),
                    State::After => plan.path_after(path),
                };
                path.map(|path| copy.copy_of(&path))
            });
            let dirs: BTreeSet<AbsPath> = there.filter_map(|path| checker.directory_for(&path, copy.root())).collect();
            if dirs.is_empty() {
                return Err(CannotCheck::NoChecker(format!(
                    "{}: no project file lies above what changes",
                    language.id()
                )));
            }
            for dir in dirs {
                if done.insert((dir.clone(), server.name().clone())) {
                    found.extend(self.report(&checker.launch, checker.format, &dir, copy.root()).await?);
                }
            }
        }
        Ok(found.into_iter().map(|problem| copies::home(problem, copy, session.root())).collect())
    }
}
