//! Names in NatSpec that the compiler checks: parameters, returns, and whose documentation is inherited.

use std::collections::BTreeSet;

use crate::solidity::model::{Definition, DefinitionId, DefinitionKind, Model, Reference, Target};
use crate::solidity::source_id::SourceId;
use crate::solidity::{Token, TokenKind, tokens};
use crate::text::Span;

/// Finds the places in documentation that have to follow when a group of definitions is renamed.
pub(super) fn mentions(model: &Model, group: &[DefinitionId]) -> Vec<(SourceId, Span)> {
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

/// Finds what `@inheritdoc` names in the documentation of contracts, by whatever name the file knows it: an alias, or
/// the way through a file (`File.Name`). What leads nowhere is left out: the compiler refuses it.
pub(super) fn references(model: &Model) -> Vec<Reference> {
    let mut found = Vec::new();
    for (file, facts) in &model.files {
        if memchr::memmem::find(facts.text.as_bytes(), INHERITED.as_bytes()).is_none() {
            continue;
        }
        let contracts: Vec<(DefinitionId, Span)> = model
            .definitions_of(file)
            .filter(|(_, one)| is_contract(one.kind))
            .map(|(id, one)| (id, one.span))
            .collect();
        let comments = tokens(&facts.text).filter(|token| token.kind == TokenKind::Comment { is_doc: true });
        for first in comments.flat_map(|comment| tagged(&facts.text, comment.span, INHERITED)) {
            let within = contracts.iter().find(|(_, span)| span.touches(first.start)).map(|(id, _)| *id);
            let path = segments(&facts.text, first);
            let named = followed(model, file, &path, &facts.text);
            found.extend(named.into_iter().map(|(span, ids)| Reference {
                file: file.clone(),
                span,
                target: Target::Definitions(ids),
                within,
                is_yul: false,
            }));
        }
    }
    found
}

const INHERITED: &str = "@inheritdoc";

fn is_contract(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Contract | DefinitionKind::Interface | DefinitionKind::Library)
}

/// Returns the names of a dotted path that begins with `first`.
fn segments(text: &str, first: Span) -> Vec<Span> {
    let mut path = vec![first];
    let mut end = first.end;
    while let Some(rest) = text[end..].strip_prefix('.') {
        let length = rest.find(|character: char| !is_of_name(character)).unwrap_or(rest.len());
        if length == 0 {
            break;
        }
        path.push(Span::new(end + 1, end + 1 + length));
        end += 1 + length;
    }
    path
}

/// Returns what each name of a path means, as far as it leads; nothing where it leads nowhere.
fn followed(model: &Model, file: &SourceId, path: &[Span], text: &str) -> Vec<(Span, Vec<DefinitionId>)> {
    let mut there = file.clone();
    let mut found = Vec::new();
    for (at, span) in path.iter().enumerate() {
        let ids = in_sight(model, &there, span.of(text).unwrap_or_default());
        let Some(first) = ids.first().map(|id| model.definition(*id)) else { return Vec::new() };
        if at + 1 < path.len() {
            let Some(target) = imported_file(model, first) else { return Vec::new() };
            there = target;
        }
        found.push((*span, ids));
    }
    found
}

/// Returns what a name stands for at the level of a file: what it declares, or takes in with whole files.
fn in_sight(model: &Model, file: &SourceId, name: &str) -> Vec<DefinitionId> {
    let (mut open, mut seen) = (vec![file.clone()], BTreeSet::new());
    while let Some(file) = open.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let top = model.definitions_of(&file).filter(|(_, one)| one.container.is_none() && one.name == name);
        let ids: Vec<DefinitionId> = top.map(|(id, _)| id).collect();
        if !ids.is_empty() {
            return ids;
        }
        let Some(facts) = model.files.get(&file) else { continue };
        let named: Vec<Span> =
            model.definitions_of(&file).filter(|(_, one)| is_import(one.kind)).map(|(_, one)| one.span).collect();
        let whole = facts.imports.iter().filter(|(import, _)| {
            // What is imported by name, or under one, brings nothing else.
            let before = facts.text[..import.span.start].trim_end_matches(['"', '\'']).trim_end();
            before.ends_with("import") && !named.iter().any(|span| span.contains(import.span))
        });
        open.extend(whole.filter_map(|(_, target)| target.clone()));
    }
    Vec::new()
}

fn is_import(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::ImportedFile | DefinitionKind::ImportedSymbol)
}

/// Returns the file that `import … as Name` stands for.
fn imported_file(model: &Model, one: &Definition) -> Option<SourceId> {
    let facts = model.files.get(&one.file).filter(|_| one.kind == DefinitionKind::ImportedFile)?;
    let behind = facts.imports.iter().find(|(import, _)| import.span.start >= one.span.start);
    behind.and_then(|(_, target)| target.clone())
}

/// Returns the documentation right before a declaration.
fn comments_before(text: &str, at: usize) -> Vec<Span> {
    let before: Vec<Token> = tokens(text).take_while(|token| token.span.start < at).collect();
    let is_doc = |token: &&Token| matches!(token.kind, TokenKind::Comment { .. });
    let near = before.iter().rev().take_while(is_doc);
    near.filter(|token| token.kind == TokenKind::Comment { is_doc: true }).map(|token| token.span).collect()
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_$".contains(character)
}

/// Returns the words right behind a tag in a comment.
fn tagged(text: &str, comment: Span, tag: &str) -> Vec<Span> {
    let content = comment.of(text).unwrap_or_default();
    let behind = content.match_indices(tag).map(|(at, _)| at + tag.len());
    let word = |at: usize| {
        let rest = &content[at..];
        let gap = rest.find(|character: char| !matches!(character, ' ' | '\t'))?;
        let word = &rest[gap..];
        let end = word.find(|character: char| !is_of_name(character));
        let start = comment.start + at + gap;
        (gap > 0).then(|| Span::new(start, start + end.unwrap_or(word.len())))
    };
    behind.filter_map(word).filter(|span| !span.is_empty()).collect()
}
