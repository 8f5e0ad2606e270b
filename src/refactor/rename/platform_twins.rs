//! What is declared once for each platform (`linking.ts`, `linking.web.ts`), or for tests (`__mocks__/linking.ts`): a program
//! takes one or the other, a server knows of one alone. That the others keep their names, or take what they took, is told.

use std::collections::BTreeSet;

use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::platform_twins::{is_mock, twins};
use crate::session::{Parsed, Session};
use crate::syntax::assigned;
use crate::text::{AbsPath, Span};

/// Tells of the declarations in twins of those that a rename changes.
pub(super) fn of_declarations(session: &Session, gathered: &Gathered) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for path in gathered.paths() {
        if twins(session.disk(), path).is_empty() {
            continue;
        }
        let Some(parsed) = session.parsed(path)? else { continue };
        let renamed = declared(&parsed).into_iter().filter(|(_, span)| gathered.has(path, *span)).map(|(path, _)| path);
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
        // What stands in a module's place in tests need not be built as it is.
        let is_mock = is_mock(&twin, path) || is_mock(path, &twin);
        let is_same = |path: &Vec<String>| {
            names.contains(path) || is_mock && names.iter().any(|names| names.last() == path.last())
        };
        let same: Vec<_> = declared(&parsed).into_iter().filter(|(path, _)| is_same(path)).collect();
        let spans: Vec<Span> = same.iter().map(|(_, span)| *span).collect();
        let Some(name) = same.first().and_then(|(path, _)| path.last()) else { continue };
        let message = format!(
            "this file may stand in the place of `{}`, and has a `{name}`, too, which is not changed",
            path.file_name(),
        );
        warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, twin, (&parsed.text, &spans)));
    }
    Ok(warnings)
}

/// Returns what a file declares, also by setting members of what it hands out, each with those that it stands in.
fn declared(parsed: &Parsed) -> Vec<(Vec<String>, Span)> {
    let text = parsed.text.as_str();
    let declared = parsed.declarations().iter().map(|one| (one.path.clone(), one.name_span));
    let names = parsed.tree.nodes().iter().filter(|node| node.kind().ends_with("identifier"));
    let assigned = names.filter_map(|node| Some((assigned(node, text)?, node.span())));
    let all: BTreeSet<(Vec<String>, Span)> = declared.chain(assigned).collect();
    all.into_iter().collect()
}
