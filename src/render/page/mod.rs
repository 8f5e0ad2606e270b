//! Pages of HTML, each in one file: nothing is loaded from elsewhere, and whatever comes from the project is escaped.
//! `smells` lists what was found. This is the page that a person approves a plan from.
//!
//! Summary and status stand first, then what moves and which files change, then each file's differences side by side, with
//! the remarks at their lines.

mod colours;
mod rows;
mod smells;
mod treemap;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::hunks;
use super::markup::{escaped, put};
use super::patch::relative;
use crate::plan::{FileEdit, Plan, Problem, Status, Verification, Warning};
use crate::syntax::Language;
use crate::text::{AbsPath, Range};
use rows::{Note, Sides};

pub use smells::smells_page;

/// What is shown of a plan.
#[derive(Debug)]
pub struct Review<'a> {
    pub plan: &'a Plan,
    pub verification: Option<&'a Verification>,
    pub root: &'a AbsPath,
    /// What the plan does, in one line.
    pub summary: &'a str,
    /// The command that writes it.
    pub apply: &'a str,
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page.
pub fn page(review: &Review<'_>) -> String {
    let mut page = opened(&format!("plan {} for {}", review.plan.id().as_str(), review.root), "");
    head(&mut page, review);
    contents(&mut page, review);
    put(&mut page, "<main>\n");
    elsewhere(&mut page, review);
    for (path, text) in review.plan.creates() {
        let sides = Sides { path_before: path, before: None, after: Some(text) };
        file(&mut page, review, &sides, &hunks::of_creation(text));
    }
    for (path, text) in review.plan.deletes() {
        let sides = Sides { path_before: path, before: Some(text), after: None };
        file(&mut page, review, &sides, &hunks::of_deletion(text));
    }
    for (path, edit) in review.plan.edits() {
        edited(&mut page, review, path, edit);
    }
    put(&mut page, "</main>\n");
    closed(page, SCRIPT)
}

/// Begins a page that loads nothing from elsewhere.
fn opened(title: &str, more_style: &str) -> String {
    let (title, policy) = (escaped(title), "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{more_style}</style>\n</head>\n<body>\n"
    )
}

fn closed(page: String, script: &str) -> String {
    page + &format!("<script>\n{script}</script>\n</body>\n</html>\n")
}

fn edited(page: &mut String, review: &Review<'_>, path: &AbsPath, edit: &FileEdit) {
    let after = edit.after();
    let sides = Sides { path_before: path, before: Some(&edit.before), after: Some(&after) };
    file(page, review, &sides, &hunks::of_edit(edit, hunks::CONTEXT));
}

fn head(page: &mut String, review: &Review<'_>) {
    let (word, reason) = match review.verification {
        Some(found) => (found.status.as_str(), found.reason.as_deref().unwrap_or(meaning(found.status))),
        None => ("unchecked", "whether the plan brings new problems has not been checked"),
    };
    put(
        page,
        &format!(
            "<header>\n<p class=\"status {word}\"><strong>{word}</strong> {}</p>\n<h1>{}</h1>\n\
         <p class=\"apply\"><code>{}</code></p>\n<p class=\"keys\"><kbd>j</kbd> <kbd>k</kbd> next and previous file, \
         <kbd>x</kbd> fold it, <kbd>n</kbd> next remark</p>\n</header>\n",
            escaped(reason),
            escaped(review.summary),
            escaped(review.apply)
        ),
    );
}

fn meaning(status: Status) -> &'static str {
    match status {
        Status::Clean => "everything that the plan could affect was checked, and nothing new was found",
        Status::Possible => "nothing new is found, and uses are listed that may have to change",
        Status::Regressed => "the plan brings new problems",
        Status::Unverified => "it could not be checked",
    }
}

/// The files, with what moves where.
fn contents(page: &mut String, review: &Review<'_>) {
    put(page, "<nav aria-label=\"files\">\n<ul>\n");
    let plan = review.plan;
    for (from, step) in plan.moves() {
        let (old, new) = (relative(from, review.root), relative(&step.to, review.root));
        entry(page, "moves", plan.edits().contains_key(from).then_some(from), &format!("{old} → {new}"));
    }
    for path in plan.creates().keys() {
        entry(page, "new", Some(path), &relative(path, review.root));
    }
    for path in plan.deletes().keys() {
        entry(page, "goes", Some(path), &relative(path, review.root));
    }
    for (path, edit) in plan.edits().iter().filter(|(path, _)| !plan.moves().contains_key(path)) {
        entry(page, &edit.edits.len().to_string(), Some(path), &relative(path, review.root));
    }
    put(page, "</ul>\n</nav>\n");
}

