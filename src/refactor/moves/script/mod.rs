//! Moves of TypeScript and JavaScript files: what their importers, they themselves and the configurations need.

mod configs;
mod coverage;
mod ending;
mod glob;
mod importing;
mod imports;
mod json;
mod links;
mod package;
mod paths;
mod resolve;
mod respecify;
mod server;
mod specifiers;
mod tsconfig;
mod world;

use std::collections::BTreeMap;

use super::{Changes, Relocation};
use crate::session::Sources;
use crate::text::{AbsPath, Span, TextEdit};
use crate::workspace::Disk;
use configs::Configured;
use imports::Findings;
use respecify::Worlds;
use world::{Listing, Moved, World};

pub(super) use importing::{Imports, resolver};
pub use imports::Obstacle;
pub(crate) use links::{Modules, Project, is_bare};
pub(super) use server::changes;

/// What scripts and configurations need, and the specifiers that are known to be right as they are.
pub(super) struct ScriptChanges {
    pub changes: Changes,
    pub settled: BTreeMap<AbsPath, Vec<Span>>,
}

/// What the texts of a project show about a move, found without any server.
#[derive(Debug, Default)]
pub struct Analysis {
    pub changes: Changes,
    /// Specifiers whose file is known, changed or not: their contents' places.
    pub settled: BTreeMap<AbsPath, Vec<Span>>,
    /// Specifiers for which there is no right text after the move.
    pub obstacles: Vec<Obstacle>,
}

/// Reads every text of the project that may name what moves, and finds what has to change so that every
/// specifier and every configuration names the same files as before. Nothing where the move leaves the project.
pub fn analyse(sources: &Sources, relocation: &Relocation) -> Option<Analysis> {
    let disk = sources.disk();
    let moved = Moved::new(relocation, disk.root())?;
    let listing = Listing::new(sources, &moved);
    let (worlds, configured) = both_worlds(&listing, &moved);
    let mut findings = imports::find(&worlds, &moved, &imports::candidates(disk, &moved));
    for (path, edits) in configured.edits {
        findings.edits.entry(path).or_default().extend(edits);
    }
    findings.warnings.extend(configured.warnings);
    findings.obstacles.extend(configured.obstacles);
    Some(Analysis::new(findings, &listing))
}

/// Returns the files whose text may name what moves, and the scripts that move themselves.
pub fn candidates(disk: &Disk, relocation: &Relocation) -> Vec<AbsPath> {
    let Some(moved) = Moved::new(relocation, disk.root()) else { return Vec::new() };
    let found = imports::candidates(disk, &moved);
    found.iter().filter(|path| imports::is_script(path)).map(|path| disk.root().join_rel(path)).collect()
}

/// Takes those of a server's edits whose new specifier names a file after the move, and remarks on the others.
fn judge(sources: &Sources, relocation: &Relocation, edits: BTreeMap<AbsPath, Vec<TextEdit>>) -> Changes {
    let (disk, mut changes) = (sources.disk(), Changes::default());
    let Some(moved) = Moved::new(relocation, disk.root()) else { return changes };
    let listing = Listing::new(sources, &moved);
    let (worlds, _) = both_worlds(&listing, &moved);
    for (path, edits) in edits {
        let (Some(importer), Ok(text)) = (path.relative_to(disk.root()), disk.read(&path)) else { continue };
        let importer = moved.after(&importer);
        for edit in edits {
            if worlds.after.resolve(&importer, edit.new_text.trim_matches(['\'', '"', '`'])).is_some() {
                changes.edits.entry(path.clone()).or_default().push(edit);
            } else {
                changes.warnings.push(server::not_taken(path.clone(), &edit, &text));
            }
        }
    }
    changes
}

fn both_worlds<'a>(listing: &'a Listing, moved: &'a Moved) -> (Worlds<'a>, Configured) {
    let before = World::before(listing);
    let mut configured = configs::read(&before, moved);
    let after = World::after(listing, moved, configs::texts_after(&before, &configured.edits));
    let mut worlds = Worlds { before, after };
    if coverage::complete(&worlds, moved, &mut configured) {
        worlds.after = World::after(listing, moved, configs::texts_after(&worlds.before, &configured.edits));
    }
    (worlds, configured)
}

impl Analysis {
    fn new(findings: Findings, listing: &Listing) -> Self {
        let edits = findings.edits.into_iter().map(|(path, edits)| (listing.absolute(&path), edits)).collect();
        let understood = findings.understood.into_iter();
        Self {
            changes: Changes { edits, creates: BTreeMap::new(), warnings: findings.warnings },
            settled: understood.map(|(path, spans)| (listing.absolute(&path), spans.into_iter().collect())).collect(),
            obstacles: findings.obstacles,
        }
    }
}

#[cfg(test)]
mod tests;
