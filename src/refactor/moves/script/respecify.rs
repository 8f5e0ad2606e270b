//! The specifier that names a file after a move, written as the old one was.

use super::package::Package;
use super::project_files::World;
use super::resolve::{By, Resolved, is_relative, split_query};
use super::specifier_endings::{self, Ending};
use super::specifiers::{is_script, split_name, star};
use crate::text::RelPath;

/// One specifier that no longer names its file.
pub(super) struct Stale<'a> {
    pub specifier: &'a str,
    /// What it named before the move, and by which rule.
    pub before: &'a Resolved,
    pub importer: Sides,
    /// Where the named file lies after the move.
    pub target: RelPath,
}

/// A file's path before and after the move.
#[derive(Debug, Clone)]
pub(super) struct Sides {
    pub before: RelPath,
    pub after: RelPath,
}

/// A specifier that is right after the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Renewed {
    pub specifier: String,
    /// Set where a relative specifier now leads into another package.
    pub crosses_into: Option<RelPath>,
}

/// Both moments of one project.
pub(super) struct Worlds<'a> {
    pub before: World<'a>,
    pub after: World<'a>,
}

impl Worlds<'_> {
    /// Finds the new specifier. Every candidate is resolved in the world after the move, and the first one
    /// that names the target is taken. Errors with a reason where there is none.
    pub(super) fn renew(&self, stale: &Stale<'_>) -> Result<Renewed, String> {
        let (path, query) = split_query(stale.specifier);
        let ending = self.ending(stale, path);
        let candidates = match &stale.before.by {
            By::Relative => self.relative_or_package(stale, ending)?,
            By::Compiled => self.by_compiled(stale),
            By::Paths { key } => self.by_paths(stale, ending, Some(key)),
            By::BaseUrl => self.by_base_url(stale, ending),
            By::Imports => self.by_imports(stale, ending),
            By::Package { dir } => self.by_package(stale, ending, dir)?,
        };
        let right = |candidate: &Candidate| {
            let found = self.after.resolve(&stale.importer.after, &candidate.specifier)?;
            (found.file == stale.target).then_some(found.by)
        };
        let found = candidates.iter().find_map(|candidate| Some((candidate, right(candidate)?)));
        let Some((found, by)) = found else { return Err(self.unnameable(stale)) };
        if !matches!(by, By::Compiled | By::Package { .. }) {
            self.check_bounds(stale)?;
        }
        Ok(Renewed { specifier: format!("{}{query}", found.specifier), crosses_into: found.crosses_into.clone() })
    }

    /// A specifier that was not relative says nothing of how relative ones end: the project's settings do.
    fn ending(&self, stale: &Stale<'_>, path: &str) -> Ending {
        let ending = Ending::of(path, &stale.before.file);
        match (&stale.before.by, ending) {
            (By::Relative, _) | (_, Ending::Whole | Ending::Compiled) => ending,
            _ if self.after.needs_endings(&stale.importer.after) => Ending::Compiled,
            _ => ending,
        }
    }

    fn unnameable(&self, stale: &Stale<'_>) -> String {
        let package = self.after.package_around(&stale.target).and_then(|package| package.name.clone());
        match (&stale.before.by, package) {
            (By::Package { .. }, Some(package)) => {
                format!("package `{package}` exports no subpath for `{}`", stale.target)
            }
            _ => format!("no specifier names `{}` from `{}`", stale.target, stale.importer.after),
        }
    }

    fn relative_or_package(&self, stale: &Stale<'_>, ending: Ending) -> Result<Vec<Candidate>, String> {
        let relative: Vec<Candidate> =
            self.package_directory(stale).into_iter().chain(relative(stale, ending)).collect();
        let (before, after) = (&self.before, &self.after);
        let home = |path: &RelPath| before.named_package_around(path).map(|package| package.dir.clone());
        let was_inside = home(&stale.importer.before) == home(&stale.before.file);
        let importer = after.named_package_around(&stale.importer.after);
        let target = after.named_package_around(&stale.target);
        let (Some(importer), Some(target)) = (importer, target) else { return Ok(relative) };
        if !was_inside || importer.dir == target.dir {
            return Ok(relative);
        }
        if target.name.as_ref().is_some_and(|name| importer.depends_on(name)) {
            let named = self.names_in(&target, stale, ending);
            let works = |candidate: &Candidate| {
                let found = after.resolve(&stale.importer.after, &candidate.specifier);
                found.is_some_and(|found| found.file == stale.target) && self.is_made(&target, &candidate.specifier)
            };
            let named: Vec<Candidate> = named.into_iter().filter(works).collect();
            if !named.is_empty() {
                return Ok(named);
            }
        }
        Ok(relative
            .into_iter()
            .map(|candidate| Candidate { crosses_into: Some(target.dir.clone()), ..candidate })
            .collect())
    }

    /// Tells whether a file is there under the name that a package gives it, or is known to be made: not merely where compilers
    /// mostly write.
    fn is_made(&self, package: &Package, specifier: &str) -> bool {
        let subpath = split_name(specifier).map_or("", |(_, subpath)| subpath);
        let Some(path) = package.dir.join(subpath).filter(|_| !subpath.is_empty()) else { return true };
        // Another program may write the script beside what the compiler declares.
        let bare = subpath.strip_suffix(".js").unwrap_or(subpath);
        let declared = package.dir.join(&format!("{bare}.d.ts")).unwrap_or_else(|| path.clone());
        let all = [&path, &path.with_suffix(".js"), &declared];
        let is_written = || all.into_iter().any(|path| self.after.is_compiled(package, path));
        package.has_exports() || self.after.load(&path).is_some() || is_written()
    }

    /// Names the directory of a package, where that was named: which file is meant, the package says (`require("..")`).
    fn package_directory(&self, stale: &Stale<'_>) -> Option<Candidate> {
        let (old, _) = split_query(stale.specifier);
        let dir = stale.importer.before.parent().unwrap_or_else(RelPath::root).join(old)?;
        self.before.package(&dir)?;
        let seen = dotted(&dir.seen_from(&stale.importer.after.parent().unwrap_or_else(RelPath::root)));
        Some(Candidate::plain(if old.ends_with('/') { format!("{seen}/") } else { seen }))
    }

    /// Names the file that a compiler makes of the target, with the ending that was written.
    fn by_compiled(&self, stale: &Stale<'_>) -> Vec<Candidate> {
        let ending = specifier_endings::split(stale.specifier).1;
        let dir = stale.importer.after.parent().unwrap_or_else(RelPath::root);
        let compiled = self.after.compiled_to(&stale.target).into_iter();
        let written = compiled.map(|path| dotted(&path.seen_from(&dir)));
        let alike = written.filter_map(|path| match specifier_endings::split(&path) {
            (_, own) if own == ending => Some(path),
            (stem, ".js") if ending.is_empty() => Some(stem.to_owned()),
            _ => None,
        });
        alike.map(Candidate::plain).collect()
    }

    /// Refuses an import of a source that the importer's project may not take in: outside the directory that
    /// binds its sources (TS6059), or, where the project is composite, outside its files (TS6307).
    fn check_bounds(&self, stale: &Stale<'_>) -> Result<(), String> {
        let (importer, target) = (&stale.importer.after, &stale.target);
        let Some(project) = self.after.owner(importer).filter(|project| project.covers(importer)) else {
            return Ok(());
        };
        if !is_script(target) || target.as_str().ends_with(".d.ts") || !self.was_in_bounds(stale) {
            return Ok(());
        }
        let importing = format!("`{importer}` would have to import `{target}`");
        if let Some(root) = project.source_root().filter(|root| !target.is_below(root)) {
            return Err(format!("{importing}, outside `{root}`, which `{}` binds its sources to", project.path));
        }
        if project.is_composite && !project.covers(target) {
            return Err(format!("{importing}, which `{}` does not take in", project.path));
        }
        Ok(())
    }

    /// Tells whether the import was right before; one of a file that no project took in never was.
    fn was_in_bounds(&self, stale: &Stale<'_>) -> bool {
        let (importer, file) = (&stale.importer.before, &stale.before.file);
        let project = self.before.owner(importer).filter(|project| project.covers(importer));
        project.is_none_or(|project| {
            project.source_root().is_none_or(|root| file.is_below(&root))
                && (!project.is_composite || project.covers(file))
        })
    }

    fn by_paths(&self, stale: &Stale<'_>, ending: Ending, key: Option<&str>) -> Vec<Candidate> {
        let Some(project) = self.after.owner(&stale.importer.after) else { return relative(stale, ending) };
        let mut mappings: Vec<_> = project.paths.iter().collect();
        mappings.sort_by_key(|mapping| (Some(mapping.key.as_str()) != key, usize::MAX - mapping.key.len()));
        let mut candidates = Vec::new();
        for mapping in mappings {
            for target in &mapping.targets {
                for written in ending.write(stale.target.as_str(), stale.specifier) {
                    let rest = star(target.as_str(), &written);
                    candidates.extend(rest.map(|rest| Candidate::plain(mapping.key.replace('*', rest))));
                }
            }
        }
        candidates.extend(relative(stale, ending));
        candidates
    }

    fn by_base_url(&self, stale: &Stale<'_>, ending: Ending) -> Vec<Candidate> {
        let base = self.after.owner(&stale.importer.after).and_then(|project| project.base_url.clone());
        let below = base.as_ref().and_then(|base| stale.target.below(base));
        let written = below.map_or_else(Vec::new, |below| ending.write(below, stale.specifier));
        written.into_iter().map(Candidate::plain).chain(self.by_paths(stale, ending, None)).collect()
    }

    fn by_imports(&self, stale: &Stale<'_>, ending: Ending) -> Vec<Candidate> {
        let Some(package) = self.after.package_around(&stale.importer.after) else { return relative(stale, ending) };
        let entries = package.imported();
        let inverse = self.inverse(&package, &entries, &stale.target);
        inverse.into_iter().map(Candidate::plain).chain(relative(stale, ending)).collect()
    }

    /// Names a file of a package by the package's name; a file that came into the importer's own package,
    /// relatively.
    fn by_package(&self, stale: &Stale<'_>, ending: Ending, dir: &RelPath) -> Result<Vec<Candidate>, String> {
        let own = self.after.package_around(&stale.importer.after);
        let Some(target) = self.after.package_around(&stale.target) else {
            return Err(format!("`{}` belongs to no package any more", stale.target));
        };
        let mut candidates = self.names_in(&target, stale, ending);
        let is_own = own.as_ref().is_some_and(|own| own.dir == target.dir);
        if is_own {
            candidates.extend(relative(stale, ending));
            return Ok(candidates);
        }
        let is_new = self.before.package(dir).and_then(|package| package.name.clone()) != target.name;
        let name = target.name.clone().unwrap_or_default();
        if is_new && !own.is_some_and(|own| own.depends_on(&name)) {
            return Err(format!(
                "`{}` imports it by a package's name, and does not depend on `{name}`",
                stale.importer.after
            ));
        }
        Ok(candidates)
    }

    fn names_in(&self, package: &Package, stale: &Stale<'_>, ending: Ending) -> Vec<Candidate> {
        let Some(name) = &package.name else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        let exported = self.inverse(package, &package.exported(), &stale.target);
        names.extend(exported.into_iter().map(|key| format!("{name}{}", key.strip_prefix('.').unwrap_or(&key))));
        if !package.has_exports() {
            names.push(name.clone());
            for published in self.after.published_from(package, &stale.target) {
                let below = published.below(&package.dir).unwrap_or_default();
                if !package.publishes(below) {
                    continue;
                }
                names.extend(ending.write(below, stale.specifier).into_iter().map(|path| format!("{name}/{path}")));
            }
            let declares = specifier_endings::declares;
            names.retain(|written| !declares(written) || declares(stale.specifier));
            let old_depth = stale.specifier.matches('/').count();
            // The old specifier tells whether sources or compiled files are named.
            names.sort_by_key(|written| {
                (!shares_directory(written, stale.specifier), written.matches('/').count().abs_diff(old_depth))
            });
        }
        names.into_iter().map(Candidate::plain).collect()
    }

    /// Returns the keys of a table whose targets may stand for `file`.
    fn inverse(&self, package: &Package, entries: &[(String, Vec<String>)], file: &RelPath) -> Vec<String> {
        let published = self.after.published_from(package, file);
        let mut keys = Vec::new();
        for (key, targets) in entries {
            for target in targets.iter().filter_map(|target| package.dir.join(target)) {
                let paths = std::iter::once(file).chain(&published);
                let rests = paths.filter_map(|path| star(target.as_str(), path.as_str()));
                keys.extend(rests.map(|rest| key.replace('*', rest)));
            }
        }
        keys
    }
}

