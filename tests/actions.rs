//! Problems, code actions and fixes through the binary, with the real servers, on small broken projects.

use std::path::Path;

use serde_json::{Value, json};

use crate::faces::{Project, decoded, wrong_in_sarif};
use crate::mcp::Client;

const PYPROJECT: &str = "[project]\nname = \"broken\"\nversion = \"1\"\n[tool.ruff.lint]\nselect = [\"F\", \"I\"]\n";
const PY_UTIL: &str = "def helper(value: int) -> int:\n    return value + 1\n\n\nclass Order:\n    pass\n";
const PY_MAIN: &str = "\
import sys
import os


def work() -> int:
    unused = 3
    here = Path(\".\")
    print(here)
    order = Order()
    print(order)
    return helper(1)
";
const PYTHON: &[(&str, &str)] = &[("pyproject.toml", PYPROJECT), ("util.py", PY_UTIL), ("main.py", PY_MAIN)];

const TSCONFIG: &str = "{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \
    \"target\": \"es2022\", \"noUnusedLocals\": true}, \"include\": [\"src\"]}\n";
const TS_UTIL: &str = "export interface Shape { area(): number; name(): string }\n\
    export function helper(value: number): number { return value + 1; }\nexport class Order { total = 1 }\n";
const TS_MAIN: &str = "\
import { Order } from \"./util\";
import * as util from \"./util\";

class Circle implements Shape {
    area() { return 1; }
}

export function work() {
    const circle = new Circle();
    return helper(1) + 2 * 3 + circle.area();
}
";
const SCRIPT: &[(&str, &str)] = &[("tsconfig.json", TSCONFIG), ("src/util.ts", TS_UTIL), ("src/main.ts", TS_MAIN)];

/// Runs a command that answers JSON, and sees to it that nothing is written.
fn asked(project: &Project, args: &[&str]) -> Value {
    let before = project.files();
    let ran = project.run(&[&["--project", ".", "--output", "json"], args].concat());
    assert_eq!(project.files(), before, "{ran:?}");
    ran.json()
}

/// The rows of a list, by the value of a key.
fn named<'a>(answer: &'a Value, list: &str, key: &str, value: &str) -> Vec<&'a Value> {
    answer[list].as_array().unwrap().iter().filter(|row| row[key] == value).collect()
}

fn ids(answer: &Value, title: &str) -> String {
    let found = named(answer, "actions", "title", title);
    assert_eq!(found.len(), 1, "`{title}`: {answer:#}");
    found[0]["action"].as_str().unwrap().to_owned()
}

#[test]
fn problems_are_counted_by_rule_over_all_servers() {
    let project = Project::with(PYTHON);
    let all = asked(&project, &["problems"]);
    assert_eq!(all["filesLookedAt"], 2, "{all:#}");
    let unused = named(&all, "rules", "rule", "F401");
    assert_eq!((unused.len(), &unused[0]["problems"], &unused[0]["files"]), (1, &json!(2), &json!(1)), "{all:#}");
    assert_eq!(unused[0]["source"], "Ruff");
    let undefined = named(&all, "rules", "rule", "reportUndefinedVariable");
    assert_eq!((undefined.len(), &undefined[0]["problems"]), (1, &json!(3)), "{all:#}");
    assert_eq!(all["problems"], Value::Null, "places on request");
    let places = asked(&project, &["problems", "main.py", "--rule", "F401"]);
    let lines: Vec<&Value> =
        places["problems"].as_array().unwrap().iter().map(|it| &it["range"]["start"]["line"]).collect();
    assert_eq!(lines, [0, 1]);
    let toon = project.run(&["--project", ".", "problems", "--source", "ruff"]);
    assert_eq!(decoded(&toon.stdout)["rules"], asked(&project, &["problems", "--source", "ruff"])["rules"]);
    assert!(toon.stderr.contains(" problems in 2 files: "), "{toon:?}");
}

#[test]
fn a_build_fails_on_problems_that_no_baseline_lists() {
    let project = Project::with(PYTHON);
    let run = |args: &[&str]| project.run(&[&["--project", ".", "problems", "--quiet"], args].concat());
    assert_eq!(run(&["--fail-on", "error"]).code, Some(1));
    assert_eq!(run(&["util.py", "--fail-on", "error"]).code, Some(0));
    let file = project.outside().join("known.json");
    let file = file.to_str().unwrap();
    run(&["--write-baseline", file]).ok();
    assert_eq!(run(&["--baseline", file, "--fail-on", "warning"]).code, Some(0));
    project.write("main.py", format!("\n\n{PY_MAIN}\n\ndef more() -> int:\n    return nothing\n"));
    let more = run(&["--baseline", file, "--fail-on", "warning", "--output", "json"]);
    assert_eq!((more.code, &more.json()["rules"][0]["problems"]), (Some(1), &json!(1)), "{more:?}");
}

