//! The JSON Schemas of what is read and written, by name.

use serde_json::Value;

use super::answer::Form;
use super::error::ErrorJson;
use super::schema::tidy;
use super::table::{TOOLS, tool};
use super::tool::Tool;
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
    let of_tool = |tool: &Tool| {
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
    let (owner, side) = name.rsplit_once('.')?;
    let tool = tool(owner)?;
    match (side, tool.form) {
        ("input", _) => Some(tool.arguments()),
        ("output", Form::Json(output)) => Some(output()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
