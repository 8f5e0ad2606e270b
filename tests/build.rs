//! The build tools, as an agent and a shell meet them: what servers find, and what a project's own programs say.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::explore::{begun, refused, said};
use crate::faces::Project;
#[cfg(target_os = "linux")]
use crate::faces::marked;
use crate::mcp::Client;

const TOOLSETS: &str = "plan,explore,write,build";

const ORDER: &str = "class Order:\n    def __init__(self, size: int) -> None:\n        self.size = size\n\n    def total(self, \
                     rate: int) -> int:\n        return self.size * rate\n";

const SHOP: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
    ("shop/__init__.py", ""),
    ("shop/order.py", ORDER),
    (
        "tests/test_order.py",
        "import unittest\n\nfrom shop.order import Order\n\n\nclass OrderTest(unittest.TestCase):\n    def test_total(self):\n        \
         self.assertEqual(Order(2).total(3), 6)\n\n    def test_nothing(self):\n        self.assertEqual(Order(0).total(3), 0)\n\n    \
         @unittest.skip(\"later\")\n    def test_later(self):\n        self.fail()\n",
    ),
];

fn with(files: &[(&str, &str)]) -> (Project, Client) {
    let project = Project::with(files);
    let client = begun(&project, TOOLSETS);
    (project, client)
}

/// The counts of an answer: passed, failed, skipped.
pub(crate) fn counts(tested: &Value) -> [u64; 3] {
    ["passed", "failed", "skipped"].map(|name| tested[name].as_u64().unwrap_or_else(|| panic!("{tested}")))
}

pub(crate) fn result<'a>(tested: &'a Value, name: &str) -> &'a Value {
    let all = tested["results"].as_array().unwrap();
    let found = all.iter().find(|one| one["name"].as_str().unwrap().contains(name));
    found.unwrap_or_else(|| panic!("no {name}: {tested}"))
}

