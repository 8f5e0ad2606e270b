//! What a `package.json` says about the names of its files.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::json::Json;
use super::world::World;
use crate::text::RelPath;

/// A package of the project.
#[derive(Debug, Clone)]
pub(super) struct Package {
    pub dir: RelPath,
    pub name: Option<String>,
    json: Rc<Json>,
}

/// Entries that name the file which the package's bare name stands for, in the order of TypeScript.
const MAINS: [&str; 5] = ["types", "typings", "source", "module", "main"];
const DEPENDENCIES: [&str; 4] = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
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

impl Package {
    pub(super) fn new(dir: &RelPath, json: Rc<Json>) -> Self {
        let name = json.get("name").and_then(Json::as_str).map(str::to_owned);
        Self { dir: dir.clone(), name, json }
    }

    /// Tells whether the package says that it needs another one.
    pub(super) fn depends_on(&self, name: &str) -> bool {
        DEPENDENCIES.iter().any(|list| self.json.get(list).is_some_and(|list| list.get(name).is_some()))
    }

    pub(super) fn has_exports(&self) -> bool {
        self.json.get("exports").is_some()
    }

    /// Returns what the package's own file names for a subpath (`""` for the bare name), best first.
    pub(super) fn targets(&self, subpath: &str) -> Vec<String> {
        if let Some(exports) = self.json.get("exports") {
            return lookup(exports, &format!(".{}{subpath}", if subpath.is_empty() { "" } else { "/" }));
        }
        if subpath.is_empty() {
            return MAINS.iter().filter_map(|main| self.json.get(main)?.as_str()).map(str::to_owned).collect();
        }
        Vec::new()
    }

    /// Returns what `imports` names for a specifier that begins with `#`.
    pub(super) fn imports(&self, specifier: &str) -> Vec<String> {
        self.json.get("imports").map_or_else(Vec::new, |imports| lookup(imports, specifier))
    }

    /// Returns the subpaths of `exports` (`.`, `./a`, `./b/*`), each with all that it may stand for.
    pub(super) fn exported(&self) -> Vec<(String, Vec<String>)> {
        self.json.get("exports").map_or_else(Vec::new, pairs)
    }

    /// Returns the entries of `imports`.
    pub(super) fn imported(&self) -> Vec<(String, Vec<String>)> {
        self.json.get("imports").map_or_else(Vec::new, pairs)
    }

    /// Returns where the source of a compiled file may lie, best first: by the package's project files, then
    /// by the custom of compiling `src` (or the package itself) into a directory beside it.
    pub(super) fn sources(&self, world: &World<'_>, compiled: &RelPath) -> Vec<RelPath> {
        let known = self.compilations(world);
        let mut moulds: Vec<RelPath> = known.iter().filter_map(|(out, root)| compiled.rebased(out, root)).collect();
        if moulds.is_empty() {
            moulds = self.customary(world, compiled);
        }
        moulds.iter().flat_map(with_source_endings).filter(|path| world.is_file(path)).collect()
    }

    /// Takes directories off the front, as long as none of them is one of sources.
    fn customary(&self, world: &World<'_>, compiled: &RelPath) -> Vec<RelPath> {
        let mut moulds = Vec::new();
        let mut rest = compiled.below(&self.dir).unwrap_or_default();
        while let Some((first, tail)) = rest.split_once('/') {
            let homes = [format!("src/{first}"), first.to_owned()];
            let is_output = matches!(first, "dist" | "lib" | "build" | "out");
            if !is_output && homes.iter().filter_map(|home| self.dir.join(home)).any(|home| world.is_dir(&home)) {
                break;
            }
            moulds.extend([format!("src/{tail}"), tail.to_owned()].iter().filter_map(|mould| self.dir.join(mould)));
            rest = tail;
        }
        moulds
    }

