//! Scripts that pages load as they are (`<script src="shop.js">`): what stands at the top of one is known to all others of the
//! page, and none imports or exports anything.

use std::collections::BTreeSet;

use crate::refactor::commonjs::says_commonjs;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::AbsPath;

/// What pages end with, templates of them among it.
const PAGES: &[&str] = &["ejs", "erb", "hbs", "htm", "html", "jinja", "jinja2", "njk", "php"];

/// Returns the pages that load a script which is no module.
pub(crate) fn pages(session: &Session, code: &Code) -> BTreeSet<AbsPath> {
    if code.family() != Family::Script || says_commonjs(code).is_some() {
        return BTreeSet::new();
    }
    let named = session.disk().files_mentioning(code.path.file_stem()).into_iter();
    let loads = |page: &AbsPath| {
        session.disk().read(page).is_ok_and(|text| sources(text.as_str()).any(|source| leads(page, source, &code.path)))
    };
    named.filter(|path| PAGES.contains(&path.extension()) && loads(path)).collect()
}

/// Tells whether two scripts know each other's names because a page loads both.
pub(crate) fn share_names(session: &Session, one: &Code, other: &Code) -> bool {
    let theirs = pages(session, other);
    !theirs.is_empty() && !theirs.is_disjoint(&pages(session, one))
}

/// Returns what the scripts of a page that are no modules are loaded from.
fn sources(page: &str) -> impl Iterator<Item = &str> {
    let tags = page.split("<script").skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
    let plain = tags.filter(|tag| !["\"module\"", "'module'", "=module"].iter().any(|it| tag.contains(it)));
    plain.filter_map(|tag| {
        let value = tag.split_once("src=")?.1;
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''));
        let source = match quote {
            Some(quote) => value[1..].split(quote).next()?,
            None => value.split_whitespace().next()?,
        };
        source.split(['?', '#']).next()
    })
}

/// Tells whether a source leads from a page to a file: beside the page, or from where a server has its root.
fn leads(page: &AbsPath, source: &str, script: &AbsPath) -> bool {
    let beside = page.parent().and_then(|dir| dir.join(source.trim_start_matches("./")).ok());
    let from_root = source.strip_prefix('/').is_some_and(|rest| script.as_str().ends_with(&format!("/{rest}")));
    beside.as_ref() == Some(script) || from_root
}
