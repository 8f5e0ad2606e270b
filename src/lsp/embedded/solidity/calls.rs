//! Who calls whom.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::refused::Refused;
use super::world::{At, World};
use crate::solidity::{DefinitionId, DefinitionKind, Model, SourceId};
use crate::text::Span;

/// LSP 3.17 § textDocument/prepareCallHierarchy.
pub(super) fn prepare(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let At { model, file, offset } = world.at(params)?;
    let meant = model.meant_at(&file, offset).into_iter().filter(|id| is_callable(model.definition(*id).kind));
    let items: Vec<Value> = meant.map(|id| item(world, &model, id)).collect();
    Ok(if items.is_empty() { Value::Null } else { items.into() })
}

/// LSP 3.17 § callHierarchy/incomingCalls; calls of what it overrides or is overridden by count.
pub(super) fn incoming(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let (model, id) = asked(world, params)?;
    let mut callers: BTreeMap<DefinitionId, Vec<Span>> = BTreeMap::new();
    for reference in model.family(id).iter().flat_map(|id| model.references_to(*id)) {
        let around = std::iter::successors(reference.within, |id| model.definition(*id).container);
        let caller = around.into_iter().find(|id| is_callable(model.definition(*id).kind));
        if let Some(caller) = caller {
            callers.entry(caller).or_default().push(reference.span);
        }
    }
    let call = |(caller, spans): (DefinitionId, Vec<Span>)| {
        let ranges = world.ranges(&model, &model.definition(caller).file, spans);
        json!({"from": item(world, &model, caller), "fromRanges": ranges})
    };
    Ok(callers.into_iter().map(call).collect())
}

/// LSP 3.17 § callHierarchy/outgoingCalls: functions and modifiers of the project.
pub(super) fn outgoing(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let (model, id) = asked(world, params)?;
    let caller = model.definition(id);
    let mut called: BTreeMap<DefinitionId, Vec<Span>> = BTreeMap::new();
    for reference in model.references_of(&caller.file).iter().filter(|one| caller.span.contains(one.span)) {
        for target in reference.target.definitions() {
            if is_callable(model.definition(*target).kind) {
                called.entry(*target).or_default().push(reference.span);
            }
        }
    }
    let call = |(target, spans): (DefinitionId, Vec<Span>)| json!({"to": item(world, &model, target), "fromRanges": world.ranges(&model, &caller.file, spans)});
    Ok(called.into_iter().map(call).collect())
}

fn asked(world: &mut World, params: &Value) -> Result<(std::sync::Arc<Model>, DefinitionId), Refused> {
    let item = &params["item"];
    let place = json!({"textDocument": {"uri": item["uri"]}, "position": item["selectionRange"]["start"]});
    let At { model, file, offset } = world.at(&place)?;
    let named = |span: Span| span.start == offset;
    let found = model.definitions_of(&file).find(|(_, one)| is_callable(one.kind) && named(one.name_span));
    let id = found.map(|(id, _)| id);
    id.map(|id| (model, id)).ok_or_else(|| Refused("no function stands there any more".to_owned()))
}

fn item(world: &World, model: &Model, id: DefinitionId) -> Value {
    let one = model.definition(id);
    let file: &SourceId = &one.file;
    let mut ranges = world.ranges(model, file, [one.span, one.name_span]);
    let (selection, range) = (ranges.pop(), ranges.pop());
    let name = if one.name.is_empty() { "constructor or fallback" } else { &one.name };
    let detail = one.container.map(|id| model.definition(id).name.clone());
    json!({"name": name, "kind": 12, "detail": detail, "uri": World::uri(file), "range": range, "selectionRange": selection})
}

fn is_callable(kind: DefinitionKind) -> bool {
    matches!(
        kind,
        DefinitionKind::Function
            | DefinitionKind::Constructor
            | DefinitionKind::Receive
            | DefinitionKind::Fallback
            | DefinitionKind::Modifier
    )
}
