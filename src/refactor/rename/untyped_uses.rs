//! The old name in code on values of unknown type, renamed where the caller asked for it.

use std::sync::Arc;

use super::RenameRequest;
use super::declarers::Declarers;
use super::edited_spans::{overlaps_any, sorted};
use super::proximity::{Nearness, WeighedPlaces};
use super::subject::Subject;
use crate::plan::{Parts, Warning, WarningKind};
use crate::session::Session;
use crate::syntax::{Site, site};
use crate::text::{AbsPath, Span, TextEdit};

/// Adds an edit for every member and every keyword argument that no type is known of, and tells of them, file by file.
/// Other uses stay among those that were found, and so does what is asked of an object that is called like another class which
/// has a member of the name: `self.queue.put` with a `Queue.put`.
pub(super) fn take(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    found: &mut WeighedPlaces,
    parts: &mut Parts,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let is_renamed =
        |path: &AbsPath, span| parts.edits.get(path).is_some_and(|(_, edits)| overlaps_any(&sorted(edits), span));
    let declared = Declarers::of(session, (&subject.name, subject.language.family()), is_renamed);
    for ((nearness, path), spans) in found.iter_mut() {
        let Ok(Some(file)) = session.parsed(path) else { continue };
        if !matches!(nearness, Nearness::Use | Nearness::Unasked) {
            continue;
        }
        let is_taken = |span: &Span| match site(&file.tree, file.text.as_str(), *span) {
            Site::Member => !declared.is_of_rival(&file, *span),
            site => site == Site::KeywordArgument,
        };
        let taken: Vec<Span> = spans.extract_if(.., |span| is_taken(span)).collect();
        if taken.is_empty() {
            continue;
        }
        let message = format!("`{}` is renamed here, too: no type is known there", subject.name);
        warnings.push(Warning::at_lines(WarningKind::Unconfirmed, message, path.clone(), (&file.text, &taken)));
        let (_, edits) = parts.edits.entry(path.clone()).or_insert_with(|| (Arc::clone(&file.text), Vec::new()));
        edits.extend(taken.into_iter().map(|span| TextEdit::new(span, request.new_name.clone())));
    }
    found.retain(|_, spans| !spans.is_empty());
    if !warnings.is_empty() {
        let name = &subject.name;
        warnings.extend(
            declared
                .told(&format!("another `{name}` is declared here: what has no type and is renamed may be this one")),
        );
    }
    warnings
}
