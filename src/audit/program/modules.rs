//! Which file a module's name leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::audit::sources::{Source, Sources};
use crate::syntax::Family;
use crate::text::RelPath;

/// Endings that an import of a script may leave out, and what a directory is imported by.
const SCRIPT_ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".d.ts",
    "/index.ts",
    "/index.tsx",
    "/index.js",
    "/index.mjs",
    "/index.cjs",
];

/// Endings that compilers write where the source has another one.
const WRITTEN: &[(&str, &[&str])] =
    &[(".js", &[".ts", ".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"]), (".jsx", &[".tsx"])];

/// The modules of one project.
pub(in crate::audit) struct Modules<'s> {
    sources: &'s Sources,
    family: Family,
    /// Python's modules by their dotted names, from the project's root and from every directory below that
    /// holds top-level packages.
    dotted: BTreeMap<String, RelPath>,
}

impl<'s> Modules<'s> {
    pub(in crate::audit) fn new(sources: &'s Sources, family: Family) -> Self {
        let dotted = if family == Family::Python { dotted(&sources.whole_project(family)) } else { BTreeMap::new() };
        Self { sources, family, dotted }
    }

    /// Returns the file that a module is in; nothing where it is not one of the project.
    pub(in crate::audit) fn find(&self, from: &Source, module: &str) -> Option<Arc<Source>> {
        match self.family {
            Family::Python => self.python(from, module),
            _ => self.script(from, module),
        }
    }

    fn python(&self, from: &Source, module: &str) -> Option<Arc<Source>> {
        let level = module.len() - module.trim_start_matches('.').len();
        let rest = &module[level..];
        if level == 0 {
            return self.sources.open(self.dotted.get(rest)?);
        }
        let mut dir = from.path.parent()?;
        for _ in 1..level {
            dir = dir.parent()?;
        }
        let base = dir.join(&rest.replace('.', "/"))?;
        let candidates = [base.with_suffix(".py"), base.with_suffix("/__init__.py"), base.with_suffix(".pyi")];
        candidates
            .into_iter()
            .filter_map(|path| RelPath::new(path.as_str().trim_start_matches('/')).ok())
            .find_map(|path| self.sources.open(&path))
    }

    fn script(&self, from: &Source, module: &str) -> Option<Arc<Source>> {
        if !module.starts_with('.') {
            return None;
        }
        let base = from.path.parent()?.join(module)?;
        let plain = SCRIPT_ENDINGS.iter().map(|ending| base.with_suffix(ending));
        let compiled = WRITTEN.iter().flat_map(|(written, sources)| {
            let stem = base.as_str().strip_suffix(written).map(str::to_owned);
            stem.into_iter().flat_map(|stem| sources.iter().map(move |ending| format!("{stem}{ending}")))
        });
        let mut candidates = plain.chain(compiled.filter_map(|path| RelPath::new(path).ok()));
        candidates.find_map(|path| self.sources.open(&path))
    }
}

/// Names every Python file as it can be imported. A directory without `__init__.py` may be a root of imports.
fn dotted(files: &[RelPath]) -> BTreeMap<String, RelPath> {
    let packages: BTreeSet<RelPath> =
        files.iter().filter(|path| path.file_name() == "__init__.py").filter_map(RelPath::parent).collect();
    let mut names = BTreeMap::new();
    for path in files {
        let file = path.as_str();
        let Some(stem) = file.strip_suffix(".py").or_else(|| file.strip_suffix(".pyi")) else { continue };
        let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
        names.entry(stem.replace('/', ".")).or_insert_with(|| path.clone());
        // From the directory that holds the outermost package around.
        let mut root = path.parent().unwrap_or_default();
        while packages.contains(&root) {
            root = root.parent().unwrap_or_default();
        }
        if let Some(below) = stem.strip_prefix(root.as_str()) {
            names.entry(below.trim_start_matches('/').replace('/', ".")).or_insert_with(|| path.clone());
        }
    }
    names
}
