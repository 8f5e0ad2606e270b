//! How a project's imports are resolved, as its build tools are told.

use std::sync::Arc;

use crate::audit::sources::{Source, Sources};
use crate::solidity::{Imports, Remapping, SourceId};
use crate::text::RelPath;

/// Looks imports up as the common build tools do.
pub(super) struct Finder<'s> {
    sources: &'s Sources,
    imports: Imports,
}

impl<'s> Finder<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        Self { sources, imports: imports(sources) }
    }

    /// Returns the file that `import` names in the file at `from`.
    pub(super) fn find(&self, from: &RelPath, import: &str) -> Option<Arc<Source>> {
        let candidates = self.imports.candidates(&SourceId::new(from.as_str()), import);
        candidates.iter().find_map(|candidate| self.sources.open(&RelPath::new(candidate.as_str()).ok()?))
    }
}

/// Reads the remappings of a project.
pub(super) fn imports(sources: &Sources) -> Imports {
    let file = |name: &str| RelPath::new(name).ok().and_then(|path| sources.configuration(&path));
    let mut lines: Vec<String> = Vec::new();
    if let Some(text) = file("remappings.txt") {
        lines.extend(text.as_str().lines().map(str::to_owned));
    }
    let foundry = file("foundry.toml").and_then(|text| text.as_str().parse::<toml::Table>().ok());
    let written =
        foundry.as_ref().and_then(|table| table.get("profile")?.get("default")?.get("remappings")?.as_array());
    lines.extend(written.into_iter().flatten().filter_map(|line| line.as_str().map(str::to_owned)));
    let remappings = lines.iter().filter_map(|line| Remapping::parse(line)).collect();
    Imports {
        remappings,
        directories: vec![String::new(), "lib/".to_owned(), "src/".to_owned(), "contracts/".to_owned()],
    }
}
