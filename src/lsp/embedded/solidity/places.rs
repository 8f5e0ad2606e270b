//! Where things are declared, used and implemented, and what is wrong.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::refused::Refused;
use super::world::{At, World};
use crate::solidity::{DefinitionId, DefinitionKind, Model, SourceId, Target, related};
use crate::text::Span;

/// LSP 3.17 § textDocument/definition; an import's name leads to what it brings in.
pub(super) fn definition(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let At { model, file, offset } = world.at(params)?;
    if let Some((_, Some(target))) = imported_path(&model, &file, offset) {
        return Ok(json!([{"uri": World::uri(target), "range": world.range(&model, target, Span::at(0))}]));
    }
    let found = model.meant_at(&file, offset).into_iter().flat_map(|id| brought_in(&model, id));
    Ok(locations(world, &model, found.map(|id| name_of(&model, id))))
}

/// LSP 3.17 § textDocument/references; overrides of what is asked for count as one with it.
pub(super) fn references(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let At { model, file, offset } = world.at(params)?;
    let group = related(&model, model.meant_at(&file, offset));
    let mut found: BTreeSet<(SourceId, Span)> = BTreeSet::new();
    for id in &group {
        found.extend(model.references_to(*id).map(|reference| (reference.file.clone(), reference.span)));
    }
    if params.pointer("/context/includeDeclaration") != Some(&json!(false)) {
        found.extend(group.iter().map(|id| name_of(&model, *id)));
    }
    Ok(locations(world, &model, found))
}

/// LSP 3.17 § textDocument/implementation: the functions with a body that override one, or the contracts that have
/// one among their bases.
pub(super) fn implementation(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let At { model, file, offset } = world.at(params)?;
    let mut found: BTreeSet<DefinitionId> = BTreeSet::new();
    for id in model.meant_at(&file, offset).into_iter().flat_map(|id| brought_in(&model, id)) {
        let one = model.definition(id);
        if matches!(one.kind, DefinitionKind::Contract | DefinitionKind::Interface) {
            let heirs = model.hierarchies().filter(|(heir, bases)| *heir != id && bases.contains(&id));
            found.extend(
                heirs.map(|(heir, _)| heir).filter(|heir| model.definition(*heir).kind == DefinitionKind::Contract),
            );
        } else {
            let is_real = |id: &DefinitionId| {
                let one = model.definition(*id);
                one.body.is_some() || one.kind == DefinitionKind::StateVariable
            };
            found.extend(model.family(id).into_iter().filter(is_real));
        }
    }
    Ok(locations(world, &model, found.into_iter().map(|id| name_of(&model, id))))
}

/// LSP 3.17 § textDocument/diagnostic.
pub(super) fn diagnostics(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let file = world.file(params)?;
    let model = world.model();
    Ok(json!({"kind": "full", "items": problems(world, &model, &file)}))
}

/// LSP 3.17 § textDocument/didOpen.
pub(super) fn opened(world: &mut World, params: &Value) {
    let file = world.opened(params);
    publish(world, file);
}

/// LSP 3.17 § textDocument/didChange.
pub(super) fn changed(world: &mut World, params: &Value) {
    let file = world.changed(params);
    publish(world, file);
}

/// Tells a client that does not ask for it what is wrong with a file.
fn publish(world: &mut World, file: Option<SourceId>) {
    let Some(file) = file.filter(|_| !world.pulls) else { return };
    let model = world.model();
    world.publish(&file, problems(world, &model, &file));
}

fn problems(world: &World, model: &Model, file: &SourceId) -> Vec<Value> {
    let Some(facts) = model.files().get(file) else { return Vec::new() };
    let mut found: Vec<(Span, &str, String)> = Vec::new();
    found.extend(facts.problems.iter().map(|problem| (problem.span, "syntax", problem.message.clone())));
    let open = facts.imports.iter().filter(|(_, target)| target.is_none());
    found.extend(open.map(|(import, _)| (import.span, "import", format!("`{}` is not found", import.path))));
    let unknown = model.references_of(file).iter().filter(|one| one.target == Target::Unknown && !one.is_yul);
    found.extend(unknown.map(|one| (one.span, "name", format!("`{}` is not declared", model.name_of(one)))));
    let ranges = world.ranges(model, file, found.iter().map(|(span, ..)| *span));
    let items = found.iter().zip(ranges).map(|((_, code, message), range)| {
        json!({"range": range, "severity": 1, "source": "lspwright", "code": code, "message": message})
    });
    items.collect()
}

/// Follows an import's name to what it stands for in the end.
fn brought_in(model: &Model, id: DefinitionId) -> Vec<DefinitionId> {
    let one = model.definition(id);
    if one.kind != DefinitionKind::ImportedSymbol {
        return vec![id];
    }
    let inside = model.references_of(&one.file).iter().filter(|reference| one.span.contains(reference.span));
    let found: BTreeSet<DefinitionId> =
        inside.flat_map(|reference| reference.target.definitions()).filter(|other| **other != id).copied().collect();
    if found.is_empty() { vec![id] } else { found.into_iter().flat_map(|id| brought_in(model, id)).collect() }
}

fn imported_path<'m>(model: &'m Model, file: &SourceId, offset: usize) -> Option<(Span, Option<&'m SourceId>)> {
    let imports = &model.files().get(file)?.imports;
    let (import, target) = imports.iter().find(|(import, _)| import.span.touches(offset))?;
    Some((import.span, target.as_ref()))
}

fn name_of(model: &Model, id: DefinitionId) -> (SourceId, Span) {
    let one = model.definition(id);
    (one.file.clone(), one.name_span)
}

fn locations(world: &World, model: &Model, places: impl IntoIterator<Item = (SourceId, Span)>) -> Value {
    let location =
        |(file, span): (SourceId, Span)| json!({"uri": World::uri(&file), "range": world.range(model, &file, span)});
    places.into_iter().map(location).collect()
}
