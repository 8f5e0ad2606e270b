//! The checkers' findings in two copies of the project: one as it is, one with the plan carried out.

use std::collections::BTreeSet;

use super::checker::{self, Outcome};
use super::{CannotCheck, Check, compare, copies, dependents};
use crate::lsp::Feature;
use crate::plan::{Plan, Problem, Severity};
use crate::session::Session;
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::workspace::{Purpose, ShadowCopy};

/// Compares by the project's own command where there is one, else by the languages' checkers.
pub(super) async fn new_problems(session: &Session, plan: &Plan, check: &Check) -> Result<Vec<Problem>, CannotCheck> {
    let before = copies::copy_of(session, &Plan::default(), Purpose::Running).await?;
    let after = copies::copy_of(session, plan, Purpose::Running).await?;
    if let Some(command) = &check.command {
        return by_command(command, session, before.root(), after.root()).await;
    }
    let old = by_checkers(session, plan, &before, State::Before).await?;
    let new = by_checkers(session, plan, &after, State::After).await?;
    Ok(compare(plan, &old, &new))
}

/// A command that succeeds before and fails after is one problem; one that fails before proves nothing.
async fn by_command(
    command: &str,
    session: &Session,
    before: &AbsPath,
    after: &AbsPath,
) -> Result<Vec<Problem>, CannotCheck> {
    let old = checker::shell(command, before).await?;
    if !old.succeeded {
        let reason = format!("it already fails without the plan: {}", last_lines(&old));
        return Err(CannotCheck::Command { command: command.to_owned(), reason });
    }
    let new = checker::shell(command, after).await?;
    if new.succeeded {
        return Ok(Vec::new());
    }
    Ok(vec![Problem {
        path: session.root().clone(),
        range: None,
        severity: Severity::Error,
        code: None,
        message: format!("`{command}` fails: {}", last_lines(&new)),
        source: Some("command".to_owned()),
    }])
}

fn last_lines(outcome: &Outcome) -> String {
    let said = if outcome.stderr.trim().is_empty() { &outcome.stdout } else { &outcome.stderr };
    let lines: Vec<&str> = said.trim().lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

/// Which of the two copies is looked at.
#[derive(Clone, Copy)]
enum State {
    Before,
    After,
}

/// Runs each concerned language's checker in a copy, wherever the checker has a project file, and names
/// the findings by the project's own paths.
async fn by_checkers(
    session: &Session,
    plan: &Plan,
    copy: &ShadowCopy,
    state: State,
) -> Result<Vec<Problem>, CannotCheck> {
    let mut found = Vec::new();
    let mut done = BTreeSet::new();
    // Solidity's compiler takes its sources from memory.
    let groups = dependents::of(session, plan);
    for (language, files) in groups.into_iter().filter(|(language, _)| *language != Language::Solidity) {
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
            return Err(CannotCheck::NoChecker(format!("{}: no project file lies above what changes", language.id())));
        }
        for dir in dirs {
            if done.insert((dir.clone(), server.name().clone())) {
                found.extend(checker::report(&checker.launch, checker.format, &dir, copy.root()).await?);
            }
        }
    }
    Ok(found.into_iter().map(|problem| copies::home(problem, copy, session.root())).collect())
}
