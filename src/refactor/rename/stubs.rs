//! Declarations that stand twice: in a stub for checkers, and in a module for the program.

use std::collections::BTreeSet;

use super::hierarchy::Hierarchy;
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{Declaration, DeclarationKind, declarations};
use crate::text::AbsPath;

/// Finds the same declaration in the stub beside a module, or in the module beside a stub.
pub(super) fn twin(session: &Session, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
    let other = if place.path.extension() == "pyi" { "py" } else { "pyi" };
    let Some(path) = sibling(&place.path, other).filter(|path| path.as_path().is_file()) else {
        return Ok(Vec::new());
    };
    let (Some(here), Some(there)) = (session.parsed(&place.path)?, session.parsed(&path)?) else {
        return Ok(Vec::new());
    };
    let declared = declarations(&here.tree, here.text.as_str());
    let Some(mine) = declared.iter().find(|one| one.name_span.start == place.offset && one.name == name) else {
        return Ok(Vec::new());
    };
    let theirs = declarations(&there.tree, there.text.as_str());
    let same = theirs.into_iter().filter(|one| one.path == mine.path);
    Ok(same.map(|one| Place { path: path.clone(), offset: one.name_span.start }).collect())
}

fn sibling(path: &AbsPath, extension: &str) -> Option<AbsPath> {
    path.parent()?.join(format!("{}.{extension}", path.file_stem())).ok()
}

/// Finds what goes by the same name in a module that has a stub: the stub may take a class from one place (`typing.pyi`),
/// and the module from another (`_deque.py`). Who uses the name is told of the one, and gets the other.
pub(super) async fn given_as(hierarchy: &Hierarchy<'_>, place: &Place) -> Result<BTreeSet<Place>, Refusal> {
    let session = hierarchy.session;
    let mut found = BTreeSet::new();
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(found) };
    let declared = declarations(&parsed.tree, parsed.text.as_str());
    let Some(mine) = declared.iter().find(|one| one.name_span.start == place.offset) else { return Ok(found) };
    let Some(outer) = mine.path.first() else { return Ok(found) };
    let own = |one: &Declaration| Place { path: place.path.clone(), offset: one.name_span.start };
    let Some(top) = declared.iter().find(|one| one.path.len() == 1 && one.name == *outer).map(own) else {
        return Ok(found);
    };
    for stub in session.disk().files_mentioning(outer).into_iter().filter(|path| path.extension() == "pyi") {
        let Some(module) = sibling(&stub, "py").filter(|path| path.as_path().is_file()) else { continue };
        let told = given(hierarchy, &stub, outer).await?;
        let run = given(hierarchy, &module, outer).await?;
        let others = match (told.contains(&top), run.contains(&top)) {
            (true, false) => run,
            (false, true) => told,
            _ => continue,
        };
        for other in others {
            let Some(parsed) = session.parsed(&other.path)? else { continue };
            let same = declarations(&parsed.tree, parsed.text.as_str()).into_iter().filter(|one| one.path == mine.path);
            found.extend(same.map(|one| Place { path: other.path.clone(), offset: one.name_span.start }));
        }
    }
    Ok(found)
}

/// Returns what a file gives under a name: what it declares, or what it imports from elsewhere in the project.
async fn given(hierarchy: &Hierarchy<'_>, path: &AbsPath, name: &str) -> Result<BTreeSet<Place>, Refusal> {
    let Some(parsed) = hierarchy.session.parsed(path)? else { return Ok(BTreeSet::new()) };
    let mut found = BTreeSet::new();
    for one in declarations(&parsed.tree, parsed.text.as_str()) {
        if one.path.len() != 1 || one.name != name {
            continue;
        }
        let place = Place { path: path.clone(), offset: one.name_span.start };
        if !matches!(one.kind, DeclarationKind::Import | DeclarationKind::ImportAlias) {
            found.insert(place);
            continue;
        }
        let leads = hierarchy.server.definition(&place).await.map_err(SessionError::from)?;
        for location in leads.into_iter().filter(|location| location.path.is_below(hierarchy.session.root())) {
            let text = hierarchy.session.disk().read(&location.path)?;
            if location.span.of(text.as_str()) == Some(name) {
                found.insert(Place { path: location.path, offset: location.span.start });
            }
        }
    }
    Ok(found)
}
