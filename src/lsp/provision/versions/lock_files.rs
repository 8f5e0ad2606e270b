//! The version of a package that a project's lock file holds: npm's, pnpm's, Yarn's, Bun's.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::text::AbsPath;
use crate::workspace::read_text_of_project;

/// A lock file of some package manager.
pub(super) struct LockFile {
    /// Where it lies.
    pub dir: AbsPath,
    pub name: &'static str,
    text: String,
}

/// Who asks for a package.
pub(super) struct Asker<'a> {
    /// The directory of its manifest, relative to the lock file's; empty for the same.
    pub dir: &'a str,
    pub name: Option<&'a str>,
    /// The range in its manifest.
    pub range: Option<&'a str>,
}

/// In the order in which package managers prefer their own.
const NAMES: [&str; 5] = ["npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

/// npm's lock file: versions by place since npm 7, by name before.
#[derive(Deserialize)]
struct NpmLock {
    #[serde(default)]
    packages: BTreeMap<String, NpmPackage>,
    #[serde(default)]
    dependencies: BTreeMap<String, NpmPackage>,
}

#[derive(Deserialize)]
struct NpmPackage {
    version: Option<String>,
}

impl LockFile {
    /// Reads the lock file in a directory of the project at `root`, if there is one.
    pub(super) fn of(root: &AbsPath, dir: &AbsPath) -> Option<Self> {
        let read = |name: &'static str| {
            let text = read_text_of_project(root, &dir.join(name).ok()?).ok()?;
            Some(Self { dir: dir.clone(), name, text })
        };
        NAMES.into_iter().find_map(read)
    }

    /// Returns the version of `package` that one who asks for it gets.
    pub(super) fn version(&self, package: &str, asker: &Asker<'_>) -> Option<String> {
        let found = match self.name {
            "pnpm-lock.yaml" => pnpm(&self.text, package, asker.dir),
            "yarn.lock" => yarn(&self.text, package, asker.range?),
            "bun.lock" => bun(&self.text, package, asker.name),
            _ => npm(&self.text, package, asker.dir),
        }?;
        // pnpm writes behind a version what it was installed together with.
        let version = found.split(['(', '_']).next().unwrap_or_default();
        version.starts_with(|first: char| first.is_ascii_digit()).then(|| version.to_owned())
    }
}

/// Looks into the `node_modules` of the asker's directory, then of those above it.
fn npm(text: &str, package: &str, dir: &str) -> Option<String> {
    let lock: NpmLock = serde_json::from_str(text).ok()?;
    let above = std::iter::successors(Some(dir), |dir| {
        (!dir.is_empty()).then(|| dir.rsplit_once('/').map_or("", |(above, _)| above))
    });
    let places = above.map(|dir| format!("{dir}{}node_modules/{package}", if dir.is_empty() { "" } else { "/" }));
    let placed = places.filter_map(|place| lock.packages.get(&place)?.version.clone()).next();
    placed.or_else(|| lock.dependencies.get(package)?.version.clone())
}

/// Reads `importers: DIR: …Dependencies: PACKAGE: version:`, or, without importers, the same at the outermost level.
fn pnpm(text: &str, package: &str, dir: &str) -> Option<String> {
    let importer = if dir.is_empty() { "." } else { dir };
    let mut path: Vec<(usize, &str)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let Some((key, value)) = line.trim().split_once(':') else { continue };
        let (key, value) = (key.trim_matches(['\'', '"']), value.trim().trim_matches(['\'', '"']));
        path.retain(|(above, _)| *above < depth);
        path.push((depth, key));
        let keys: Vec<&str> = path.iter().map(|(_, key)| *key).collect();
        let own = match keys.as_slice() {
            ["importers", asker, own @ ..] if *asker == importer => own,
            [list, ..] if dir.is_empty() && is_list(list) => keys.as_slice(),
            _ => continue,
        };
        match own {
            [list, name, "version"] | [list, name] if is_list(list) && *name == package && !value.is_empty() => {
                return Some(value.to_owned());
            }
            _ => {}
        }
    }
    None
}

fn is_list(key: &str) -> bool {
    matches!(key, "dependencies" | "devDependencies" | "optionalDependencies")
}

/// Reads the `version` below the entry that names the range, as Yarn 1 and its successors write it.
fn yarn(text: &str, package: &str, range: &str) -> Option<String> {
    let wanted = [format!("{package}@{range}"), format!("{package}@npm:{range}")];
    let mut lines = text.lines();
    let is_it = |line: &str| {
        !line.starts_with([' ', '#'])
            && line
                .trim_end_matches(':')
                .split(',')
                .any(|one| wanted.iter().any(|it| it == one.trim().trim_matches('"')))
    };
    lines.find(|line| is_it(&line.replace('"', "")))?;
    let own = lines.take_while(|line| line.starts_with(' '));
    let version = own.filter_map(|line| line.trim().strip_prefix("version")).next()?;
    Some(version.trim_matches([':', ' ', '"']).to_owned())
}

