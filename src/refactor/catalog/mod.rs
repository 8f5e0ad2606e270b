//! The catalog: every refactoring that can be asked for by name, with its parameters and who carries it out.
//!
//! `catalog` is one table in Fowler's order, a file for each of his chapters: name, parameters, and the ways to carry
//! it out, each for some families of languages (`catalog/refactoring.rs`). A way is a function from a `Request` (a
//! target that was found, parameters that were checked) to a `Plan`; `catalog::plan` takes the first one that is
//! open, and refuses results that are empty or do not parse. The tools find the target (`tools/target.rs`) and check
//! parameters against the table (`tools/refactor/params.rs`), so that no refactoring does.

mod beyond;
mod composing_methods;
mod conditionals;
mod generalization;
mod method_calls;
mod moving_features;
mod organizing_data;
pub mod refactoring;
#[cfg(test)]
mod tests;

use crate::plan::Plan;
use crate::refactor::backends::command;
use crate::refactor::request::Request;
use crate::refactor::{Refusal, interface};
use crate::session::Session;
use crate::syntax::{Language, Tree};
use refactoring::{Backend, NOT_BUILT, Refactoring};

/// The chapters in Fowler's order.
const CATALOG: [&[Refactoring]; 7] = [
    composing_methods::ENTRIES,
    moving_features::ENTRIES,
    conditionals::ENTRIES,
    method_calls::ENTRIES,
    generalization::ENTRIES,
    organizing_data::ENTRIES,
    beyond::ENTRIES,
];

const ALIASES: &[(&str, &str)] = &[("replace-magic-number", "replace-magic-number-with-symbolic-constant")];

/// Returns every refactoring, in Fowler's order.
pub fn catalog() -> impl Iterator<Item = &'static Refactoring> {
    CATALOG.into_iter().flatten()
}

/// Finds a refactoring by its name or another name of it.
pub fn refactoring(name: &str) -> Option<&'static Refactoring> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    catalog().find(|refactoring| refactoring.name == name)
}

/// Plans a refactoring: by the first way that is open. The next one is tried only where a server or a library
/// is missing or fails; a refusal stands. A result that breaks the grammar of its language is refused, too.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn plan(session: &Session, refactoring: &Refactoring, request: &Request) -> Result<Plan, Refusal> {
    let language = request.target.language;
    let config = &session.options().config;
    let programs = config.refactorers(refactoring.name, language.id());
    let (preferred, others): (Vec<_>, Vec<_>) = programs.partition(|(_, program)| program.prefer);
    if let Some(program) = preferred.first() {
        return sound(session, refactoring, command::plan(session, *program, refactoring.name, request).await?).await;
    }
    let mut ways = refactoring.ways_in(language.family()).peekable();
    while let Some(way) = ways.next() {
        if way.backend != Backend::Server {
            // A server is told of changes while it thinks; what reads the disk itself has to know before.
            session.refresh().await;
        }
        match (way.run)(session, request).await {
            Err(Refusal::Session(_)) if ways.peek().is_some() => {}
            Ok(plan) => return sound(session, refactoring, plan).await,
            refused => return refused,
        }
    }
    if let Some(program) = others.first() {
        return sound(session, refactoring, command::plan(session, *program, refactoring.name, request).await?).await;
    }
    let why = refactoring.gap(language.family()).unwrap_or(NOT_BUILT);
    Err(Refusal::Unavailable { refactoring: refactoring.name, language: language.id(), why })
}

/// Refuses plans that change nothing, and those that leave a text that no longer parses; tells what others will see
/// differently.
async fn sound(session: &Session, refactoring: &Refactoring, plan: Plan) -> Result<Plan, Refusal> {
    if plan.is_empty() {
        return Err(Refusal::NotPossible(format!("`{}` has nothing to change here", refactoring.name)));
    }
    for (path, edit) in plan.edits() {
        let Some(language) = Language::of_path(path) else { continue };
        let errors = |text: &str| Tree::parse(language, text).error_count();
        if errors(edit.after().as_str()) > errors(edit.before.as_str()) {
            return Err(Refusal::BadResult { refactoring: refactoring.name, path: path.clone() });
        }
    }
    Ok(interface::told(session, plan).await)
}
