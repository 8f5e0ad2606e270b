//! The old name in code on values of unknown type, renamed where the caller asked for it.

use std::sync::Arc;

use super::RenameRequest;
use super::edited_spans::{overlaps_any, sorted};
use super::proximity::{Nearness, WeighedPlaces};
use super::subject::Subject;
use crate::plan::{Parts, Warning, WarningKind};
use crate::session::Session;
use crate::syntax::{DeclarationKind, Site, site, whole_words};
use crate::text::{Span, TextEdit};

/// Adds an edit for every member and every keyword argument that no type is known of, and tells of them, file by file.
/// Other uses stay among those that were found.
pub(super) fn take(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    found: &mut WeighedPlaces,
    parts: &mut Parts,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for ((nearness, path), spans) in found.iter_mut() {
        let Ok(Some(file)) = session.parsed(path) else { continue };
        if !matches!(nearness, Nearness::Use | Nearness::Unasked) {
            continue;
        }
        let is_plain =
            |span: &Span| matches!(site(&file.tree, file.text.as_str(), *span), Site::Member | Site::KeywordArgument);
        let taken: Vec<Span> = spans.extract_if(.., |span| is_plain(span)).collect();
        if taken.is_empty() {
            continue;
        }
        let message = format!("`{}` is renamed here, too: no type is known there", subject.name);
        warnings.push(Warning::at_lines(WarningKind::Unproven, message, path.clone(), (&file.text, &taken)));
        let (_, edits) = parts.edits.entry(path.clone()).or_insert_with(|| (Arc::clone(&file.text), Vec::new()));
        edits.extend(taken.into_iter().map(|span| TextEdit::new(span, request.new_name.clone())));
    }
    found.retain(|_, spans| !spans.is_empty());
    if !warnings.is_empty() {
        warnings.extend(rivals(session, subject, parts));
    }
    warnings
}

/// Tells of what else is declared by the name: what was renamed without a type may be that.
fn rivals(session: &Session, subject: &Subject, parts: &Parts) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for path in session.disk().files_mentioning(&subject.name) {
        let Ok(Some(file)) = session.parsed(&path) else { continue };
        if file.tree.language().family() != subject.language.family() {
            continue;
        }
        let (text, edited) = (file.text.as_str(), parts.edits.get(&path).map_or(&[][..], |(_, edits)| edits));
        let edited = sorted(edited);
        let is_rival = |span: &Span| {
            let kind = site(&file.tree, text, *span);
            matches!(kind, Site::Declaration(DeclarationKind::Method | DeclarationKind::Property))
                && !overlaps_any(&edited, *span)
        };
        let mut spans = whole_words(text, &subject.name);
        spans.retain(is_rival);
        if !spans.is_empty() {
            let message =
                format!("another `{}` is declared here: what has no type and is renamed may be this one", subject.name);
            warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, path, (&file.text, &spans)));
        }
    }
    warnings
}
