//! Whether the touched files still parse.

use crate::plan::{Plan, Problem, Severity};
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Text};

/// One problem for each touched file that has more syntax errors after the plan than before.
pub(super) fn new_problems(plan: &Plan) -> Vec<Problem> {
    let edited = plan.edits().iter().filter_map(|(path, edit)| worse(plan, path, Some(&edit.before), &edit.after()));
    let created = plan.creates().iter().filter_map(|(path, text)| worse(plan, path, None, text));
    edited.chain(created).collect()
}

fn worse(plan: &Plan, path: &AbsPath, before: Option<&Text>, after: &Text) -> Option<Problem> {
    let language = Language::of_path(path)?;
    let count = |text: &Text| Tree::parse(language, text.as_str()).error_count();
    let (old, new) = (before.map_or(0, count), count(after));
    (new > old).then(|| Problem {
        path: plan.path_after(path).unwrap_or_else(|| path.clone()),
        range: None,
        severity: Severity::Error,
        code: Some("syntax".to_owned()),
        message: format!("{new} syntax errors after the plan, {old} before"),
        source: Some("lspwright".to_owned()),
    })
}