/// Reads `"typescript": ["typescript@5.9.3", …` behind `packages`, below the asker's name first.
fn bun(text: &str, package: &str, asker: Option<&str>) -> Option<String> {
    let own = asker.map(|asker| format!("\"{asker}/{package}\":"));
    let keys = own.into_iter().chain([format!("\"{package}\":")]);
    let version = |key: String| {
        let mut entries = text.lines().filter_map(|line| line.trim().strip_prefix(&key)?.trim().strip_prefix("[\""));
        let entry = entries.next()?.strip_prefix(package)?.strip_prefix('@')?;
        Some(entry.split('"').next()?.to_owned())
    };
    keys.filter_map(version).next()
}

#[cfg(test)]
mod tests {
    use super::{Asker, LockFile};
    use crate::text::AbsPath;

    fn version(name: &'static str, text: &str, asker: &Asker<'_>) -> Option<String> {
        let dir = AbsPath::new(std::env::temp_dir()).unwrap();
        LockFile { dir, name, text: text.to_owned() }.version("typescript", asker)
    }

    fn at<'a>(dir: &'a str, range: &'a str) -> Asker<'a> {
        Asker { dir, name: Some("@a/b"), range: Some(range) }
    }

    #[test]
    fn npm_names_versions_by_place_or_by_name() {
        let text = r#"{"lockfileVersion": 3, "packages": {"": {"name": "x"},
            "node_modules/typescript": {"version": "5.9.2", "dev": true},
            "packages/a/node_modules/typescript": {"version": "5.4.5"}}}"#;
        for (dir, found) in [("", "5.9.2"), ("packages/a", "5.4.5"), ("packages/b", "5.9.2")] {
            assert_eq!(version("package-lock.json", text, &at(dir, "*")).as_deref(), Some(found), "{dir}");
        }
        let old = r#"{"lockfileVersion": 1, "dependencies": {"typescript": {"version": "5.0.2", "requires": {}}}}"#;
        assert_eq!(version("npm-shrinkwrap.json", old, &at("", "*")).as_deref(), Some("5.0.2"));
        assert_eq!(version("package-lock.json", "{", &at("", "*")), None);
    }

    #[test]
    fn pnpm_names_versions_by_importer() {
        let text = "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    devDependencies:\n      typescript:\n        \
                    specifier: ^5.9.0\n        version: 5.9.2\n\n  packages/a:\n    dependencies:\n      \
                    '@x/typescript':\n        version: 1.0.0\n      typescript:\n        specifier: 'catalog:'\n        \
                    version: 5.4.5(patch_hash=1)\n\npackages:\n\n  typescript@5.1.0:\n    version: 5.1.0\n";
        for (dir, found) in [("", Some("5.9.2")), ("packages/a", Some("5.4.5")), ("packages/b", None)] {
            assert_eq!(version("pnpm-lock.yaml", text, &at(dir, "*")).as_deref(), found, "{dir}");
        }
        let old =
            "lockfileVersion: 5.4\n\nspecifiers:\n  typescript: ^5.0.0\n\ndevDependencies:\n  typescript: 5.0.4\n";
        assert_eq!(version("pnpm-lock.yaml", old, &at("", "^5.0.0")).as_deref(), Some("5.0.4"));
        let linked = "importers:\n  .:\n    dependencies:\n      typescript:\n        version: link:../typescript\n";
        assert_eq!(version("pnpm-lock.yaml", linked, &at("", "*")), None);
    }

    #[test]
    fn yarn_names_versions_by_range() {
        let old = "# yarn lockfile v1\n\n\ntypescript@^4.9.0, \"typescript@>=4 <5\":\n  version \"4.9.5\"\n  resolved \
                   \"x\"\n\ntypescript@~5.4.2:\n  version \"5.4.5\"\n";
        for (range, found) in
            [("^4.9.0", Some("4.9.5")), ("~5.4.2", Some("5.4.5")), (">=4 <5", Some("4.9.5")), ("*", None)]
        {
            assert_eq!(version("yarn.lock", old, &at("", range)).as_deref(), found, "{range}");
        }
        let new = "\"typescript@npm:^5.0.0, typescript@npm:~5.8\":\n  version: 5.8.3\n  resolution: \
                   \"typescript@npm:5.8.3\"\n\n\"typescript@patch:typescript@npm%3A^5.0.0#x\":\n  version: 5.8.3\n";
        assert_eq!(version("yarn.lock", new, &at("", "^5.0.0")).as_deref(), Some("5.8.3"));
    }

    #[test]
    fn bun_names_versions_by_name() {
        let text = "{\n  \"workspaces\": {\n    \"\": {\n      \"devDependencies\": {\n        \"typescript\": \"^5\",\n      }\n    }\n  \
                    },\n  \"packages\": {\n    \"typescript\": [\"typescript@5.9.2\", \"\", {}, \"sha512-x\"],\n    \
                    \"@a/b/typescript\": [\"typescript@5.4.5\", \"\", {}, \"sha512-y\"],\n  }\n}\n";
        assert_eq!(version("bun.lock", text, &at("packages/b", "*")).as_deref(), Some("5.4.5"));
        let root = Asker { dir: "", name: None, range: None };
        assert_eq!(version("bun.lock", text, &root).as_deref(), Some("5.9.2"));
    }
}
