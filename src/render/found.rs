//! What servers find, and what they can do about it, as it is seen outside.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::json::ProblemJson;
use crate::plan::Problem;
use crate::text::one_line;

/// The servers' findings: a row for each rule; the places of those that were asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Problems")]
pub struct ProblemsJson {
    pub summary: String,
    pub project_root: String,
    pub files_looked_at: usize,
    /// Those with the most problems first.
    pub rules: Vec<RuleJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_looked_at: Vec<NotLookedAtJson>,
}

/// What one rule found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rule")]
pub struct RuleJson {
    /// The checker's own code.
    pub rule: String,
    pub source: String,
    pub severity: &'static str,
    pub problems: usize,
    pub files: usize,
    /// What is said of the first place.
    pub example: String,
}

/// A server that gave no answer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "NotLookedAt")]
pub struct NotLookedAtJson {
    /// Its name, or that of a language that has none.
    pub what: String,
    pub reason: String,
    /// What it was asked about.
    pub files: Vec<String>,
}

/// What can be done at a place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Actions")]
pub struct ActionsJson {
    pub project_root: String,
    /// The place, for planCodeAction.
    pub target: String,
    /// Preferred ones first; what silences a finding last.
    pub actions: Vec<ActionJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<NotLookedAtJson>,
}

/// One action, to be handed to planCodeAction.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Action")]
pub struct ActionJson {
    /// Its id as long as the text stands.
    pub action: String,
    pub title: String,
    pub kind: String,
    /// Several where they offer the same edit.
    pub server: String,
    pub preferred: bool,
    /// The codes of the findings that it is for.
    pub fixes: String,
    /// It silences a finding and mends nothing.
    pub suppresses: bool,
    /// Why it cannot be planned; empty where it can.
    pub disabled: String,
}

/// Counts problems by rule, the most frequent first.
pub fn rules(problems: &[Problem]) -> Vec<RuleJson> {
    let mut groups: BTreeMap<(String, String), Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        groups.entry((source(problem).to_owned(), code(problem).to_owned())).or_default().push(problem);
    }
    let row = |((source, rule), all): ((String, String), Vec<&Problem>)| {
        let mut files: Vec<_> = all.iter().map(|problem| &problem.path).collect();
        files.dedup();
        let severity = all.iter().map(|problem| problem.severity).min().map_or("", |severity| severity.as_str());
        let example = one_line(&all[0].message).into_owned();
        RuleJson { rule, source, severity, problems: all.len(), files: files.len(), example }
    };
    let mut rows: Vec<RuleJson> = groups.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.problems));
    rows
}

/// The code of the rule that a problem breaks.
pub(super) fn code(problem: &Problem) -> &str {
    problem.code.as_deref().unwrap_or("-")
}

/// Who found a problem.
pub(super) fn source(problem: &Problem) -> &str {
    problem.source.as_deref().unwrap_or("-")
}
