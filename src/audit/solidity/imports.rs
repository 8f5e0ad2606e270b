//! Where the imports of a project's contracts lead: as the language server resolves them.

use std::sync::Arc;

use crate::audit::problems::Unresolved;
use crate::audit::sources::{Source, Sources};
use crate::solidity::{Header, Imports, SourceId};
use crate::text::RelPath;

/// Looks imports up.
pub(in crate::audit) struct Finder<'s> {
    sources: &'s Sources,
    imports: Imports,
}

impl<'s> Finder<'s> {
    pub(in crate::audit) fn new(sources: &'s Sources) -> Self {
        Self { sources, imports: sources.layout().imports() }
    }

    /// Returns the file that `import` names in the file at `from`.
    pub(in crate::audit) fn find(&self, from: &RelPath, import: &str) -> Option<Arc<Source>> {
        let candidates = self.imports.candidates(&SourceId::new(from.as_str()), import);
        candidates.iter().find_map(|candidate| self.sources.open(&RelPath::new(candidate.as_str()).ok()?))
    }

    /// Lists the imports of a file that lead nowhere.
    pub(in crate::audit) fn lost(&self, source: &Source) -> Vec<Unresolved> {
        let imports = Header::read(source.text()).imports;
        let lost = imports.into_iter().filter(|import| self.find(&source.path, &import.path).is_none());
        lost.map(|import| self.row(source, import.span.start, &import.path)).collect()
    }

    /// Tells of an import that leads nowhere where it was looked for.
    pub(in crate::audit) fn row(&self, source: &Source, at: usize, import: &str) -> Unresolved {
        let candidates = self.imports.candidates(&SourceId::new(source.name()), import);
        let looked: Vec<&str> = candidates.iter().take(MOST_CANDIDATES).map(SourceId::as_str).collect();
        let reason = match looked.is_empty() {
            true => "it resolves to a file outside the project".to_owned(),
            false => format!("no file at {}", looked.join(", ")),
        };
        Unresolved {
            file: source.name().to_owned(),
            location: source.location(at),
            kind: "import",
            name: import.to_owned(),
            reason,
        }
    }
}

/// More places where an import was looked for are not told.
const MOST_CANDIDATES: usize = 3;