struct Candidate {
    specifier: String,
    crosses_into: Option<RelPath>,
}

impl Candidate {
    fn plain(specifier: String) -> Self {
        Self { specifier, crosses_into: None }
    }
}

fn relative(stale: &Stale<'_>, ending: Ending) -> Vec<Candidate> {
    let dir = stale.importer.after.parent().unwrap_or_else(RelPath::root);
    let (old, _) = split_query(stale.specifier);
    let written = ending.write(stale.target.as_str(), if is_relative(old) { old } else { "" });
    let paths = written.iter().filter_map(|path| RelPath::root().join(path));
    let seen = paths.map(|path| dotted(&path.seen_from(&dir)));
    let slashed = |path: String| {
        if old.ends_with('/') && ending == Ending::Directory { vec![format!("{path}/"), path] } else { vec![path] }
    };
    seen.flat_map(slashed).map(Candidate::plain).collect()
}

/// Writes a relative path as a specifier, which begins with a dot.
pub(super) fn dotted(path: &str) -> String {
    match path {
        "" => ".".to_owned(),
        _ if path == ".." || path.starts_with("../") => path.to_owned(),
        _ => format!("./{path}"),
    }
}

fn shares_directory(new: &str, old: &str) -> bool {
    let head = |text: &str| split_name(text).map(|(_, rest)| rest.split('/').next().unwrap_or_default().to_owned());
    head(new) == head(old)
}
