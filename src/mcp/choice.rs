//! Which of several things an argument means: the user is asked, where the client can ask (MCP § Elicitation).
//!
//! Up to 2025-11-25 the server asks while the call goes on. Since 2026-07-28 the question is the answer of the call, and the
//! client calls again with what the user says; nothing is kept in between, so that the call is looked at anew.

use std::time::Duration;

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, InputRequest,
    InputRequiredResult, InputResponses, JsonObject, ProtocolVersion,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::{Value, json};

use crate::tools::{Choice, ToolError};

/// How long a person may think; then the call is answered as if nobody could be asked.
const PATIENCE: Duration = Duration::from_secs(120);
/// Nobody reads a longer list.
const MOST: usize = 30;
/// What the user's word is called.
const MEANT: &str = "meant";

/// How a client lets its user be asked.
pub(super) enum Asker {
    /// By a request of the server's.
    Request(Peer<RoleServer>),
    /// By the call's answer; with what the user has said to it, where this is the call that comes after.
    Answer(Option<ElicitResult>),
}

/// What came of asking.
pub(super) enum Asked {
    /// The arguments with what the user chose.
    Chosen(JsonObject),
    /// The question, for the client to put before its user.
    Open(InputRequiredResult),
    /// There is nothing to choose, or nobody chooses.
    Nothing,
}

impl Asker {
    /// Returns how this call's client lets its user be asked by a form; nothing where it cannot.
    pub(super) fn of(context: &RequestContext<RoleServer>, said: Option<&InputResponses>) -> Option<Self> {
        let capability = context.client_capabilities()?.elicitation?;
        if !has_forms(&capability) {
            return None;
        }
        if context.protocol_version()? < ProtocolVersion::V_2026_07_28 {
            return Some(Self::Request(context.peer.clone()));
        }
        let said = said.and_then(|said| serde_json::from_value(said.get(MEANT)?.clone()).ok());
        Some(Self::Answer(said))
    }

    /// Asks what is meant in a call that failed because it could be several things.
    pub(super) async fn ask(self, mut args: JsonObject, error: &ToolError) -> Asked {
        let Some(choice) = error.choice.as_ref().filter(|it| (2..=MOST).contains(&it.among.len())) else {
            return Asked::Nothing;
        };
        let argument = args.values_mut().find(|value| value.as_str() == Some(&choice.given));
        let (Some(argument), Some(question)) = (argument, question(&error.message, choice)) else {
            return Asked::Nothing;
        };
        let said = match self {
            Self::Request(peer) => peer.create_elicitation_with_timeout(question, Some(PATIENCE)).await.ok(),
            Self::Answer(None) => {
                let request = InputRequest::Elicitation(ElicitRequest::new(question));
                return Asked::Open(InputRequiredResult::from_input_requests([(MEANT.to_owned(), request)].into()));
            }
            Self::Answer(said) => said,
        };
        let Some(meant) = said.and_then(|said| taken(&said, choice)) else { return Asked::Nothing };
        *argument = Value::String(meant);
        Asked::Chosen(args)
    }
}

/// A client that names no kind knows forms (MCP 2025-11-25 § Elicitation, Capabilities).
fn has_forms(capability: &ElicitationCapability) -> bool {
    capability.form.is_some() || capability.url.is_none()
}

fn question(message: &str, choice: &Choice) -> Option<ElicitRequestParams> {
    let schema = json!({
        "type": "object",
        "properties": { MEANT: { "type": "string", "title": "Which one is meant?", "enum": choice.among } },
        "required": [MEANT],
    });
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: serde_json::from_value(schema).ok()?,
    })
}

/// Takes only what was offered.
fn taken(answer: &ElicitResult, choice: &Choice) -> Option<String> {
    let meant = answer.content.as_ref()?.get(MEANT)?.as_str()?;
    let is_taken = answer.action == ElicitationAction::Accept && choice.among.iter().any(|it| it == meant);
    is_taken.then(|| meant.to_owned())
}