#[test]
fn a_check_sees_the_drafts_and_says_success_only_of_what_has_no_error() {
    let (project, mut client) = with(SHOP);
    let before = project.files();
    let clean = said(&mut client, "check", json!({}));
    assert_eq!((&clean["success"], &clean["not_looked_at"]), (&json!(true), &json!([])), "{clean}");
    let edit = json!({"id": "shop/order.py::Order::total", "old": "self.size * rate", "new": "self.sise * rate"});
    said(&mut client, "edit_source", edit);
    let broken = said(&mut client, "check", json!({"path": "shop/order.py"}));
    assert_eq!((&broken["success"], &broken["dirty"]), (&json!(false), &json!(["shop/order.py"])), "{broken}");
    let found = &broken["diagnostics"][0];
    let place = (&found["severity"], &found["file"], &found["line"], &found["column"], &found["span"]);
    assert_eq!(
        place,
        (&json!("error"), &json!("shop/order.py"), &json!(6), &json!(21), &json!([6, 21, 6, 25])),
        "{broken}"
    );
    // A file that is only drafted is looked at as well.
    said(&mut client, "add_declaration", json!({"path": "shop/till.py", "source": "TILL: int = \"x\""}));
    let drafted = said(&mut client, "check", json!({"path": "shop/till.py"}));
    assert_eq!(drafted["diagnostics"][0]["file"], "shop/till.py", "{drafted}");
    let listed = said(&mut client, "listProblems", json!({"paths": ["shop/till.py"]}));
    assert_eq!(listed["filesLookedAt"], 1, "{listed}");
    assert!(refused(&mut client, "check", json!({"path": "pyproject.toml"})).contains("holds no code"));
    // So is one that came since the last question.
    let new = project.root().join("shop/new.py");
    std::fs::write(&new, "print(gone)\n").unwrap();
    let came = said(&mut client, "check", json!({"path": "shop/new.py"}));
    assert_eq!(came["diagnostics"][0]["file"], "shop/new.py", "{came}");
    std::fs::remove_file(new).unwrap();
    assert!(refused(&mut client, "check", json!({"path": "shop/gone.py"})).contains("does not exist"));
    drop(client);
    assert_eq!(project.files(), before, "nothing was written");
    // A shell sees the same drafts.
    let ran = project.run(&["check"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("shop/order.py:6:21: error: "), "{ran:?}");
    assert!(ran.stderr.contains("looked at the draft of shop/order.py"), "{ran:?}");
}

#[test]
fn what_cannot_be_looked_at_is_no_success() {
    let project = Project::with(&SHOP[..3]);
    let mut command = project.command(&["check", "--output", "json", "--offline"]);
    command.env("XDG_CACHE_HOME", project.outside().join("cache"));
    let ran = crate::faces::Ran::of(command.output().unwrap());
    let checked = ran.json();
    assert_eq!((ran.code, &checked["success"]), (Some(3), &json!(false)), "{ran:?}");
    assert_eq!(checked["not_looked_at"][0]["files"].as_array().unwrap().len(), 2, "{checked}");
}

#[test]
fn tests_of_unittest_are_run_with_the_drafts() {
    let (project, mut client) = with(SHOP);
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 0, 1], &json!(true)), "{tested}");
    let total = result(&tested, "test_total");
    assert_eq!((&total["file"], &total["line"]), (&json!("tests/test_order.py"), &json!(7)), "{tested}");
    assert_eq!(result(&tested, "test_later")["output"], "later");
    let before = project.text("shop/order.py");
    let edit = json!({"id": "shop/order.py::Order::total", "old": "self.size * rate", "new": "self.size + rate"});
    said(&mut client, "edit_source", edit);
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([0, 2, 1], &json!(false)), "{tested}");
    assert_eq!(tested["dirty"], json!(["shop/order.py"]));
    let output = result(&tested, "test_total")["output"].as_str().unwrap();
    assert!(output.contains("AssertionError: 5 != 6"), "{output}");
    assert!(output.contains(project.root().to_str().unwrap()), "the project is named, not its copy: {output}");
    assert_eq!(project.text("shop/order.py"), before, "nothing is written");
    // Names can be passed back.
    let one = said(&mut client, "test", json!({"filter": "test_nothing", "path": "tests/test_order.py"}));
    assert_eq!(counts(&one), [0, 1, 0], "{one}");
    assert!(refused(&mut client, "test", json!({"filter": "test_none"})).contains("found no test"));
    assert!(refused(&mut client, "test", json!({"path": "shop/order.py"})).contains("found no test"));
    assert!(refused(&mut client, "test", json!({"filter": "-x"})).contains("no test's name contains"));
    drop(client);
    let ran = project.run(&["test", "--filter", "test_total"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("(tests/test_order.py:7)\n"), "{ran:?}");
    assert!(ran.stdout.ends_with("0 passed, 1 failed, 0 skipped\n"), "{ran:?}");
}

/// An environment with pytest, made once.
fn environment() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pytest-8.4.2");
        if !dir.join("bin/pytest").exists() {
            let made = Command::new("python3").args(["-m", "venv"]).arg(&dir).status().unwrap();
            assert!(made.success());
            let pip = ["install", "--quiet", "--disable-pip-version-check", "pytest==8.4.2"];
            assert!(Command::new(dir.join("bin/pip")).args(pip).status().unwrap().success());
        }
        dir
    })
}

const PYTESTS: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
    ("shop/__init__.py", ""),
    ("shop/order.py", ORDER),
    (
        "tests/test_order.py",
        "import pytest\n\nfrom shop.order import Order\n\n\n@pytest.mark.parametrize(\"rate\", [1, 2])\ndef test_total(rate):\n    \
         assert Order(2).total(rate) == 2 * rate\n\n\n@pytest.mark.skip(reason=\"later\")\ndef test_later():\n    raise \
         OSError\n\n\n@pytest.mark.xfail\ndef test_known():\n    assert False\n",
    ),
    ("tests/test_broken.py", "import nowhere\n"),
];

