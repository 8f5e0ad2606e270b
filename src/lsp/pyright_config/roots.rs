//! Where the imports of a Python project begin: its projects, their `src`, and what they declare.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::namespace_packages::{Imports, Named};
use crate::text::AbsPath;
use crate::workspace::{FileEntry, read_text_of_project};

/// Files that make their directory a project of its own.
pub(super) const PROJECT_FILES: [&str; 4] = ["pyproject.toml", "setup.py", "setup.cfg", "manage.py"];

/// Directories that are foreign wherever they stand.
pub(super) const EVERYWHERE: [&str; 2] = ["node_modules", "__pycache__"];

/// Directories whose packages only the code below them imports.
const APART: [&str; 9] =
    ["tests", "test", "testing", "testdata", "fixtures", "examples", "example", "docs", "benchmarks"];

/// A directory whose code looks for absolute imports in `paths`, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) dir: AbsPath,
    pub(super) paths: Vec<AbsPath>,
}

/// Finds every place below `root`, the deepest first, `root` itself last. Code sees the imports of
/// its own place first, then those that the whole tree shares.
pub(super) fn places(root: &AbsPath, files: &[FileEntry]) -> Vec<Place> {
    let found = Found::among(files, root);
    let mut own: BTreeMap<AbsPath, Vec<AbsPath>> = BTreeMap::new();
    for dir in found.projects.iter().chain([root]) {
        own.insert(dir.clone(), roots_of(dir, root));
    }
    let mut shared: Vec<AbsPath> = Vec::new();
    for (dir, paths) in &own {
        if !is_apart(dir, root) {
            shared.extend(paths.iter().cloned());
        }
    }
    let (mut imports, mut late) = (Imports::new(root, files), Vec::new());
    for dir in found.package_parents() {
        let is_shared = !is_apart(&dir, root) && !shared.contains(&dir);
        let named = match own.contains_key(&dir) {
            true => Named::BySelf,
            false => imports.naming(&dir, own.values().flatten(), &found.packages_in(&dir)),
        };
        match named {
            Named::BySelf => {
                shared.extend(is_shared.then(|| dir.clone()));
                own.entry(dir.clone()).or_insert_with(|| vec![dir]);
            }
            Named::Within => {}
            Named::Either => late.extend(is_shared.then_some(dir)),
        }
    }
    shared.extend(late);
    let mut places: Vec<Place> = own.into_iter().map(|(dir, paths)| place(dir, paths, &shared)).collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.dir.as_path().components().count()));
    places
}

fn place(dir: AbsPath, own: Vec<AbsPath>, shared: &[AbsPath]) -> Place {
    let mut paths = own;
    let others: Vec<AbsPath> = shared.iter().filter(|path| !paths.contains(path)).cloned().collect();
    paths.extend(others);
    Place { dir, paths }
}

/// Tells whether a directory below `root` serves tests or examples alone.
fn is_apart(dir: &AbsPath, root: &AbsPath) -> bool {
    let Some(below) = dir.relative_to(root) else { return false };
    below.as_str().split('/').any(|part| APART.contains(&part))
}

/// Returns the import roots of one project below `root`: its directory, its `src`, and those that it declares.
fn roots_of(dir: &AbsPath, root: &AbsPath) -> Vec<AbsPath> {
    let mut names = vec![String::new(), "src".to_owned()];
    names.extend(declared(dir, root).unwrap_or_default());
    let mut roots: Vec<AbsPath> = Vec::new();
    for path in names.iter().filter_map(|name| dir.join(name).ok()) {
        if path.as_path().is_dir() && !roots.contains(&path) {
            roots.push(path);
        }
    }
    roots
}

/// Reads the directories that a `pyproject.toml` names for setuptools, Poetry, Hatch, PDM, maturin or pytest.
fn declared(dir: &AbsPath, root: &AbsPath) -> Option<Vec<String>> {
    let text = read_text_of_project(root, &dir.join("pyproject.toml").ok()?).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let tool = table.get("tool")?;
    let at = |path: &[&str]| path.iter().try_fold(tool, |at, key| at.get(key));
    let mut names = Vec::new();
    for path in [
        ["setuptools", "packages", "find", "where"].as_slice(),
        &["setuptools", "package-dir", ""],
        &["pdm", "build", "package-dir"],
        &["maturin", "python-source"],
        &["pytest", "ini_options", "pythonpath"],
    ] {
        names.extend(at(path).map(strings).unwrap_or_default());
    }
    let hatch = at(&["hatch", "build", "targets", "wheel", "packages"]).map(strings).unwrap_or_default();
    names.extend(hatch.iter().filter_map(|package| Some(Path::new(package).parent()?.to_str()?.to_owned())));
    let poetry = at(&["poetry", "packages"]).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    names.extend(poetry.iter().filter_map(|package| Some(package.get("from")?.as_str()?.to_owned())));
    Some(names)
}

/// Returns a string, or the strings of an array.
fn strings(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(name) => vec![name.clone()],
        toml::Value::Array(names) => names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// What the list of a project's files tells.
#[derive(Default)]
struct Found {
    projects: BTreeSet<AbsPath>,
    packages: BTreeSet<AbsPath>,
}

impl Found {
    fn among(files: &[FileEntry], root: &AbsPath) -> Self {
        let mut found = Self::default();
        for file in files {
            let Some(dir) = file.path.parent() else { continue };
            if PROJECT_FILES.contains(&file.path.file_name()) {
                found.projects.insert(dir);
            } else if file.path.file_name() == "__init__.py" && dir != *root {
                found.packages.insert(dir);
            }
        }
        found
    }

    /// Returns the directories that hold a package and are none themselves.
    fn package_parents(&self) -> BTreeSet<AbsPath> {
        self.packages.iter().filter_map(AbsPath::parent).filter(|dir| !self.packages.contains(dir)).collect()
    }

    fn packages_in(&self, dir: &AbsPath) -> Vec<&str> {
        let inside = self.packages.iter().filter(|package| package.parent().as_ref() == Some(dir));
        inside.map(AbsPath::file_name).collect()
    }
}

/// Finds the directories without a file of the project's own: ignored ones, environments, links.
/// Empty ones are left out, since the next file may come to lie there.
pub(super) fn foreign(root: &AbsPath, files: &[FileEntry]) -> BTreeSet<AbsPath> {
    let mut own = BTreeSet::from([root.clone()]);
    for file in files {
        let above = std::iter::successors(file.path.parent(), AbsPath::parent);
        own.extend(above.take_while(|dir| dir.is_below(root) && !own.contains(dir)).collect::<Vec<_>>());
    }
    let children = own.iter().flat_map(children).filter(|dir| !own.contains(dir));
    children.filter(|dir| !EVERYWHERE.contains(&dir.file_name())).collect()
}

/// Returns the directories, and links to directories, in a directory that hold something.
fn children(dir: &AbsPath) -> Vec<AbsPath> {
    let entries = std::fs::read_dir(dir.as_path()).into_iter().flatten().flatten();
    let dirs = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink()));
    let full = dirs.filter(|entry| std::fs::read_dir(entry.path()).is_ok_and(|mut inside| inside.next().is_some()));
    full.filter_map(|entry| AbsPath::new(entry.path()).ok()).collect()
}

/// Tells whether a directory is a virtual environment.
pub(super) fn is_environment(dir: &Path) -> bool {
    dir.join("pyvenv.cfg").is_file() || dir.join("conda-meta").is_dir()
}
