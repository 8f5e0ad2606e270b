//! Which source a compiled file comes from, and under which paths a source is published.

use std::collections::BTreeSet;

use super::package::{BUNDLERS, Package};
use super::project_files::World;
use super::tsconfig::Emitted;
use super::{glob, specifier_endings};
use crate::text::RelPath;

/// Endings of compiled files, each with those of the sources that it may come from.
const COMPILED: [(&str, &[&str]); 7] = [
    (".d.ts", &[".ts", ".tsx", ".js", ".jsx"]),
    (".d.mts", &[".mts", ".mjs", ".ts"]),
    (".d.cts", &[".cts", ".cjs", ".ts"]),
    (".js", &[".ts", ".tsx", ".js", ".jsx"]),
    (".mjs", &[".mts", ".ts", ".tsx", ".mjs", ".js"]),
    (".cjs", &[".cts", ".ts", ".tsx", ".cjs", ".js"]),
    (".jsx", &[".tsx", ".jsx"]),
];

impl World<'_> {
    /// Returns where the source of a compiled file may lie, best first: by the package's project files, then
    /// by the custom of compiling `src` (or the package itself) into a directory beside it.
    pub(super) fn sources_of(&self, package: &Package, compiled: &RelPath) -> Vec<RelPath> {
        let known = self.compilations(package);
        let mut moulds: Vec<RelPath> = known.iter().filter_map(|(out, root)| compiled.rebased(out, root)).collect();
        if moulds.is_empty() {
            moulds = self.customary(package, compiled);
        }
        moulds.iter().flat_map(with_source_endings).filter(|path| self.is_file(path)).collect()
    }

    /// Tells whether the package's project files have the TypeScript compiler write a file, and nothing says that another
    /// program does.
    pub(super) fn is_compiled(&self, package: &Package, compiled: &RelPath) -> bool {
        let is_declaration = specifier_endings::declares(compiled.as_str());
        let writes = |path: &RelPath| {
            let Some(project) = self.project(path) else { return false };
            let is_written = match project.emitted {
                Emitted::All => true,
                Emitted::Declarations => is_declaration,
                Emitted::Nothing => false,
            };
            is_written && project.out_dir.as_ref().is_some_and(|out| compiled.is_below(out))
        };
        self.projects_in(&package.dir).iter().any(writes) && !self.is_bundled(package)
    }

    fn is_bundled(&self, package: &Package) -> bool {
        // `vite.config` may be there for its tests alone.
        let is_setting = |file: &RelPath| {
            let tool = file.file_name().split_once(".config.").map(|(tool, _)| tool);
            tool.is_some_and(|tool| tool != "vite" && BUNDLERS.contains(&tool))
                && file.parent() == Some(package.dir.clone())
        };
        package.is_bundled() || self.listing.files.iter().any(is_setting)
    }

    /// Returns the source of a file that lies where the package's project files let a compiler write, whether it is there or
    /// not.
    pub(super) fn source_behind(&self, named: &RelPath) -> Option<RelPath> {
        let package = self.package_around(named)?;
        let is_output = |(out, root): &&(RelPath, RelPath)| named.is_below(out) && !root.is_below(out);
        let known = self.compilations(&package);
        let moulds = known.iter().filter(is_output).filter_map(|(out, root)| named.rebased(out, root));
        let whole = |mould: RelPath| match specifier_endings::split(mould.as_str()).1 {
            "" => mould.with_suffix(".js"),
            _ => mould,
        };
        moulds.flat_map(|mould| with_source_endings(&whole(mould))).find(|path| self.is_file(path))
    }

    /// Returns where a source lies once it is compiled, as the package's project files have it.
    pub(super) fn compiled_to(&self, source: &RelPath) -> Vec<RelPath> {
        let Some(package) = self.package_around(source) else { return Vec::new() };
        let known = self.compilations(&package);
        let moulds = known.iter().filter_map(|(out, root)| source.rebased(root, out));
        moulds.flat_map(|mould| with_compiled_endings(&mould)).collect()
    }

    /// Takes directories off the front, as long as none of them is one of sources.
    fn customary(&self, package: &Package, compiled: &RelPath) -> Vec<RelPath> {
        let mut moulds = Vec::new();
        let mut rest = compiled.below(&package.dir).unwrap_or_default();
        while let Some((first, tail)) = rest.split_once('/') {
            let homes = [format!("src/{first}"), first.to_owned()];
            let is_output = matches!(first, "dist" | "lib" | "build" | "out");
            if !is_output && homes.iter().filter_map(|home| package.dir.join(home)).any(|home| self.is_dir(&home)) {
                break;
            }
            moulds.extend([format!("src/{tail}"), tail.to_owned()].iter().filter_map(|mould| package.dir.join(mould)));
            rest = tail;
        }
        moulds
    }

    /// Returns the paths under which a source may be published, itself first; a superset.
    pub(super) fn published_from(&self, package: &Package, source: &RelPath) -> BTreeSet<RelPath> {
        let mut moulds = BTreeSet::from([source.clone()]);
        for (out, root) in self.compilations(package) {
            moulds.extend(source.rebased(&root, &out));
        }
        let custom = source.below(&package.dir).map(|rest| rest.strip_prefix("src/").unwrap_or(rest).to_owned());
        for written in package.written().filter_map(|content| package.dir.join(glob::literal(content))) {
            for dir in
                std::iter::successors(Some(written), RelPath::parent).take_while(|dir| dir.is_below(&package.dir))
            {
                moulds.extend(custom.as_ref().and_then(|rest| dir.join(rest)));
            }
        }
        let compiled = moulds.iter().flat_map(with_compiled_endings).collect::<BTreeSet<_>>();
        moulds.into_iter().chain(compiled).collect()
    }

    fn compilations(&self, package: &Package) -> Vec<(RelPath, RelPath)> {
        let mut found = Vec::new();
        for path in self.projects_in(&package.dir) {
            let Some(project) = self.project(&path) else { continue };
            let Some(out) = project.out_dir.clone() else { continue };
            let src = package.dir.join("src").filter(|src| !project.is_composite && self.is_dir(src));
            found.push((out, project.root_dir.clone().or(src).unwrap_or_else(|| project.dir())));
        }
        found
    }
}

fn with_source_endings(mould: &RelPath) -> Vec<RelPath> {
    let compiled = COMPILED.iter().find_map(|(ending, sources)| Some((mould.as_str().strip_suffix(ending)?, sources)));
    let Some((stem, sources)) = compiled else { return vec![mould.clone()] };
    sources.iter().filter_map(|ending| RelPath::root().join(&format!("{stem}{ending}"))).collect()
}

fn with_compiled_endings(mould: &RelPath) -> Vec<RelPath> {
    let (stem, ending) = specifier_endings::split(mould.as_str());
    let fitting = COMPILED.iter().filter(|(_, sources)| sources.contains(&ending));
    fitting.filter_map(|(compiled, _)| RelPath::root().join(&format!("{stem}{compiled}"))).collect()
}