#[test]
fn tests_of_pytest_are_told_one_by_one() {
    let project = Project::with(PYTESTS);
    std::os::unix::fs::symlink(environment(), project.root().join(".venv")).unwrap();
    let mut client = begun(&project, TOOLSETS);
    let tested = said(&mut client, "test", json!({"path": "tests/test_order.py"}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 0, 2], &json!(true)), "{tested}");
    let one = result(&tested, "test_total[2]");
    assert_eq!((&one["file"], &one["line"]), (&json!("tests/test_order.py"), &json!(6)), "{tested}");
    let one = said(&mut client, "test", json!({"path": "tests/test_order.py", "filter": "test_total[2]"}));
    assert_eq!(counts(&one), [1, 0, 0], "{one}");
    let all = said(&mut client, "test", json!({}));
    assert_eq!((counts(&all)[1], &all["success"]), (1, &json!(false)), "{all}");
    let broken = result(&all, "test_broken");
    assert!(broken["output"].as_str().unwrap().contains("No module named 'nowhere'"), "{broken}");
    let edit = json!({"id": "shop/order.py::Order::total", "old": "self.size * rate", "new": "self.size + rate"});
    said(&mut client, "edit_source", edit);
    let drafted = said(&mut client, "test", json!({"path": "tests/test_order.py"}));
    assert_eq!(counts(&drafted), [1, 1, 2], "2 + 2 is 2 * 2: {drafted}");
}

#[test]
fn what_loads_the_file_of_a_draft_from_the_disk_is_told() {
    let project = Project::with(PYTESTS);
    std::os::unix::fs::symlink(environment(), project.root().join(".venv")).unwrap();
    // As an installation that can be edited does, where its finder stands before `PYTHONPATH`.
    let root = project.root();
    let insists = format!("import sys\nsys.path.insert(0, {:?})\n", root.to_str().unwrap());
    project.write("tests/conftest.py", insists);
    let mut client = begun(&project, TOOLSETS);
    let edit = json!({"id": "shop/order.py::Order::total", "old": "self.size * rate", "new": "self.size + rate"});
    said(&mut client, "edit_source", edit);
    let tested = said(&mut client, "test", json!({"path": "tests/test_order.py"}));
    assert_eq!(tested["success"], false, "{tested}");
    assert!(tested["trouble"][0].as_str().unwrap().contains("`shop/order.py` was loaded from the disk"), "{tested}");
}

#[test]
fn a_test_that_is_written_elsewhere_is_one_of_the_file_that_runs_it() {
    let (_project, mut client) = with(&[
        SHOP[0],
        ("tests/__init__.py", "class Shared:\n    def test_shared(self):\n        self.assertEqual(self.size, 2)\n"),
        (
            "tests/test_order.py",
            "import unittest\n\nfrom . import Shared\n\n\nclass OrderTest(Shared, unittest.TestCase):\n    size = 3\n\n    def \
             test_own(self):\n        pass\n",
        ),
    ]);
    let tested = said(&mut client, "test", json!({"path": "tests/test_order.py"}));
    assert_eq!((counts(&tested), &tested["success"]), ([1, 1, 0], &json!(false)), "{tested}");
}

