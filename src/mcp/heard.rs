//! What a line of the pipe is: a message, or something that is refused as JSON-RPC prescribes.

use rmcp::ErrorData;
use rmcp::model::{ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use serde_json::Value;

use super::lines::{LONGEST, Line};
use crate::text::quoted;

/// What a line means.
pub(super) enum Heard {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// An empty line, or what may not be answered: a notification or an answer that nobody knows.
    Nothing,
    /// To be answered (JSON-RPC 2.0 § 5.1): with the id of the request, where there is one.
    Bad(Option<RequestId>, ErrorData),
}

/// The methods that have params of their own here; those of any other method are not looked at.
const KNOWN: [&str; 14] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// Reads one line.
pub(super) fn hear(line: &Line) -> Heard {
    let line = match line {
        Line::Whole(line) => line.trim_ascii(),
        Line::TooLong => return unparsable(format!("the line is longer than {} MB", LONGEST >> 20)),
    };
    // RFC 8259 § 8.1 lets a parser ignore it.
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.is_empty() {
        return Heard::Nothing;
    }
    if line.starts_with(b"{")
        && let Ok(message) = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line)
        && !is_known_by_name_alone(&message)
    {
        return Heard::Message(Box::new(message));
    }
    match serde_json::from_slice(line) {
        Ok(json) => refused(&json),
        Err(error) => unparsable(error.to_string()),
    }
}

/// Tells whether a request has a known method and params that do not fit it.
fn is_known_by_name_alone(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    matches!(&request.request, ClientRequest::CustomRequest(custom) if KNOWN.contains(&custom.method.as_str()))
}

fn unparsable(why: String) -> Heard {
    Heard::Bad(None, ErrorData::parse_error(why, None))
}

/// Says what is wrong with JSON that is no message.
fn refused(json: &Value) -> Heard {
    let invalid = |id, why: &str| Heard::Bad(id, ErrorData::invalid_request(why.to_owned(), None));
    if json.is_array() {
        return invalid(None, "a batch: MCP has had none since 2025-06-18; send one message per line");
    }
    let Some(message) = json.as_object() else { return invalid(None, "a message is a JSON object") };
    let id: Option<RequestId> = message.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    let method = message.get("method").and_then(Value::as_str);
    // An answer is never answered.
    if method.is_none() && (message.contains_key("result") || message.contains_key("error")) {
        return Heard::Nothing;
    }
    match (method, message.get("id")) {
        _ if message.get("jsonrpc") != Some(&Value::from("2.0")) => invalid(id, "`jsonrpc` has to be \"2.0\""),
        (None, _) => invalid(id, "`method` has to be a string"),
        (Some(_), None) => Heard::Nothing,
        (Some(_), Some(_)) if id.is_none() => invalid(None, "`id` has to be a string or a whole number"),
        (Some(method), Some(_)) => {
            let why = format!("the params do not fit {}", quoted(method));
            Heard::Bad(id, ErrorData::invalid_params(why, None))
        }
    }
}
