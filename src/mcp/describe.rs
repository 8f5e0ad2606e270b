//! The tools as MCP describes them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Value, json};

use super::server::Offer;
use crate::tools::{Effect, Tool};

/// Describes a tool; `projectRoot` may be left out where the server was started for one project.
pub(super) fn describe(tool: &Tool, offer: &Offer) -> McpTool {
    let mut input = object((tool.input)());
    if let (Some(_), Some(Value::Array(required))) = (&offer.project, input.get_mut("required")) {
        required.retain(|name| name != "projectRoot");
    }
    let described = McpTool::new(tool.name, tool.description, Arc::new(without_head(input))).with_title(tool.title);
    let output = Arc::new(outline(object((tool.output)())));
    described.with_raw_output_schema(output).with_annotations(annotations(tool.effect))
}

fn annotations(effect: Effect) -> ToolAnnotations {
    match effect {
        Effect::Reads => ToolAnnotations::from_raw(None, Some(true), Some(false), Some(true), Some(false)),
    }
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(map) => map,
        _ => JsonObject::new(),
    }
}

/// Leaves out what the tool's own name and description say already.
fn without_head(mut schema: JsonObject) -> JsonObject {
    for key in ["$schema", "title", "description"] {
        schema.shift_remove(key);
    }
    schema
}

/// Shortens an output schema, which some clients hand to the model with every request: the parts that a
/// plan is applied by stay, the others are named only. `lspwright schema` prints the whole.
fn outline(schema: JsonObject) -> JsonObject {
    let mut schema = without_head(schema);
    for (key, short) in [("basis", json!({"type": "array"})), ("warnings", json!({"type": "array"}))] {
        shorten(&mut schema, key, short);
    }
    shorten(&mut schema, "verification", json!({"type": "object"}));
    if let Some(Value::Object(defs)) = schema.get_mut("$defs") {
        defs.retain(|name, _| ["FileEdit", "TextEdit", "Range", "Position", "Move"].contains(&name.as_str()));
    }
    let mut schema = Value::Object(schema);
    without_remarks(&mut schema);
    object(schema)
}

fn shorten(schema: &mut JsonObject, key: &str, short: Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties")
        && properties.contains_key(key)
    {
        properties.insert(key.to_owned(), short);
    }
}

fn without_remarks(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.retain(|key, value| !(key == "description" && value.is_string()) && key != "default");
            map.values_mut().for_each(without_remarks);
        }
        Value::Array(list) => list.iter_mut().for_each(without_remarks),
        _ => {}
    }
}
