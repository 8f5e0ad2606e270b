//! Which file a module specifier names (TypeScript handbook, Module Resolution; Node.js, Packages).
//!
//! More is found than one compiler setting would: what matters is which file is meant, not whether the
//! settings allow to write it so.
//!
//! `oxc_resolver` answers with a path for one compiler setting. By which rule it was found, which decides how the specifier
//! is written after a move, it does not say.

use super::package::Package;
use super::project_files::{Installed, World};
use super::specifiers::{split_name, star};
use crate::text::RelPath;

/// A file of the project that a specifier names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resolved {
    pub file: RelPath,
    pub by: By,
}

/// By which rule a specifier names its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum By {
    Relative,
    /// The file that a compiler makes of it.
    Compiled,
    /// An entry of `paths` with this key.
    Paths {
        key: String,
    },
    BaseUrl,
    /// `#…`: the package's own `imports`.
    Imports,
    /// The name of a package of this project, in this directory.
    Package {
        dir: RelPath,
    },
}

/// Endings that are tried behind a specifier without one, in this order.
const ADDED: [&str; 12] =
    [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json", ".vue", ".svelte"];
/// Endings of compiled files, each with the sources that stand for it, in this order.
const REPLACED: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

impl World<'_> {
    /// Finds the file of the project that `specifier` names in `importer`; nothing where it names a library
    /// or nothing at all.
    pub(super) fn resolve(&self, importer: &RelPath, specifier: &str) -> Option<Resolved> {
        let (specifier, _) = split_query(specifier);
        if is_relative(specifier) {
            let named = importer.parent().and_then(|dir| dir.join(specifier));
            if let Some(file) = named.and_then(|named| self.source_behind(&named)) {
                return Some(Resolved { file, by: By::Compiled });
            }
            let file = self.resolve_relative(importer, specifier)?;
            return Some(Resolved { file, by: By::Relative });
        }
        if specifier.is_empty() || specifier.starts_with('/') || specifier.contains(':') {
            return None;
        }
        self.by_paths(importer, specifier)
            .or_else(|| self.by_base_url(importer, specifier))
            .or_else(|| self.by_imports(importer, specifier))
            .or_else(|| self.by_package(importer, specifier))
    }

    fn resolve_relative(&self, importer: &RelPath, specifier: &str) -> Option<RelPath> {
        let dir = importer.parent()?;
        let named = dir.join(specifier)?;
        let found = if is_directory_only(specifier) { self.load_dir(&named) } else { self.load(&named) };
        found.or_else(|| {
            let project = self.owner(importer)?;
            let roots = &project.root_dirs;
            let inside =
                roots.iter().filter_map(|root| named.below(root)).max_by_key(|rest| std::cmp::Reverse(rest.len()))?;
            roots.iter().filter_map(|root| root.join(inside)).find_map(|path| self.load(&path))
        })
    }

    /// Finds the file that a path without or with an ending stands for: the file, else the directory.
    pub(super) fn load(&self, path: &RelPath) -> Option<RelPath> {
        self.remembered(path, || self.load_file(path).or_else(|| self.load_dir(path)))
    }

    fn load_file(&self, path: &RelPath) -> Option<RelPath> {
        let written = path.as_str();
        let replaced = REPLACED.iter().find_map(|(ending, sources)| Some((written.strip_suffix(ending)?, *sources)));
        let (stem, sources) = replaced.unwrap_or((written, &[]));
        let sources = sources.iter().filter_map(|ending| RelPath::root().join(&format!("{stem}{ending}")));
        let added = ADDED.iter().map(|ending| path.with_suffix(ending));
        sources.chain([path.clone()]).chain(added).find(|candidate| self.is_file(candidate))
    }

    fn load_dir(&self, dir: &RelPath) -> Option<RelPath> {
        if !self.is_dir(dir) {
            return None;
        }
        let main = || self.package(dir).and_then(|package| self.load_target(&package, &package.targets("")));
        let index = || dir.join("index").and_then(|index| self.load_file(&index));
        main().or_else(index)
    }

    fn by_paths(&self, importer: &RelPath, specifier: &str) -> Option<Resolved> {
        let project = self.owner(importer)?;
        let fitting = project.paths.iter().filter_map(|mapping| {
            let rest = if mapping.key == specifier { "" } else { star(&mapping.key, specifier)? };
            Some((mapping, rest))
        });
        let longest = |mapping: &super::tsconfig::Mapping| mapping.key.find('*').unwrap_or(usize::MAX);
        let (mapping, rest) = fitting.max_by_key(|(mapping, _)| longest(mapping))?;
        let targets =
            mapping.targets.iter().filter_map(|target| RelPath::root().join(&target.as_str().replace('*', rest)));
        let file = targets.into_iter().find_map(|target| self.load(&target))?;
        Some(Resolved { file, by: By::Paths { key: mapping.key.clone() } })
    }

    fn by_base_url(&self, importer: &RelPath, specifier: &str) -> Option<Resolved> {
        let base = self.owner(importer)?.base_url.clone()?;
        let file = self.load(&base.join(specifier)?)?;
        Some(Resolved { file, by: By::BaseUrl })
    }

    fn by_imports(&self, importer: &RelPath, specifier: &str) -> Option<Resolved> {
        if !specifier.starts_with('#') {
            return None;
        }
        let package = self.package_around(importer)?;
        let file = self.load_target(&package, &package.imports(specifier))?;
        Some(Resolved { file, by: By::Imports })
    }

    fn by_package(&self, importer: &RelPath, specifier: &str) -> Option<Resolved> {
        let (name, subpath) = split_name(specifier)?;
        let dir = self.package_for(importer, name)?;
        let package = self.package(&dir)?;
        let named = || {
            let path = dir.join(subpath).filter(|_| !subpath.is_empty() && !package.has_exports())?;
            self.load(&path).or_else(|| self.load_compiled(&package, &path))
        };
        let main = || dir.join("index").filter(|_| subpath.is_empty()).and_then(|index| self.load_file(&index));
        let file = self.load_target(&package, &package.targets(subpath)).or_else(named).or_else(main)?;
        Some(Resolved { file, by: By::Package { dir } })
    }

    /// Returns the directory of the project's package that `name` means in `importer`: the importer's own
    /// package, one that is linked, or one that nothing else is installed in the place of.
    pub(super) fn package_for(&self, importer: &RelPath, name: &str) -> Option<RelPath> {
        let dir = self.package_named(name)?;
        let own = self.package_around(importer);
        if own.is_some_and(|own| own.dir == dir) {
            return self.package(&dir).filter(|package| package.has_exports()).map(|_| dir);
        }
        match self.installed(importer, name) {
            Installed::Link(origin) => Some(self.relocated(&origin)),
            Installed::Elsewhere => None,
            Installed::Nothing => Some(dir),
        }
    }

    /// Finds the file behind the first target that has one: itself, or the source that it is compiled from.
    fn load_target(&self, package: &Package, targets: &[String]) -> Option<RelPath> {
        let paths: Vec<RelPath> = targets.iter().filter_map(|target| package.dir.join(target)).collect();
        let sources = paths.iter().find_map(|path| self.sources_of(package, path).into_iter().next());
        let exact = || paths.iter().find(|path| self.is_file(path)).cloned();
        let loaded = || paths.iter().filter(|path| **path != package.dir).find_map(|path| self.load(path));
        exact().or(sources).or_else(loaded)
    }

    fn load_compiled(&self, package: &Package, path: &RelPath) -> Option<RelPath> {
        let endings = ["", ".js", "/index.js"];
        endings.iter().find_map(|ending| self.sources_of(package, &path.with_suffix(ending)).into_iter().next())
    }
}

/// Splits what bundlers write behind a path (`./a.css?inline`) from the path.
pub(super) fn split_query(specifier: &str) -> (&str, &str) {
    specifier.split_at(specifier.find('?').unwrap_or(specifier.len()))
}

/// Tells whether a specifier is relative to the file that it stands in.
pub(super) fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

fn is_directory_only(specifier: &str) -> bool {
    matches!(specifier, "." | "..")
        || specifier.ends_with('/')
        || specifier.ends_with("/.")
        || specifier.ends_with("/..")
}
