//! Declarations that stand twice: in a stub for checkers, and in a module for the program.

use std::collections::BTreeSet;

use super::hierarchy::Hierarchy;
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{Declaration, DeclarationKind};
use crate::text::AbsPath;

/// What follows the name of a package in that of its stubs (PEP 561).
const STUBS: &str = "-stubs";
/// Where pyright looks for stubs if nothing else is said.
const TYPINGS: &str = "typings";
/// Where projects keep their packages, if not at the top.
const SOURCES: &str = "src";

/// Finds the same declaration in the stub of a module, or in the module of a stub.
pub(super) fn twin(session: &Session, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    for path in counterparts(&place.path, session.root()) {
        let (Some(here), Some(there)) = (session.parsed(&place.path)?, session.parsed(&path)?) else { continue };
        let declared = here.declarations();
        let Some(mine) = declared.iter().find(|one| one.name_span.start == place.offset && one.name == name) else {
            continue;
        };
        let theirs = there.declarations();
        let same = theirs.iter().filter(|one| one.path == mine.path);
        found.extend(same.map(|one| Place { path: path.clone(), offset: one.name_span.start }));
    }
    Ok(found)
}

/// Finds the stubs of a module, or the modules of a stub: beside it, and where a package of stubs stands for its own.
fn counterparts(path: &AbsPath, root: &AbsPath) -> Vec<AbsPath> {
    let other = if path.extension() == "pyi" { "py" } else { "pyi" };
    let beside = path.parent().and_then(|dir| dir.join(format!("{}.{other}", path.file_stem())).ok());
    let dirs = std::iter::successors(path.parent(), AbsPath::parent).take_while(|dir| dir.is_below(root));
    let apart = dirs.filter_map(|dir| Some(if other == "py" { of_stub(path, &dir)? } else { of_module(path, &dir)? }));
    let files = apart.flatten().flat_map(|module| [format!("{module}.{other}"), format!("{module}/__init__.{other}")]);
    let mut all: Vec<AbsPath> = beside.into_iter().chain(files.filter_map(|file| AbsPath::new(file).ok())).collect();
    all.retain(|file| file.as_path().is_file());
    all
}

/// Returns where the stubs of a module can stand, if `dir` is where it is imported from.
fn of_module(path: &AbsPath, dir: &AbsPath) -> Option<Vec<String>> {
    let module = module_below(path, dir)?;
    let (top, rest) = module.split_once('/').map_or((module.as_str(), ""), |(top, _)| (top, &module[top.len()..]));
    let above = dir.parent().filter(|_| dir.file_name() == SOURCES);
    let of_dir = |dir: &AbsPath| [format!("{dir}/{top}{STUBS}{rest}"), format!("{dir}/{TYPINGS}/{module}")];
    Some([Some(dir.clone()), above].iter().flatten().flat_map(of_dir).collect())
}

/// Returns where the module of a stub can stand, if `dir` holds the stubs.
fn of_stub(path: &AbsPath, dir: &AbsPath) -> Option<Vec<String>> {
    let (above, module) = (dir.parent()?, module_below(path, dir).unwrap_or_default());
    let module = match dir.file_name().strip_suffix(STUBS) {
        Some(top) if module.is_empty() => top.to_owned(),
        Some(top) => format!("{top}/{module}"),
        None if dir.file_name() == TYPINGS => module,
        None => return None,
    };
    Some(vec![format!("{above}/{module}"), format!("{above}/{SOURCES}/{module}")])
}

/// Returns the names of a module below a directory, joined by `/`.
fn module_below(path: &AbsPath, dir: &AbsPath) -> Option<String> {
    let relative = path.relative_to(dir)?;
    let stem = relative.as_str().rsplit_once('.')?.0;
    let stem = if stem == "__init__" { "" } else { stem.strip_suffix("/__init__").unwrap_or(stem) };
    (!stem.is_empty()).then(|| stem.to_owned())
}

/// Finds what goes by the same name in a module that has a stub: the stub may take a class from one place (`typing.pyi`),
/// and the module from another (`_deque.py`). Who uses the name is told of the one, and gets the other.
pub(super) async fn given_as(hierarchy: &Hierarchy<'_>, place: &Place) -> Result<BTreeSet<Place>, Refusal> {
    let session = hierarchy.session;
    let mut found = BTreeSet::new();
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(found) };
    let declared = parsed.declarations();
    let Some(mine) = declared.iter().find(|one| one.name_span.start == place.offset) else { return Ok(found) };
    let Some(outer) = mine.path.first() else { return Ok(found) };
    let own = |one: &Declaration| Place { path: place.path.clone(), offset: one.name_span.start };
    let Some(top) = declared.iter().find(|one| one.path.len() == 1 && one.name == *outer).map(own) else {
        return Ok(found);
    };
    for stub in session.disk().files_mentioning(outer).into_iter().filter(|path| path.extension() == "pyi") {
        let Some(module) = counterparts(&stub, session.root()).into_iter().next() else { continue };
        let told = given(hierarchy, &stub, outer).await?;
        let run = given(hierarchy, &module, outer).await?;
        let others = match (told.contains(&top), run.contains(&top)) {
            (true, false) => run,
            (false, true) => told,
            _ => continue,
        };
        for other in others {
            let Some(parsed) = session.parsed(&other.path)? else { continue };
            let same = parsed.declarations().iter().filter(|one| one.path == mine.path);
            found.extend(same.map(|one| Place { path: other.path.clone(), offset: one.name_span.start }));
        }
    }
    Ok(found)
}

/// Returns what a file gives under a name: what it declares, or what it imports from elsewhere in the project.
async fn given(hierarchy: &Hierarchy<'_>, path: &AbsPath, name: &str) -> Result<BTreeSet<Place>, Refusal> {
    let Some(parsed) = hierarchy.session.parsed(path)? else { return Ok(BTreeSet::new()) };
    let mut found = BTreeSet::new();
    for one in parsed.declarations() {
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
