//! Strings that spell a renamed key for the type checker alone: `many(user, ["name"])` where a key of `User` is asked for. No
//! server changes all of them; a check of the plan finds each, and finds nothing more once it follows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{ErrorKind, ToolError};
use super::project::Project;
use crate::plan::{Plan, Problem, Warning, WarningKind, difference};
use crate::text::{AbsPath, Encoding, Span, Text, TextEdit, TextEdits};

/// Changes the strings of exactly the old name that a check of the plan points to; nothing where it points to none.
pub(super) fn followed(
    project: &Project,
    plan: &Plan,
    (problems, [name, new_name]): (&[Problem], [&str; 2]),
) -> Result<Option<Plan>, ToolError> {
    let internal = |error: &dyn std::fmt::Display| ToolError::new(ErrorKind::Internal, error.to_string());
    let mut by_file: BTreeMap<&AbsPath, Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        by_file.entry(&problem.path).or_default().push(problem);
    }
    let mut parts = plan.clone().into_parts();
    let mut is_led = false;
    for (path, problems) in by_file {
        let disk = project.session().disk();
        let text = match plan.text_after(path) {
            Some(text) => Arc::new(text),
            None => disk.read(path)?,
        };
        let mut spelled: Vec<Span> = problems.iter().filter_map(|problem| key(&text, problem, name)).collect();
        spelled.sort();
        spelled.dedup();
        if spelled.is_empty() {
            continue;
        }
        let told = spelled.len();
        let is_all_told = |warning: &Warning| warning.path.as_ref() == Some(path) && warning.count.places == told;
        parts.warnings.retain(|warning| warning.kind != WarningKind::Mentioned || !is_all_told(warning));
        let edits = spelled.into_iter().map(|span| TextEdit::new(span, new_name)).collect();
        let after = TextEdits::new(edits).map_err(|error| internal(&error))?.apply(text.as_str());
        if parts.creates.contains_key(path) {
            parts.creates.insert(path.clone(), Text::new(after));
        } else {
            let before = parts.edits.get(path).map_or_else(|| disk.read(path), |(before, _)| Ok(Arc::clone(before)))?;
            let edits = difference(before.as_str(), &after);
            parts.edits.insert(path.clone(), (before, edits));
        }
        is_led = true;
    }
    if !is_led {
        return Ok(None);
    }
    Plan::new(parts).map(Some).map_err(|error| internal(&error))
}

/// Returns what stands between the quotes of the string that a problem points to, where that is the name.
fn key(text: &Text, problem: &Problem, name: &str) -> Option<Span> {
    let range = problem.range?;
    let offset = |at| text.lines().offset(text.as_str(), at, Encoding::Utf16);
    let (start, end) = (offset(range.start)?, offset(range.end)?);
    let written = text.as_str().get(start..end)?;
    let inner = ['"', '\'', '`'].into_iter().find_map(|quote| written.strip_prefix(quote)?.strip_suffix(quote))?;
    (inner == name).then(|| Span::new(start + 1, end - 1))
}
