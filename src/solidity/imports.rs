//! Which source an import names: relative paths, remappings, and the directories that libraries lie in.

use crate::solidity::source_id::SourceId;

/// How a project resolves imports that do not begin with a dot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imports {
    /// Where several fit, the longest context and then the longest prefix decides, as for the compiler.
    pub remappings: Vec<Remapping>,
    /// Directories that paths are looked for in: those of the innermost package around the importing file first, each
    /// package's in their order. `node_modules` above the file is looked through behind them.
    pub directories: Vec<Directory>,
}

/// A directory that some sources are looked for in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// Importers whose name begins so are meant; nothing for all.
    pub context: String,
    /// A prefix that ends with `/`, or nothing for the project's root.
    pub path: String,
}

/// `context:prefix=target`, the paths as sources are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remapping {
    /// Sources whose name begins so are meant; nothing for all.
    pub context: String,
    pub prefix: String,
    pub target: String,
}

impl Remapping {
    /// Reads one line of `remappings.txt`.
    pub fn parse(line: &str) -> Option<Self> {
        let (from, target) = line.trim().split_once('=')?;
        let (context, prefix) = from.split_once(':').unwrap_or(("", from));
        let owned = str::to_owned;
        (!prefix.is_empty()).then(|| Self { context: owned(context), prefix: owned(prefix), target: owned(target) })
    }

    /// Makes it hold only for sources whose names begin with `context`; one of its own that is narrower stays.
    pub(super) fn within(self, context: &str) -> Self {
        let is_narrower = self.context.starts_with(context);
        Self { context: if is_narrower { self.context } else { context.to_owned() }, ..self }
    }

    fn applies(&self, importer: &SourceId, path: &str) -> bool {
        importer.as_str().starts_with(&self.context) && path.starts_with(&self.prefix)
    }
}

impl Imports {
    /// Returns the source that `path`, written in `importer`, names; `exists` knows what there is.
    pub fn resolve(&self, importer: &SourceId, path: &str, exists: impl Fn(&SourceId) -> bool) -> Option<SourceId> {
        self.candidates(importer, path).into_iter().find(|candidate| exists(candidate))
    }

    /// Returns the names that an import can mean, the first choice first.
    pub fn candidates(&self, importer: &SourceId, path: &str) -> Vec<SourceId> {
        if path.starts_with("./") || path.starts_with("../") {
            return joined(importer.directory(), path).map(SourceId::new).into_iter().collect();
        }
        let remapped = self.remapped(importer, path);
        if !remapped.is_empty() {
            return remapped.iter().filter_map(|path| normal(path)).map(SourceId::new).collect();
        }
        let around = |one: &&Directory| importer.as_str().starts_with(&one.context);
        let mut directories: Vec<&Directory> = self.directories.iter().filter(around).collect();
        directories.sort_by_key(|one| std::cmp::Reverse(one.context.len()));
        let fixed = directories.into_iter().map(|one| format!("{}{path}", one.path));
        let above = ancestors(importer.directory()).map(|directory| format!("{directory}node_modules/{path}"));
        fixed.chain(above).filter_map(|candidate| normal(&candidate)).map(SourceId::new).collect()
    }

    /// Rewrites a path by the remapping that fits best; by several where they fit as well, to be tried in turn.
    fn remapped(&self, importer: &SourceId, path: &str) -> Vec<String> {
        let fitting = || self.remappings.iter().filter(|remapping| remapping.applies(importer, path));
        let weight = |one: &Remapping| (one.context.len(), one.prefix.len());
        let Some(best) = fitting().map(weight).max() else { return Vec::new() };
        let led = fitting().filter(|one| weight(one) == best);
        led.map(|one| format!("{}{}", one.target, &path[one.prefix.len()..])).collect()
    }
}

/// Returns a directory and all above it, each with a `/` behind; the root is empty.
fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |directory| {
        let inner = directory.strip_suffix('/')?;
        Some(inner.rfind('/').map_or("", |at| &inner[..=at]))
    })
}

/// Joins a relative path to a directory; nothing where it climbs out.
pub(super) fn joined(directory: &str, path: &str) -> Option<String> {
    normal(&format!("{directory}{path}"))
}

/// Resolves `.` and `..`; an absolute path stays absolute.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    Some(format!("{root}{}", parts.join("/")))
}