fn entry(page: &mut String, what: &str, anchor: Option<&AbsPath>, text: &str) {
    let text = match anchor {
        Some(path) => format!("<a href=\"#{}\">{}</a>", anchor_of(path), escaped(text)),
        None => escaped(text),
    };
    put(page, &format!("<li><span class=\"what\">{what}</span> {text}</li>\n"));
}

/// An identifier for a path that no text of the project can break out of.
fn anchor_of(path: &AbsPath) -> String {
    path.as_str().bytes().fold(String::from("f"), |mut anchor, byte| {
        if byte.is_ascii_alphanumeric() {
            anchor.push(char::from(byte));
        } else {
            write!(anchor, "-{byte:02x}").expect("a String takes all that is written");
        }
        anchor
    })
}

/// Remarks about files that the plan leaves alone, and about the plan as a whole.
fn elsewhere(page: &mut String, review: &Review<'_>) {
    let plan = review.plan;
    let is_shown = |path: &AbsPath| {
        plan.edits().contains_key(path) || plan.creates().contains_key(path) || plan.deletes().contains_key(path)
    };
    let warnings = plan.warnings().iter().filter(|warning| !warning.path.as_ref().is_some_and(is_shown));
    let told = warnings.map(|warning| (warning.path.as_ref(), warning.range, said(warning)));
    let problems = review.verification.iter().flat_map(|found| &found.new_problems);
    let edited: BTreeSet<AbsPath> = plan.edits().keys().map(|path| after(plan, path)).collect();
    let problems = problems
        .filter(|problem| !edited.contains(&problem.path))
        .map(|problem| (Some(&problem.path), problem.range, found(problem)));
    let all: Vec<_> = told.chain(problems).collect();
    if all.is_empty() {
        return;
    }
    put(page, "<section class=\"elsewhere\">\n<h2>Outside of what changes</h2>\n<ul>\n");
    for (path, range, (kind, message)) in all {
        let place = path.map(|path| place(&relative(path, review.root), range)).unwrap_or_default();
        put(page, &format!("<li class=\"note {kind}\"><b>{kind}</b> {} {}</li>\n", escaped(&place), escaped(&message)));
    }
    put(page, "</ul>\n</section>\n");
}

fn place(path: &str, range: Option<Range>) -> String {
    range.map_or_else(
        || path.to_owned(),
        |range| format!("{path}:{}:{}", range.start.line + 1, range.start.character + 1),
    )
}

fn said(warning: &Warning) -> (&'static str, String) {
    (warning.kind.as_str(), warning.message.clone())
}

fn found(problem: &Problem) -> (&'static str, String) {
    ("new-problem", problem.quoted())
}

fn after(plan: &Plan, path: &AbsPath) -> AbsPath {
    plan.path_after(path).unwrap_or_else(|| path.clone())
}

/// One file: its paths, the remarks that stand at no line of it that is shown, and its differences.
fn file(page: &mut String, review: &Review<'_>, sides: &Sides<'_>, hunks: &str) {
    let path = sides.path_before;
    let moved = after(review.plan, path);
    let (old, new) = (relative(path, review.root), relative(&moved, review.root));
    let name = if old == new { escaped(&old) } else { format!("{} → {}", escaped(&old), escaped(&new)) };
    put(page, &format!("<details open class=\"file\" id=\"{}\">\n<summary>{name}</summary>\n", anchor_of(path)));
    let warnings = review.plan.warnings().iter().filter(|warning| warning.path.as_ref() == Some(path));
    let warnings = warnings.map(|warning| Note::before(warning.range, said(warning)));
    let problems = review.verification.iter().flat_map(|found| &found.new_problems);
    let problems = problems.filter(|problem| problem.path == moved);
    let problems = problems.map(|problem| Note::after(problem.range, found(problem)));
    rows::write(page, sides, Language::of_path(path), (hunks, warnings.chain(problems).collect()));
    put(page, "</details>\n");
}

#[cfg(test)]
mod tests;
