//! Whether the new name is free wherever it would come to stand.

use super::gathered::Gathered;
use super::subject::Subject;
use super::{RenameRequest, hierarchy};
use crate::refactor::Refusal;
use crate::refactor::refusal::Clash;
use crate::session::Session;
use crate::syntax::Family;

/// Finds every place where the new name would meet another thing of that name. Only files whose text has
/// the new name already can hold one.
pub(super) async fn find(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &Gathered,
) -> Result<Vec<Clash>, Refusal> {
    let mut clashes = Vec::new();
    if !matches!(subject.language.family(), Family::Python | Family::Script) {
        return Ok(clashes);
    }
    let holders = session.disk().files_mentioning(&request.new_name);
    if subject.language.family() == Family::Python && !holders.is_empty() {
        clashes.extend(hierarchy::taken_members(session, subject, request, gathered).await?);
    }
    Ok(clashes)
}
