//! Renames that have nothing to do with each other: each is planned on the project as it stands, which the servers have read
//! already, instead of on what the ones before it make of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::Value;

use super::super::args::RefactoringStep;
use super::super::step::one;
use crate::plan::{Parts, Plan};
use crate::session::Session;
use crate::tools::ToolError;

const RENAME: &str = "rename";
/// So many are on their way at once: a server that is busy finds the next question waiting.
const AT_ONCE: usize = 4;

/// What a rename is said with, and what it changes.
#[derive(Default)]
struct Words<'a> {
    /// All words of its target and its parameters, and those that it changes.
    said: BTreeSet<&'a str>,
    changed: BTreeSet<&'a str>,
}

/// Plans the steps; nothing where one may depend on another, or fails: then the order counts.
pub(super) async fn plan(session: &Session, steps: &[RefactoringStep]) -> Option<Plan> {
    let asked: Vec<Words<'_>> = steps.iter().map(asked).collect::<Option<_>>()?;
    if steps.len() < 2 || !are_apart(&asked) {
        return None;
    }
    let mut planning = Vec::new();
    for step in steps {
        planning.push(one(session, (&step.target, step)));
    }
    let plans: Result<Vec<Plan>, ToolError> = stream::iter(planning).buffered(AT_ONCE).try_collect().await;
    joined(&plans.ok()?, asked)
}

/// Returns the words of a rename; nothing where it is another step, or one that names a line, which others may move.
fn asked(step: &RefactoringStep) -> Option<Words<'_>> {
    let (_, name) = step.target.split_once("::").or_else(|| step.target.split_once('#'))?;
    let names_line = name.contains('#') || name.starts_with(|first: char| first.is_ascii_digit());
    if step.refactoring != RENAME || names_line {
        return None;
    }
    let given = step.params.values().filter_map(Value::as_str).flat_map(words);
    let mut all = Words { said: words(name).collect(), changed: words(name).last().into_iter().chain(given).collect() };
    all.said.extend(&all.changed);
    Some(all)
}

/// Whether no rename changes a word that another one says. The class that two members stand in is no such word.
fn are_apart(all: &[Words<'_>]) -> bool {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for word in all.iter().flat_map(|one| &one.said) {
        *times.entry(word).or_default() += 1;
    }
    all.iter().flat_map(|one| &one.changed).all(|word| times[word] == 1)
}

/// Joins plans that change different places, and none of them a word that another one knows.
fn joined<'a>(plans: &'a [Plan], mut asked: Vec<Words<'a>>) -> Option<Plan> {
    let changes_files =
        |plan: &Plan| !(plan.moves().is_empty() && plan.creates().is_empty() && plan.deletes().is_empty());
    if plans.iter().any(changes_files) {
        return None;
    }
    for (plan, all) in plans.iter().zip(&mut asked) {
        for file in plan.edits().values() {
            for edit in &file.edits {
                all.changed.extend(words(edit.span.of(file.before.as_str()).unwrap_or_default()));
                all.changed.extend(words(&edit.new_text));
            }
        }
        all.said.extend(&all.changed);
    }
    if !are_apart(&asked) {
        return None;
    }
    let mut parts = Parts::default();
    for plan in plans {
        for (path, file) in plan.edits() {
            let (before, edits) =
                parts.edits.entry(path.clone()).or_insert_with(|| (Arc::clone(&file.before), Vec::new()));
            if before != &file.before {
                return None;
            }
            edits.extend(file.edits.into_iter().cloned());
        }
        for warning in plan.warnings() {
            if !parts.warnings.contains(warning) {
                parts.warnings.push(warning.clone());
            }
        }
    }
    // Edits that meet are refused, and planned one after the other.
    Plan::new(parts).ok()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '$')))
        .filter(|word| !word.is_empty())
}
