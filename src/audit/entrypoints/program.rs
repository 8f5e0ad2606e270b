//! The entrypoints of programs, by the frameworks that they are written with.

use std::collections::BTreeSet;

use super::frameworks::{EXPORT, FRAMEWORKS, File};
use super::rows::ProgramRow;
use crate::audit::sources::{Source, Sources, in_parallel};

/// Lists the entrypoints of all files, in order.
pub(super) fn list(sources: &Sources) -> Vec<ProgramRow> {
    let mut rows: Vec<ProgramRow> =
        in_parallel(&sources.files, |source| of_file(source)).into_iter().flatten().collect();
    rows.sort_by(|a, b| (&a.file, a.location, a.kind).cmp(&(&b.file, b.location, b.kind)));
    rows
}

fn of_file(source: &Source) -> Vec<ProgramRow> {
    let file = File::of(source);
    let mut rows: Vec<ProgramRow> = Vec::new();
    let mut seen = BTreeSet::new();
    for framework in FRAMEWORKS.iter().filter(|framework| framework.family == source.language.family()) {
        for found in (framework.find)(&file) {
            let row = file.row(found);
            let place = (row.location, row.name.clone());
            let is_new = if row.kind == EXPORT { seen.insert(place) } else { !rows.contains(&row) };
            if is_new {
                seen.insert((row.location, row.name.clone()));
                rows.push(row);
            }
        }
    }
    rows
}
