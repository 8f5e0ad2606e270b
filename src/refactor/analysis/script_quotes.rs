//! Quotes of what is written into scripts: those of the file, or of the files around it.

use std::collections::BTreeMap;

use super::plan_texts::with_texts;
use super::script_style::{formatter_setting, nearest};
use crate::plan::Plan;
use crate::refactor::commonjs::required_source;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Tree};
use crate::text::AbsPath;

/// Writes what no file had before in single quotes, in files whose strings have those, and in files without any where those
/// around have them.
pub(crate) fn quoted(session: &Session, plan: Plan) -> Plan {
    let mut changed: BTreeMap<AbsPath, String> = BTreeMap::new();
    let edited = plan.edits().iter().map(|(path, edit)| (path, edit.before.as_str().to_owned(), edit.after()));
    let created = plan.creates().iter().map(|(path, text)| (path, String::new(), text.clone()));
    for (path, before, after) in edited.chain(created) {
        let Some(language) = Language::of_path(path).filter(|it| it.family() == Family::Script) else { continue };
        if !after.as_str().contains('"') || !is_single(session, (path, language), &before) {
            continue;
        }
        let is_there = |string: &str| {
            let gone = plan.deletes().values().map(|text| text.as_str());
            plan.edits().values().map(|edit| edit.before.as_str()).chain(gone).any(|text| text.contains(string))
        };
        let new = with_single(language, after.as_str(), &is_there);
        if new != after.as_str() {
            changed.insert(path.clone(), new);
        }
    }
    if changed.is_empty() { plan } else { with_texts(plan, changed) }
}

/// Tells whether the strings of a file have single quotes, all of them.
fn is_single(session: &Session, (path, language): (&AbsPath, Language), text: &str) -> bool {
    let tree = Tree::parse(language, text);
    let mut strings = tree.nodes().iter().filter(is_plain).map(|it| it.text(text).starts_with('\'')).peekable();
    match strings.peek() {
        Some(_) => strings.all(|is_single| is_single),
        None => neighbours(session, path).map_or_else(
            || formatter_setting(session, "singleQuote").is_some_and(|it| it == "true"),
            |quote| quote == '\'',
        ),
    }
}

/// Tells whether a node is a string whose quotes are free to choose: those of JSX are not.
fn is_plain(node: &Node<'_>) -> bool {
    node.is("string") && !node.parent().is_some_and(|it| it.is("jsx_attribute"))
}

/// Writes the sources of imports in single quotes, and all strings that are not `there` already.
fn with_single(language: Language, text: &str, is_there: &dyn Fn(&str) -> bool) -> String {
    let tree = Tree::parse(language, text);
    let is_new = |it: &Node<'_>| {
        let (said, is_source) = (it.text(text), it.field() == Some("source"));
        said.starts_with('"') && !said.contains(['\'', '\\']) && (is_source || !is_there(said))
    };
    let strings: Vec<Node<'_>> = tree.nodes().iter().filter(|it| is_plain(it) && is_new(it)).collect();
    let mut written = text.to_owned();
    for span in strings.into_iter().rev().map(Node::span) {
        written.replace_range(span.start..span.start + 1, "'");
        written.replace_range(span.end - 1..span.end, "'");
    }
    written
}

/// Returns the quote of the nearest import, or of what is required.
fn neighbours(session: &Session, path: &AbsPath) -> Option<char> {
    nearest(session, path).find_map(|code| {
        let source = |it: Node<'_>| match it.is("import_statement") {
            true => it.child("source").map(Node::span),
            false => required_source(&code, it).map(Node::span),
        };
        let first = code.root().named_children().find_map(source);
        first.and_then(|span| span.of(code.text())).and_then(|it| it.chars().next())
    })
}
