//! Whether the new name is free wherever it would come to stand.

use super::server_edits::Gathered;
use super::subject::{Subject, at};
use super::{RenameRequest, hierarchy};
use crate::refactor::Refusal;
use crate::refactor::refusal::Clash;
use crate::session::Session;
use crate::syntax::{Family, scopes};
use crate::text::AbsPath;

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
    for path in gathered.paths().filter(|path| holders.binary_search(path).is_ok()) {
        clashes.extend(in_file(session, path, gathered)?);
    }
    if subject.language.family() == Family::Python && !holders.is_empty() {
        clashes.extend(hierarchy::taken_members(session, subject, request, gathered).await?);
    }
    Ok(clashes)
}

fn in_file(session: &Session, path: &AbsPath, gathered: &Gathered) -> Result<Vec<Clash>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(Vec::new()) };
    let (text, edits) = (parsed.text.as_str(), gathered.edits_of(path));
    let mut found = scopes::conflicts(&parsed.tree, text, &edits);
    found.extend(scopes::member_conflicts(&parsed.tree, text, &edits));
    Ok(found
        .into_iter()
        .map(|conflict| Clash { at: at(path, &parsed.text, conflict.span.start), message: conflict.message })
        .collect())
}
