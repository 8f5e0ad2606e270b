//! What the generated configuration keeps, widens and finds.

use std::path::Path;

use serde_json::{Value, json};

use super::{Flavour, PythonProject, generate, interpreter};
use crate::lsp::{Environment, Trust};
use crate::text::AbsPath;

/// A project and a cache side by side, so that relative paths are easy to read.
struct Scene {
    base: tempfile::TempDir,
}

impl Scene {
    fn new(files: &[(&str, &str)]) -> Self {
        let base = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = base.path().join("project").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { base }
    }

    fn root(&self) -> AbsPath {
        AbsPath::new(self.base.path().join("project")).unwrap()
    }

    fn cache(&self) -> AbsPath {
        AbsPath::new(self.base.path().join("cache")).unwrap()
    }

    fn file(&self, flavour: Flavour) -> AbsPath {
        let (root, cache, environment) = (self.root(), self.cache(), self.environment(&[]));
        let project = PythonProject { root: &root, cache: &cache, environment: &environment, trust: Trust::Nothing };
        generate(&project, flavour).unwrap()
    }

    fn interpreter(&self, variables: &[(&str, &Path)], trust: Trust) -> Option<AbsPath> {
        let (root, cache, environment) = (self.root(), self.cache(), self.environment(variables));
        interpreter(&PythonProject { root: &root, cache: &cache, environment: &environment, trust })
    }

    /// Variables as a session hands them on.
    fn environment(&self, variables: &[(&str, &Path)]) -> Environment {
        let variables = variables.iter().map(|(name, path)| ((*name).to_owned(), path.to_str().unwrap().to_owned()));
        Environment(variables.collect()).away_from(&self.root())
    }

    /// The generated configuration, its paths written from the project's root.
    fn config(&self, flavour: Flavour) -> Value {
        let text = std::fs::read_to_string(self.file(flavour).as_path()).unwrap();
        let up = "../../../project";
        serde_json::from_str(&text.replace(&format!("{up}/"), "").replace(up, ".")).unwrap()
    }
}

fn place(config: &Value, root: &str) -> Value {
    let places = config["executionEnvironments"].as_array().unwrap();
    places.iter().find(|place| place["root"] == root).map(|place| place["extraPaths"].clone()).unwrap_or_default()
}

#[test]
fn the_bounds_are_the_whole_tree_whatever_the_project_says() {
    let scene = Scene::new(&[
        (
            "pyproject.toml",
            "[tool.pyright]\ninclude = ['src']\nexclude = ['tests']\npythonVersion = '3.9'\nreportAny = true",
        ),
        ("src/pkg/__init__.py", ""),
        ("tests/test_pkg.py", ""),
    ]);
    for flavour in [Flavour::Pyright, Flavour::Basedpyright] {
        let config = scene.config(flavour);
        assert_eq!(config["include"], json!(["."]));
        assert_eq!(config["exclude"], json!(["**/node_modules", "**/__pycache__"]));
        assert_eq!(config["pythonVersion"], "3.9");
        assert_eq!(config["reportAny"], true);
        assert_eq!(config["typeCheckingMode"], "standard");
        assert_eq!(config["strictListInference"], true);
        assert_eq!(config["strictDictionaryInference"], Value::Null);
        assert_eq!(config["stubPath"], "typings");
        assert_eq!(place(&config, "."), json!(["src"]));
    }
}

#[test]
fn its_paths_count_from_the_project_and_its_own_places_come_first() {
    let own = r#"{
        "strictSetInference": false, // where things are
        "extraPaths": ["lib"], "venvPath": ".", "venv": ".venv", "strict": ["src/**"], "ignore": ["**"],
        "stubPath": "stubs", "typeCheckingMode": "strict", "extends": "./base.json",
        "executionEnvironments": [{ "root": "src", "extraPaths": ["lib", "/opt/lib"], "pythonVersion": "3.8" }],
    }"#;
    let scene = Scene::new(&[("pyrightconfig.json", own), ("src/a.py", ""), ("base.json", "{}")]);
    let config = scene.config(Flavour::Pyright);
    assert_eq!(config["extraPaths"], json!(["lib"]));
    assert_eq!(config["venvPath"], ".");
    assert_eq!(config["venv"], ".venv");
    assert_eq!(config["strict"], json!(["src/**"]));
    assert_eq!(config["ignore"], json!(["**"]));
    assert_eq!(config["stubPath"], "stubs");
    assert_eq!(config["typeCheckingMode"], "strict");
    assert_eq!(config["strictSetInference"], false);
    assert_eq!(config["extends"], "base.json");
    let first = &config["executionEnvironments"][0];
    assert_eq!(first["root"], "src");
    assert_eq!(first["pythonVersion"], "3.8");
    assert_eq!(first["extraPaths"][0], "lib");
    assert!(first["extraPaths"][1].as_str().unwrap().ends_with("../opt/lib"), "{first}");
    assert_eq!(first["extraPaths"][2], "src", "what the tree shares comes behind");
    assert_eq!(place(&config, "."), json!(["lib", "src"]), "the project's own extra paths come first");
}

