//! Renames of names, and moves of files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::refused::Refused;
use super::world::{At, World};
use crate::solidity;
use crate::solidity::{Model, Renaming, SourceId, Unrenamable};
use crate::text::{Span, TextEdit};

/// LSP 3.17 § textDocument/prepareRename.
pub(super) fn prepare(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let At { model, file, offset } = world.at(params)?;
    match solidity::name_at(&model, &file, offset) {
        Ok((name, span)) => Ok(json!({"range": world.range(&model, &file, span), "placeholder": name})),
        Err(Unrenamable::Nothing) => Ok(Value::Null),
        Err(reason) => Err(Refused(world.shown(&reason.to_string()))),
    }
}

/// LSP 3.17 § textDocument/rename.
pub(super) fn rename(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let new_name = params["newName"].as_str().unwrap_or_default();
    crate::syntax::check_name(crate::syntax::Language::Solidity, new_name)
        .map_err(|reason| Refused(reason.to_string()))?;
    let At { model, file, offset } = world.at(params)?;
    let renaming = solidity::rename(&model, (&file, offset), new_name, |file| world.is_library(file))
        .map_err(|reason| Refused(world.shown(&reason.to_string())))?;
    if !renaming.overloads.is_empty() {
        let after = world.model_with(renamed(&model, &renaming, new_name));
        solidity::confirm(&model, &after, &renaming, new_name)
            .map_err(|reason| Refused(world.shown(&reason.to_string())))?;
    }
    let mut changes = Map::new();
    for (file, spans) in &renaming.spans {
        let ranges = world.ranges(&model, file, spans.iter().copied());
        let edits = ranges.into_iter().map(|range| json!({"range": range, "newText": new_name})).collect();
        changes.insert(World::uri(file), edits);
    }
    Ok(json!({"changes": changes}))
}

/// Returns the texts that a rename changes, as they are after it.
fn renamed(model: &Model, renaming: &Renaming, new_name: &str) -> BTreeMap<SourceId, Arc<str>> {
    let after = |(file, spans): (&SourceId, &BTreeSet<Span>)| {
        let mut text = model.text(file)?.to_owned();
        for span in spans.iter().rev() {
            text.replace_range(span.start..span.end, new_name);
        }
        Some((file.clone(), text.into()))
    };
    renaming.spans.iter().filter_map(after).collect()
}

/// LSP 3.17 § workspace/willRenameFiles: files and folders, several at once.
pub(super) fn will_rename_files(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let model = world.model();
    let mut moves: BTreeMap<SourceId, SourceId> = BTreeMap::new();
    for pair in params["files"].as_array().into_iter().flatten() {
        let path = |key: &str| pair[key].as_str().and_then(|uri| world.path_of(uri));
        let (Some(from), Some(to)) = (path("oldUri"), path("newUri")) else { continue };
        for file in world.below(&from) {
            let rest = file.as_str().strip_prefix(from.as_str()).unwrap_or_default();
            moves.insert(file.clone(), SourceId::new(format!("{to}{rest}")));
        }
    }
    if let Some(file) = moves.keys().find(|file| world.is_library(file)) {
        return Err(Refused(world.shown(&format!("`{file}` belongs to a dependency"))));
    }
    let edits: BTreeMap<SourceId, Vec<TextEdit>> = solidity::moved(&model, world.imports(), &moves);
    let mut changes = Map::new();
    for (file, edits) in &edits {
        if world.is_library(file) {
            return Err(Refused(world.shown(&format!("`{file}` belongs to a dependency and would have to change"))));
        }
        let ranges = world.ranges(&model, file, edits.iter().map(|edit| edit.span));
        let edits =
            ranges.into_iter().zip(edits).map(|(range, edit)| json!({"range": range, "newText": edit.new_text}));
        changes.insert(World::uri(file), edits.collect());
    }
    Ok(json!({"changes": changes}))
}
