//! A configuration for pyright and its kin that sees a whole project, made from the project's own.
//!
//! Many projects list in `include` only what they want checked, without their tests; both servers
//! then rename only there, without a word. The generated configuration lies in the cache: basedpyright
//! is pointed at it by its `configFilePath`, pyright by being given its directory as the workspace.

mod installed;
mod namespace_packages;
mod roots;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use self::installed::Installed;
use self::roots::{Place, places};
use super::environment::{ACTIVE, Environment};
use super::spec::Trust;
use crate::syntax::json::json_with_comments;
use crate::text::{AbsPath, ContentHash};
use crate::workspace::{Change, ChangeKind, project_files, read_text_of_project, write_if_changed};

/// Whose configuration is generated: they read different tables of a `pyproject.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Pyright,
    Basedpyright,
}

/// A project, and what is known around it.
#[derive(Clone, Copy)]
pub struct PythonProject<'a> {
    pub root: &'a AbsPath,
    /// Where configurations are generated.
    pub cache: &'a AbsPath,
    pub environment: &'a Environment,
    pub trust: Trust,
}

/// Why no configuration could be generated.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{file}`: {source}")]
pub struct PyrightConfigError {
    pub file: AbsPath,
    pub source: std::io::Error,
}

/// Problems that a wrong rename or move makes: reported at least as warnings, whatever the project
/// says, since a plan is checked by what is new among them.
const NEEDED_RULES: [&str; 10] = [
    "reportAttributeAccessIssue",
    "reportCallIssue",
    "reportIncompatibleMethodOverride",
    "reportIncompatibleVariableOverride",
    "reportIndexIssue",
    "reportMissingImports",
    "reportPossiblyUnbound",
    "reportRedeclaration",
    "reportUndefinedVariable",
    "reportUnsupportedDunderAll",
];

/// What lists and sets hold that are written with members of several classes is of these, unless the project says otherwise:
/// else it is of unknown types (basedpyright 1.40.1), and what is done to it neither renamed nor judged. Dictionaries stay as
/// they are: most with values of several types are records, each value of which is of one.
const KEEPS_MEMBERS: [&str; 2] = ["strictListInference", "strictSetInference"];

/// Writes the configuration of a project and returns its path: the file `pyrightconfig.json` in a directory of its own.
pub fn generate(project: &PythonProject<'_>, flavour: Flavour) -> Result<AbsPath, PyrightConfigError> {
    let file = place_of(project, flavour);
    write(&file, project, flavour)?;
    Ok(file)
}

/// Writes anew what `generate` wrote before, after changes of the project that may bear on it, and
/// returns the files that are different now. One that cannot be written stays as it was.
pub fn renew(project: &PythonProject<'_>, changes: &[Change]) -> Vec<Change> {
    if !changes.iter().any(bears_on_it) {
        return Vec::new();
    }
    let mut renewed = Vec::new();
    for flavour in [Flavour::Pyright, Flavour::Basedpyright] {
        let path = place_of(project, flavour);
        if path.as_path().is_file() && write(&path, project, flavour).unwrap_or(false) {
            renewed.push(Change { path, kind: ChangeKind::Changed });
        }
    }
    renewed
}

/// Tells whether a change may move an import root, or what the project says itself.
fn bears_on_it(change: &Change) -> bool {
    let name = change.path.file_name();
    match change.kind {
        ChangeKind::Changed => ["pyproject.toml", "pyrightconfig.json"].contains(&name),
        _ => roots::PROJECT_FILES.contains(&name) || ["__init__.py", "pyrightconfig.json"].contains(&name),
    }
}

fn place_of(project: &PythonProject<'_>, flavour: Flavour) -> AbsPath {
    let kind = match flavour {
        Flavour::Pyright => "pyright",
        Flavour::Basedpyright => "basedpyright",
    };
    let name = ContentHash::of(project.root.as_str().as_bytes());
    let file = format!("{kind}/{}/pyrightconfig.json", &name.as_str()[..16]);
    project.cache.join(file).expect("a name joined to a UTF-8 path is one")
}

