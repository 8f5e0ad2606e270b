//! The tools as MCP describes them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Value, json};

use super::server::Offer;
use crate::tools::{Effect, Form, Tool};

/// Describes a tool; `projectRoot` may be left out where the server was started for one project.
pub(super) fn describe(tool: &Tool, offer: &Offer) -> McpTool {
    let mut input = object((tool.input)());
    if let (Some(_), Some(Value::Array(required))) = (&offer.project, input.get_mut("required")) {
        required.retain(|name| name != "projectRoot");
    }
    let described = McpTool::new(tool.name, tool.description, Arc::new(without_head(input))).with_title(tool.title);
    let described = match tool.form {
        Form::Json(output) => described.with_raw_output_schema(Arc::new(outline(object(output())))),
        Form::Toon => described,
    };
    described.with_annotations(annotations(tool.effect))
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

/// Shortens an output schema, which some clients hand to the model with every request, to the names and
/// types of its outermost parts. `lspwright schema` prints the whole.
fn outline(schema: JsonObject) -> JsonObject {
    let mut schema = without_head(schema);
    schema.shift_remove("$defs");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for part in properties.values_mut() {
            *part = json!({"type": part.get("type").cloned().unwrap_or_else(|| json!("object"))});
        }
    }
    schema
}