#[test]
fn code_hosts_get_problems_in_sarif() {
    let project = Project::with(PYTHON);
    let ran = project.run(&["--project", ".", "problems", "--output", "sarif", "--fail-on", "error"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let written = ran.json();
    assert_eq!(written["version"], "2.1.0");
    assert_eq!(wrong_in_sarif(&ran.stdout), json!([]), "{written:#}");
    assert_ne!(wrong_in_sarif(&ran.stdout.replace("\"ruleId\"", "\"rule\"")), json!([]), "the schema is heeded");
    let run = &written["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"], "{result}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()), "{result}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty(), "{result}");
        let place = &result["locations"][0]["physicalLocation"];
        let path = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(Path::new(&project.root()).join(path).is_file(), "{result}");
        let region = &place["region"];
        let number = |key: &str| region[key].as_u64().unwrap();
        assert!(number("startLine") >= 1 && number("startColumn") >= 1 && number("endLine") >= number("startLine"));
    }
}

#[test]
fn python_is_asked_of_all_its_servers() {
    let project = Project::with(PYTHON);
    let unused = asked(&project, &["actions", "main.py:1:8"]);
    let ruff = ids(&unused, "Ruff (F401): Remove unused import: `sys`");
    let all = unused["actions"].as_array().unwrap();
    let last = all.last().unwrap();
    assert!(last["suppresses"] == true, "what silences comes last: {unused:#}");
    let pyrefly = &unused["unanswered"][0];
    assert_eq!(pyrefly["what"], "pyrefly", "it runs what a project says, and nobody trusts this one: {unused:#}");
    assert!(pyrefly["reason"].as_str().unwrap().contains("Python interpreter"), "{unused:#}");
    let removed = project.run(&["--project", ".", "actions", "main.py:1:8", &ruff, "--output", "diff"]).ok();
    assert!(removed.contains("-import sys\n import os"), "{removed}");
    let missing = asked(&project, &["actions", "main.py:9:13"]);
    let order = ids(&missing, "from util import Order");
    let applied = project.run(&["--project", ".", "actions", "main.py:9:13", &order, "--apply"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(project.text("main.py").contains("from util import Order\n"), "{}", project.text("main.py"));
    assert!(applied.stderr.contains("clean: 1 edit in 1 file"), "{applied:?}");
}

#[test]
fn scripts_are_refactored_by_commands_that_are_never_run() {
    let project = Project::with(SCRIPT);
    let listed = asked(&project, &["actions", "src/util.ts:3:14", "--kind", "refactor"]);
    let moved = asked(&project, &["actions", "src/util.ts:3:14", &ids(&listed, "Move to a new file")]);
    assert_eq!(moved["fsCreates"], json!([project.root().join("src/Order.ts")]), "{moved:#}");
    assert_eq!(moved["edits"].as_array().unwrap().len(), 3, "the old file, the new one, and who imports it: {moved:#}");
    let part = asked(&project, &["actions", "src/main.ts:10:24-10:29", "--kind", "refactor.extract"]);
    let constant = ids(&part, "Extract to constant in enclosing scope");
    let extracted = asked(&project, &["actions", part["target"].as_str().unwrap(), &constant]);
    assert_eq!(extracted["edits"][0]["textEdits"][0]["newText"], "    const newLocal = 2 * 3;\n", "{extracted:#}");
    let missing = asked(&project, &["actions", "src/main.ts:10:12"]);
    let import = ids(&missing, "Update import from \"./util\"");
    let planned = project.run(&["--project", ".", "actions", "src/main.ts:10:12", &import]).ok();
    assert!(planned.contains("+import { helper, Order } from \"./util\";"), "{planned}");
    let file = asked(&project, &["actions", "src/main.ts", "--kind", "source"]);
    let kinds: Vec<&Value> = file["actions"].as_array().unwrap().iter().map(|action| &action["kind"]).collect();
    assert!(kinds.contains(&&json!("source.organizeImports.ts")), "{file:#}");
}

#[test]
fn fixes_of_many_places_are_one_plan() {
    let project = Project::with(PYTHON);
    let args = ["--project", ".", "fix", "--add-missing-imports", "--remove-unused", "--organize-imports"];
    let dry = project.run(&[&args[..], &["--exit-code"]].concat());
    assert_eq!(dry.code, Some(1), "it would change something: {dry:?}");
    let applied = project.run(&[&args[..], &["--apply"]].concat());
    assert_eq!(applied.code, Some(0), "{applied:?}");
    let mended = project.text("main.py");
    assert!(mended.contains("from util import Order, helper\n\n\ndef work()"), "{mended}");
    assert!(!mended.contains("unused = 3"), "{mended}");
    let several =
        "reportUndefinedVariable stays: 2 fixes to choose from: from pathlib import Path; from zipfile import Path";
    assert!(applied.stderr.contains(several), "{applied:?}");
    let again = project.run(&[&args[..], &["--exit-code"]].concat());
    assert_eq!(again.code, Some(0), "nothing is left: {again:?}");
}

#[test]
fn imports_that_stood_in_order_stand_in_order_with_those_that_are_added() {
    let project = Project::with(&PYTHON[..2]);
    let work = "\n\ndef work() -> int:\n    print(os, sys)\n    return helper(1)\n";
    project.write("sorted.py", format!("import os\nimport sys\n{work}"));
    project.write("unsorted.py", format!("import sys\nimport os\n{work}"));
    let ran = project.run(&["--project", ".", "fix", "--add-missing-imports", "--apply"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        project.text("sorted.py").starts_with("import os\nimport sys\n\nfrom util import helper\n\n\ndef"),
        "{ran:?}"
    );
    let other = project.text("unsorted.py");
    assert!(other.starts_with("import sys\nimport os\n") && other.contains("from util import helper\n"), "{other}");
}

#[test]
fn fixes_of_scripts_take_no_import_of_several() {
    let project = Project::with(SCRIPT);
    project.write("src/other.ts", "export function helper(): number { return 7; }\n");
    let args = ["--project", ".", "fix", "src/main.ts", "--add-missing-imports", "--rule", "TS2420", "--rule", "6133"];
    let applied = project.run(&[&args[..], &["--apply"]].concat());
    assert_eq!(applied.code, Some(0), "{applied:?}");
    let mended = project.text("src/main.ts");
    assert!(mended.contains("Shape }") || mended.contains("{ Shape"), "{mended}");
    assert!(mended.contains("name(): string {"), "the member of the interface is there: {mended}");
    assert!(!mended.contains("util from"), "{mended}");
    assert!(applied.stderr.contains("TS2304 stays: 2 fixes to choose from"), "{applied:?}");
}

#[test]
fn of_imports_that_lead_to_one_declaration_that_of_its_module_is_taken() {
    let project = Project::with(&[
        ("tsconfig.json", TSCONFIG),
        ("src/index.ts", "export { order, Order } from \"./order\";\nexport { same } from \"./one\";\n"),
        ("src/order.ts", "export function order(): number { return 1; }\nexport class Order {}\n"),
        ("src/one.ts", "export const same = 1;\n"),
        ("src/two.ts", "export const same = 2;\n"),
        ("src/main.ts", "export const all = [order(), order(), new Order(), same];\n"),
    ]);
    let ran = project.run(&["--project", ".", "fix", "src/main.ts", "--add-missing-imports", "--apply"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mended = project.text("src/main.ts");
    assert!(mended.contains("import { Order, order } from \"./order\";\n"), "{mended}");
    assert!(!mended.contains("./one") && !mended.contains("./two"), "there are two of it: {mended}");
    assert!(ran.stderr.contains("TS2304 stays: "), "{ran:?}");
}

#[test]
fn a_package_that_hands_on_what_its_module_declares_is_no_other_place_to_import_from() {
    let project = Project::with(PYTHON);
    project.write("shop/__init__.py", "from shop.parcel import Parcel\n\n__all__ = [\"Parcel\"]\n");
    project.write("shop/parcel.py", "class Parcel:\n    pass\n");
    project.write("tests/test_shop.py", "class Parcel:\n    pass\n");
    project.write("shop/sent.py", "def sent() -> object:\n    return Parcel()\n");
    let ran = project.run(&["--project", ".", "fix", "shop/sent.py", "--add-missing-imports", "--apply"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(project.text("shop/sent.py").starts_with("from shop.parcel import Parcel\n"), "{ran:?}");
}

#[test]
fn what_a_compiler_only_suggests_is_told_and_taken_out() {
    let project = Project::with(SCRIPT);
    project.write("tsconfig.json", TSCONFIG.replace(", \"noUnusedLocals\": true", ""));
    let unused = |severity: &str| {
        named(&asked(&project, &["problems", "--severity", severity]), "rules", "rule", "TS6133").len()
    };
    assert_eq!((unused("warning"), unused("hint")), (0, 1));
    let ran = project.run(&["--project", ".", "fix", "--remove-unused", "--apply"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!project.text("src/main.ts").contains("import"), "{}", project.text("src/main.ts"));
}

#[test]
fn imports_that_only_stand_in_for_others_are_no_choice() {
    let project = Project::with(PYTHON);
    project.write(
        "main.py",
        "def work(given: NamedTuple) -> NamedTuple:\n    return given\n\n\ndef stop(it: SupportsRead) -> None: ...\n",
    );
    let ran = project.run(&["--project", ".", "fix", "--add-missing-imports", "--apply", "--verify", "none"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(project.text("main.py").starts_with("from typing import NamedTuple\n"), "{}", project.text("main.py"));
    assert!(!project.text("main.py").contains("_typeshed"), "nothing can be imported from it as a program runs");
}

#[test]
fn many_files_are_mended_alike_in_whatever_order_servers_answer() {
    let project = Project::with(PYTHON);
    for number in 0..25 {
        project.write(&format!("part{number}.py"), format!("import os\nimport sys\n\nvalue{number} = 1\n"));
    }
    let plan = || asked(&project, &["fix", "--remove-unused", "--organize-imports"]);
    let first = plan();
    assert_eq!(first["edits"].as_array().unwrap().len(), 26, "{first:#}");
    assert_eq!(plan()["planId"], first["planId"]);
}

#[test]
fn an_agent_goes_from_problems_to_actions_to_a_plan() {
    let project = Project::with(PYTHON);
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    let mut call = |tool: &str, args: Value| client.call(tool, args)["structuredContent"].clone();
    let problems = call("listProblems", json!({"paths": ["main.py"], "rule": "F401"}));
    let place = problems["problems"][0]["range"]["start"].clone();
    let asked = json!({"filePath": "main.py", "line": place["line"], "character": place["character"]});
    let listed = call("listCodeActions", asked);
    let action = named(&listed, "actions", "title", "Ruff (F401): Remove unused import: `sys`")[0]["action"].clone();
    let planned =
        call("planCodeAction", json!({"target": listed["target"], "action": action, "verify": "diagnostics"}));
    assert_eq!(planned["verification"]["status"], "clean", "{planned:#}");
    let fixed = call("planFix", json!({"fixes": ["removeUnused"], "detail": "summary"}));
    assert_eq!(fixed["changes"].as_array().unwrap().len(), 1, "{fixed:#}");
    let applied = call("applyPlan", json!({"planId": fixed["planId"]}));
    assert!(!applied["changed"].as_array().unwrap().is_empty(), "{applied:#}");
    assert!(!project.text("main.py").contains("import"), "{}", project.text("main.py"));
}

/// tsserver suggests ten spellings at a time, and would rather declare a function that is called.
#[test]
fn more_misspelt_names_than_a_server_suggests_at_a_time_are_mended_and_none_is_declared() {
    let project = Project::with(&[("tsconfig.json", TSCONFIG)]);
    let numbers =
        ["firstNumber", "secondNumber", "thirdNumber", "fourthNumber", "fifthNumber", "sixthNumber", "seventhNumber"];
    let declared: String = numbers.iter().map(|name| format!("export const {name} = 1;\n")).collect();
    let sum = |names: &[&str]| format!("export const sum = {};\n", names.join(" + "));
    let wrong: Vec<String> = numbers.iter().map(|name| name.replace("Number", "Nubmer")).collect();
    let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
    for file in ["src/one.ts", "src/two.ts"] {
        project.write(file, format!("{declared}{}", sum(&wrong)));
    }
    project.write("src/three.ts", "export const made = neverHeardOf(1);\n");
    let args = ["--project", ".", "fix", "src", "--rule", "TS2304", "--rule", "TS2552", "--apply"];
    let ran = project.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for file in ["src/one.ts", "src/two.ts"] {
        assert_eq!(project.text(file), format!("{declared}{}", sum(&numbers)), "{ran:?}");
    }
    assert_eq!(project.text("src/three.ts"), "export const made = neverHeardOf(1);\n");
    assert!(ran.stderr.contains("TS2304 stays: its fix declares the name"), "{ran:?}");
}

/// pyrefly says which name is meant, and offers nothing that would put it there.
#[test]
fn a_misspelt_name_of_python_is_mended_where_a_server_says_which_one_is_meant() {
    let project = Project::with(&[(
        "main.py",
        "def work(amount_given: int) -> int:\n    return amount_gvien * 2 + neverheardof(1)\n\n\nprint(work(1))\n",
    )]);
    let ran = project.run(&["--project", ".", "--trust-project", "fix", "--rule", "unknown-name", "--apply"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mended = project.text("main.py");
    assert!(mended.contains("    return amount_given * 2 + neverheardof(1)\n"), "{mended}: {ran:?}");
    assert!(!mended.contains("def neverheardof"), "{mended}");
}
