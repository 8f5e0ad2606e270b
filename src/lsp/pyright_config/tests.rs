//! What the generated configuration keeps, widens and finds.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::{Flavour, generate, interpreter};
use crate::lsp::Environment;
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

    fn file(&self, flavour: Flavour) -> AbsPath {
        let cache = AbsPath::new(self.base.path().join("cache")).unwrap();
        generate(&self.root(), &cache, flavour).unwrap()
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
        assert_eq!(config["stubPath"], "typings");
        assert_eq!(place(&config, "."), json!(["src"]));
    }
}

#[test]
fn its_paths_count_from_the_project_and_its_own_places_come_first() {
    let own = r#"{
        // where things are
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

#[test]
fn the_projects_own_interpreter_comes_before_the_active_one() {
    let scene = Scene::new(&[("a.py", "")]);
    let make = |dir: &Path| {
        std::fs::create_dir_all(dir.join("bin")).unwrap();
        std::fs::write(dir.join("bin/python"), "").unwrap();
        std::fs::write(dir.join("pyvenv.cfg"), "").unwrap();
    };
    let none = Environment::default();
    assert_eq!(interpreter(&scene.root(), &none), None);
    let active = scene.base.path().join("active");
    make(&active);
    let active_environment =
        Environment(BTreeMap::from([("VIRTUAL_ENV".to_owned(), active.to_str().unwrap().to_owned())]));
    let found = |environment| interpreter(&scene.root(), environment).unwrap().as_path().to_owned();
    assert_eq!(found(&active_environment), active.join("bin/python"));
    let odd = scene.root().as_path().join("odd-name");
    make(&odd);
    assert_eq!(found(&active_environment), odd.join("bin/python"));
    let usual = scene.root().as_path().join(".venv");
    make(&usual);
    assert_eq!(found(&none), usual.join("bin/python"));
}
