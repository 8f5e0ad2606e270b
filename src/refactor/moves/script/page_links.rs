//! What pages load and lead to by paths of their own: `<script src="js/shop.js">`, `<a href="help.html">`.

use super::listing::Moved;
use super::project_files::World;
use super::resolve::split_query;
use super::respecify::Sides;
use super::specifiers::extension;
use crate::text::{RelPath, Span, TextEdit};

/// Attributes whose values are paths from where the page lies (HTML, "URLs").
const ATTRIBUTES: [&str; 2] = ["href=", "src="];

/// Tells whether a file is a page.
pub(super) fn is_page(path: &RelPath) -> bool {
    matches!(extension(path), "html" | "htm")
}

/// Returns the values in a page that name files of the project, each with the edit that it needs, if any, to name the same file
/// after a move.
pub(super) fn page_links(
    text: &str,
    sides: &Sides,
    (files, moved): (&World<'_>, &Moved),
) -> Vec<(Span, Option<TextEdit>)> {
    let dirs = (sides.before.parent().unwrap_or_default(), sides.after.parent().unwrap_or_default());
    let linked = values(text).into_iter().filter_map(|span| {
        let (path, _) = split_query(span.of(text)?);
        let path = path.split('#').next().filter(|it| !it.is_empty() && !it.starts_with('/') && !it.contains(':'))?;
        let named = dirs.0.join(path).filter(|named| files.is_file(named))?;
        let (before, after) = (named.seen_from(&dirs.0), moved.after(&named).seen_from(&dirs.1));
        let dots = if path.starts_with("./") && !after.starts_with("../") { "./" } else { "" };
        let own = Span::new(span.start, span.start + path.len());
        Some((span, (before != after).then(|| TextEdit::new(own, format!("{dots}{after}")))))
    });
    linked.collect()
}

/// Returns where the values of the attributes stand, without their quotes if they have any.
pub(crate) fn values(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    for attribute in ATTRIBUTES {
        for (at, _) in text.match_indices(attribute).filter(|(at, _)| text[..*at].ends_with(char::is_whitespace)) {
            let start = at + attribute.len();
            let quote = text[start..].chars().next().filter(|it| matches!(it, '"' | '\''));
            let start = start + quote.map_or(0, char::len_utf8);
            let is_end = |it: char| quote.map_or(it.is_whitespace() || it == '>', |quote| it == quote);
            found.extend(text[start..].find(is_end).map(|length| Span::new(start, start + length)));
        }
    }
    found
}
