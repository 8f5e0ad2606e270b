//! Project files and workspaces that no longer take in what moved.

use super::configs::{Configured, append};
use super::json::Json;
use super::listing::Moved;
use super::project_files::World;
use super::respecify::Worlds;
use super::{glob, told_paths};
use crate::plan::{Warning, WarningKind};
use crate::text::{RelPath, TextEdit};

/// Completes the edits of configurations: what a pattern took in before the move and takes in no longer is
/// listed beside the pattern; where that cannot be, a remark says so. Tells whether a configuration changes by it.
pub(super) fn complete(worlds: &Worlds<'_>, moved: &Moved, found: &mut Configured) -> bool {
    let Configured { edits, warnings, .. } = found;
    let mut is_edited = false;
    for project in lost_projects(worlds, moved) {
        let entry = can_take_in(worlds, &project, moved).then(|| add_to(&worlds.before, &project, "include", moved));
        let remark = if let Some(edit) = entry.flatten() {
            edits.entry(project.clone()).or_default().push(edit);
            is_edited = true;
            format!("the patterns of `include` no longer take in `{}`: it is listed beside them", moved.to)
        } else {
            format!("the project no longer takes in `{}`", moved.to)
        };
        warnings.push(Warning::at(WarningKind::FollowUp, remark, worlds.before.listing.absolute(&project), None));
    }
    for project in gained_projects(worlds, moved) {
        let remark = format!("the project takes in `{}`, which none did before", moved.to);
        let path = moved.before(&project).unwrap_or(project);
        warnings.push(Warning::at(WarningKind::FollowUp, remark, worlds.before.listing.absolute(&path), None));
    }
    for path in lost_workspaces(worlds, moved) {
        let Some(edit) = add_to(&worlds.before, &path, "workspaces", moved) else { continue };
        edits.entry(path.clone()).or_default().push(edit);
        is_edited = true;
    }
    for path in lost_packages(worlds, moved) {
        let Some(edit) = add_to(&worlds.before, &path, "files", moved) else { continue };
        edits.entry(path).or_default().push(edit);
        is_edited = true;
    }
    told_paths::tell_patterns((&worlds.before, moved), &["files", "imports", "workspaces"], found);
    is_edited
}

/// Returns the own files of packages that published a moved file by a pattern, and do so no longer.
fn lost_packages(worlds: &Worlds<'_>, moved: &Moved) -> Vec<RelPath> {
    let publishes = |world: &World<'_>, path: &RelPath, file: &RelPath| {
        let (json, base) = (world.json(path), path.parent().unwrap_or_default());
        let list = json.as_ref().and_then(|json| json.get("files"));
        let patterns = list.into_iter().flat_map(Json::items).filter_map(|item| base.join(item.as_str()?));
        patterns.into_iter().any(|pattern| glob::excludes(pattern.as_str(), file.as_str()))
    };
    let lost = |path: &&RelPath| {
        let dir = path.parent().unwrap_or_default();
        let inside = moved.files.iter().filter(|(from, to)| from.is_below(&dir) && to.is_below(&dir));
        inside.into_iter().any(|(from, to)| {
            publishes(&worlds.before, path, from) && !publishes(&worlds.after, &moved.after(path), to)
        })
    };
    worlds.before.listing.packages().iter().filter(|path| !moved.takes(path)).filter(lost).cloned().collect()
}

/// Returns the projects whose patterns took in a moved file that none takes in after the move.
fn lost_projects(worlds: &Worlds<'_>, moved: &Moved) -> Vec<RelPath> {
    let mut lost: Vec<RelPath> = Vec::new();
    for (from, to) in &moved.files {
        let Some(before) = worlds.before.owner(from).filter(|project| project.covers(from)) else { continue };
        if lost.contains(&before.path) || worlds.after.owner(to).is_some_and(|project| project.covers(to)) {
            continue;
        }
        let same = worlds.after.project(&moved.after(&before.path));
        if !same.is_some_and(|project| project.covers(to)) {
            lost.push(before.path.clone());
        }
    }
    lost
}

/// Tells whether listing the new place makes it part of the project: not where `rootDir` or `exclude` forbid it.
fn can_take_in(worlds: &Worlds<'_>, project: &RelPath, moved: &Moved) -> bool {
    let Some(project) = worlds.after.project(&moved.after(project)) else { return false };
    project.source_root().is_none_or(|root| moved.to.is_below(&root)) && !project.excludes(&moved.to)
}

/// Returns the projects, after the move, that take in a moved script which no project took in before.
fn gained_projects(worlds: &Worlds<'_>, moved: &Moved) -> Vec<RelPath> {
    let mut gained: Vec<RelPath> = Vec::new();
    for (from, to) in moved.files.iter().filter(|(from, _)| super::specifiers::is_script(from)) {
        if worlds.before.owner(from).is_some_and(|project| project.covers(from)) {
            continue;
        }
        let owner = worlds.after.owner(to).filter(|project| project.covers(to));
        gained.extend(owner.map(|project| project.path.clone()).filter(|path| !gained.contains(path)));
    }
    gained
}

fn lost_workspaces(worlds: &Worlds<'_>, moved: &Moved) -> Vec<RelPath> {
    let Some(package) = moved.from.join("package.json").filter(|path| worlds.before.is_file(path)) else {
        return Vec::new();
    };
    let takes = |world: &World<'_>, path: &RelPath, dir: &RelPath| {
        let json = world.json(path);
        let list = json.as_ref().and_then(|json| array(json, "workspaces"));
        let base = path.parent().unwrap_or_default();
        list.is_some_and(|list| {
            let patterns = list.items().iter().filter_map(|item| base.join(item.as_str()?));
            patterns.into_iter().any(|pattern| glob::excludes(pattern.as_str(), dir.as_str()))
        })
    };
    let holders = worlds.before.listing.packages().iter().filter(|path| **path != package && !moved.takes(path));
    let lost = |path: &&RelPath| takes(&worlds.before, path, &moved.from) && !takes(&worlds.after, path, &moved.to);
    holders.filter(lost).cloned().collect()
}

fn array<'j>(json: &'j Json, name: &str) -> Option<&'j Json> {
    let list = json.get(name)?;
    Some(list.get("packages").unwrap_or(list))
}

/// Writes the new place into a list that the configuration itself holds, in the style of its other entries.
fn add_to(before: &World<'_>, config: &RelPath, name: &str, moved: &Moved) -> Option<TextEdit> {
    let (text, json) = (before.read(config)?, before.json(config)?);
    let list = array(&json, name)?;
    let dir = moved.after(config).parent().unwrap_or_default();
    let seen = moved.to.seen_from(&dir);
    let has_dot = list.items().last().and_then(Json::as_str).is_some_and(|last| last.starts_with("./"));
    let entry = if has_dot { super::respecify::dotted(&seen) } else { seen };
    append(&text, list, &entry)
}
