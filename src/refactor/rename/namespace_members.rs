//! Members of a script's module that is handed on as a value: `export const arrays = lib;`, where `import * as lib`.
//!
//! TypeScript looks for an export in the files that import its module, so that `arrays.first` in a file that imports the
//! value alone is in no answer to `references` or `rename` (seen with 5.4 and 6.0). It knows what is declared there, and
//! is asked for that.

use std::collections::BTreeSet;

use super::definition_queries;
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Family, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span};

/// More places than this are not asked about: they stay possible uses.
const MOST: usize = 200;

/// Returns the members of that name that lead to nothing but what is known of exports, and are not known themselves.
pub(crate) async fn left_out(
    session: &Session,
    server: &Server,
    name: &str,
    known: &BTreeSet<(AbsPath, Span)>,
) -> Result<Vec<Location>, Refusal> {
    let mut exports = BTreeSet::new();
    for (path, span) in known {
        if declares_export(session, path, *span)? {
            exports.insert((path, *span));
        }
    }
    if exports.is_empty() {
        return Ok(Vec::new());
    }
    let open = open(session, name, known)?;
    if open.len() > MOST {
        return Ok(Vec::new());
    }
    let places = open.iter().map(|it| Place { path: it.path.clone(), offset: it.span.start }).collect();
    let meanings = definition_queries::meanings(server, name, places).await?;
    let is_meant =
        |leads: &[Location]| !leads.is_empty() && leads.iter().all(|to| exports.contains(&(&to.path, to.span)));
    Ok(open.into_iter().zip(meanings).filter(|(_, leads)| is_meant(leads)).map(|(place, _)| place).collect())
}

/// Tells whether a name is declared at the top of a script's module.
fn declares_export(session: &Session, path: &AbsPath, span: Span) -> Result<bool, Refusal> {
    let Some(file) = session.parsed(path)?.filter(|file| file.tree.language().family() == Family::Script) else {
        return Ok(false);
    };
    let node = file.tree.nodes().covering(span);
    if node.field() != Some("name") || !matches!(site(&file.tree, file.text.as_str(), span), Site::Declaration(_)) {
        return Ok(false);
    }
    let declared = node.parent().filter(|it| it.is("variable_declarator")).unwrap_or(node);
    let outer = declared.parent().and_then(Node::parent);
    Ok(outer.is_some_and(|outer| outer.is_any(&["export_statement", "program"])))
}

/// Returns the members of that name that are not known.
fn open(session: &Session, name: &str, known: &BTreeSet<(AbsPath, Span)>) -> Result<Vec<Location>, Refusal> {
    let mut open = Vec::new();
    for path in session.disk().files_mentioning(name) {
        let Some(file) = session.parsed(&path)?.filter(|file| file.tree.language().family() == Family::Script) else {
            continue;
        };
        let text = file.text.as_str();
        let words = whole_words(text, name).into_iter();
        let members = words.filter(|span| site(&file.tree, text, *span) == Site::Member);
        let unknown = members.filter(|span| !known.contains(&(path.clone(), *span)));
        open.extend(unknown.map(|span| Location { path: path.clone(), span }));
    }
    Ok(open)
}
