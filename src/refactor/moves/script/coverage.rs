//! Project files and workspaces that no longer take in what moved.

use super::configs::{ConfigEdits, append};
use super::glob;
use super::json::Json;
use super::respecify::Worlds;
use super::world::{Moved, World};
use crate::plan::{Warning, WarningKind};
use crate::text::{RelPath, TextEdit};

/// Completes the edits of configurations: what a pattern took in before the move and takes in no longer is
/// listed beside the pattern; where that cannot be, a remark says so.
pub(super) fn complete(worlds: &Worlds<'_>, moved: &Moved, edits: &mut ConfigEdits) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut lost = lost_projects(worlds, moved);
    lost.dedup();
    for project in lost {
        let entry = add_to(&worlds.before, &project, "include", moved);
        let remark = if let Some(edit) = entry {
            edits.entry(project.clone()).or_default().push(edit);
            format!("the patterns of `include` no longer take in `{}`: it is listed beside them", moved.to)
        } else {
            format!("the project no longer takes in `{}`", moved.to)
        };
        warnings.push(Warning::at(WarningKind::FollowUp, remark, worlds.before.listing.absolute(&project), None));
    }
    for path in lost_workspaces(worlds, moved) {
        let Some(edit) = add_to(&worlds.before, &path, "workspaces", moved) else { continue };
        edits.entry(path.clone()).or_default().push(edit);
    }
    warnings
}

/// Returns the projects whose patterns took in a moved file that none takes in after the move.
fn lost_projects(worlds: &Worlds<'_>, moved: &Moved) -> Vec<RelPath> {
    let mut lost = Vec::new();
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

fn lost_workspaces(worlds: &Worlds<'_>, moved: &Moved) -> Vec<RelPath> {
    let Some(package) = moved.from.join("package.json").filter(|path| worlds.before.is_file(path)) else {
        return Vec::new();
    };
    let takes = |world: &World<'_>, path: &RelPath, dir: &RelPath| {
        let json = world.read(path).and_then(|text| Json::parse(&text));
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
    let text = before.read(config)?;
    let json = Json::parse(&text)?;
    let list = array(&json, name)?;
    let dir = moved.after(config).parent().unwrap_or_default();
    let seen = moved.to.seen_from(&dir);
    let has_dot = list.items().last().and_then(Json::as_str).is_some_and(|last| last.starts_with("./"));
    let entry = if has_dot { super::respecify::dotted(&seen) } else { seen };
    append(&text, list, &entry)
}
