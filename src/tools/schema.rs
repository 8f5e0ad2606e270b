//! The JSON Schemas of what is read and written, by name.

use serde_json::{Map, Value};

use super::error::ErrorJson;
use super::table::{Form, TOOLS};
use crate::render::json;

/// A published schema.
pub struct Named {
    pub name: String,
    pub about: String,
}

/// Lists the names that [`schema`] knows.
pub fn schemas() -> Vec<Named> {
    let own = [("plan", "a plan, as `--output json` writes it and `apply` reads it"), ("error", "an error answer")];
    let own = own.into_iter().map(|(name, about)| Named { name: name.to_owned(), about: about.to_owned() });
    let of_tool = |tool: &super::Tool| {
        let sides: &[&str] = if matches!(tool.form, Form::Json(_)) { &["input", "output"] } else { &["input"] };
        let name = tool.name;
        sides.iter().map(move |side| Named {
            name: format!("{name}.{side}"),
            about: format!("the {side} of the tool `{name}`"),
        })
    };
    own.chain(TOOLS.iter().flat_map(of_tool)).collect()
}

/// Returns a published schema.
pub fn schema(name: &str) -> Option<Value> {
    match name {
        "plan" => return Some(tidy(json::schema())),
        "error" => return Some(tidy(json::schema_of_output::<ErrorJson<'_>>())),
        _ => {}
    }
    let (tool, side) = name.rsplit_once('.')?;
    let tool = super::tool(tool)?;
    match (side, tool.form) {
        ("input", _) => Some(tool.arguments()),
        ("output", Form::Json(output)) => Some(output()),
        _ => None,
    }
}

/// Takes out of a generated schema what strict clients stumble over: formats of Rust's own integers,
/// `null` as a default, and lists of types where one of the two is `null`.
pub(super) fn tidy(mut schema: Value) -> Value {
    tidy_in_place(&mut schema);
    schema
}

fn tidy_in_place(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            tidy_map(map);
            map.values_mut().for_each(tidy_in_place);
        }
        Value::Array(list) => list.iter_mut().for_each(tidy_in_place),
        _ => {}
    }
}

fn tidy_map(map: &mut Map<String, Value>) {
    let is_own_format = |format: &Value| format.as_str().is_some_and(|name| name.starts_with("uint"));
    if map.get("format").is_some_and(is_own_format) {
        map.shift_remove("format");
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.shift_remove("default");
    }
    if let Some(Value::Array(types)) = map.get("type")
        && let [only] = types.iter().filter(|name| **name != "null").cloned().collect::<Vec<_>>().as_slice()
    {
        map.insert("type".to_owned(), only.clone());
    }
    if let Some(Value::Array(choices)) = map.get("anyOf")
        && let [only] = choices.iter().filter(|choice| choice["type"] != "null").cloned().collect::<Vec<_>>().as_slice()
        && let Value::Object(only) = only.clone()
    {
        map.shift_remove("anyOf");
        map.extend(only);
    }
}

#[cfg(test)]
mod tests;
