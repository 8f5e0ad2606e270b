//! Names in NatSpec that the compiler checks: parameters, returns, and whose documentation is inherited.

use std::collections::BTreeSet;

use super::model::{Definition, DefinitionId, DefinitionKind, Model};
use super::{SourceId, Token, TokenKind, tokens};
use crate::text::Span;

/// Finds the places in documentation that have to follow when a group of definitions is renamed.
pub(super) fn mentions(model: &Model, group: &[DefinitionId], name: &str) -> Vec<(SourceId, Span)> {
    let mut found = Vec::new();
    for id in group {
        let one = model.definition(*id);
        match one.kind {
            DefinitionKind::Parameter | DefinitionKind::StructMember => {
                found.extend(of_parameter(model, one, "@param"));
            }
            DefinitionKind::ReturnParameter => found.extend(of_parameter(model, one, "@return")),
            _ => {}
        }
    }
    let is_contract = |kind| matches!(kind, DefinitionKind::Contract | DefinitionKind::Interface);
    if group.iter().any(|id| is_contract(model.definition(*id).kind)) {
        found.extend(inherited(model, group, name));
    }
    found
}

/// Finds `@param name` or `@return name` in the documentation of what a parameter belongs to.
fn of_parameter(model: &Model, one: &Definition, tag: &str) -> Vec<(SourceId, Span)> {
    let Some(owner) = one.container.map(|id| model.definition(id)) else { return Vec::new() };
    let Some(text) = model.text(&one.file) else { return Vec::new() };
    let comments = comments_before(text, owner.span.start);
    let named = comments.into_iter().flat_map(|comment| tagged(text, comment, tag));
    named.filter(|span| span.of(text) == Some(&one.name)).map(|span| (one.file.clone(), span)).collect()
}

/// Finds `@inheritdoc Name` in contracts that have one of the group among their bases.
fn inherited(model: &Model, group: &[DefinitionId], name: &str) -> Vec<(SourceId, Span)> {
    let heirs: Vec<&Definition> = model
        .hierarchies()
        .filter(|(_, bases)| bases.iter().any(|base| group.contains(base)))
        .map(|(contract, _)| model.definition(contract))
        .collect();
    let files: BTreeSet<&SourceId> = heirs.iter().map(|heir| &heir.file).collect();
    let mut found = Vec::new();
    for file in files {
        let Some(text) = model.text(file) else { continue };
        let comments = tokens(text).filter(|token| matches!(token.kind, TokenKind::Comment { is_doc: true }));
        let in_heir = |at: usize| heirs.iter().any(|heir| heir.file == *file && heir.span.touches(at));
        let tagged = comments.flat_map(|comment| tagged(text, comment.span, "@inheritdoc"));
        let wanted = tagged.filter(|span| span.of(text) == Some(name) && in_heir(span.start));
        found.extend(wanted.map(|span| (file.clone(), span)));
    }
    found
}

/// Returns the documentation right before a declaration.
fn comments_before(text: &str, at: usize) -> Vec<Span> {
    let before: Vec<Token> = tokens(text).take_while(|token| token.span.start < at).collect();
    let is_doc = |token: &&Token| matches!(token.kind, TokenKind::Comment { .. });
    let near = before.iter().rev().take_while(is_doc);
    near.filter(|token| token.kind == TokenKind::Comment { is_doc: true }).map(|token| token.span).collect()
}

/// Returns the words right behind a tag in a comment.
fn tagged(text: &str, comment: Span, tag: &str) -> Vec<Span> {
    let content = comment.of(text).unwrap_or_default();
    let behind = content.match_indices(tag).map(|(at, _)| at + tag.len());
    let word = |at: usize| {
        let rest = &content[at..];
        let gap = rest.find(|character: char| !matches!(character, ' ' | '\t'))?;
        let word = &rest[gap..];
        let end = word.find(|character: char| !character.is_ascii_alphanumeric() && !"_$".contains(character));
        let start = comment.start + at + gap;
        (gap > 0).then(|| Span::new(start, start + end.unwrap_or(word.len())))
    };
    behind.filter_map(word).filter(|span| !span.is_empty()).collect()
}
