//! Scripts that pages load as they are (`<script src="shop.js">`): what stands at the top of one is known to all others of the
//! page, and none imports or exports anything.

use std::collections::BTreeSet;

use crate::refactor::commonjs::says_commonjs;
use crate::refactor::moves::script::page_links::values;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{AbsPath, Span};

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
    let is_plain = move |span: &Span| {
        let Some(tag) = page[..span.start].rfind('<').map(|at| &page[at..]) else { return false };
        let tag = tag.split('>').next().unwrap_or_default();
        let is_module = ["\"module\"", "'module'", "=module"].iter().any(|it| tag.contains(it));
        tag.starts_with("<script") && !is_module
    };
    values(page).into_iter().filter(is_plain).filter_map(|span| span.of(page)?.split(['?', '#']).next())
}

/// Tells whether a source leads from a page to a file: beside the page, or from where a server has its root.
fn leads(page: &AbsPath, source: &str, script: &AbsPath) -> bool {
    let beside = page.parent().and_then(|dir| dir.join(source.trim_start_matches("./")).ok());
    let from_root = source.strip_prefix('/').is_some_and(|rest| script.as_str().ends_with(&format!("/{rest}")));
    beside.as_ref() == Some(script) || from_root
}
