//! Whether the new name is free wherever it would come to stand.

use std::collections::BTreeSet;

use super::server_edits::Gathered;
use super::subject::{Subject, at};
use super::{RenameRequest, hierarchy, script_kin};
use crate::refactor::Refusal;
use crate::refactor::moves::links::NewName;
use crate::refactor::moves::python::star_gifts;
use crate::refactor::moves::python::star_names::{is_given, top};
use crate::refactor::moves::script::star_exports::{self, exported};
use crate::refactor::refusal::Clash;
use crate::session::Session;
use crate::syntax::{Family, scopes};
use crate::text::{AbsPath, Span};

/// Finds every place where the new name would meet another thing of that name. Only files whose text has
/// the new name already can hold one.
pub(super) async fn find(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &Gathered,
) -> Result<Vec<Clash>, Refusal> {
    let mut clashes = Vec::new();
    let holders = session.disk().files_mentioning(&request.new_name);
    let family = subject.language.family();
    // The contracts of a project are judged by their own model.
    if family == Family::Solidity {
        return Ok(clashes);
    }
    for path in gathered.paths().filter(|path| holders.binary_search(path).is_ok()) {
        clashes.extend(in_file(session, path, gathered)?);
    }
    if family == Family::Go {
        clashes.extend(in_package(session, request, gathered, &holders)?);
    }
    if matches!(family, Family::Python | Family::Script) {
        clashes.extend(by_star(session, (subject, request), gathered)?);
    }
    if family == Family::Python {
        clashes.extend(hierarchy::taken_members(session, (subject, request), gathered, &holders).await?);
    }
    if family == Family::Script {
        clashes.extend(script_kin::taken_members(session, subject, request, gathered).await?);
    }
    Ok(clashes)
}

/// Finds a module that has all of one that gives away what is renamed (`from module import *`, `export * from`), and means something
/// else by the new name.
fn by_star(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &Gathered,
) -> Result<Option<Clash>, Refusal> {
    let (old, name) = (subject.name.as_str(), request.new_name.as_str());
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let new = NewName { home: path, name, leaves: &|_| false };
        let edits = gathered.edits_of(path);
        let is_renamed = |span: &Span| edits.iter().any(|it| it.span == *span && it.new_text == name);
        let (found, by) = match subject.language.family() {
            Family::Python => {
                let is_given = is_given(&parsed, old) && !name.starts_with('_');
                let is_home = is_given && top(&parsed, old).iter().any(is_renamed);
                (if is_home { star_gifts::hidden(session, &new)? } else { None }, "import *")
            }
            _ => {
                let said = |span: &Span| span.of(parsed.text.as_str()) == Some(old);
                let is_home = exported(parsed.tree.nodes().root()).any(|it| said(&it) && is_renamed(&it));
                (if is_home { star_exports::hidden(session, &new)? } else { None }, "export *")
            }
        };
        if let Some((taker, span)) = found {
            let text = session.disk().read(&taker)?;
            let message = format!("`{name}` has another meaning here already, and would come by `{by}`");
            return Ok(Some(Clash { at: at(&taker, &text, span.start), message }));
        }
    }
    Ok(None)
}

/// Finds declarations of the new name in other files of a Go package, all of whose files share one scope (The Go Programming
/// Language Specification, "Declarations and scope").
fn in_package(
    session: &Session,
    request: &RenameRequest,
    gathered: &Gathered,
    holders: &[AbsPath],
) -> Result<Vec<Clash>, Refusal> {
    let mut packages = BTreeSet::new();
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let edits = gathered.edits_of(path);
        let mut all = parsed.declarations().iter();
        if all.any(|one| one.path.len() == 1 && edits.iter().any(|edit| edit.span == one.name_span)) {
            packages.extend(path.parent());
        }
    }
    let mut clashes = Vec::new();
    for path in holders.iter().filter(|path| path.parent().is_some_and(|dir| packages.contains(&dir))) {
        let Some(parsed) = session.parsed(path)?.filter(|_| !gathered.paths().any(|own| own == path)) else { continue };
        let taken = parsed.declarations().iter();
        let taken = taken.filter(|one| one.path.len() == 1 && one.name == request.new_name);
        clashes.extend(taken.map(|one| Clash {
            at: at(path, &parsed.text, one.name_span.start),
            message: format!("`{}` is already declared in this package", one.name),
        }));
    }
    Ok(clashes)
}

fn in_file(session: &Session, path: &AbsPath, gathered: &Gathered) -> Result<Vec<Clash>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(Vec::new()) };
    let (text, edits) = (parsed.text.as_str(), gathered.edits_of(path));
    let found = match parsed.tree.language().family() {
        Family::Python | Family::Script => {
            let members = scopes::member_conflicts(&parsed.tree, text, &edits);
            scopes::conflicts(&parsed.tree, text, &edits).into_iter().chain(members).collect()
        }
        _ => scopes::sibling_conflicts(&parsed.tree, text, &edits),
    };
    Ok(found
        .into_iter()
        .map(|conflict| Clash { at: at(path, &parsed.text, conflict.span.start), message: conflict.message })
        .collect())
}
