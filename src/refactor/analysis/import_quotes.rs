//! Quotes of the first strings that a file of a script gets: those of the files around it.

use std::collections::BTreeMap;

use super::line_length::with_texts;
use super::script_style::nearest;
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::{Family, Language, Tree};
use crate::text::{AbsPath, Span};

/// Writes imports with the quotes that neighbours have, in files that had no string of their own.
pub(crate) fn quoted(session: &Session, plan: Plan) -> Plan {
    let mut changed: BTreeMap<AbsPath, String> = BTreeMap::new();
    let edited = plan.edits().iter().map(|(path, edit)| (path, edit.before.as_str().to_owned(), edit.after()));
    let created = plan.creates().iter().map(|(path, text)| (path, String::new(), text.clone()));
    for (path, before, after) in edited.chain(created) {
        let Some(language) = Language::of_path(path).filter(|it| it.family() == Family::Script) else { continue };
        let has_string = |text: &str| Tree::parse(language, text).nodes().iter().any(|it| it.is("string"));
        if !after.as_str().contains(" from \"") || has_string(&before) || neighbours(session, path) != Some('\'') {
            continue;
        }
        changed.insert(path.clone(), with_single(language, after.as_str()));
    }
    if changed.is_empty() { plan } else { with_texts(plan, changed) }
}

/// Writes the sources of all imports in single quotes.
fn with_single(language: Language, text: &str) -> String {
    let tree = Tree::parse(language, text);
    let is_plain = |span: &Span| span.of(text).is_some_and(|it| it.starts_with('"') && !it.contains(['\'', '\\']));
    let nodes = tree.nodes();
    let statements = nodes.iter().filter(|it| it.is("import_statement"));
    let mut sources: Vec<Span> = statements.filter_map(|it| it.child("source")).map(|it| it.span()).collect();
    sources.retain(is_plain);
    let mut written = text.to_owned();
    for span in sources.into_iter().rev() {
        written.replace_range(span.start..span.start + 1, "'");
        written.replace_range(span.end - 1..span.end, "'");
    }
    written
}

/// Returns the quote of the nearest import.
fn neighbours(session: &Session, path: &AbsPath) -> Option<char> {
    nearest(session, path).find_map(|code| {
        let first =
            code.root().named_children().filter(|it| it.is("import_statement")).find_map(|it| it.child("source"));
        first.and_then(|it| it.text(code.text()).chars().next())
    })
}
