//! What a `package.json` says about the names of its files.

use std::rc::Rc;

use super::json::Json;
use super::specifiers::star;
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
/// Programs that write one file for many, wherever their settings say.
pub(super) const BUNDLERS: [&str; 17] = [
    "babel",
    "bunchee",
    "esbuild",
    "microbundle",
    "ncc",
    "parcel",
    "pkgroll",
    "preconstruct",
    "rolldown",
    "rollup",
    "rspack",
    "swc",
    "tsdown",
    "tsup",
    "unbuild",
    "vite",
    "webpack",
];
/// What says something about the package, and names none of its files.
const PROSE: [&str; 8] = ["author", "bugs", "description", "homepage", "keywords", "license", "name", "repository"];
const DEPENDENCIES: [&str; 4] = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

impl Package {
    pub(super) fn new(dir: &RelPath, json: Rc<Json>) -> Self {
        let name = json.get("name").and_then(Json::as_str).map(str::to_owned);
        Self { dir: dir.clone(), name, json }
    }

    /// Tells whether the package says that it needs another one.
    pub(super) fn depends_on(&self, name: &str) -> bool {
        DEPENDENCIES.iter().any(|list| self.json.get(list).is_some_and(|list| list.get(name).is_some()))
    }

    /// Tells whether its `.js` files are ECMAScript modules.
    pub(super) fn is_module(&self) -> bool {
        self.json.get("type").and_then(Json::as_str) == Some("module")
    }

    /// Tells whether something else than the TypeScript compiler makes what it publishes, as far as it says so.
    pub(super) fn is_bundled(&self) -> bool {
        let scripts = self.json.get("scripts").into_iter().flat_map(Json::strings);
        let said = scripts.flat_map(|(_, script)| script.split(|one: char| !(one.is_alphanumeric() || one == '-')));
        said.into_iter().any(|word| BUNDLERS.contains(&word)) || BUNDLERS.iter().any(|it| self.json.get(it).is_some())
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

    /// Returns every path that the package's own file writes.
    pub(super) fn written(&self) -> impl Iterator<Item = &str> {
        let told = self.json.entries().iter().filter(|(key, _)| !PROSE.contains(&key.name.as_str()));
        let strings = told.flat_map(|(_, value)| value.strings());
        strings.map(|(_, content)| content).filter(|content| content.contains('/'))
    }

    /// Tells whether a path from the package's directory goes along when the package is published, as far as `files` says so.
    pub(super) fn publishes(&self, path: &str) -> bool {
        let Some(files) = self.json.get("files") else { return true };
        files.strings().into_iter().any(|(_, listed)| {
            let listed = listed.trim_start_matches("./").trim_start_matches('/').split('*').next().unwrap_or_default();
            let rest = path.strip_prefix(listed.trim_end_matches('/'));
            listed.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        })
    }
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