#[test]
fn what_is_not_installed_is_no_success() {
    let project = Project::with(PYTESTS);
    let made =
        Command::new("python3").args(["-m", "venv", "--without-pip", ".venv"]).current_dir(project.root()).status();
    assert!(made.unwrap().success());
    let mut client = begun(&project, TOOLSETS);
    let error = refused(&mut client, "test", json!({}));
    assert!(error.contains("are written for pytest") && error.contains("pip install pytest"), "{error}");
    let vitest = [("package.json", "{ \"scripts\": { \"test\": \"vitest run\" } }"), ("a.test.ts", "")];
    let (_project, mut client) = with(&vitest);
    let error = refused(&mut client, "test", json!({}));
    assert!(error.contains("run by `vitest`, which is not installed") && error.contains("npm install"), "{error}");
    // What has no tests is of no account beside what has some; what has some that nobody here can run is no success.
    let (project, mut client) = with(SHOP);
    project.write("package.json", "{ \"devDependencies\": { \"prettier\": \"^3\" } }");
    assert_eq!(said(&mut client, "test", json!({}))["success"], true);
    project.write("package.json", "{ \"scripts\": { \"test\": \"tap\" } }");
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 0, 1], &json!(false)), "{tested}");
    assert!(tested["trouble"][0].as_str().unwrap().contains("no runner whose report is read here"), "{tested}");
    let (_project, mut client) = with(&[("package.json", "{ \"scripts\": { \"test\": \"tap\" } }"), ("a.js", "")]);
    let error = refused(&mut client, "test", json!({}));
    assert!(error.contains("has no runner whose report is read here"), "{error}");
    let (_project, mut client) = with(&[("a.c", "int main() { return 0; }\n")]);
    assert!(refused(&mut client, "test", json!({})).contains("no tests are known"));
}

const SCRIPT: &[(&str, &str)] = &[
    ("package.json", "{ \"name\": \"shop\", \"type\": \"module\", \"scripts\": { \"test\": \"node --test\" } }\n"),
    ("src/order.js", "export function total(size, rate) {\n  return size * rate;\n}\n"),
    (
        "test/order.test.js",
        "import assert from 'node:assert';\nimport { describe, it, test } from 'node:test';\nimport { total } from \
         '../src/order.js';\n\ndescribe('total', () => {\n  it('multiplies', () => assert.equal(total(2, 3), 6));\n  it('is none', \
         () => assert.equal(total(0, 3), 0));\n});\ntest('later', { skip: true }, () => {});\n",
    ),
];

#[test]
fn tests_of_node_are_run_with_the_drafts() {
    let (_project, mut client) = with(SCRIPT);
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 0, 1], &json!(true)), "{tested}");
    let one = result(&tested, "total > multiplies");
    assert_eq!((&one["file"], &one["line"]), (&json!("test/order.test.js"), &json!(6)), "{tested}");
    let edit = json!({"id": "src/order.js#total", "old": "size * rate", "new": "size + rate"});
    said(&mut client, "edit_source", edit);
    let tested = said(&mut client, "test", json!({"filter": "total > multiplies"}));
    assert_eq!(counts(&tested), [0, 1, 0], "{tested}");
    assert!(result(&tested, "multiplies")["output"].as_str().unwrap().contains("5 == 6"), "{tested}");
}

/// The packages of a runner, installed once.
fn modules(package: &str, version: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{package}-{version}"));
    if !dir.join("node_modules").join(package).exists() {
        let options = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
        let installed = Command::new("npm").args(options).arg(&dir).arg(format!("{package}@{version}")).status();
        assert!(installed.unwrap().success(), "{package} can be installed");
    }
    dir.join("node_modules")
}

#[test]
fn a_script_is_run_with_all_that_it_says() {
    let script = "node step.cjs && mocha --require ./env.cjs --reporter dot spec/";
    let package =
        format!("{{ \"name\": \"shop\", \"scripts\": {{ \"test\": \"npm run unit\", \"unit\": \"{script}\" }} }}\n");
    let project = Project::with(&[
        ("package.json", &package),
        ("step.cjs", "require('fs').writeFileSync('built.txt', '6');\n"),
        ("env.cjs", "global.rate = 3;\n"),
        (
            "spec/order.js",
            "const assert = require('assert');\ndescribe('total', function () {\n  it('multiplies', () => assert.equal(2 * \
             rate, Number(require('fs').readFileSync('built.txt'))));\n  it('fails', () => assert.equal(rate, 4));\n  \
             it('later');\n});\n",
        ),
        ("spec/other.js", "it('other', () => {});\n"),
    ]);
    std::os::unix::fs::symlink(modules("mocha", "11.7.5"), project.root().join("node_modules")).unwrap();
    let mut client = begun(&project, TOOLSETS);
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 1, 1], &json!(false)), "{tested}");
    let failed = &tested["results"][0];
    let told = (&failed["name"], &failed["file"], &failed["line"]);
    assert_eq!(told, (&json!("total fails"), &json!("spec/order.js"), &json!(4)), "{tested}");
    let one = said(&mut client, "test", json!({"path": "spec/other.js"}));
    assert_eq!((counts(&one), &one["success"]), ([1, 0, 0], &json!(true)), "{one}");
    project.write("step.cjs", "process.exit(3);\n");
    let error = refused(&mut client, "test", json!({}));
    assert!(error.contains("ran no test"), "{error}");
}

