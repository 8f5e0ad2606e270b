//! Files as a plan leaves them.

use std::sync::Arc;

use crate::plan::Plan;
use crate::session::Session;
use crate::text::{AbsPath, Text};

/// Returns the text that a file has after a plan which edits it, or leaves it as it is; nothing where it cannot be read.
pub(super) fn read_after(session: &Session, plan: &Plan, path: &AbsPath) -> Option<Arc<Text>> {
    match plan.edits().get(path) {
        Some(edit) => Some(Arc::new(edit.after())),
        None => session.disk().read(path).ok(),
    }
}
