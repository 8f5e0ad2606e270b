//! Sources with all that they import, bound together.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::audit::sources::{Source, Sources};
use crate::solidity::{Model, Project, SourceId};
use crate::text::RelPath;

/// Binds some files of a request with everything that they import.
pub(super) fn bound(sources: &Sources, files: &[Arc<Source>]) -> Arc<Model> {
    let id = |source: &Source| SourceId::new(source.name());
    let mut project = Project::new([], sources.layout().imports());
    let mut open: Vec<Arc<Source>> = files.to_vec();
    let mut known: BTreeSet<RelPath> = BTreeSet::new();
    while let Some(source) = open.pop() {
        if !known.insert(source.path.clone()) {
            continue;
        }
        let own = id(&source);
        project.set(own.clone(), Arc::from(source.text()));
        let written = project.header(&own).map(|header| header.imports.clone()).unwrap_or_default();
        for import in written {
            let candidates = project.imports().candidates(&own, &import.path);
            let found = candidates.iter().find_map(|candidate| sources.open(&RelPath::new(candidate.as_str()).ok()?));
            open.extend(found);
        }
    }
    project.model()
}
