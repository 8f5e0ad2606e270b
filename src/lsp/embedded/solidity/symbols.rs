//! What a document and the project declare, and what a name says of itself.

use serde_json::{Value, json};

use super::refused::Refused;
use super::world::{At, World};
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Model, SourceId, TokenKind, tokens};
use crate::text::Span;

/// The most symbols of the whole project that are returned at once.
const MOST: usize = 500;

/// LSP 3.17 § textDocument/documentSymbol, nested.
pub(super) fn of_document(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let file = world.file(params)?;
    let model = world.model();
    let top = model.definitions_of(&file).filter(|(_, one)| one.container.is_none());
    let top: Vec<DefinitionId> = top.map(|(id, _)| id).collect();
    Ok(top.into_iter().filter_map(|id| symbol(world, &model, id)).collect())
}

fn symbol(world: &World, model: &Model, id: DefinitionId) -> Option<Value> {
    let one = model.definition(id);
    let kind = symbol_kind(one.kind)?;
    let children: Vec<Value> = model.members(id).filter_map(|(id, _)| symbol(world, model, id)).collect();
    let mut ranges = world.ranges(model, &one.file, [one.span, one.name_span]);
    let (selection, range) = (ranges.pop(), ranges.pop());
    Some(json!({
        "name": shown(model, one),
        "detail": one.signature,
        "kind": kind,
        "range": range,
        "selectionRange": selection,
        "children": children,
    }))
}

/// LSP 3.17 § workspace/symbol: names that hold the query, whatever its case.
pub(super) fn of_workspace(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let query = params["query"].as_str().unwrap_or_default().to_lowercase();
    let model = world.model();
    let matching = model.definitions().filter(|(_, one)| {
        !one.name.is_empty() && one.name.to_lowercase().contains(&query) && !world.is_library(&one.file)
    });
    let information = |(_, one): (DefinitionId, &Definition)| {
        let container = one.container.map(|id| model.definition(id).name.clone());
        let location = json!({"uri": World::uri(&one.file), "range": world.range(&model, &one.file, one.name_span)});
        Some(
            json!({"name": one.name, "kind": symbol_kind(one.kind)?, "location": location, "containerName": container}),
        )
    };
    Ok(matching.filter_map(information).take(MOST).collect())
}

/// LSP 3.17 § textDocument/hover: the declaration up to its body, and its documentation.
pub(super) fn hover(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let At { model, file, offset } = world.at(params)?;
    let Some(id) = model.meant_at(&file, offset).first().copied() else { return Ok(Value::Null) };
    let one = model.definition(id);
    let text = model.text(&one.file).unwrap_or_default();
    let value = format!("```solidity\n{}\n```\n{}", head(one, text), documentation(one, text));
    Ok(json!({"contents": {"kind": "markdown", "value": value.trim_end()}}))
}

/// Returns a declaration without its body.
pub(super) fn head(one: &Definition, text: &str) -> String {
    let whole = one.span.of(text).unwrap_or_default();
    let end = match (one.body, one.kind) {
        (Some(body), _) => body.start - one.span.start,
        (None, DefinitionKind::Contract | DefinitionKind::Interface | DefinitionKind::Library) => {
            whole.find('{').unwrap_or(whole.len())
        }
        (None, _) => whole.len(),
    };
    whole[..end].trim_end().to_owned()
}

fn documentation(one: &Definition, text: &str) -> String {
    let before: Vec<_> = tokens(text).take_while(|token| token.span.start < one.span.start).collect();
    let near = before.iter().rev().take_while(|token| matches!(token.kind, TokenKind::Comment { .. }));
    let mut docs: Vec<&str> =
        near.filter(|token| token.kind == TokenKind::Comment { is_doc: true }).map(|token| token.of(text)).collect();
    docs.reverse();
    let signs = |line: &str| line.trim().trim_start_matches(['/', '*']).trim_end_matches("*/").trim().to_owned();
    docs.iter().flat_map(|doc| doc.lines()).map(signs).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn shown(model: &Model, one: &Definition) -> String {
    if !one.name.is_empty() {
        return one.name.clone();
    }
    text_of(model, &one.file, one.name_span)
}

fn text_of(model: &Model, file: &SourceId, span: Span) -> String {
    model.text(file).and_then(|text| span.of(text)).unwrap_or_default().to_owned()
}

/// LSP 3.17 § SymbolKind; nothing for what only its function can see.
fn symbol_kind(kind: DefinitionKind) -> Option<u32> {
    match kind {
        DefinitionKind::Contract | DefinitionKind::UserType => Some(5),
        DefinitionKind::Library => Some(3),
        DefinitionKind::Interface => Some(11),
        DefinitionKind::Function | DefinitionKind::Modifier | DefinitionKind::Receive | DefinitionKind::Fallback => {
            Some(12)
        }
        DefinitionKind::Constructor => Some(9),
        DefinitionKind::Event | DefinitionKind::Error => Some(24),
        DefinitionKind::Struct => Some(23),
        DefinitionKind::StructMember | DefinitionKind::StateVariable => Some(8),
        DefinitionKind::Enum => Some(10),
        DefinitionKind::EnumMember => Some(22),
        DefinitionKind::Constant => Some(14),
        _ => None,
    }
}
