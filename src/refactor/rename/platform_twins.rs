//! What is declared once for each platform (`linking.ts`, `linking.web.ts`): a bundler takes one or the other, a server knows
//! of one alone. That the others keep their names, or take what they took, is told.

use std::collections::BTreeSet;

use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::platform_twins::twins;
use crate::session::Session;
use crate::syntax::declarations;
use crate::text::{AbsPath, Span};

/// Tells of the declarations in twins of those that a rename changes.
pub(super) fn of_declarations(session: &Session, gathered: &Gathered) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for path in gathered.paths() {
        if twins(session.disk(), path).is_empty() {
            continue;
        }
        let Some(parsed) = session.parsed(path)? else { continue };
        let declared = declarations(&parsed.tree, parsed.text.as_str()).into_iter();
        let renamed = declared.filter(|one| gathered.has(path, one.name_span)).map(|one| one.path);
        let left = of_names(session, path, &renamed.collect())?;
        warnings.extend(left.into_iter().filter(|warning| !is_renamed(gathered, warning)));
    }
    Ok(warnings)
}

fn is_renamed(gathered: &Gathered, warning: &Warning) -> bool {
    warning.path.as_ref().is_some_and(|path| gathered.paths().any(|other| other == path))
}

/// Tells of what the twins of a file declare by these names, each with those that it stands in.
pub(crate) fn of_names(
    session: &Session,
    path: &AbsPath,
    names: &BTreeSet<Vec<String>>,
) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for twin in twins(session.disk(), path) {
        let Some(parsed) = session.parsed(&twin)? else { continue };
        let declared = declarations(&parsed.tree, parsed.text.as_str()).into_iter();
        let same: Vec<_> = declared.filter(|one| names.contains(&one.path)).collect();
        let spans: Vec<Span> = same.iter().map(|one| one.name_span).collect();
        let Some(first) = same.first() else { continue };
        let message = format!(
            "this file may stand in the place of `{}`, and has a `{}`, too, which is not changed",
            path.file_name(),
            first.name
        );
        warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, twin, (&parsed.text, &spans)));
    }
    Ok(warnings)
}