    /// Returns the paths under which a source may be published, itself first; a superset.
    pub(super) fn published(&self, world: &World<'_>, source: &RelPath) -> BTreeSet<RelPath> {
        let mut moulds = BTreeSet::from([source.clone()]);
        for (out, root) in self.compilations(world) {
            moulds.extend(source.rebased(&root, &out));
        }
        let custom = source.below(&self.dir).map(|rest| rest.strip_prefix("src/").unwrap_or(rest).to_owned());
        for written in self
            .json
            .strings()
            .iter()
            .filter(|(_, content)| content.contains('/'))
            .filter_map(|(_, content)| self.dir.join(super::glob::literal(content)))
        {
            for dir in std::iter::successors(Some(written), RelPath::parent).take_while(|dir| dir.is_below(&self.dir)) {
                moulds.extend(custom.as_ref().and_then(|rest| dir.join(rest)));
            }
        }
        let compiled = moulds.iter().flat_map(with_compiled_endings).collect::<BTreeSet<_>>();
        moulds.into_iter().chain(compiled).collect()
    }

    fn compilations(&self, world: &World<'_>) -> Vec<(RelPath, RelPath)> {
        let mut found = Vec::new();
        for path in world.projects_in(&self.dir) {
            let Some(project) = world.project(&path) else { continue };
            let Some(out) = project.out_dir.clone() else { continue };
            let src = self.dir.join("src").filter(|src| !project.is_composite && world.is_dir(src));
            found.push((out, project.root_dir.clone().or(src).unwrap_or_else(|| project.dir())));
        }
        found
    }
}

/// Splits a bare specifier into the package's name and the rest behind it, without the slash between.
pub(super) fn split_name(specifier: &str) -> Option<(&str, &str)> {
    let scoped = specifier.starts_with('@');
    let mut slashes = specifier.match_indices('/').map(|(at, _)| at);
    let end = if scoped { slashes.next().and(slashes.next()) } else { slashes.next() };
    if specifier.is_empty() || specifier.starts_with(['.', '/', '#']) || (scoped && !specifier.contains('/')) {
        return None;
    }
    Some(end.map_or((specifier, ""), |end| (&specifier[..end], &specifier[end + 1..])))
}

/// Matches `text` with a pattern that holds at most one `*`; returns what the `*` stands for.
pub(super) fn star<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let Some((before, after)) = pattern.split_once('*') else { return (pattern == text).then_some("") };
    let rest = text.strip_prefix(before)?.strip_suffix(after)?;
    (!rest.is_empty()).then_some(rest)
}

/// Returns the targets of the entry that takes `key`: the exact one, else the longest pattern.
fn lookup(table: &Json, key: &str) -> Vec<String> {
    let pairs = pairs(table);
    let fits =
        |pattern: &String| if pattern == key { Some("") } else { pattern.contains('*').then(|| star(pattern, key))? };
    let best = pairs.iter().filter_map(|(pattern, targets)| Some((pattern, fits(pattern)?, targets)));
    let best = best.max_by_key(|(pattern, rest, _)| (rest.is_empty(), pattern.find('*').unwrap_or(pattern.len())));
    let Some((_, rest, targets)) = best else { return Vec::new() };
    targets.iter().map(|target| target.replace('*', rest)).collect()
}

fn pairs(table: &Json) -> Vec<(String, Vec<String>)> {
    let strings = |value: &Json| value.strings().into_iter().map(|(_, content)| content.to_owned()).collect();
    let is_table = |name: &str| name.starts_with(['.', '#']);
    if !table.entries().iter().any(|(key, _)| is_table(&key.name)) {
        return vec![(".".to_owned(), strings(table))];
    }
    table.entries().iter().map(|(key, value)| (key.name.clone(), strings(value))).collect()
}

fn with_source_endings(mould: &RelPath) -> Vec<RelPath> {
    let compiled = COMPILED.iter().find_map(|(ending, sources)| Some((mould.as_str().strip_suffix(ending)?, sources)));
    let Some((stem, sources)) = compiled else { return vec![mould.clone()] };
    sources.iter().filter_map(|ending| RelPath::root().join(&format!("{stem}{ending}"))).collect()
}

fn with_compiled_endings(mould: &RelPath) -> Vec<RelPath> {
    let (stem, ending) = super::ending::split(mould.as_str());
    let fitting = COMPILED.iter().filter(|(_, sources)| sources.contains(&ending));
    fitting.filter_map(|(compiled, _)| RelPath::root().join(&format!("{stem}{compiled}"))).collect()
}
