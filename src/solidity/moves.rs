//! What imports have to say when sources come to lie elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::solidity::imports::{Imports, joined};
use crate::solidity::model::Model;
use crate::solidity::source_id::SourceId;
use crate::text::TextEdit;

/// Returns the edits, addressed to the texts before, that keep every import leading where it led.
pub fn moved(
    model: &Model,
    imports: &Imports,
    moves: &BTreeMap<SourceId, SourceId>,
) -> BTreeMap<SourceId, Vec<TextEdit>> {
    let after = |file: &SourceId| moves.get(file).unwrap_or(file).clone();
    let there: BTreeSet<SourceId> = model.files().keys().map(after).collect();
    let mut edits: BTreeMap<SourceId, Vec<TextEdit>> = BTreeMap::new();
    for (file, facts) in model.files() {
        let importer = after(file);
        for (import, target) in &facts.imports {
            let is_moved = importer != *file || target.as_ref().is_some_and(|target| after(target) != *target);
            let Some(target) = target.as_ref().map(after).or_else(|| missing(file, &import.path)) else { continue };
            if !is_moved || imports.resolve(&importer, &import.path, |id| there.contains(id)).as_ref() == Some(&target)
            {
                continue;
            }
            let path = import_path(imports, &importer, &import.path, &target, &there);
            if path != import.path {
                edits.entry(file.clone()).or_default().push(TextEdit::new(import.span, path));
            }
        }
    }
    edits
}

/// Returns where a relative import leads that leads to nothing: it goes on leading there.
fn missing(importer: &SourceId, path: &str) -> Option<SourceId> {
    path.starts_with('.').then(|| joined(importer.directory(), path)).flatten().map(SourceId::new)
}

/// Writes the path from an importer to a source as the old one was written, where that can be; `there` are all sources.
pub fn import_path(
    imports: &Imports,
    importer: &SourceId,
    old: &str,
    target: &SourceId,
    there: &BTreeSet<SourceId>,
) -> String {
    let leads = |path: &String| imports.resolve(importer, path, |id| there.contains(id)).as_ref() == Some(target);
    if !old.starts_with("./") && !old.starts_with("../") {
        let remapped = imports.remappings.iter().filter_map(|one| {
            let rest = target.as_str().strip_prefix(&one.target)?;
            Some((old.starts_with(&one.prefix), format!("{}{rest}", one.prefix)))
        });
        let direct = imports.directories.iter().filter_map(|one| target.as_str().strip_prefix(&one.path));
        let mut choices: Vec<(bool, String)> = remapped.chain(direct.map(|path| (false, path.to_owned()))).collect();
        // What begins as the old path did comes first.
        choices.sort_by_key(|(is_alike, _)| !is_alike);
        if let Some((_, path)) = choices.into_iter().find(|(_, path)| !path.starts_with('.') && leads(path)) {
            return path;
        }
    }
    relative(importer, target)
}

/// Writes the way from a source to another: `./x.sol`, `../y/x.sol`.
fn relative(importer: &SourceId, target: &SourceId) -> String {
    let from: Vec<&str> = importer.directory().split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = target.as_str().split('/').filter(|part| !part.is_empty()).collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let climb = "../".repeat(from.len() - shared);
    let lead = if climb.is_empty() { "./" } else { &climb };
    format!("{lead}{}", to[shared..].join("/"))
}
