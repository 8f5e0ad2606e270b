//! The plan of one move, from everything that each language has to say about it.

use std::collections::BTreeMap;

use super::documented::{self, Documents, Respelled};
use super::python::packed_by_name;
use super::relocate::{by_language, link_warnings, relocate};
use super::{Changes, Relocation, mentions, platform_twins, python, script, server_moves};
use crate::plan::{Move, Parts, Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{AbsPath, Span};
use crate::workspace::Disk;

/// Plans the move of a file or a directory, which keeps its contents together. The project is looked
/// through again while the servers answer; where a file has changed, they are told and asked once more.
/// `documents` says what becomes of text outside of code that names what moves.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn plan_move(
    session: &Session,
    (from, to): (&AbsPath, &AbsPath),
    documents: Documents,
) -> Result<Plan, Refusal> {
    let _turn = session.shared().await;
    session.steady(|| attempt(session, (from, to), documents)).await
}

/// What the languages found so far.
#[derive(Default)]
struct Gathered {
    changes: Changes,
    /// Stretches that name a moved file and stay right.
    settled: BTreeMap<AbsPath, Vec<Span>>,
}

async fn attempt(session: &Session, (from, to): (&AbsPath, &AbsPath), documents: Documents) -> Result<Plan, Refusal> {
    let disk = session.disk();
    let relocation = relocate(disk, from, to)?;
    let (gathered, mentions) = tokio::join!(gather(session, &relocation), mentions::find(disk, &relocation));
    let gathered = gathered?;
    let mut parts = Parts { creates: gathered.changes.creates, ..Parts::default() };
    for (path, edits) in gathered.changes.edits {
        parts.edits.insert(path.clone(), (disk.read(&path)?, edits));
    }
    for (from, to) in &relocation.files {
        parts.moves.insert(from.clone(), Move { to: to.clone(), before: disk.hash(from)? });
    }
    parts.warnings = gathered.changes.warnings;
    if documents == Documents::Edited {
        let names = gathered.changes.names.iter();
        let mut respelled: Vec<Respelled> = names.filter_map(|(old, new)| Respelled::dotted(old, new)).collect();
        respelled.extend(Respelled::paths(session, &relocation));
        documented::rewrite(session, &respelled, &mut parts);
    }
    let told = mentions::list(&parts, &gathered.settled, (&relocation, mentions));
    let warnings = &mut parts.warnings;
    warnings.extend(link_warnings(&relocation));
    warnings.extend(package_warning(disk, &relocation));
    warnings.extend(platform_twins::left(disk, &relocation));
    warnings.extend(packed_by_name::led(disk, &relocation));
    warnings.extend(told);
    warnings.sort();
    warnings.dedup();
    Ok(Plan::new(parts)?)
}

async fn gather(session: &Session, relocation: &Relocation) -> Result<Gathered, Refusal> {
    let mut gathered = Gathered::default();
    let moved = by_language(relocation);
    let families: Vec<Family> = moved.keys().map(|language| language.family()).collect();
    if families.contains(&Family::Python) {
        gathered.changes.merge(python_changes(session, relocation)?);
    }
    let scripts = script::changes(session, relocation).await?;
    gathered.changes.merge(scripts.changes);
    gathered.settled = scripts.settled;
    for (language, files) in &moved {
        if !matches!(language.family(), Family::Python | Family::Script | Family::Data) {
            gathered.changes.merge(server_moves::changes(session, relocation, *language, files).await?);
        }
    }
    Ok(gathered)
}

fn python_changes(session: &Session, relocation: &Relocation) -> Result<Changes, Refusal> {
    let disk = session.disk();
    let files = disk.files();
    let read = |path: &AbsPath| disk.read(path).ok();
    let tree = python::ModuleTree::new(disk.root(), files.iter().map(|entry| &entry.path), &read);
    python::changes(relocation, &tree, &read, &|word| disk.files_mentioning(word))
        .map_err(|refused| Refusal::CannotMove(refused.to_string()))
}

/// A package that moves has to be linked anew by the package manager.
fn package_warning(disk: &Disk, relocation: &Relocation) -> Option<Warning> {
    let manifest = relocation.from.join("package.json").ok().filter(|_| relocation.is_dir)?;
    let is_package = relocation.files.contains_key(&manifest);
    let is_linked =
        || disk.files().iter().any(|entry| entry.path.file_name() == "package.json" && entry.path != manifest);
    (is_package && is_linked()).then(|| {
        let message = "a package moves: install again, so that the links in `node_modules` and the lock file lead to its new place";
        Warning::at(WarningKind::FollowUp, message, manifest, None)
    })
}