#[test]
fn what_a_plan_is_checked_by_is_reported_even_where_the_project_is_silent() {
    let quiet = "[tool.pyright]\nreportAttributeAccessIssue = false\nreportCallIssue = 'error'\nreportOptionalMemberAccess = false";
    let config = Scene::new(&[("pyproject.toml", quiet)]).config(Flavour::Pyright);
    assert_eq!(config["reportAttributeAccessIssue"], "warning");
    assert_eq!(config["reportCallIssue"], "error");
    assert_eq!(config["reportOptionalMemberAccess"], false);
    assert_eq!(config["reportUndefinedVariable"], Value::Null, "left to the mode");
    let off = Scene::new(&[("pyproject.toml", "[tool.pyright]\ntypeCheckingMode = 'off'")]).config(Flavour::Pyright);
    assert_eq!(off["reportUndefinedVariable"], "warning");
}

#[test]
fn each_server_reads_its_own_table() {
    let both = "[tool.pyright]\npythonVersion = '3.9'\n[tool.basedpyright]\npythonVersion = '3.12'";
    let scene = Scene::new(&[("pyproject.toml", both)]);
    assert_eq!(scene.config(Flavour::Pyright)["pythonVersion"], "3.9");
    assert_eq!(scene.config(Flavour::Basedpyright)["pythonVersion"], "3.12");
    let broken = Scene::new(&[("pyproject.toml", "[tool.pyright")]);
    assert_eq!(broken.config(Flavour::Pyright)["include"], json!(["."]));
}

#[test]
fn the_projects_of_a_monorepo_see_their_own_packages_first() {
    let scene = Scene::new(&[
        ("libs/core/pyproject.toml", ""),
        ("libs/core/src/core/__init__.py", ""),
        ("libs/app/setup.py", ""),
        ("libs/app/app/__init__.py", ""),
        ("libs/app/app/deep/__init__.py", ""),
        ("backend/site/__init__.py", ""),
        ("tests/data/fake/__init__.py", ""),
        ("rust/pyproject.toml", "[tool.maturin]\npython-source = 'python'"),
        ("rust/python/fast/__init__.py", ""),
    ]);
    let config = scene.config(Flavour::Basedpyright);
    let shared = ["libs/app", "libs/core", "libs/core/src", "rust", "rust/python", "backend"];
    assert_eq!(place(&config, "."), json!(shared));
    assert_eq!(place(&config, "libs/core")[0], "libs/core/src");
    assert_eq!(place(&config, "libs/app")[0], ".");
    assert_eq!(place(&config, "tests/data")[0], ".", "what tests bring along is seen by themselves alone");
    let places = config["executionEnvironments"].as_array().unwrap();
    assert_eq!(places.last().unwrap()["root"], ".", "the widest place comes last");
    assert_eq!(places[0]["root"], "libs/core/src");
}

#[test]
fn a_namespace_package_is_no_import_root_of_its_own() {
    let scene = Scene::new(&[
        ("pyproject.toml", ""),
        // `acme/acme.py` would hide the package from what lies beside it.
        ("src/acme/acme.py", "import json\nfrom acme.store import Store"),
        ("src/acme/json/__init__.py", ""),
        ("src/acme/store/__init__.py", "class Store: pass"),
        ("libs/tools/__init__.py", ""),
        ("libs/main.py", "from tools import run"),
        ("apps/web/__init__.py", ""),
        ("apps/main.py", "from apps import web"),
        ("apps/serve.py", "import web.pages"),
    ]);
    let config = scene.config(Flavour::Basedpyright);
    assert_eq!(place(&config, "."), json!(["src", "libs", "apps"]), "whoever says `web` alone is understood, too");
    assert_eq!(place(&config, "libs"), json!([".", "src", "apps"]));
    assert_eq!(place(&config, "src/acme"), Value::Null);
    assert_eq!(place(&config, "apps"), Value::Null);
}

#[test]
fn environments_and_ignored_directories_stay_outside() {
    let scene = Scene::new(&[
        (".gitignore", "build/\n"),
        ("pkg/__init__.py", ""),
        ("build/lib/pkg/__init__.py", ""),
        ("my-env/pyvenv.cfg", ""),
        ("my-env/lib/x.py", ""),
        (".tox/py/x.py", ""),
        (".github/scripts/release.py", ""),
    ]);
    std::fs::create_dir(scene.root().as_path().join("empty")).unwrap();
    let config = scene.config(Flavour::Pyright);
    assert_eq!(config["exclude"], json!(["**/node_modules", "**/__pycache__", ".tox", "build", "my-env"]));
}

#[test]
fn the_file_is_left_alone_while_nothing_changes() {
    let scene = Scene::new(&[("a.py", "")]);
    let first = scene.file(Flavour::Pyright);
    let written = std::fs::metadata(first.as_path()).unwrap().modified().unwrap();
    let second = scene.file(Flavour::Pyright);
    assert_eq!(first, second);
    assert_eq!(std::fs::metadata(second.as_path()).unwrap().modified().unwrap(), written);
    assert_ne!(scene.file(Flavour::Basedpyright), first);
    assert!(!first.is_below(&scene.root()));
}

