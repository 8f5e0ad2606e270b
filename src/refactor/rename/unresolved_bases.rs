//! Classes of Python above a member's that cannot be found: a package that is not installed may declare it, too, or call it.

use std::collections::BTreeSet;

use super::hierarchy::Hierarchy;
use crate::lsp::{Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::text::Span;

/// Tells of what the classes of these members extend, they or those above them, that leads nowhere.
pub(super) async fn told(hierarchy: &Hierarchy<'_>, members: &BTreeSet<Place>) -> Result<Vec<Warning>, Refusal> {
    let session = hierarchy.session;
    let (mut seen, mut warnings) = (BTreeSet::new(), Vec::new());
    for member in members {
        let Some(owner) = hierarchy.owner(member)? else { continue };
        let above = hierarchy.ancestors(&owner).await?;
        for class in above.into_iter().chain([owner]).filter(|class| class.path.is_below(session.root())) {
            if !seen.insert(class.place()) {
                continue;
            }
            for base in &class.class.bases {
                let place = Place { path: class.path.clone(), offset: base.name_span.start };
                let found = hierarchy.server.definition(&place).await.map_err(SessionError::from)?;
                if !found.iter().any(|location| leads_on(session, location)) {
                    warnings.push(warning(hierarchy, &place, base.name_span)?);
                }
            }
        }
    }
    Ok(warnings)
}

/// Tells whether a definition is more than the import that should have led to it.
fn leads_on(session: &Session, location: &Location) -> bool {
    let Ok(Some(parsed)) = session.parsed(&location.path) else { return true };
    let named = parsed.tree.nodes().covering(location.span);
    !std::iter::once(named).chain(named.ancestors()).any(|node| node.kind().starts_with("import"))
}

fn warning(hierarchy: &Hierarchy<'_>, place: &Place, span: Span) -> Result<Warning, Refusal> {
    let text = hierarchy.session.disk().read(&place.path)?;
    let base = span.of(text.as_str()).unwrap_or_default();
    let message =
        format!("`{}` may override a member of `{base}`, which cannot be found, or be asked for by it", hierarchy.name);
    Ok(Warning::at(WarningKind::PossibleUse, message, place.path.clone(), text.range(span)))
}