#[test]
fn tests_of_cargo_are_found_with_their_places() {
    let project = Project::with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "pub mod order;\n\n/// ```\n/// assert_eq!(shop::one(), 1);\n/// ```\npub fn one() -> u32 {\n    1\n}\n",
        ),
        (
            "src/order.rs",
            "pub fn total(size: u32) -> u32 {\n    size * 3\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn \
             multiplies() {\n        assert_eq!(super::total(2), 6);\n    }\n\n    #[test]\n    #[ignore = \"later\"]\n    fn \
             later() {}\n}\n",
        ),
        ("tests/whole.rs", "#[test]\nfn fails() {\n    println!(\"said\");\n    assert_eq!(shop::one(), 2);\n}\n"),
    ]);
    let mut client = begun(&project, TOOLSETS);
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 1, 1], &json!(false)), "{tested}");
    let place = |name: &str| (result(&tested, name)["file"].clone(), result(&tested, name)["line"].clone());
    assert_eq!(place("order::tests::multiplies"), (json!("src/order.rs"), json!(8)), "{tested}");
    assert_eq!(place("one"), (json!("src/lib.rs"), json!(3)), "{tested}");
    assert_eq!(place("fails"), (json!("tests/whole.rs"), json!(2)), "{tested}");
    assert!(result(&tested, "fails")["output"].as_str().unwrap().contains("said"), "{tested}");
    project.write("src/lib.rs", "pub fn one() -> u32 {\n    \"x\"\n}\n");
    let broken = said(&mut client, "test", json!({}));
    assert_eq!(broken["success"], false, "{broken}");
    let found = &broken["diagnostics"][0];
    assert_eq!((&found["file"], &found["line"], &found["code"]), (&json!("src/lib.rs"), &json!(2), &json!("E0308")));
}

#[test]
fn a_run_ends_at_its_deadline_with_all_that_it_started() {
    let mark = format!("LSPWRIGHT_TEST_MARK={}", std::process::id());
    let project = Project::with(&[
        ("setup.cfg", "[metadata]\nname = shop\n"),
        (
            "test_slow.py",
            "import subprocess\nimport unittest\n\n\nclass SlowTest(unittest.TestCase):\n    def test_a(self):\n        pass\n\n    \
             def test_b(self):\n        subprocess.run([\"sleep\", \"1000\"])\n",
        ),
    ]);
    let mut command = project.command(&["test", "--timeout", "3", "--output", "json"]);
    let (name, value) = mark.split_once('=').unwrap();
    let ran = crate::faces::Ran::of(command.env(name, value).output().unwrap());
    let tested = ran.json();
    assert_eq!((ran.code, counts(&tested), &tested["success"]), (Some(3), [1, 0, 0], &json!(false)), "{ran:?}");
    assert!(tested["trouble"][0].as_str().unwrap().contains("it timed out"), "{tested}");
    #[cfg(target_os = "linux")]
    assert_eq!(marked(&mark), [0; 0], "nothing of it runs on");
}

#[test]
fn what_runs_the_project_is_left_out_where_nothing_may_be_written() {
    let project = Project::with(SHOP);
    let mut client = Client::start(project.command(&["serve", "--toolsets", "build", "--read-only"]));
    client.initialize("2025-11-25");
    let listed = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["check", "analyze"]);
    let mut usual = Client::start(project.command(&["serve"]));
    usual.initialize("2025-11-25");
    let listed = usual.request("tools/list", json!({}))["result"]["tools"].to_string();
    assert!(!listed.contains("\"test\"") && !listed.contains("\"check\""), "the toolset is off unless asked for");
}