fn make_environment(dir: &Path) {
    std::fs::create_dir_all(dir.join("bin")).unwrap();
    std::fs::write(dir.join("bin/python"), "").unwrap();
    std::fs::write(dir.join("pyvenv.cfg"), "").unwrap();
}

#[test]
fn a_trusted_projects_own_interpreter_comes_before_the_active_one() {
    let scene = Scene::new(&[("a.py", "")]);
    assert_eq!(scene.interpreter(&[], Trust::Project), None);
    let active = scene.base.path().join("active");
    make_environment(&active);
    let found =
        |variables: &[(&str, &Path)]| scene.interpreter(variables, Trust::Project).unwrap().as_path().to_owned();
    assert_eq!(found(&[("VIRTUAL_ENV", active.as_path())]), active.join("bin/python"));
    let odd = scene.root().as_path().join("odd-name");
    make_environment(&odd);
    assert_eq!(found(&[("VIRTUAL_ENV", active.as_path())]), odd.join("bin/python"));
    let usual = scene.root().as_path().join(".venv");
    make_environment(&usual);
    assert_eq!(found(&[]), usual.join("bin/python"));
}

#[test]
fn no_interpreter_inside_a_project_is_asked_unless_it_is_trusted() {
    let scene = Scene::new(&[("a.py", "")]);
    let nowhere = scene.cache().as_path().join("no-python");
    let (own, active) = (scene.root().as_path().join(".venv"), scene.base.path().join("active"));
    let nested = scene.root().as_path().join("backend/environment");
    for dir in [&own, &nested, &active] {
        make_environment(dir);
    }
    let found =
        |variables: &[(&str, &Path)]| scene.interpreter(variables, Trust::Nothing).unwrap().as_path().to_owned();
    assert_eq!(found(&[]), nowhere);
    assert_eq!(found(&[("VIRTUAL_ENV", nested.as_path())]), nowhere);
    assert_eq!(found(&[("CONDA_PREFIX", own.as_path())]), nowhere);
    assert_eq!(found(&[("VIRTUAL_ENV", active.as_path())]), active.join("bin/python"));
}

#[test]
fn an_environment_is_read_from_its_layout_and_its_file() {
    let packages = ".venv/lib/python3.9/site-packages/x.py";
    let read = |cfg: &str| Scene::new(&[(".venv/pyvenv.cfg", cfg), (packages, "")]).config(Flavour::Basedpyright);
    for (cfg, version) in [
        ("home = /usr/bin\nversion = 3.11.7\n", "3.11"),
        ("version_info = 3.12.1.final.0\n", "3.12"),
        ("", "3.9"),
        ("version = $(evil)\n", "3.9"),
    ] {
        let config = read(cfg);
        assert_eq!((&config["venvPath"], &config["venv"]), (&json!("."), &json!(".venv")), "{cfg}");
        assert_eq!(config["pythonVersion"], version, "{cfg}");
    }
    let own = Scene::new(&[
        ("pyrightconfig.json", r#"{"venvPath": "envs", "venv": "mine", "pythonVersion": "3.8"}"#),
        (".venv/pyvenv.cfg", "version = 3.11"),
        (packages, ""),
    ]);
    let config = own.config(Flavour::Pyright);
    assert_eq!((&config["venvPath"], &config["venv"]), (&json!("envs"), &json!("mine")));
    assert_eq!(config["pythonVersion"], "3.8");
    let hollow = Scene::new(&[(".venv/bin/python", "")]).config(Flavour::Pyright);
    assert_eq!(hollow["venv"], Value::Null, "nothing is installed there");
}

#[test]
fn the_packages_around_an_environment_count_where_the_users_path_leads_to_them() {
    let scene = Scene::new(&[
        (".venv/pyvenv.cfg", "home = HOME/bin\ninclude-system-site-packages = true\nversion = 3.11.7"),
        (".venv/lib/python3.11/site-packages/x.py", ""),
    ]);
    let base = scene.base.path().join("usr");
    std::fs::create_dir_all(base.join("bin")).unwrap();
    std::fs::create_dir_all(base.join("lib/python3.11/site-packages")).unwrap();
    let cfg = scene.root().as_path().join(".venv/pyvenv.cfg");
    let text = std::fs::read_to_string(&cfg).unwrap().replace("HOME", base.to_str().unwrap());
    std::fs::write(&cfg, text).unwrap();
    let read = |variables: &[(&str, &Path)]| {
        let found = super::installed::find(&scene.root(), &scene.environment(variables)).unwrap();
        found.outer.iter().map(|dir| dir.as_path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(read(&[]), [] as [std::path::PathBuf; 0]);
    let packages = base.join("lib/python3.11/site-packages");
    assert_eq!(read(&[("PATH", base.join("bin").as_path())]), [packages]);
}
