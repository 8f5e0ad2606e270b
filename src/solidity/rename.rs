//! Renaming in one model: every place that goes with a name, or the reason why it cannot be told.

use std::collections::{BTreeMap, BTreeSet};

use crate::solidity::model::{DefinitionId, DefinitionKind, Model, Reference, Target, ids};
use crate::solidity::renaming::{Renaming, Unrenamable};
use crate::solidity::source_id::SourceId;
use crate::solidity::{TokenKind, clashes, docs, tokens};
use crate::text::Span;

/// Returns the name at a place that could be renamed, with its span.
pub fn name_at(model: &Model, file: &SourceId, offset: usize) -> Result<(String, Span), Unrenamable> {
    let text = model.text(file).ok_or(Unrenamable::Nothing)?;
    if let Some(id) = model.definition_named_at(file, offset) {
        let one = model.definition(id);
        return Ok((one.name.clone(), one.name_span));
    }
    if let Some(reference) = model.reference_at(file, offset) {
        let name = reference.span.of(text).unwrap_or_default().to_owned();
        return match &reference.target {
            Target::BuiltIn(_) => Err(Unrenamable::BuiltIn { name }),
            Target::Unknown => Err(unknown(model, file, name)),
            Target::Definitions(_) => Ok((name, reference.span)),
        };
    }
    let word = tokens(text).find(|token| token.kind == TokenKind::Word && token.span.touches(offset));
    match word {
        Some(word) if model.files()[file].problems.is_empty() => {
            Err(Unrenamable::BuiltIn { name: word.of(text).to_owned() })
        }
        Some(word) => Err(unknown(model, file, word.of(text).to_owned())),
        None => Err(Unrenamable::Nothing),
    }
}

fn unknown(model: &Model, file: &SourceId, name: String) -> Unrenamable {
    let facts = &model.files()[file];
    let open = facts.imports.iter().find(|(_, target)| target.is_none());
    let reason = match (facts.problems.first(), open) {
        (Some(problem), _) => problem.message.clone(),
        (None, Some((import, _))) => format!("the import `{}` does not resolve", import.path),
        (None, None) => "no declaration of that name is visible".to_owned(),
    };
    Unrenamable::Unknown { name, reason }
}

/// Collects what goes along when the name at a place becomes `new_name`.
pub fn rename(
    model: &Model,
    (file, offset): (&SourceId, usize),
    new_name: &str,
    is_library: impl Fn(&SourceId) -> bool,
) -> Result<Renaming, Unrenamable> {
    let (name, _) = name_at(model, file, offset)?;
    let group = group(model, model.meant_at(file, offset), &name);
    let spans = places(model, &group, &name)?;
    let renaming = Renaming { spans, definitions: group, old_name: name, overloads: BTreeSet::new() };
    if let Some(file) = renaming.spans.keys().find(|file| is_library(file)) {
        return Err(Unrenamable::Library { name: renaming.old_name, file: file.clone() });
    }
    unread(model, &renaming)?;
    let overloads = clashes::check(model, &renaming, new_name)?;
    Ok(Renaming { overloads, ..renaming })
}

/// Checks that every name means what it meant, where `after` is the same project with the new name.
pub fn confirm(before: &Model, after: &Model, renaming: &Renaming, new_name: &str) -> Result<(), Unrenamable> {
    // Definitions and references stand in the order of their places, which a rename keeps: equal ids are the same things.
    let targets = |model: &Model| model.references.iter().map(|one| one.target.clone()).collect::<Vec<_>>();
    let is_same = before.definitions.len() == after.definitions.len()
        && before.families == after.families
        && targets(before) == targets(after);
    match renaming.overloads.first().filter(|_| !is_same) {
        Some(id) => {
            let one = before.definition(*id);
            let place = (&one.file, one.name_span);
            Err(clashes::taken(before, new_name, place, "calls could no longer tell the functions apart"))
        }
        None => Ok(()),
    }
}

/// Returns all that goes by one name with what is meant: override families, and imports that bring it in.
pub fn related(model: &Model, meant: Vec<DefinitionId>) -> Vec<DefinitionId> {
    match meant.first().map(|id| model.definition(*id).name.clone()) {
        Some(name) => group(model, meant, &name),
        None => meant,
    }
}