/// Writes the configuration and returns whether it is different from what stood there.
fn write(file: &AbsPath, project: &PythonProject<'_>, flavour: Flavour) -> Result<bool, PyrightConfigError> {
    let root = project.root;
    let dir = file.parent().unwrap_or_else(|| file.clone());
    let own = own_config(root, flavour);
    let failed = |source| PyrightConfigError { file: file.clone(), source };
    let files = project_files(root).map_err(|error| failed(std::io::Error::other(error)))?;
    let paths = Paths { root, dir: &dir };
    let exclude = roots::EVERYWHERE.map(|name| format!("{}/**/{name}", paths.seen_from_dir(root)));
    let foreign = roots::foreign(root, &files);
    let exclude = exclude.into_iter().chain(foreign.iter().map(|dir| paths.seen_from_dir(dir))).collect();
    // A trusted project's environment is asked by its interpreter.
    let installed = match project.trust {
        Trust::Nothing => installed::find(root, project.environment),
        Trust::Project => None,
    };
    let config = widened(own, &paths, Bounds { exclude, places: places(root, &files), installed });
    let text = serde_json::to_string_pretty(&config).expect("a JSON value is written without fail");
    write_if_changed(file, &text).map_err(failed)
}

/// Finds the interpreter that may be asked for its version and its packages.
///
/// Of a trusted project that of a virtual environment in its root, or else of the active one; nothing leaves it to the
/// server, which asks `python` on `PATH`. Of any other project only the user's own: an environment of the project is
/// read, and a path where nothing lies keeps servers from looking for one themselves.
pub fn interpreter(project: &PythonProject<'_>) -> Option<AbsPath> {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let active = ACTIVE.into_iter().filter_map(|name| project.environment.get(name));
    let active = active.filter_map(|dir| AbsPath::new(dir).ok());
    let first = |dirs: &mut dyn Iterator<Item = AbsPath>| {
        dirs.filter_map(|dir| dir.join(inside).ok()).find(|python| python.as_path().is_file())
    };
    if project.trust == Trust::Project {
        return first(&mut installed::directories(project.root).chain(active));
    }
    let on_path = |name: &str| AbsPath::new(project.environment.find_program(name)?).ok();
    let mut active = active;
    first(&mut active)
        .or_else(|| on_path("python3"))
        .or_else(|| on_path("python"))
        .or_else(|| project.cache.join("no-python").ok())
}

/// Returns the project's virtual environment: the directory that is read, or the interpreter that is asked where the
/// project is trusted.
pub fn environment_of(project: &PythonProject<'_>) -> Option<PathBuf> {
    match project.trust {
        Trust::Nothing => installed::find(project.root, project.environment).map(|found| found.dir),
        Trust::Project => interpreter(project),
    }
    .map(|path| path.as_path().to_owned())
}

/// Reads the project's own configuration, as the server would find it; one that does not parse counts as none.
fn own_config(root: &AbsPath, flavour: Flavour) -> Map<String, Value> {
    let read = |name: &str| read_text_of_project(root, &root.join(name).ok()?).ok();
    let json = read("pyrightconfig.json").and_then(|text| json_with_comments(&text));
    let config = json.or_else(|| {
        let table: toml::Table = read("pyproject.toml")?.parse().ok()?;
        let tool = table.get("tool")?;
        let based = tool.get("basedpyright").filter(|_| flavour == Flavour::Basedpyright);
        serde_json::to_value(based.or_else(|| tool.get("pyright"))?).ok()
    });
    match config {
        Some(Value::Object(config)) => config,
        _ => Map::new(),
    }
}

/// The project's root, and the directory of the generated file, from which its paths count.
struct Paths<'a> {
    root: &'a AbsPath,
    dir: &'a AbsPath,
}

/// What the generated configuration covers.
struct Bounds {
    exclude: Vec<String>,
    places: Vec<Place>,
    /// The environment whose packages are read.
    installed: Option<Installed>,
}

