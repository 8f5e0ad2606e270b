//! The imports that a given text lacks, where they are certain.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::{Problem, Status};
use crate::refactor::{Missing, MissingInSolidity, free_names, missing_imports, missing_in_solidity};
use crate::syntax::Language;
use crate::text::{AbsPath, Encoding, Text, TextEdits};
use crate::tools::one_file::with_text;
use crate::tools::{Context, ErrorKind, Planned, ToolError};
use crate::verify::Check;

/// What checkers call a name that nothing binds.
const UNKNOWN_NAMES: &[&str] = &["reportUndefinedVariable", "TS2304", "TS2552", "TS2503", "TS2686"];

/// A plan with the imports that it needs.
pub(super) struct Supplied {
    pub(super) planned: Planned,
    /// The imports, in the text as it was given.
    pub(super) edits: TextEdits,
    /// What was imported, and what was not.
    pub(super) told: Vec<String>,
}

/// Adds what the text of one file lacks to a checked plan, and checks it again where there is anything.
pub(super) async fn supplied(
    context: &Context,
    planned: Planned,
    (path, check): (&AbsPath, &Check),
) -> Result<Supplied, ToolError> {
    let nothing = |planned| Supplied { planned, edits: TextEdits::default(), told: Vec::new() };
    let Some(text) = planned.plan.text_after(path) else { return Ok(nothing(planned)) };
    let session = planned.project.session();
    let is_solidity = Language::of_path(path) == Some(Language::Solidity);
    if is_solidity && !may_lack(&planned, path) {
        return Ok(nothing(planned));
    }
    let (edits, lines, open) = if is_solidity {
        let before = planned.plan.edits().get(path).map(|edit| &*edit.before);
        let found = missing_in_solidity(session, (path, before, &text)).await?;
        let MissingInSolidity { edits, lines, open } = found;
        (edits, lines, open)
    } else {
        let names = lacking(&planned, (path, &text));
        let Missing { edits, lines, open } = missing_imports(session, (path, &text), &names)?;
        (edits, lines, open)
    };
    if edits.is_empty() {
        return Ok(Supplied { told: open, ..nothing(planned) });
    }
    let internal = |error: &dyn std::fmt::Display| ToolError::new(ErrorKind::Internal, error.to_string());
    let edits = TextEdits::new(edits).map_err(|error| internal(&error))?;
    let plan = with_text(planned.plan.clone(), path, edits.apply(text.as_str()))?;
    let told = lines.into_iter().map(|line| format!("imported: {line}")).chain(open).collect();
    let planned = Planned::made(Arc::clone(&planned.project), plan)?.checked(context, check).await?;
    Ok(Supplied { planned, edits, told })
}

/// Tells whether a check leaves it open that a file lacks something.
fn may_lack(planned: &Planned, path: &AbsPath) -> bool {
    planned.verification.as_ref().is_none_or(|found| {
        found.status == Status::Unverified || found.new_problems.iter().any(|problem| problem.path == *path)
    })
}

/// Returns the names that the check says are not known in a file; in plain JavaScript, which nobody checks, those that
/// the text did not use before and nothing in it binds.
fn lacking(planned: &Planned, (path, text): (&AbsPath, &Text)) -> BTreeSet<String> {
    if Language::of_path(path) == Some(Language::JavaScript) {
        let session = planned.project.session();
        let before = planned.plan.edits().get(path).map(|edit| free_names(session, (path, &edit.before)));
        let before = before.unwrap_or_default();
        return free_names(session, (path, text)).into_iter().filter(|name| !before.contains(name)).collect();
    }
    let is_unknown = |problem: &&Problem| {
        problem.path == *path && problem.code.as_deref().is_some_and(|code| UNKNOWN_NAMES.contains(&code))
    };
    let problems = planned.verification.iter().flat_map(|found| &found.new_problems).filter(is_unknown);
    let name = |problem: &Problem| {
        let offset = |at| text.lines().offset(text.as_str(), at, Encoding::Utf16);
        let range = problem.range?;
        Some(text.as_str().get(offset(range.start)?..offset(range.end)?)?.to_owned())
    };
    problems.filter_map(name).collect()
}