/// Returns all that has to bear one name: override families, and imports that bring it in without another name.
fn group(model: &Model, meant: Vec<DefinitionId>, name: &str) -> Vec<DefinitionId> {
    let mut families: BTreeMap<DefinitionId, Vec<DefinitionId>> = BTreeMap::new();
    for (id, family) in ids(0).zip(&model.families) {
        families.entry(*family).or_default().push(id);
    }
    let mut group: BTreeSet<DefinitionId> = BTreeSet::new();
    let mut open = meant;
    while let Some(id) = open.pop() {
        if !group.insert(id) {
            continue;
        }
        let one = model.definition(id);
        open.extend(families.get(&model.families[id.0 as usize]).into_iter().flatten());
        // `import {Name}` declares the name and refers to it at once.
        let importers = model.references_to(id).filter(|reference| model.name_of(reference) == name);
        open.extend(importers.filter_map(|reference| imported_at(model, reference)));
        if one.kind == DefinitionKind::ImportedSymbol {
            let inside = model.references_of(&one.file).iter().filter(|reference| reference.span == one.name_span);
            open.extend(inside.flat_map(|reference| reference.target.definitions()));
        }
    }
    group.into_iter().filter(|id| model.definition(*id).name == name).collect()
}

fn imported_at(model: &Model, reference: &Reference) -> Option<DefinitionId> {
    let id = model.definition_named_at(&reference.file, reference.span.start)?;
    let one = model.definition(id);
    (one.kind == DefinitionKind::ImportedSymbol && one.name_span == reference.span).then_some(id)
}

fn places(
    model: &Model,
    group: &[DefinitionId],
    name: &str,
) -> Result<BTreeMap<SourceId, BTreeSet<Span>>, Unrenamable> {
    let mut spans: BTreeMap<SourceId, BTreeSet<Span>> = BTreeMap::new();
    let mut add = |file: &SourceId, span: Span| spans.entry(file.clone()).or_default().extend([span]);
    for id in group {
        let one = model.definition(*id);
        add(&one.file, one.name_span);
        for reference in model.references_to(*id) {
            let text = model.name_of(reference);
            if text != name {
                continue;
            }
            if reference.target.definitions().iter().any(|target| !group.contains(target)) {
                let at = model.place(&reference.file, reference.span.start);
                return Err(Unrenamable::Ambiguous { name: name.to_owned(), at });
            }
            add(&reference.file, reference.span);
        }
    }
    for (file, span) in suffixed(model, group, name).into_iter().chain(docs::mentions(model, group)) {
        add(&file, span);
    }
    Ok(spans)
}

/// Finds `name_slot` and `name_offset`, which assembly before 0.7 uses for a variable's place.
fn suffixed(model: &Model, group: &[DefinitionId], name: &str) -> Vec<(SourceId, Span)> {
    let variable = |id: &&DefinitionId| {
        matches!(
            model.definition(**id).kind,
            DefinitionKind::StateVariable | DefinitionKind::Variable | DefinitionKind::Parameter
        )
    };
    let variables: Vec<&DefinitionId> = group.iter().filter(variable).collect();
    if variables.is_empty() {
        return Vec::new();
    }
    let is_suffixed = |reference: &&Reference| {
        let rest = model.name_of(reference).strip_prefix(name);
        reference.is_yul && matches!(rest, Some("_slot" | "_offset"))
    };
    let sees = |reference: &&Reference| variables.iter().any(|id| in_sight(model, reference, **id));
    let found = model.references.iter().filter(is_suffixed).filter(sees);
    found
        .map(|reference| (reference.file.clone(), Span::new(reference.span.start, reference.span.start + name.len())))
        .collect()
}

/// Tells whether a variable can be meant by a name in a function: its own, or its contract's or a base's.
fn in_sight(model: &Model, reference: &Reference, id: DefinitionId) -> bool {
    let Some(container) = model.definition(id).container else { return false };
    let around = std::iter::successors(reference.within, |id| model.definition(*id).container);
    around.into_iter().any(|outer| outer == container || model.linearised(outer).contains(&container))
}

/// Refuses where the name stands in code that nobody could resolve: it may or may not be the one.
fn unread(model: &Model, renaming: &Renaming) -> Result<(), Unrenamable> {
    let name = &renaming.old_name;
    let open = |reference: &&Reference| reference.target == Target::Unknown && !reference.is_yul;
    if let Some(reference) = model.references.iter().filter(open).find(|one| model.name_of(one) == name) {
        return Err(Unrenamable::Unread { name: name.clone(), at: model.place(&reference.file, reference.span.start) });
    }
    let broken = model.files.iter().filter(|(_, facts)| !facts.problems.is_empty() || !facts.is_bound);
    for (file, facts) in broken {
        let is_name = |token: &super::Token| token.kind == TokenKind::Word && token.of(&facts.text) == name;
        let known = |span: Span| {
            model.reference_at(file, span.start).is_some_and(|one| one.span == span)
                || model.definition_named_at(file, span.start).is_some()
        };
        if let Some(token) = tokens(&facts.text).filter(is_name).find(|token| !known(token.span)) {
            return Err(Unrenamable::Unread { name: name.clone(), at: model.place(file, token.span.start) });
        }
    }
    Ok(())
}