/// Keeps what the project says, but for its bounds: they are the whole tree now.
fn widened(own: Map<String, Value>, paths: &Paths<'_>, bounds: Bounds) -> Value {
    let mut config = own;
    // Its paths are those of a project that begins beside the configuration: nothing of it fits here, and basedpyright writes it
    // anew, wherever it lies, when there is less to be said.
    config.remove("baselineFile");
    for key in ["extends", "stubPath", "typeshedPath", "venvPath"] {
        if let Some(value) = config.get_mut(key) {
            paths.rebase(value);
        }
    }
    for key in ["ignore", "strict", "extraPaths"] {
        if let Some(Value::Array(values)) = config.get_mut(key) {
            for value in values {
                paths.rebase(value);
            }
        }
    }
    let outer = bounds.installed.map(|installed| paths.install(&mut config, installed)).unwrap_or_default();
    let extra = config.get("extraPaths").and_then(Value::as_array).cloned().unwrap_or_default();
    let shared = bounds.places.last().map(|place| paths.imports(place, &extra)).unwrap_or_default();
    let mut environments = own_environments(&mut config, paths, &shared);
    environments.extend(bounds.places.iter().map(|place| paths.environment(place, &extra)));
    for environment in &mut environments {
        if let Some(Value::Array(extra)) = environment.get_mut("extraPaths") {
            extra.extend(outer.iter().cloned());
        }
    }
    config.insert("executionEnvironments".to_owned(), Value::Array(environments));
    config.insert("include".to_owned(), json!([paths.seen_from_dir(paths.root)]));
    config.insert("exclude".to_owned(), json!(bounds.exclude));
    config.entry("stubPath").or_insert_with(|| format!("{}/typings", paths.seen_from_dir(paths.root)).into());
    config.entry("typeCheckingMode").or_insert_with(|| "standard".into());
    for option in KEEPS_MEMBERS {
        config.entry(option).or_insert(true.into());
    }
    for rule in NEEDED_RULES {
        let is_quiet =
            |value: &Value| matches!(value.as_str(), Some("none" | "information" | "hint")) || value == false;
        if config.get(rule).is_some_and(is_quiet) || config["typeCheckingMode"] == "off" {
            config.insert(rule.to_owned(), "warning".into());
        }
    }
    Value::Object(config)
}

/// Takes the project's own execution environments out, their paths made to count from the generated
/// file. Behind the import roots that they name come those that the whole tree shares.
fn own_environments(config: &mut Map<String, Value>, paths: &Paths<'_>, shared: &[Value]) -> Vec<Value> {
    let Some(Value::Array(mut environments)) = config.remove("executionEnvironments") else { return Vec::new() };
    for environment in environments.iter_mut().filter_map(Value::as_object_mut) {
        paths.rebase(environment.entry("root").or_insert_with(|| ".".into()));
        let extra = environment.entry("extraPaths").or_insert_with(|| json!([]));
        if let Value::Array(extra) = extra {
            for value in extra.iter_mut() {
                paths.rebase(value);
            }
            let missing: Vec<Value> = shared.iter().filter(|path| !extra.contains(path)).cloned().collect();
            extra.extend(missing);
        }
    }
    environments
}

impl Paths<'_> {
    /// Makes a path that counts from the project's root count from the generated file; `~` and
    /// `${workspaceFolder}` are not resolved here.
    fn rebase(&self, value: &mut Value) {
        let Some(path) = value.as_str() else { return };
        if path.starts_with(['~', '$']) || path.starts_with("**") && path.len() == 2 {
            return;
        }
        if let Ok(path) = self.root.join(path) {
            *value = self.seen_from_dir(&path).into();
        }
    }

    /// Writes a path relative to the generated file's directory: pyright takes no absolute ones in
    /// `include`. Absolute only where no relative path leads there (another drive).
    fn seen_from_dir(&self, path: &AbsPath) -> String {
        let mut up = String::new();
        for base in self.dir.as_path().ancestors() {
            if let Some(rest) = AbsPath::new(base).ok().and_then(|base| path.relative_to(&base)) {
                let whole = format!("{up}{rest}");
                return whole.trim_end_matches('/').to_owned();
            }
            up.push_str("../");
        }
        path.to_string()
    }

    /// Leads to the packages of an environment, unless the project itself names one. Returns where the packages of the
    /// interpreter lie that the environment was made with.
    fn install(&self, config: &mut Map<String, Value>, installed: Installed) -> Vec<Value> {
        if config.contains_key("venv") {
            return Vec::new();
        }
        let Some(holder) = installed.dir.parent() else { return Vec::new() };
        config.insert("venvPath".to_owned(), self.seen_from_dir(&holder).into());
        config.insert("venv".to_owned(), installed.dir.file_name().into());
        if let Some(version) = installed.version {
            config.entry("pythonVersion").or_insert_with(|| version.into());
        }
        installed.outer.iter().map(|dir| self.seen_from_dir(dir).into()).collect()
    }

    fn environment(&self, place: &Place, extra: &[Value]) -> Value {
        json!({ "root": self.seen_from_dir(&place.dir), "extraPaths": self.imports(place, extra) })
    }

    /// Returns the import roots of a place besides itself, behind those of the whole project.
    fn imports(&self, place: &Place, extra: &[Value]) -> Vec<Value> {
        let paths = place.paths.iter().filter(|path| **path != place.dir).map(|path| self.seen_from_dir(path).into());
        extra.iter().cloned().chain(paths).collect()
    }
}
