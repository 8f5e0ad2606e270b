//! A project's Solidity sources as they are read for binding: its own, and those of libraries that they import.

use std::sync::Arc;

use super::read_layout;
use crate::solidity::{Layout, Project, SourceId};
use crate::text::AbsPath;
use crate::workspace::Disk;

/// Returns the project's own sources, by the names that a [`Project`] knows them by.
pub fn own_sources(disk: &Disk, layout: &Layout) -> Vec<SourceId> {
    let files = disk.files();
    let sources = files.iter().filter(|entry| entry.path.extension() == "sol").map(|entry| entry.path.as_str());
    sources.filter(|path| !layout.is_library(path)).map(SourceId::new).collect()
}

/// Reads a source from the disk, in the project or beside it; nothing where it is no text.
pub fn read_source(disk: &Disk, id: &SourceId) -> Option<Arc<str>> {
    let path = AbsPath::new(id.as_str()).ok()?;
    let text = disk.read(&path).or_else(|_| disk.read_outside(&path)).ok()?;
    Some(Arc::from(text.as_str()))
}

/// Adds what is imported and not there yet, and what that imports; `read` knows the texts.
pub fn complete(project: &mut Project, read: impl Fn(&SourceId) -> Option<Arc<str>>) {
    let mut open: Vec<SourceId> = project.ids().cloned().collect();
    while let Some(file) = open.pop() {
        let Some(header) = project.header(&file) else { continue };
        let paths: Vec<String> = header.imports.iter().map(|import| import.path.clone()).collect();
        for path in paths {
            let candidates = project.imports().candidates(&file, &path);
            if candidates.iter().any(|candidate| project.contains(candidate)) {
                continue;
            }
            if let Some((id, text)) = candidates.into_iter().find_map(|id| read(&id).map(|text| (id, text))) {
                project.set(id.clone(), text);
                open.push(id);
            }
        }
    }
}

/// Reads a project as it lies on the disk.
pub fn load_project(disk: &Disk) -> Project {
    let layout = read_layout(disk);
    let sources = own_sources(disk, &layout);
    let texts = sources.into_iter().filter_map(|id| read_source(disk, &id).map(|text| (id, text)));
    let mut project = Project::new(texts.collect::<Vec<_>>(), layout.imports());
    complete(&mut project, |id| read_source(disk, id));
    project
}
