//! The tools as MCP describes them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Value, json};

use super::command::{self, Commands};
use crate::tools::{Effect, Form, Tool};

/// Describes a tool.
pub(super) fn describe(tool: &Tool, commands: Commands) -> McpTool {
    let mut input = object(tool.arguments());
    if commands == Commands::Allowed {
        command::describe(&mut input);
    }
    let described = McpTool::new(tool.name, tool.description, Arc::new(lean(input))).with_title(tool.title);
    let described = match tool.form {
        Form::Json(output) => described.with_raw_output_schema(Arc::new(outline(&object(output())))),
        Form::Toon | Form::Text => described,
    };
    described.with_annotations(annotations(tool.effect))
}

fn annotations(effect: Effect) -> ToolAnnotations {
    match effect {
        Effect::Writes => ToolAnnotations::from_raw(None, Some(false), Some(true), Some(false), Some(false)),
        Effect::Runs => ToolAnnotations::from_raw(None, Some(false), Some(true), Some(false), Some(true)),
        Effect::Reads => ToolAnnotations::from_raw(None, Some(true), Some(false), Some(true), Some(false)),
    }
}

pub(super) fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(map) => map,
        _ => JsonObject::new(),
    }
}

/// Leaves out what the tool's own name and description say already, and what a call with a mistake is told anyway:
/// an agent pays for every word. `lspwright schema` prints the whole.
fn lean(mut schema: JsonObject) -> JsonObject {
    for key in ["$schema", "title", "description"] {
        schema.shift_remove(key);
    }
    let mut schema = Value::Object(schema);
    without_extras(&mut schema);
    object(schema)
}

fn without_extras(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.retain(|key, value| match key.as_str() {
                "additionalProperties" => !value.is_boolean(),
                "default" | "minimum" => false,
                _ => true,
            });
            map.values_mut().for_each(without_extras);
        }
        Value::Array(list) => list.iter_mut().for_each(without_extras),
        _ => {}
    }
}

/// Keys of answers that say for themselves what they are, once they are there.
const UNLISTED: [&str; 5] = ["basis", "changes", "editsOmitted", "readWith", "warningCounts"];

/// Shortens an output schema, which some clients hand to the model with every request, to the keys of an answer that
/// callers look for. Which of them are there, an answer's own head says: of lists only the rest may be told.
fn outline(schema: &JsonObject) -> JsonObject {
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(JsonObject::keys);
    let listed = keys.filter(|name| !UNLISTED.contains(&name.as_str()));
    let properties: JsonObject = listed.map(|name| (name.clone(), json!({}))).collect();
    object(json!({"type": "object", "properties": properties}))
}
