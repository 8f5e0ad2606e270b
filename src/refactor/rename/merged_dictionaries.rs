//! Dictionaries of one `TypedDict` that go into those of another one: `{**defaults, **options}`. No server says that the two
//! share their keys.

use std::collections::BTreeSet;

use super::forward_references::is_python;
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::Node;
use crate::syntax::python::Class;
use crate::text::{AbsPath, Span};

/// Tells of the other classes that declare the key, where dictionaries of the renamed one are merged.
pub(super) fn told(
    session: &Session,
    name: &str,
    renamed: &Renamed,
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    let kinds = kinds(session)?;
    let owners: BTreeSet<&String> = renamed.owners.iter().filter(|owner| kinds.contains(*owner)).collect();
    if renamed.classes.is_empty() || owners.is_empty() || !are_merged(session, &owners)? {
        return Ok(warnings);
    }
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let others = parsed.classes().iter().filter(|class| kinds.contains(&class.name));
        let keys = others.flat_map(|class| &class.attributes).filter(|attribute| attribute.name == name);
        let places = keys.flat_map(|attribute| &attribute.places).map(|(_, span)| *span);
        let left: Vec<Span> = places.filter(|span| !gathered.has(&path, *span)).collect();
        if !left.is_empty() {
            let message = format!("dictionaries with `{name}` are merged, and this class has a key of that name, too");
            warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, path, (&parsed.text, &left)));
        }
    }
    Ok(warnings)
}

/// Returns the names of the classes that are a `TypedDict`, by their bases' names.
fn kinds(session: &Session) -> Result<BTreeSet<String>, Refusal> {
    let mut kinds = BTreeSet::from(["TypedDict".to_owned()]);
    let mut files: Vec<(AbsPath, std::sync::Arc<Parsed>)> = Vec::new();
    for path in session.disk().files_mentioning("TypedDict").into_iter().filter(is_python) {
        files.extend(session.parsed(&path)?.map(|parsed| (path, parsed)));
    }
    let is_kind = |class: &&Class, kinds: &BTreeSet<String>| {
        class.bases.iter().any(|base| kinds.contains(base.text.rsplit('.').next().unwrap_or_default()))
    };
    loop {
        let all = files.iter().flat_map(|(_, parsed)| parsed.classes());
        let found = all.filter(|class| is_kind(class, &kinds)).map(|class| class.name.clone());
        let found: BTreeSet<String> = found.filter(|name| !kinds.contains(name)).collect();
        if found.is_empty() {
            return Ok(kinds);
        }
        kinds.extend(found);
    }
}

/// Tells whether a file that names one of the classes makes a dictionary of others.
fn are_merged(session: &Session, owners: &BTreeSet<&String>) -> Result<bool, Refusal> {
    let merges = |node: Node<'_>| node.is("dictionary") && node.named_children().any(|it| it.is("dictionary_splat"));
    let naming: BTreeSet<AbsPath> = owners.iter().flat_map(|owner| session.disk().files_mentioning(owner)).collect();
    for path in naming.into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        if parsed.tree.nodes().iter().any(merges) {
            return Ok(true);
        }
    }
    Ok(false)
}
