//! `check` and `checkTimeout`: a command that a client has run, to check a plan by; offered only where the user allows it.

use std::time::Duration;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::tools::{Command, ErrorKind, ToolError};

const CHECK: &str = "check";
const TIMEOUT: &str = "checkTimeout";

/// Whether clients may have commands of their choice run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Commands {
    #[default]
    Refused,
    Allowed,
}

/// Tells whether a tool checks plans: it is asked to what level.
pub(super) fn checks_plans(input: &JsonObject) -> bool {
    let levels = ["verify", "level"].map(|name| input.get("properties").and_then(|all| all.get(name)));
    levels.into_iter().flatten().any(|level| level.to_string().contains("\"diagnostics\""))
}

/// Adds the two parameters to a tool that checks plans.
pub(super) fn describe(input: &mut JsonObject) {
    if !checks_plans(input) {
        return;
    }
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        let check = "A shell command to check by: run in copies, without the plan and with it.";
        properties.insert(CHECK.to_owned(), json!({"type": "string", "description": check}));
        properties.insert(TIMEOUT.to_owned(), json!({"type": "integer", "description": "Seconds, 600."}));
    }
}

impl Commands {
    /// Takes the command out of a call's arguments.
    ///
    /// # Errors
    /// Where there is one and the user has not allowed any, and where it is none.
    pub(super) fn take(self, args: &mut Map<String, Value>) -> Result<Option<Command>, ToolError> {
        let (line, timeout) = (args.remove(CHECK), args.remove(TIMEOUT));
        let line = match line {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(line)) => line,
            Some(_) => return Err(ToolError::invalid("`check` is a command, as a string")),
        };
        if self == Self::Refused {
            return Err(ToolError::new(ErrorKind::InvalidArguments, "this server runs no commands for its clients")
                .hint(
                    "leave `check` out: the languages' own checkers look at the plan with `verify` (`level`) `project`",
                )
                .hint("start the server with `lspwright serve --allow-commands` to allow it"));
        }
        let timeout = match timeout {
            None | Some(Value::Null) => None,
            Some(seconds) => match seconds.as_u64().filter(|seconds| *seconds > 0) {
                Some(seconds) => Some(Duration::from_secs(seconds)),
                None => return Err(ToolError::invalid("`checkTimeout` is a number of seconds, 1 at least")),
            },
        };
        Ok(Some(Command { line, timeout }))
    }
}
