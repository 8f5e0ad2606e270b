//! The tools as MCP describes them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::Value;

use super::command::{self, Commands};
use super::server::Offer;
use crate::tools::{Effect, Form, Tool};

/// Describes a tool; `projectRoot` may be left out where the server was started for one project.
pub(super) fn describe(tool: &Tool, offer: &Offer) -> McpTool {
    let mut input = object((tool.input)());
    if let (Some(_), Some(Value::Array(required))) = (&offer.project, input.get_mut("required")) {
        required.retain(|name| name != "projectRoot");
    }
    if offer.commands == Commands::Allowed {
        command::describe(&mut input);
    }
    let described = McpTool::new(tool.name, tool.description, Arc::new(lean(input))).with_title(tool.title);
    let described = match tool.form {
        Form::Json(output) => described.with_raw_output_schema(Arc::new(outline(object(output())))),
        Form::Toon => described,
    };
    described.with_annotations(annotations(tool.effect))
}

fn annotations(effect: Effect) -> ToolAnnotations {
    match effect {
        Effect::Writes => ToolAnnotations::from_raw(None, Some(false), Some(true), Some(false), Some(false)),
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

/// Shortens an output schema, which some clients hand to the model with every request, as far as it goes.
fn outline(mut schema: JsonObject) -> JsonObject {
    schema.retain(|key, _| key == "type");
    schema
}
