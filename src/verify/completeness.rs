//! Whether a plan from elsewhere is whole: what it does is planned anew, and what the new plan changes and
//! this one does not is left behind. No diagnostic tells of an override that keeps its old name.

use std::collections::BTreeMap;

use crate::lsp::Place;
use crate::plan::{Plan, Problem, Severity};
use crate::refactor::moves::{self, Documents};
use crate::refactor::rename::{self, Aliases, Conflicts, RenameRequest};
use crate::session::Session;
use crate::syntax::{Language, Site, Tree, site};
use crate::text::{AbsPath, Span, TextEdit};

/// At most so many places are tried as the start of the rename.
const TRIES: usize = 4;

/// Returns a problem for each place that the plan should change and does not; none where the plan is
/// neither a rename nor a move that can be planned here.
pub(super) async fn left_behind(session: &Session, plan: &Plan) -> Vec<Problem> {
    let whole = match moved(plan) {
        Some((from, to)) => moves::plan_move(session, (&from, &to), Documents::Told).await.ok(),
        None => renamed_anew(session, plan).await,
    };
    let Some(whole) = whole else { return Vec::new() };
    let missing = whole.edits().iter().flat_map(|(path, file)| {
        let changed = |edit: &&TextEdit| !touches(plan, path, edit.span);
        file.edits.iter().filter(changed).map(move |edit| problem(plan, path, file, edit))
    });
    missing.collect()
}

fn touches(plan: &Plan, path: &AbsPath, span: Span) -> bool {
    plan.edits().get(path).is_some_and(|file| file.edits.touch(span))
}

fn problem(plan: &Plan, path: &AbsPath, file: &crate::plan::FileEdit, edit: &TextEdit) -> Problem {
    let old = edit.span.of(file.before.as_str()).unwrap_or_default();
    Problem {
        path: plan.path_after(path).unwrap_or_else(|| path.clone()),
        range: file.before.range(edit.span),
        severity: Severity::Error,
        code: Some("left-behind".to_owned()),
        message: format!("`{old}` has to become `{}` here too, and the plan leaves it", edit.new_text),
        source: Some("lspwright".to_owned()),
    }
}

/// Finds the file or the directory whose move explains every move of the plan.
fn moved(plan: &Plan) -> Option<(AbsPath, AbsPath)> {
    let (first, step) = plan.moves().first_key_value()?;
    let explains = |from: &AbsPath, to: &AbsPath| {
        plan.moves().iter().all(|(path, step)| path.rebased(from, to).as_ref() == Some(&step.to))
    };
    let (mut from, mut to) = (first.clone(), step.to.clone());
    while !explains(&from, &to) {
        if from.file_name() != to.file_name() {
            return None;
        }
        (from, to) = (from.parent()?, to.parent()?);
    }
    Some((from, to))
}

async fn renamed_anew(session: &Session, plan: &Plan) -> Option<Plan> {
    let (old, new) = rename_of(plan)?;
    let aliases = if keeps_aliases(plan, &old, &new) { Aliases::Keep } else { Aliases::Through };
    for place in starts(plan, &old).into_iter().take(TRIES) {
        let request = RenameRequest { aliases, conflicts: Conflicts::Force, ..RenameRequest::new(place, new.clone()) };
        if let Ok(whole) = rename::plan(session, &request).await {
            return Some(whole);
        }
    }
    None
}

/// The one pair of names that explains most of the edits.
fn rename_of(plan: &Plan) -> Option<(String, String)> {
    let mut pairs: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut total = 0;
    for file in plan.edits().values() {
        for edit in &file.edits {
            total += 1;
            let old = edit.span.of(file.before.as_str()).unwrap_or_default();
            let mut others = words(&edit.new_text).filter(|word| *word != old && *word != "as");
            if let (true, Some(new), None) = (words(old).eq([old]), others.next(), others.next()) {
                *pairs.entry((old.to_owned(), new.to_owned())).or_default() += 1;
            }
        }
    }
    let (pair, count) = pairs.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 2 > total).then_some(pair)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '#'))).filter(|word| !word.is_empty())
}

fn keeps_aliases(plan: &Plan, old: &str, new: &str) -> bool {
    let kept = format!("{new} as {old}");
    plan.edits().values().flat_map(|file| file.edits.iter()).any(|edit| edit.new_text == kept)
}

/// The places of the old name, declarations first.
fn starts(plan: &Plan, old: &str) -> Vec<Place> {
    let mut found = Vec::new();
    for (path, file) in plan.edits() {
        let Some(language) = Language::of_path(path) else { continue };
        let text = file.before.as_str();
        let tree = Tree::parse(language, text);
        for edit in file.edits.iter().filter(|edit| edit.span.of(text) == Some(old)) {
            let declares = matches!(site(&tree, text, edit.span), Site::Declaration(_));
            found.push((!declares, Place { path: path.clone(), offset: edit.span.start }));
        }
    }
    found.sort();
    found.into_iter().map(|(_, place)| place).collect()
}
