//! Whether the touched files still parse.

use crate::plan::{Plan, Problem, Severity};
use crate::syntax::{Family, Language, Tree};
use crate::text::{AbsPath, Text};

/// One problem for each touched file that has more syntax errors after the plan than before.
pub(super) fn new_problems(plan: &Plan) -> Vec<Problem> {
    worse_files(plan, |_| true).collect()
}

/// As [`new_problems`], in the files that no other checker reads.
pub(super) fn new_problems_of_data(plan: &Plan) -> impl Iterator<Item = Problem> {
    worse_files(plan, |path| Language::of_path(path).is_some_and(|language| language.family() == Family::Data))
}

fn worse_files(plan: &Plan, wanted: fn(&AbsPath) -> bool) -> impl Iterator<Item = Problem> {
    let edited = plan.edits().iter().filter(move |(path, _)| wanted(path));
    let edited = edited.filter_map(|(path, edit)| worse(plan, path, Some(&edit.before), &edit.after()));
    let created = plan.creates().iter().filter(move |(path, _)| wanted(path));
    edited.chain(created.filter_map(|(path, text)| worse(plan, path, None, text)))
}

fn worse(plan: &Plan, path: &AbsPath, before: Option<&Text>, after: &Text) -> Option<Problem> {
    let language = Language::of_path(path)?;
    let count = |text: &Text| Tree::parse(language, text.as_str()).fault_count(text.as_str());
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