#[test]
fn a_file_is_run_as_a_program_with_the_drafts() {
    let (project, mut client) = with(&[
        SHOP[0],
        SHOP[1],
        ("shop/order.py", "def total(size: int) -> int:\n    return size * 3\n"),
        (
            "shop/till.py",
            "import sys\n\nfrom .order import total\n\nprint(total(len(sys.stdin.read())), sys.argv[1:])\nif len(sys.argv) > \
             2:\n    sys.exit(4)\n",
        ),
        ("bad.py", "from shop.order import total\n\n\ndef f():\n    return total(None)\n\n\nf()\n"),
    ]);
    let ran = said(&mut client, "run", json!({"path": "shop/till.py", "args": ["-x"], "stdin": "four"}));
    assert_eq!((&ran["success"], &ran["stdout"]), (&json!(true), &json!("12 ['-x']\n")), "{ran}");
    let edit = json!({"id": "shop/order.py::total", "old": "size * 3", "new": "size * 5"});
    said(&mut client, "edit_source", edit);
    let ran = said(&mut client, "run", json!({"path": "shop/till.py", "args": ["a b", "c"], "stdin": "four"}));
    let told = (&ran["success"], &ran["exit_code"], &ran["stdout"]);
    assert_eq!(told, (&json!(false), &json!(4), &json!("20 ['a b', 'c']\n")), "{ran}");
    assert_eq!(ran["dirty"], json!(["shop/order.py"]));
    let bad = said(&mut client, "run", json!({"path": "bad.py"}));
    let found = &bad["diagnostics"][0];
    assert_eq!((&found["file"], &found["line"]), (&json!("shop/order.py"), &json!(2)), "{bad}");
    assert!(found["message"].as_str().unwrap().starts_with("TypeError: "), "{bad}");
    assert!(bad["stderr"].as_str().unwrap().contains(project.root().to_str().unwrap()), "not the copy: {bad}");
    let endless = json!({"path": "shop/till.py", "timeout": 0});
    assert!(refused(&mut client, "run", endless).contains("from 1 to"));
    assert!(refused(&mut client, "run", json!({"path": "pyproject.toml"})).contains("no program is known that runs"));
    assert!(refused(&mut client, "run", json!({"path": "shop"})).contains("a directory without a program"));
    drop(client);
    project.write("slow.py", "import subprocess\nprint('begun', flush=True)\nsubprocess.run(['sleep', '1000'])\n");
    let mark = format!("LSPWRIGHT_RUN_MARK={}", std::process::id());
    let mut command = project.command(&["run", "slow.py", "--timeout", "2", "--output", "json"]);
    let (name, value) = mark.split_once('=').unwrap();
    let ran = crate::faces::Ran::of(command.env(name, value).output().unwrap());
    let slow = ran.json();
    assert_eq!((ran.code, &slow["timed_out"], &slow["stdout"]), (Some(1), &json!(true), &json!("begun\n")), "{ran:?}");
    #[cfg(target_os = "linux")]
    assert_eq!(marked(&mark), [0; 0], "nothing of it runs on");
}

