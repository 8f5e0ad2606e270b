//! What every tool does with a call: its arguments read, its answer written.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ErrorKind, ToolError};

/// Reads the arguments of a call.
pub(super) fn parse<T: DeserializeOwned>(args: Value) -> Result<T, ToolError> {
    serde_json::from_value(args).map_err(|error| ToolError::invalid(error.to_string()))
}

/// Writes an answer as JSON.
pub(super) fn to_json<T: Serialize>(answer: &T) -> Result<String, ToolError> {
    serde_json::to_string(answer).map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))
}
