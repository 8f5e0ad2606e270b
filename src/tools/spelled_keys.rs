//! Strings that spell a renamed key for the type checker alone: `many(user, ["name"])` where a key of `User` is asked for. No
//! server changes all of them; a check of the plan finds each, and finds nothing more once it follows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{ErrorKind, ToolError};
use super::one_file;
use super::project::Project;
use crate::plan::{Plan, Problem, Warning, WarningKind};
use crate::text::{AbsPath, Encoding, Span, Text, TextEdit, TextEdits};

/// Changes the strings of exactly the old name that a check of the plan points to; nothing where it points to none.
pub(super) fn followed(
    project: &Project,
    plan: &Plan,
    (problems, [name, new_name]): (&[Problem], [&str; 2]),
) -> Result<Option<Plan>, ToolError> {
    let mut by_file: BTreeMap<&AbsPath, Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        by_file.entry(&problem.path).or_default().push(problem);
    }
    let mut parts = plan.clone().into_parts();
    let mut is_led = false;
    for (path, problems) in by_file {
        let disk = project.session().disk();
        let planned = plan.text_after(path).map(Arc::new);
        let is_planned = planned.is_some();
        let text = planned.map_or_else(|| disk.read(path), Ok)?;
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
        let after = TextEdits::new(edits)
            .map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?
            .apply(text.as_str());
        if !is_planned {
            parts.edits.insert(path.clone(), (Arc::clone(&text), Vec::new()));
        }
        one_file::put(&mut parts, path, after);
        is_led = true;
    }
    is_led.then(|| one_file::planned(parts)).transpose()
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
