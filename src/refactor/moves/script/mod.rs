//! Moves of TypeScript and JavaScript files: what their importers, they themselves and the configurations need.

mod configs;
mod coverage;
mod ending;
mod glob;
mod imports;
mod json;
mod package;
mod paths;
mod resolve;
mod respecify;
mod specifiers;
mod tsconfig;
mod world;

use std::collections::BTreeMap;

use super::{Changes, Relocation};
use crate::workspace::Disk;
use respecify::Worlds;
use world::{Listing, Moved, World};

pub use imports::Obstacle;

/// What the texts of a project show about a move, found without any server.
#[derive(Debug, Default)]
pub struct Analysis {
    pub changes: Changes,
    /// Specifiers for which there is no right text after the move.
    pub obstacles: Vec<Obstacle>,
}

/// Reads every text of the project that may name what moves, and finds what has to change so that every
/// specifier and every configuration names the same files as before.
pub fn analyse(disk: &Disk, relocation: &Relocation) -> Option<Analysis> {
    let moved = Moved::new(relocation, disk.root())?;
    let listing = Listing::new(disk, &moved);
    let before = World::before(&listing);
    let mut configs = configs::edits(&before, &moved);
    let after = World::after(&listing, &moved, configs::texts_after(&before, &configs));
    let mut worlds = Worlds { before, after };
    let warnings = coverage::complete(&worlds, &moved, &mut configs);
    worlds.after = World::after(&listing, &moved, configs::texts_after(&worlds.before, &configs));
    let candidates = imports::candidates(&worlds, &moved);
    let mut findings = imports::find(&worlds, &moved, &candidates);
    findings.warnings.extend(warnings);
    for (path, edits) in configs {
        findings.edits.entry(path).or_default().extend(edits);
    }
    let edits = findings.edits.into_iter().map(|(path, edits)| (listing.absolute(&path), edits)).collect();
    let changes = Changes { edits, creates: BTreeMap::new(), warnings: findings.warnings };
    Some(Analysis { changes, obstacles: findings.obstacles })
}
