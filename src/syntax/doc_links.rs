//! What comments of scripts link to: `{@link Order.total}` (TSDoc, JSDoc).

use super::{Nodes, prose};
use crate::text::Span;

const TAGS: &[&str] = &["link", "linkcode", "linkplain", "inheritDoc"];

/// One link: the words of its target, which dots or `#` are between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocLink {
    pub words: Vec<Span>,
}

/// Returns the links to names in the comments of a text, in order; those to pages are left aside.
pub fn doc_links(nodes: &Nodes, text: &str) -> Vec<DocLink> {
    let comments = nodes.iter().filter(|node| prose::is_comment(node.kind())).map(|node| node.span());
    comments.flat_map(|comment| in_comment(text, comment)).collect()
}

fn in_comment(text: &str, comment: Span) -> Vec<DocLink> {
    let said = comment.of(text).unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in said.match_indices("{@") {
        let rest = &said[at + 2..];
        let tag = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        if !TAGS.contains(&&rest[..tag]) {
            continue;
        }
        let target = rest[tag..].trim_start_matches([' ', '\t']);
        let start = comment.start + said.len() - target.len();
        let end = target.find(|it: char| it.is_whitespace() || matches!(it, '}' | '|')).unwrap_or(target.len());
        found.extend(words(&target[..end], start).map(|words| DocLink { words }));
    }
    found
}

/// Takes a target apart; nothing where it is no name.
fn words(target: &str, start: usize) -> Option<Vec<Span>> {
    let target = target.strip_suffix("()").unwrap_or(target);
    let mut at = start;
    let mut words = Vec::new();
    for word in target.split(['.', '#', '~']) {
        let is_name = !word.is_empty()
            && !word.starts_with(|it: char| it.is_ascii_digit())
            && word.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '$'));
        if !is_name {
            return None;
        }
        words.push(Span::new(at, at + word.len()));
        at += word.len() + 1;
    }
    Some(words)
}