#[test]
fn what_a_program_of_a_script_or_a_package_of_rust_is_run_by() {
    let (project, mut client) = with(&[
        ("package.json", "{ \"name\": \"shop\", \"type\": \"module\" }\n"),
        ("src/order.js", "export const total = (size) => size * 3;\n"),
        ("src/main.js", "import { total } from './order.js';\nconsole.log(total(Number(process.argv[2])));\n"),
        ("bad.mjs", "import './src/order.js';\nfunction f() {\n  throw new TypeError('why');\n}\nf();\n"),
        ("rust/Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("rust/src/main.rs", "fn main() {\n    println!(\"{:?}\", std::env::args().nth(1));\n}\n"),
        ("go.sh", "echo $1; exit 3\n"),
    ]);
    let ran = said(&mut client, "run", json!({"path": "src/main.js", "args": ["2"]}));
    assert_eq!((&ran["success"], &ran["stdout"]), (&json!(true), &json!("6\n")), "{ran}");
    let bad = said(&mut client, "run", json!({"path": "bad.mjs"}));
    let found = &bad["diagnostics"][0];
    assert_eq!((&found["file"], &found["line"]), (&json!("bad.mjs"), &json!(3)), "{bad}");
    for path in ["rust", "rust/src/main.rs"] {
        let ran = said(&mut client, "run", json!({"path": path, "args": ["--x"], "timeout": 300}));
        assert_eq!(ran["stdout"], "Some(\"--x\")\n", "{ran}");
    }
    let ran = said(&mut client, "run", json!({"path": "go.sh", "args": ["it"]}));
    assert_eq!((&ran["exit_code"], &ran["stdout"]), (&json!(3), &json!("it\n")), "{ran}");
    drop(client);
    let ran = project.run(&["run", "src/main.js", "--", "4"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "12\n"), "{ran:?}");
}

#[test]
fn what_compilers_find_is_told_with_the_drafts() {
    let (project, mut client) = with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "pub fn one() -> u32 {\n    1\n}\n"),
        ("tool.py", "def f():\n    return 1\n"),
        ("src/Vault.sol", VAULT),
    ]);
    let clean = said(&mut client, "compile", json!({}));
    assert_eq!((&clean["success"], &clean["diagnostics"]), (&json!(true), &json!([])), "{clean}");
    assert_eq!(clean["ran"].as_array().unwrap().len(), 3, "{clean}");
    let sol = json!({"id": "src/Vault.sol:Vault.held", "old": "return 1;", "new": "return nothing;"});
    said(&mut client, "edit_source", sol);
    said(&mut client, "edit_source", json!({"id": "src/lib.rs::one", "old": "    1", "new": "    \"x\""}));
    project.write("tool.py", "def f(:\n    return 1\n");
    let broken = said(&mut client, "compile", json!({}));
    assert_eq!((&broken["success"], &broken["dirty"]), (&json!(false), &json!(["src/Vault.sol", "src/lib.rs"])));
    let all = broken["diagnostics"].as_array().unwrap().iter();
    let mut found: Vec<(String, u64)> =
        all.map(|one| (one["file"].as_str().unwrap().to_owned(), one["line"].as_u64().unwrap())).collect();
    found.sort();
    let told = ["src/Vault.sol", "src/lib.rs", "tool.py"].map(str::to_owned).into_iter().zip([6, 2, 1]);
    assert_eq!(found, told.collect::<Vec<_>>(), "{broken}");
    // What only imports what is meant is not looked at.
    let user = "pragma solidity ^0.8.20;\n\nimport \"./Vault.sol\";\nimport \"gone/Gone.sol\";\n";
    project.write("src/User.sol", user);
    let vault = said(&mut client, "compile", json!({"path": "src/Vault.sol"}));
    assert_eq!(vault["diagnostics"][0]["file"], "src/Vault.sol", "{vault}");
    let one = said(&mut client, "compile", json!({"path": "tool.py"}));
    assert_eq!((one["diagnostics"].as_array().unwrap().len(), &one["exit_code"]), (1, &json!(1)), "{one}");
    assert!(refused(&mut client, "compile", json!({"path": "Cargo.toml"})).contains("nothing in"));
    let to = json!({"path": "tool.py", "output": "out"});
    assert!(refused(&mut client, "compile", to).contains("nothing is written where Python is compiled"));
    drop(client);
    let ran = project.run(&["compile", "tool.py"]);
    assert_eq!((ran.code, ran.stdout.starts_with("tool.py:1:7: error: ")), (Some(1), true), "{ran:?}");
}

const VAULT: &str = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\ncontract Vault {\n    function held() external \
                     pure returns (uint256) {\n        return 1;\n    }\n}\n";

