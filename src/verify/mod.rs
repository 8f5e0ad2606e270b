//! Floor 7: whether a plan makes anything worse.
//!
//! `syntax` counts error nodes. `diagnostics` compares the servers' findings in the files that the plan could affect
//! (`verify/dependents.rs`). `propagation` reads off the edits what goes to others: names that come or go (every type
//! stays as it was: only who says one of them, and can import it, is looked at), types (members that are asked for
//! without a word, a declaration of which the server says something else than before), or nothing, for what a
//! function has for itself. Edits that are no renames are cut down to the words that differ (`verify/narrowed_edits.rs`) and
//! read as a change of the file's outline (`verify/outline.rs`): what is not known to be of no account goes wherever
//! imports lead. Where it may go is `refactor/moves/importers.rs`, the graph of imports, kept by the
//! files' marks. Types go wherever imports lead, up to a number of files; the rest is counted as left out, and the
//! check is `possible`. Texts are laid over in memory for edits, and on a copy of the tree for moves (servers look
//! for moved files on the disk), which its own servers read while the project's say what stood there before
//! (`verify/findings.rs` keeps that, and has several questions on their way at once). `project` runs the language's
//! checker, or the project's command, in two copies. Findings are compared with their places followed through the
//! plan and old names read as new ones (`verify/compare.rs`). Solidity is compiled in memory (`verify/solidity.rs`,
//! asked through `lsp/standard_json.rs`): the sources that a plan touches, those that import them and what these
//! import, before and after, each unit by a release of the compiler that its pragmas allow; at `project` the bytecode
//! is compared too, without what only tells of names. Code is generated below that level, too, where a function comes
//! to hold more on the stack (`verify/stack.rs`). What others see differently is told before any check
//! (`refactor/interface.rs`).
//!
//! A check is made once (`tools/checks.rs`): it is kept with the question that it answers (the plan's id, its doubts,
//! level, command, where the plan came from) and with how everything below the root stood (`workspace/tree_state.rs`),
//! which nothing may have changed since the check began. What a plan's remarks say is told by `plan/digest.rs`, in
//! every form: as many lines as somebody reads, and counts of all.

mod check;
mod checker;
mod compare;
mod compiled;
mod completeness;
mod copies;
mod declared_types;
mod dependents;
mod excused;
mod findings;
mod inferred_results;
mod kept_imports;
mod local_functions;
mod narrowed_edits;
mod outcome;
mod outline;
mod overlay;
mod parse;
mod project;
mod propagation;
mod solidity;
mod stack;
mod texts;

use std::collections::BTreeSet;

use crate::plan::{Digest, Level, Plan, Problem, Verification};
use crate::session::Session;
use crate::solidity::SourceId;
use crate::syntax::Language;
use crate::text::AbsPath;
use outcome::Found;

pub use check::{Check, PATIENCE, PlanOrigin};
pub use compare::compare;
pub use solidity::{as_it_stands as solidity_as_it_stands, findings as solidity_findings};

/// Checks a plan at the wished level. What cannot be checked is told in the outcome, as `unverified`.
pub async fn verify(session: &Session, plan: &Plan, check: &Check) -> Verification {
    let outcome = match check.level {
        Level::None => return Verification::unverified(Level::None, "not asked for"),
        Level::Syntax => {
            Ok(Found { problems: parse::new_problems(plan), looked_at: touched(plan), ..Found::default() })
        }
        Level::Diagnostics if moves_files(plan) => copies::new_problems(session, plan).await,
        Level::Diagnostics => overlay::new_problems(session, plan).await,
        Level::Project => project::new_problems(session, plan, check).await,
    };
    match outcome {
        Ok(Found { mut problems, looked_at, left_out, early }) => {
            problems.extend(parse::new_problems_of_data(plan).filter(|_| check.level >= Level::Diagnostics));
            if check.origin == PlanOrigin::Elsewhere && check.level >= Level::Diagnostics {
                problems.extend(completeness::left_behind(session, plan).await);
            }
            let found = noted(plan, with_compiler(session, plan, check, problems).await);
            let found = found.unless(said_early(session, &early)).over(looked_at.max(touched(plan)), left_out);
            if check.level < Level::Diagnostics {
                return found;
            }
            let found = found.in_doubt(&Digest::of(plan.warnings()));
            found.unless(partly_found(session, plan, check).await)
        }
        Err(reason) => Verification::unverified(check.level, reason.to_string()),
    }
}

/// Says what the project forbids until something reads it.
fn said_early(session: &Session, early: &[Problem]) -> Option<String> {
    let first = early.first()?;
    let line = first.range.map_or(1, |range| range.start.line + 1);
    let path = first.path.shown_from(session.root());
    Some(format!("the project forbids what nothing reads yet: {path}:{line}: {}", first.message))
}

/// Says whose findings prove little where servers are asked; nothing where all do.
async fn partly_found(session: &Session, plan: &Plan, check: &Check) -> Option<String> {
    let changing = plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys());
    let languages: BTreeSet<Language> = changing.filter_map(Language::of_path).collect();
    for language in languages.into_iter().filter(|_| check.level == Level::Diagnostics) {
        if let Some(judge) = session.partial_judge(language).await {
            return Some(format!("{judge} does not find all that a compiler would: a `check` by a command does"));
        }
    }
    None
}

/// Counts the files that a plan touches.
fn touched(plan: &Plan) -> usize {
    let known =
        plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys()).chain(plan.creates().keys());
    known.collect::<BTreeSet<_>>().len()
}

/// Says of a clean check what it looked at where no checker reads any of the files that change.
fn noted(plan: &Plan, found: Verification) -> Verification {
    if found.level < Level::Diagnostics || dependents::touches_code(plan) {
        return found;
    }
    let reason = "no checker reads the files that change; code that mentions them was looked at";
    Verification { reason: found.reason.or_else(|| Some(reason.to_owned())), ..found }
}

/// Adds what the compiler of a language says that has one apart from its server. Where it cannot be asked, a check of
/// the whole project has failed, and one of diagnostics says so beside the server's.
async fn with_compiler(session: &Session, plan: &Plan, check: &Check, mut problems: Vec<Problem>) -> Verification {
    let is_asked = check.level >= Level::Diagnostics && check.command.is_none() && solidity::concerns(plan);
    if !is_asked {
        return Verification::compared(check.level, problems);
    }
    match solidity::check(session, plan, check.level).await {
        Ok(found) => {
            problems.extend(found.problems);
            let reason = uncompiled(session, &found.left_out);
            let files_left_out = found.left_out.len();
            let compared = Verification::compared(check.level, problems);
            Verification { interface: found.interface, files_left_out, reason, ..compared }
        }
        Err(reason) if check.level == Level::Project => Verification::unverified(check.level, reason.to_string()),
        Err(reason) => {
            let found = Verification::compared(check.level, problems);
            Verification { reason: Some(format!("the compiler was not asked: {reason}")), ..found }
        }
    }
}

/// Says which sources the compiler says nothing of; nothing where there are none.
fn uncompiled(session: &Session, sources: &BTreeSet<SourceId>) -> Option<String> {
    let first = AbsPath::new(sources.first()?.as_str()).ok()?;
    let shown = first.shown_from(session.root());
    let rest = match sources.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("`{shown}`{rest} did not compile before, or imports what did not"))
}

/// Tells whether files come to lie elsewhere: servers look for those on the disk, so that texts laid over
/// in memory prove nothing (seen with every Python server; with tsserver unless the directory exists).
fn moves_files(plan: &Plan) -> bool {
    !plan.moves().is_empty() || !plan.creates().is_empty() || !plan.deletes().is_empty()
}
