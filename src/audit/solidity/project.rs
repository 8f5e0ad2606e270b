//! Sources with all that they import, bound together.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::audit::sources::{Source, Sources};
use crate::solidity::{Model, Project, SourceId};
use crate::text::RelPath;

/// Binds some files of a request with everything that they import; what the session has bound before is used again.
pub(super) fn bound(sources: &Sources, files: &[Arc<Source>]) -> Arc<Model> {
    match sources.kept() {
        Some(kept) => {
            let paths = files.iter().map(|source| source.path.clone()).collect();
            kept.with_project(paths, |project| renewed(project, sources, files))
        }
        None => renewed(&mut Project::default(), sources, files),
    }
}

/// Makes a project hold these files, as they are now, and what they import; nothing else.
fn renewed(project: &mut Project, sources: &Sources, files: &[Arc<Source>]) -> Arc<Model> {
    project.set_imports(sources.layout().imports());
    let mut open: Vec<Arc<Source>> = files.to_vec();
    let mut known: BTreeSet<RelPath> = BTreeSet::new();
    let mut reached: BTreeSet<SourceId> = BTreeSet::new();
    while let Some(source) = open.pop() {
        if !known.insert(source.path.clone()) {
            continue;
        }
        let own = SourceId::new(source.name());
        project.set(own.clone(), Arc::from(source.text()));
        let written = project.header(&own).map(|header| header.imports.clone()).unwrap_or_default();
        for import in written {
            let candidates = project.imports().candidates(&own, &import.path);
            let found = candidates.iter().find_map(|candidate| sources.open(&RelPath::new(candidate.as_str()).ok()?));
            open.extend(found);
        }
        reached.insert(own);
    }
    let gone: Vec<SourceId> = project.ids().filter(|id| !reached.contains(*id)).cloned().collect();
    for id in gone {
        project.remove(&id);
    }
    project.model()
}