#[test]
fn typescript_is_compiled_by_the_projects_own_compiler() {
    let files = [
        ("package.json", "{ \"name\": \"shop\" }\n"),
        (
            "tsconfig.json",
            "{ \"compilerOptions\": { \"strict\": true, \"rootDir\": \"src\" }, \"include\": [\"src\"] }\n",
        ),
        ("src/order.ts", "export const total = (size: number): number => size * 3;\n"),
    ];
    let (project, mut client) = with(&files);
    let missing = refused(&mut client, "compile", json!({}));
    assert!(missing.contains("compiled by TypeScript, which is not installed"), "{missing}");
    std::os::unix::fs::symlink(modules("typescript", "5.9.3"), project.root().join("node_modules")).unwrap();
    let before = project.files().len();
    let clean = said(&mut client, "compile", json!({}));
    assert_eq!((&clean["success"], project.files().len()), (&json!(true), before), "nothing is written: {clean}");
    let built = said(&mut client, "compile", json!({"output": "build"}));
    assert_eq!(built["success"], true, "{built}");
    assert!(project.text("build/order.js").contains("size * 3"));
    project.write("src/order.ts", "export const total = (size: number): string => size * 3;\n");
    let broken = said(&mut client, "compile", json!({"path": "src/order.ts"}));
    let found = &broken["diagnostics"][0];
    let told = (&found["file"], &found["line"], &found["code"]);
    assert_eq!(told, (&json!("src/order.ts"), &json!(1), &json!("TS2322")), "{broken}");
}

#[test]
fn what_a_formatter_would_write_is_shown_and_not_written() {
    let text =
        "X = {'a':1}\n\n\nclass Order:\n    def total( self ):\n        return  3\n\n    def land(self): return 'se'\n";
    let script = "export function total(a:number){return a*3}\nexport const b = 2\n";
    let (project, mut client) = with(&[SHOP[0], ("order.py", text), ("tsconfig.json", "{}"), ("box.ts", script)]);
    let before = project.files();
    let whole = said(&mut client, "pretty_print", json!({"path": "order.py"}));
    assert_eq!((&whole["by"], &whole["differs"]), (&json!("ruff"), &json!(true)), "{whole}");
    assert!(whole["source"].as_str().unwrap().starts_with("X = {\"a\": 1}\n"), "{whole}");
    let one = said(&mut client, "pretty_print", json!({"id": "order.py::Order::total"}));
    assert_eq!(one["source"], "    def total(self):\n        return 3", "{one}");
    // As the drafts have it.
    let edit = json!({"id": "order.py::Order::total", "old": "return  3", "new": "return  4"});
    said(&mut client, "edit_source", edit);
    let one = said(&mut client, "pretty_print", json!({"id": "order.py::Order::total"}));
    assert_eq!(one["source"], "    def total(self):\n        return 4", "{one}");
    let script = said(&mut client, "pretty_print", json!({"path": "box.ts"}));
    assert!(script["source"].as_str().unwrap().contains("total(a: number) { return a * 3 }"), "{script}");
    assert!(refused(&mut client, "pretty_print", json!({})).contains("neither `id` nor `path`"));
    drop(client);
    assert_eq!(project.files(), before, "nothing was written");
    let ran = project.run(&["pretty-print", "order.py"]);
    assert!(ran.stdout.starts_with("X = {\"a\": 1}\n\n\nclass Order:\n"), "{ran:?}");
    // A formatter that the project has chosen is the one that is asked, or none is.
    project.write("package.json", "{ \"devDependencies\": { \"prettier\": \"^3\" } }\n");
    let ran = project.run(&["pretty-print", "box.ts"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("formatted by prettier, which is not installed"), "{ran:?}");
    std::os::unix::fs::symlink(modules("prettier", "3.6.2"), project.root().join("node_modules")).unwrap();
    let ran = project.run(&["pretty-print", "box.ts#total"]);
    assert_eq!(ran.stdout.trim_end(), "export function total(a: number) {\n  return a * 3;\n}", "{ran:?}");
}
