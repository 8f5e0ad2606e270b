//! The old name in strings and comments, edited where the caller asked for it.

use std::sync::Arc;

use super::RenameRequest;
use super::edited_spans::{overlaps_any, sorted};
use super::mentions::lines;
use super::subject::Subject;
use crate::plan::{Parts, Warning, WarningKind};
use crate::session::{Parsed, Session};
use crate::syntax::{Prose as Kind, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

/// What documents and data end with.
const DOCUMENTS: &[&str] = &["adoc", "cfg", "ini", "json", "jsonc", "md", "mdx", "rst", "toml", "txt", "yaml", "yml"];

/// Adds an edit for every whole word in a string literal or comment that is the old name, each with a
/// warning; places that the rename changes already are left to it.
pub(super) fn add(session: &Session, subject: &Subject, request: &RenameRequest, parts: &mut Parts) -> Vec<Warning> {
    let prose = request.prose;
    let mut warnings = Vec::new();
    if !prose.strings && !prose.comments && !prose.docs {
        return warnings;
    }
    for path in session.disk().files_mentioning(&subject.name) {
        if DOCUMENTS.contains(&path.extension()) {
            warnings.extend(prose.docs.then(|| in_document(session, (subject, request), &path, parts)).flatten());
            continue;
        }
        let Ok(Some(parsed)) = session.parsed(&path) else { continue };
        let wanted = |kind: Kind| match kind {
            Kind::String => prose.strings,
            Kind::Comment => prose.comments,
        };
        let edited = parts.edits.get(&path).map_or_else(Vec::new, |(_, edits)| sorted(edits));
        // The path of a file changes with the file: `./Order`.
        let is_path = |span: Span| {
            let said = span.of(parsed.text.as_str()).unwrap_or_default().trim_start_matches(['"', '\'', '`']);
            said.starts_with("./") || said.starts_with("../")
        };
        let told = parsed.tree.prose().into_iter().filter(|(kind, _)| wanted(*kind));
        for (kind, span) in told.filter(|(kind, span)| *kind != Kind::String || !is_path(*span)) {
            let words = words(parsed.text.as_str(), span, &subject.name);
            for word in words.into_iter().filter(|word| !overlaps_any(&edited, *word)) {
                let file = parts.edits.entry(path.clone());
                let (_, edits) = file.or_insert_with(|| (Arc::clone(&parsed.text), Vec::new()));
                edits.push(TextEdit::new(word, request.new_name.clone()));
                warnings.push(warning(kind, &path, &parsed, word));
            }
        }
    }
    warnings
}

/// Adds an edit for every whole word in a document, and tells of them.
fn in_document(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    path: &AbsPath,
    parts: &mut Parts,
) -> Option<Warning> {
    let text = session.disk().read(path).ok()?;
    let edited = parts.edits.get(path).map_or_else(Vec::new, |(_, edits)| sorted(edits));
    let mut words = whole_words(text.as_str(), &subject.name);
    words.retain(|word| !overlaps_any(&edited, *word));
    let first = *words.first()?;
    if is_history(path) {
        let message = format!("what was once is told here, and is not changed ({})", lines(&text, &words));
        let warning = Warning::at(WarningKind::Mentioned, message, path.clone(), text.range(first));
        return Some(warning.standing_for(words.len()));
    }
    let (_, edits) = parts.edits.entry(path.clone()).or_insert_with(|| (Arc::clone(&text), Vec::new()));
    edits.extend(words.iter().map(|word| TextEdit::new(*word, request.new_name.clone())));
    let message = format!("edited in a document, which no server has confirmed ({})", lines(&text, &words));
    let warning = Warning::at(WarningKind::CommentEdited, message, path.clone(), text.range(first));
    Some(warning.standing_for(words.len()))
}

/// Tells whether a document says what earlier versions brought: it speaks of names as they were.
fn is_history(path: &AbsPath) -> bool {
    const HISTORIES: &[&str] = &[
        "change",
        "changelog",
        "changes",
        "history",
        "news",
        "release-notes",
        "release_notes",
        "releases",
        "whatsnew",
    ];
    HISTORIES.contains(&path.file_stem().to_lowercase().as_str())
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
