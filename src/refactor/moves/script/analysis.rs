//! What the texts of a project show about a move, found without any server.

use std::collections::BTreeMap;

use super::configs::Configured;
use super::imports::{Findings, Obstacle};
use super::listing::{Listing, Moved};
use super::project_files::World;
use super::respecify::Worlds;
use super::specifiers::is_script;
use super::{configs, coverage, imports, told_paths};
use crate::refactor::moves::{Changes, Relocation};
use crate::session::Sources;
use crate::text::{AbsPath, Span};
use crate::workspace::Disk;

/// What the texts of a project show about a move, found without any server.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    pub changes: Changes,
    /// Specifiers whose file is known, changed or not: their contents' places.
    pub settled: BTreeMap<AbsPath, Vec<Span>>,
    /// Specifiers for which there is no right text after the move.
    pub obstacles: Vec<Obstacle>,
}

/// Reads every text of the project that may name what moves, and finds what has to change so that every
/// specifier and every configuration names the same files as before. Nothing where the move leaves the project.
pub(super) fn analyse(sources: &Sources, relocation: &Relocation) -> Option<Analysis> {
    let disk = sources.disk();
    let moved = Moved::new(relocation, disk.root())?;
    let listing = Listing::new(sources, &moved);
    let (worlds, configured) = both_worlds(&listing, &moved);
    let mut findings = imports::find(&worlds, &moved, &imports::candidates(disk, &moved));
    for (path, edits) in configured.edits {
        findings.edits.entry(path).or_default().extend(edits);
    }
    findings.warnings.extend(configured.warnings);
    for (path, span) in configured.told {
        findings.understood.entry(path).or_default().insert(span);
    }
    findings.obstacles.extend(configured.obstacles);
    Some(Analysis::new(findings, &listing))
}

/// Returns the files whose text may name what moves, and the scripts that move themselves.
pub(super) fn candidates(disk: &Disk, relocation: &Relocation) -> Vec<AbsPath> {
    let Some(moved) = Moved::new(relocation, disk.root()) else { return Vec::new() };
    let found = imports::candidates(disk, &moved);
    found.iter().filter(|path| is_script(path)).map(|path| disk.root().join_rel(path)).collect()
}

pub(super) fn both_worlds<'a>(listing: &'a Listing, moved: &'a Moved) -> (Worlds<'a>, Configured) {
    let before = World::before(listing);
    let mut configured = configs::read(&before, moved);
    let after = World::after(listing, moved, configs::texts_after(&before, &configured.edits));
    let mut worlds = Worlds { before, after };
    if coverage::complete(&worlds, moved, &mut configured) {
        worlds.after = World::after(listing, moved, configs::texts_after(&worlds.before, &configured.edits));
    }
    told_paths::tell(&worlds.before, moved, &mut configured);
    (worlds, configured)
}

impl Analysis {
    fn new(findings: Findings, listing: &Listing) -> Self {
        let edits = findings.edits.into_iter().map(|(path, edits)| (listing.absolute(&path), edits)).collect();
        let understood = findings.understood.into_iter();
        Self {
            changes: Changes { edits, warnings: findings.warnings, ..Changes::default() },
            settled: understood.map(|(path, spans)| (listing.absolute(&path), spans.into_iter().collect())).collect(),
            obstacles: findings.obstacles,
        }
    }
}
