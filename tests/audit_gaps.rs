//! What a view of the code could not see is in its answer, or the answer is an error.

use serde_json::{Value, json};

use crate::faces::{Project, decoded};

const TOKEN: &str = "pragma solidity ^0.8.20;
import {ERC20} from \"@missing/ERC20.sol\";
contract Token is ERC20 {
    constructor() ERC20(\"T\", \"T\") {}
    function mint(uint256 amount) external { _give(amount); super.hook(); }
    function _give(uint256 amount) internal { _mint(msg.sender, amount); }
}
";
/// The grammar is broken in one function; what stands around it is read.
const BROKEN: &str = "pragma solidity ^0.8.20;
contract Broken {
    function good() external {}
    function bad( external { uint = ; }
    function fine() external {}
}
";

fn view(project: &Project, args: &[&str]) -> Value {
    decoded(&project.run(&[args, &["--project", "."]].concat()).ok())
}

/// The rows of a list, each as one line of some columns.
fn rows(answer: &Value, list: &str, columns: &[&str]) -> Vec<String> {
    let rows = answer[list].as_array().unwrap_or_else(|| panic!("no `{list}` in {answer}"));
    let cell = |row: &Value, column: &str| row[column].as_str().map_or_else(|| row[column].to_string(), str::to_owned);
    let line = |row: &Value| columns.iter().map(|column| cell(row, column)).collect::<Vec<_>>().join(" ");
    rows.iter().map(line).collect()
}

#[test]
fn every_view_tells_what_leads_nowhere() {
    let project = Project::with(&[("c/Token.sol", TOKEN), ("foundry.toml", "")]);
    let unresolved = |args: &[&str]| rows(&view(&project, args), "unresolved", &["line", "kind", "name"]);
    let all = ["2 import @missing/ERC20.sol", "3 base ERC20", "4 call ERC20", "5 call super.hook", "6 call _mint"];
    assert_eq!(unresolved(&["peek", "c"]), all[..1]);
    assert_eq!(unresolved(&["metrics", "c"]), all[..1]);
    assert_eq!(unresolved(&["entrypoints", "c"]), all[..2]);
    assert_eq!(unresolved(&["callgraph", "c"]), all);
    let of_mint = [&all[..2], &all[3..]].concat();
    assert_eq!(unresolved(&["function_insights", "c/Token.sol:Token.mint"]), of_mint, "also through what it calls");
    let whole = Project::with(&[("c/Whole.sol", "contract W { function f() external {} }")]);
    for view_name in ["entrypoints", "callgraph", "peek", "metrics"] {
        let answer = view(&whole, &[view_name, "c"]);
        assert_eq!((&answer["unresolved"], &answer["problems"]), (&json!([]), &json!([])), "{view_name}");
    }
}

#[test]
fn every_view_tells_where_the_grammar_is_broken() {
    let project = Project::with(&[("c/Broken.sol", BROKEN)]);
    for args in [
        &["entrypoints", "c"][..],
        &["peek", "c"],
        &["metrics", "c"],
        &["callgraph", "c"],
        &["function_insights", "c/Broken.sol:Broken.good"],
    ] {
        let answer = view(&project, args);
        let problems = rows(&answer, "problems", &["file", "line", "skipped"]);
        assert_eq!(problems.first().map(String::as_str), Some("c/Broken.sol 4 line 4"), "{args:?}: {answer}");
    }
    let python = Project::with(&[("a.py", "def f():\n    return 1\n\nx = = 1\n")]);
    let problems = rows(&view(&python, &["peek", "a.py"]), "problems", &["file", "line"]);
    assert_eq!(problems, ["a.py 4"]);
}

#[test]
fn a_language_that_a_view_does_not_know_is_no_empty_list() {
    let go = "package a\n\nfunc F() {}\n";
    let project =
        Project::with(&[("a.go", go), ("c/W.sol", "contract W { function f() external {} }"), ("b.py", "x = 1\n")]);
    let refused = |args: &[&str]| {
        let ran = project.run(&[args, &["--output", "toon"]].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        decoded(&ran.stdout)["error"]["type"].clone()
    };
    assert_eq!(refused(&["entrypoints", "a.go"]), "language_not_supported");
    assert_eq!(refused(&["callgraph", "a.go"]), "language_not_supported");
    assert_eq!(refused(&["function_insights", "a.go:F"]), "language_not_supported");
    assert_eq!(refused(&["entrypoints", "a.go", "--language", "solidity"]), "invalid_arguments");
    let all = view(&project, &["entrypoints", "."]);
    assert_eq!(
        rows(&all, "problems", &["file", "message"]),
        ["a.go go is not covered by this answer", "b.py python is not covered by this answer"]
    );
    let calls = view(&project, &["callgraph", "."]);
    assert_eq!(rows(&calls, "problems", &["file"]), ["a.go"], "the other two are looked at");
    assert_eq!(view(&project, &["metrics", "a.go"])["problems"], json!([]), "measures know the language");
}

#[test]
fn programs_of_both_languages_are_listed_together() {
    let files = [
        ("a.py", "from .gone import x\ndef f(): pass\n"),
        ("b.js", "import './none.js';\nimport './a.css';\nexport function g() {}\n"),
        ("a.css", ""),
    ];
    let project = Project::with(&files);
    let answer = view(&project, &["entrypoints", "."]);
    assert_eq!(rows(&answer, "entrypoints", &["file", "name"]), ["a.py f", "b.js g"]);
    assert_eq!(rows(&answer, "unresolved", &["file", "name"]), ["a.py .gone", "b.js ./none.js"]);
}

#[cfg(unix)]
#[test]
fn where_nothing_could_be_read_there_is_no_answer() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    let pipe = project.root().join("odd.py");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    for command in ["entrypoints", "callgraph", "peek", "metrics"] {
        let ran = project.run(&[command, "odd.py", "--output", "toon"]);
        assert_eq!(ran.code, Some(1), "{command}: {ran:?}");
        assert!(ran.stdout.contains("`odd.py` is not looked at"), "{command}: {ran:?}");
    }
    let both = view(&project, &["entrypoints", "a.py", "odd.py"]);
    assert_eq!(rows(&both, "problems", &["file", "skipped"]), ["odd.py the file"]);
}

#[test]
fn imports_lead_where_the_build_tools_find_them() {
    let with = |import: &str| format!("import {{A}} from \"{import}\";\ncontract C is A {{}}\n");
    let a = "contract A { function a() external {} }";
    let layouts: &[(&str, &[(&str, &str)])] = &[
        // What Foundry maps by itself, also of libraries' libraries, and what a library maps.
        ("dep/A.sol", &[("foundry.toml", ""), ("lib/dep/src/A.sol", a)]),
        ("dep/contracts/A.sol", &[("foundry.toml", ""), ("lib/dep/contracts/A.sol", a)]),
        ("inner/A.sol", &[("foundry.toml", ""), ("lib/dep/foundry.toml", ""), ("lib/dep/lib/inner/src/A.sol", a)]),
        ("@dep/A.sol", &[("foundry.toml", ""), ("lib/dep/remappings.txt", "@dep/=in/\n"), ("lib/dep/in/A.sol", a)]),
        ("@x/A.sol", &[("remappings.txt", "@x/=vendor/x/\n"), ("vendor/x/A.sol", a)]),
        ("@x/A.sol", &[("foundry.toml", "[profile.default]\nremappings = ['@x/=vendor/x/']\n"), ("vendor/x/A.sol", a)]),
        ("@pkg/A.sol", &[("hardhat.config.js", ""), ("node_modules/@pkg/A.sol", a)]),
        ("contracts/in/A.sol", &[("hardhat.config.js", ""), ("contracts/in/A.sol", a)]),
    ];
    for (import, files) in layouts {
        let project = Project::with(files);
        project.write("contracts/C.sol", with(import));
        let answer = view(&project, &["entrypoints", "contracts/C.sol"]);
        assert_eq!(answer["unresolved"], json!([]), "{import}");
        assert_eq!(rows(&answer, "entrypoints", &["name"]), ["a"], "{import}: {answer}");
    }
    // A package of its own, below the root of the repository.
    let project = Project::with(&[("packages/p/remappings.txt", "@x/=vendor/\n"), ("packages/p/vendor/A.sol", a)]);
    project.write("packages/p/src/C.sol", with("@x/A.sol"));
    project.write("packages/q/src/C.sol", with("@x/A.sol"));
    let answer = view(&project, &["entrypoints", "packages/**/*.sol"]);
    assert_eq!(
        rows(&answer, "unresolved", &["file", "kind"]),
        ["packages/q/src/C.sol import", "packages/q/src/C.sol base"]
    );
}
