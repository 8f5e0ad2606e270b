//! Which of several things an argument means: the user is asked, where the client can ask (MCP 2025-11-25 § Elicitation).

use std::time::Duration;

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, JsonObject};
use rmcp::service::{ElicitationMode, Peer, RoleServer};
use serde_json::{Value, json};

use crate::tools::{Choice, ToolError};

/// How long a person may think; then the call is answered as if nobody could be asked.
const PATIENCE: Duration = Duration::from_secs(120);
/// Nobody reads a longer list.
const MOST: usize = 30;

/// Tells whether the client can put a form before its user.
pub(super) fn can_ask(peer: &Peer<RoleServer>) -> bool {
    peer.supported_elicitation_modes().contains(&ElicitationMode::Form)
}

/// Returns the arguments with what the user chose; nothing where there is nothing to choose, or nobody chooses.
/// The client has to be one that can ask.
pub(super) async fn chosen(peer: &Peer<RoleServer>, mut args: JsonObject, error: &ToolError) -> Option<JsonObject> {
    let choice = error.choice.as_ref().filter(|it| (2..=MOST).contains(&it.among.len()))?;
    let argument = args.values_mut().find(|value| value.as_str() == Some(&choice.given))?;
    let asked = question(&error.message, choice)?;
    let answer = peer.create_elicitation_with_timeout(asked, Some(PATIENCE)).await.ok()?;
    *argument = Value::String(taken(&answer, choice)?);
    Some(args)
}

fn question(message: &str, choice: &Choice) -> Option<ElicitRequestParams> {
    let schema = json!({
        "type": "object",
        "properties": { "meant": { "type": "string", "title": "Which one is meant?", "enum": choice.among } },
        "required": ["meant"],
    });
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: serde_json::from_value(schema).ok()?,
    })
}

/// Takes only what was offered.
fn taken(answer: &ElicitResult, choice: &Choice) -> Option<String> {
    let meant = answer.content.as_ref()?.get("meant")?.as_str()?;
    let is_taken = answer.action == ElicitationAction::Accept && choice.among.iter().any(|it| it == meant);
    is_taken.then(|| meant.to_owned())
}
