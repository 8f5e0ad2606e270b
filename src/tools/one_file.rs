//! Plans of one file: its text changes, it is new, or it goes.

use std::sync::Arc;

use crate::plan::{Parts, Plan, PlanError, difference};
use crate::text::{AbsPath, Text};
use crate::tools::{ErrorKind, ToolError};

/// Plans the change of a file's text.
pub(super) fn changed(path: &AbsPath, before: Arc<Text>, after: &str) -> Result<Plan, ToolError> {
    let edits = difference(before.as_str(), after);
    planned(Parts { edits: [(path.clone(), (before, edits))].into(), ..Parts::default() })
}

/// Plans a new file.
pub(super) fn created(path: &AbsPath, content: &str) -> Result<Plan, ToolError> {
    planned(Parts { creates: [(path.clone(), Text::new(content))].into(), ..Parts::default() })
}

/// Plans that a file goes.
pub(super) fn deleted(path: &AbsPath, before: Arc<Text>) -> Result<Plan, ToolError> {
    planned(Parts { deletes: [(path.clone(), before)].into(), ..Parts::default() })
}

/// Gives a file that a plan edits or makes another text than it has by that plan.
pub(super) fn with_text(plan: Plan, path: &AbsPath, text: String) -> Result<Plan, ToolError> {
    let mut parts = plan.into_parts();
    put(&mut parts, path, text);
    planned(parts)
}

/// The same in the parts of a plan.
pub(super) fn put(parts: &mut Parts, path: &AbsPath, text: String) {
    if let Some((before, edits)) = parts.edits.get_mut(path) {
        *edits = difference(before.as_str(), &text);
    } else {
        parts.creates.insert(path.clone(), Text::new(text));
    }
}

pub(super) fn planned(parts: Parts) -> Result<Plan, ToolError> {
    Plan::new(parts).map_err(|error: PlanError| ToolError::new(ErrorKind::Internal, error.to_string()))
}
