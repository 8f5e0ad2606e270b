//! lspwright as an agent uses it: its MCP server, over stdio.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::conversation::{Conversation, Framing};

/// Starts `lspwright serve` and says hello.
pub fn start(root: &Path) -> Result<Conversation, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lspwright"));
    command.arg("serve").arg("--project").arg(root).env("LSPWRIGHT_DAEMON", "never");
    let mut talk = Conversation::start(&mut command, Framing::Lines)?;
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "speed", "version": "1" },
    });
    talk.request("initialize", &hello)?;
    talk.notify("notifications/initialized", &json!({}))?;
    Ok(talk)
}

/// Calls a tool and returns its structured answer.
pub fn call(talk: &mut Conversation, tool: &str, arguments: &Value) -> Result<Value, String> {
    let mut result = talk.request("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
    let answer = result["structuredContent"].take();
    let is_refused = answer["canRename"] == false || result["isError"] == true;
    if is_refused { Err(format!("{tool}: {answer} {}", result["content"])) } else { Ok(answer) }
}

/// Counts the text edits of a plan.
pub fn count_edits(plan: &Value) -> usize {
    let files = plan["edits"].as_array().into_iter().flatten();
    files.map(|file| file["textEdits"].as_array().map_or(0, Vec::len)).sum()
}
