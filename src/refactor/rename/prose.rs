//! The old name in strings and comments, edited where the caller asked for it.

use std::sync::Arc;

use super::RenameRequest;
use super::edited_spans::{overlaps_any, sorted};
use super::parameter_owners::ParameterOwners;
use super::subject::Subject;
use crate::plan::{Parts, Warning, WarningKind};
use crate::refactor::documents::{is_docstring, is_document, is_extension, is_history};
use crate::session::{Parsed, Session};
use crate::syntax::{Language, Prose as Kind, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

/// Tells whether a word of a text may be what is renamed.
type IsMeant<'a> = dyn Fn(&str, Span) -> bool + 'a;

/// Adds an edit for every whole word in a string literal or comment that is the old name, each with a
/// warning; places that the rename changes already are left to it.
pub(super) fn add(session: &Session, subject: &Subject, request: &RenameRequest, parts: &mut Parts) -> Vec<Warning> {
    let prose = request.prose;
    let mut warnings = Vec::new();
    if !prose.strings && !prose.comments && !prose.docs {
        return warnings;
    }
    let owners = ParameterOwners::of(session, parts);
    let is_theirs = |text: &str, word: Span| owners.as_ref().is_none_or(|owners| owners.may_be_passed(text, word));
    let is_meant = |text: &str, word: Span| is_theirs(text, word) && !is_of_other_name(text, word);
    for path in session.disk().files_mentioning(&subject.name) {
        if is_document(&path) {
            let told = prose.docs.then(|| in_document(session, (subject, request, &is_meant), &path, parts));
            warnings.extend(told.flatten());
            continue;
        }
        let Ok(Some(parsed)) = session.parsed(&path) else { continue };
        let wanted = |kind: Kind| match kind {
            Kind::String => prose.strings,
            Kind::Comment => prose.comments,
        };
        let edited = parts.edits.get(&path).map_or_else(Vec::new, |(_, edits)| sorted(edits));
        // What documents a program is a comment to its readers.
        let wanted = |(kind, span): (Kind, Span)| {
            wanted(kind) || kind == Kind::String && prose.comments && is_docstring(&parsed, span)
        };
        let told = parsed.tree.prose().into_iter().filter(|one| wanted(*one));
        for (kind, span) in told {
            let text = parsed.text.as_str();
            // The path of a file changes with the file.
            let of_other = |owners: &ParameterOwners| !owners.may_document(&path, &parsed, span);
            if kind == Kind::String && is_docstring(&parsed, span) && owners.as_ref().is_some_and(of_other) {
                continue;
            }
            let stays = |word: Span| kind == Kind::String && is_in_path(text, span, word) || !is_meant(text, word);
            let words = words(text, span, &subject.name);
            for word in words.into_iter().filter(|word| !overlaps_any(&edited, *word) && !stays(*word)) {
                let file = parts.edits.entry(path.clone());
                let (_, edits) = file.or_insert_with(|| (Arc::clone(&parsed.text), Vec::new()));
                edits.push(TextEdit::new(word, request.new_name.clone()));
                warnings.push(warning(kind, &path, &parsed, word));
            }
        }
    }
    warnings
}

/// Tells whether a word of a text is a part of a file's path: `./order`, `data/order.json`, `order.py`.
fn is_in_path(text: &str, within: Span, word: Span) -> bool {
    let ends = |it: char| it.is_whitespace() || matches!(it, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | ',' | ';');
    let before = text[within.start..word.start].rsplit(ends).next().unwrap_or_default();
    let behind = text[word.end..within.end].split(ends).next().unwrap_or_default();
    let extension = behind.strip_prefix('.').map(|rest| rest.trim_end_matches(['.', ':', '!', '?']));
    before.ends_with(['/', '\\'])
        || behind.starts_with('/') && !before.contains("{")
        || extension.is_some_and(|it| Language::of_extension(it).is_some() || is_extension(it))
}

/// Tells whether a word is a part of another name: of an address (`https://host/Markdown`), or of a name with hyphens
/// (`Python-Markdown`).
fn is_of_other_name(text: &str, word: Span) -> bool {
    let ends = |it: char| it.is_whitespace() || matches!(it, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']');
    let before = text[..word.start].rsplit(ends).next().unwrap_or_default();
    let hyphen = |rest: &str, sign: Option<char>| rest.ends_with('-') && sign.is_some_and(char::is_alphanumeric);
    let last = before.trim_end_matches('-').chars().next_back();
    let mut behind = text[word.end..].chars();
    before.contains("://")
        || hyphen(before, last)
        || behind.next() == Some('-') && behind.next().is_some_and(char::is_alphanumeric)
}

/// Adds an edit for every whole word in a document, and tells of them.
fn in_document(
    session: &Session,
    (subject, request, is_meant): (&Subject, &RenameRequest, &IsMeant<'_>),
    path: &AbsPath,
    parts: &mut Parts,
) -> Option<Warning> {
    let text = session.disk().read(path).ok()?;
    let edited = parts.edits.get(path).map_or_else(Vec::new, |(_, edits)| sorted(edits));
    let mut words = whole_words(text.as_str(), &subject.name);
    words.retain(|word| !overlaps_any(&edited, *word) && is_meant(text.as_str(), *word));
    if words.is_empty() {
        return None;
    }
    if is_history(path) {
        let message = "what was once is told here, and is not changed";
        return Some(Warning::at_lines(WarningKind::Mentioned, message, path.clone(), (&text, &words)));
    }
    let (_, edits) = parts.edits.entry(path.clone()).or_insert_with(|| (Arc::clone(&text), Vec::new()));
    edits.extend(words.iter().map(|word| TextEdit::new(*word, request.new_name.clone())));
    let message = "edited in a document, which no server has confirmed";
    Some(Warning::at_lines(WarningKind::CommentEdited, message, path.clone(), (&text, &words)))
}

/// Finds the name as a whole word inside a span, in offsets of the whole text.
pub(super) fn words(text: &str, span: Span, name: &str) -> Vec<Span> {
    let inside = span.of(text).unwrap_or_default();
    whole_words(inside, name)
        .into_iter()
        .map(|word| Span::new(span.start + word.start, span.start + word.end))
        .collect()
}

fn warning(kind: Kind, path: &AbsPath, parsed: &Parsed, word: Span) -> Warning {
    let (kind, what) = match kind {
        Kind::String => (WarningKind::StringEdited, "in a string literal"),
        Kind::Comment => (WarningKind::CommentEdited, "in a comment"),
    };
    Warning::at(kind, format!("edited {what}, which no server has confirmed"), path.clone(), parsed.text.range(word))
}
