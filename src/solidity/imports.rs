//! Which source an import names: relative paths, remappings, and the directories that libraries lie in.

use super::SourceId;

/// How a project resolves imports that do not begin with a dot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imports {
    /// Where several fit, the longest context and then the longest prefix decides, as for the compiler.
    pub remappings: Vec<Remapping>,
    /// Directories that paths are looked for in, the first one first: prefixes that end with `/`, or nothing for the
    /// project's root. `node_modules` above the importing file is looked through behind them.
    pub directories: Vec<String>,
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
        if let Some(remapped) = self.remapped(importer, path) {
            return normal(&remapped).map(SourceId::new).into_iter().collect();
        }
        let fixed = self.directories.iter().map(|directory| format!("{directory}{path}"));
        let above = ancestors(importer.directory()).map(|directory| format!("{directory}node_modules/{path}"));
        fixed.chain(above).filter_map(|candidate| normal(&candidate)).map(SourceId::new).collect()
    }

    /// Rewrites a path by the remapping that fits best; nothing where none does.
    pub fn remapped(&self, importer: &SourceId, path: &str) -> Option<String> {
        let fitting = self.remappings.iter().filter(|remapping| remapping.applies(importer, path));
        let best = fitting.max_by_key(|remapping| (remapping.context.len(), remapping.prefix.len()))?;
        Some(format!("{}{}", best.target, &path[best.prefix.len()..]))
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
