//! Answers over MCP that fit, however large the project: every tool on some thousand files.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lspwright::render::tokens;
use lspwright::tools::{TOOLS, Toolset};
use serde_json::{Value, json};

use crate::faces::Project;
use crate::mcp::Client;

/// What an answer may cost, in tokens.
const ROOM: usize = 5_000;

/// Some thousand files that all name the same things: contracts, whose server is a part of the binary, and modules.
fn large() -> Project {
    let project = Project::with(&[("foundry.toml", "[profile.default]\nsrc = \"src\"\n")]);
    let base = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nlibrary Sums {\n    function total(uint256 a) \
                internal pure returns (uint256) {\n        return a + 1;\n    }\n}\n";
    project.write("src/Sums.sol", base);
    for number in 0..200 {
        let mut contract = format!(
            "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nimport {{Sums}} from \"../../../../../Sums.sol\";\n\ncontract \
             Vault{number} {{\n    uint256 public held{number};\n    event Kept(uint256 amount);\n\n"
        );
        for function in 0..4 {
            let _ = write!(
                contract,
                "    function keep{function}(uint256 amount) external {{\n        held{number} = Sums.total(amount);\n        \
                 emit Kept(amount);\n    }}\n\n"
            );
        }
        project.write(&format!("src/vaults/of/the/large/house/Vault{number}.sol"), contract + "}\n");
    }
    project.write("main.py", "import os\n");
    for number in 0..1_200 {
        let module = format!(
            "class Keeper{number}:\n    def keep(self, a, b, c, d, e, f, g, h):\n        if a:\n            return b\n        \
             return self.kept(c)\n\n    def kept(self, what):\n        return what\n"
        );
        project.write(&format!("tools/part{}/keeper{number}.py", number % 50), module);
    }
    project
}

fn client(project: &Project) -> Client {
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    client
}

fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

const RENAME: &str = r#"{"target": "src/Sums.sol:Sums.total", "newName": "grossTotal"}"#;

/// A call of each tool that reads, as large as it gets.
fn calls() -> Vec<(&'static str, Value)> {
    let function = json!({"file": "src/vaults/of/the/large/house/Vault1.sol", "contract": "Vault1", "name": "keep0"});
    let rename = json!({"refactoring": "rename", "target": "src/Sums.sol:Sums.total", "params": {"new_name": "gross"}});
    vec![
        ("listProblems", json!({"paths": ["tools", "main.py"], "severity": "hint"})),
        ("listCodeActions", json!({"target": "main.py:1:8"})),
        ("planCodeAction", json!({"target": "main.py:1:8", "action": "Ruff (F401): Remove unused import: `os`"})),
        ("planFix", json!({"paths": ["main.py"], "fixes": ["removeUnused"]})),
        ("planRenameSymbol", serde_json::from_str(RENAME).unwrap()),
        ("planFileMove", json!({"oldPath": "src/Sums.sol", "newPath": "src/math/Sums.sol"})),
        ("planDirectoryMove", json!({"oldDir": "src", "newDir": "contracts"})),
        ("list_refactorings", json!({})),
        ("preview_refactoring", rename),
        ("inspect_structure", json!({"path": ".", "depth": "method"})),
        ("analyze_code", json!({"path": "."})),
        ("entrypoints", json!({"paths": ["."]})),
        ("function_insights", json!({"selector": function})),
        ("callgraph", json!({"paths": ["."]})),
        ("peek", json!({"paths": ["."]})),
        ("metrics", json!({"paths": ["."]})),
        ("check", json!({"path": "tools"})),
        ("analyze", json!({"path": "tools/part1/keeper1.py"})),
        ("list_modules", json!({})),
        ("list_declarations", json!({"path": "src/vaults/of/the/large/house/Vault1.sol"})),
        ("get_source", json!({"path": "src/vaults/of/the/large/house/Vault1.sol"})),
        ("find_declaration", json!({"name": "keep", "match": "prefix"})),
        ("get_declaration", json!({"id": "src/Sums.sol:Sums.total"})),
        ("usages_of", json!({"id": "src/Sums.sol:Sums.total"})),
        ("callers_of", json!({"id": "src/Sums.sol:Sums.total"})),
        ("constructors_of", json!({"id": "tools/part1/keeper1.py::Keeper1"})),
        ("call_graph", json!({"id": "src/Sums.sol:Sums.total", "direction": "callers"})),
        ("error_set", json!({"id": "tools/part1/keeper1.py::Keeper1::keep"})),
        ("verifyPlan", json!({"level": "syntax"})),
    ]
}

#[test]
fn every_tool_answers_within_its_room_on_a_large_project() {
    let project = large();
    let mut client =
        Client::start(project.command(&["serve", "--toolsets", "plan,refactor,inspect,audit,explore,build"]));
    client.initialize("2025-11-25");
    let called: BTreeSet<&str> = calls().iter().map(|(tool, _)| *tool).collect();
    let paged = TOOLS.iter().filter(|tool| tool.is_paged());
    assert_eq!(called, paged.map(|tool| tool.name).collect(), "every tool that answers in parts is called");
    let mut plan = Value::Null;
    for (tool, mut arguments) in calls() {
        if tool == "verifyPlan" {
            arguments["planId"] = plan.clone();
        }
        let result = client.call(tool, arguments);
        let text = text(&result);
        assert!(!result["isError"].as_bool().unwrap_or_default(), "{tool}: {text}");
        assert!(tokens(&text) <= ROOM, "{tool}: {} tokens", tokens(&text));
        if let Some(id) = result["structuredContent"]["planId"].as_str() {
            plan = json!(id);
        }
    }
    for (tool, arguments) in [("applyPlan", json!({"planId": plan, "verify": "none"})), ("undoPlan", json!({}))] {
        let result = client.call(tool, arguments);
        let text = text(&result);
        assert!(!result["isError"].as_bool().unwrap_or_default(), "{tool}: {text}");
        assert!(tokens(&text) <= ROOM, "{tool}: {} tokens", tokens(&text));
        assert!(result["structuredContent"]["more"]["left"].is_object(), "{text}");
        assert_eq!(result["structuredContent"]["more"]["cursor"], Value::Null, "asked again, it would write again");
    }
}

/// A call of each tool that writes declarations.
fn writes() -> Vec<(&'static str, Value)> {
    let keep = "function total(uint256 a) internal pure returns (uint256) {\n    return a + 2;\n}";
    let lines = "        x += 1;\n".repeat(2_000);
    let long = format!("function many(uint256 x) internal pure returns (uint256) {{\n{lines}        return x;\n}}");
    vec![
        ("replace_declaration", json!({"id": "src/Sums.sol:Sums.total", "source": keep})),
        ("edit_source", json!({"id": "src/Sums.sol:Sums.total", "old": "a + 2", "new": "a + 3"})),
        ("add_method", json!({"class_id": "src/Sums.sol:Sums", "source": long})),
        ("add_declaration", json!({"path": "src/Last.sol", "source": "library Last {}\n"})),
        ("add_field", json!({"target_id": "tools/part1/keeper1.py::Keeper1", "name": "kind", "type": "str"})),
        ("move_declaration", json!({"id": "tools/part1/keeper1.py::Keeper1", "to": "tools/keepers.py"})),
        ("rename_declaration", json!({"id": "src/Sums.sol:Sums.total", "new_name": "gross"})),
        ("delete_declaration", json!({"id": "src/Sums.sol:Sums.gross"})),
        ("save", json!({"verify": "none"})),
        ("add_declaration", json!({"path": "main.py", "source": "X = 1"})),
        ("discard", json!({})),
    ]
}

#[test]
fn what_is_written_to_a_large_project_is_told_within_its_room() {
    let project = large();
    let mut client = Client::start(project.command(&["serve", "--toolsets", "explore,write"]));
    client.initialize("2025-11-25");
    let called: BTreeSet<&str> = writes().iter().map(|(tool, _)| *tool).collect();
    let all = TOOLS.iter().filter(|tool| tool.toolset == Toolset::Write);
    assert_eq!(called, all.map(|tool| tool.name).collect(), "every tool is called");
    for (tool, arguments) in writes() {
        let result = client.call(tool, arguments);
        let text = text(&result);
        assert!(!result["isError"].as_bool().unwrap_or_default(), "{tool}: {text}");
        assert!(tokens(&text) <= ROOM, "{tool}: {} tokens", tokens(&text));
    }
}

/// A call of each tool that runs the project, as large as its answer gets.
fn runs() -> Vec<(&'static str, Value)> {
    vec![
        ("test", json!({})),
        ("run", json!({"path": "flood.py"})),
        ("compile", json!({"path": "broken"})),
        ("pretty_print", json!({"path": "long.py"})),
        ("generate_pt", json!({"path": "parts", "into": "views"})),
        ("sync_pt", json!({"path": "views"})),
    ]
}

#[test]
fn what_a_project_says_as_it_runs_is_told_within_its_room() {
    let project = Project::with(&[("setup.cfg", "[metadata]\nname = large\n")]);
    let test =
        |number: u32| format!("    def test_{number}(self):\n        self.assertEqual('x' * 9_000, {number})\n\n");
    let tests: String = (0..300).map(test).collect();
    project.write("test_all.py", format!("import unittest\n\n\nclass AllTest(unittest.TestCase):\n{tests}"));
    project.write(
        "flood.py",
        "import sys\nfor number in range(100_000):\n    print(number)\n    print(number, file=sys.stderr)\n",
    );
    for number in 0..500 {
        project.write(&format!("broken/part{number}.py"), "def f(:\n    pass\n");
    }
    for number in 0..300 {
        project.write(&format!("parts/of_the_large_house/part{number}.py"), "def kept():\n    return 1\n");
    }
    project.write("long.py", "x =  1\n".repeat(20_000));
    let mut client = Client::start(project.command(&["serve", "--toolsets", "build"]));
    client.initialize("2025-11-25");
    let called: BTreeSet<&str> = runs().iter().map(|(tool, _)| *tool).collect();
    let all = TOOLS.iter().filter(|tool| tool.toolset == Toolset::Build && !tool.is_paged());
    assert_eq!(called, all.map(|tool| tool.name).collect(), "every tool is called");
    for (tool, arguments) in runs() {
        let result = client.call(tool, arguments);
        let text = text(&result);
        assert!(!result["isError"].as_bool().unwrap_or_default(), "{tool}: {text}");
        assert!(tokens(&text) <= ROOM, "{tool}: {} tokens", tokens(&text));
    }
}

#[test]
fn a_list_goes_on_by_its_cursor_to_its_end() {
    let project = large();
    let mut client = client(&project);
    let mut files = BTreeSet::new();
    let mut arguments = json!({"path": "tools", "depth": "file"});
    for page in 0.. {
        assert!(page < 60, "no end");
        let answer: Value =
            toon_format::decode_default(&text(&client.call("inspect_structure", arguments.clone()))).unwrap();
        assert_eq!(answer["structure"]["files"], 1_200);
        let rows = answer["files"].as_array().unwrap();
        assert!(rows.iter().all(|row| files.insert(row["path"].as_str().unwrap().to_owned())), "a row twice");
        let Some(cursor) = answer["more"]["cursor"].as_str() else { break };
        arguments["cursor"] = json!(cursor);
    }
    assert_eq!(files.len(), 1_200);
    let few = client.call("inspect_structure", json!({"path": "tools", "depth": "file", "limit": 2}));
    let few: Value = toon_format::decode_default(&text(&few)).unwrap();
    assert_eq!((few["files"].as_array().unwrap().len(), &few["more"]["left"]["files"]), (2, &json!(1_198)));
    let bad = client
        .call("inspect_structure", json!({"path": "tools/part1", "depth": "file", "cursor": few["more"]["cursor"]}));
    assert!(text(&bad).contains("without `cursor`"), "{bad}");
}

#[test]
fn a_plan_is_handed_out_whole_or_not_at_all() {
    let project = large();
    let mut client = client(&project);
    let arguments: Value = serde_json::from_str(RENAME).unwrap();
    let with = |more: Value| {
        let mut all = arguments.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let auto = client.call("planRenameSymbol", arguments.clone())["structuredContent"].clone();
    for part in ["edits", "fsMoves", "fsCreates", "fsDeletes", "basis"] {
        assert_eq!(auto.get(part), None, "a part of a plan could be taken for the plan");
    }
    let omitted = &auto["editsOmitted"];
    assert_eq!((&omitted["edits"], &omitted["files"]), (&json!(801), &json!(201)), "{omitted}");
    let keys: Vec<&String> = auto.as_object().unwrap().keys().collect();
    assert_eq!(keys[..4], ["canRename", "summary", "planId", "projectRoot"]);
    let again = client.call("planRenameSymbol", with(json!({"detail": "summary"})))["structuredContent"].clone();
    assert_eq!(again["planId"], auto["planId"]);
    let first = |answer: &Value| answer["changes"].as_array().unwrap()[..100].to_vec();
    assert_eq!(first(&again), first(&auto), "how many are shown beyond these depends on the words around them");

    let whole = client.call("planRenameSymbol", with(json!({"detail": "edits"})))["structuredContent"].clone();
    assert_eq!(whole["edits"].as_array().unwrap().len(), 201);
    let file = std::fs::read_to_string(omitted["planPath"].as_str().unwrap()).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&file["edits"], &file["basis"]), (&whole["edits"], &whole["basis"]));
    let toon = client.call("planRenameSymbol", with(json!({"detail": "toon"})));
    assert!(text(&toon).contains("edits[801]"), "{toon}");
    assert_eq!(toon["structuredContent"]["planId"], auto["planId"]);

    let refused = client.call("applyPlan", json!({"plan": auto}));
    assert!(text(&refused).contains("its edits were left out"), "{refused}");
    let uri = omitted["resource"].as_str().unwrap();
    let mut read = |uri: &str| client.request("resources/read", json!({"uri": uri}))["result"]["contents"][0].clone();
    let resource: Value = serde_json::from_str(read(uri)["text"].as_str().unwrap()).unwrap();
    assert_eq!(resource["edits"], whole["edits"]);
    let diff = read(&format!("{uri}/diff"));
    assert_eq!(diff["mimeType"], "text/x-diff");

    let mut pieces = String::new();
    let mut arguments = with(json!({"detail": "diff"}));
    loop {
        let part = client.call("planRenameSymbol", arguments.clone())["structuredContent"].clone();
        assert_eq!(part.get("edits"), None);
        for row in part["changes"].as_array().unwrap() {
            pieces.push_str(row["diff"].as_str().unwrap());
        }
        let Some(cursor) = part["more"]["cursor"].as_str() else { break };
        arguments["cursor"] = json!(cursor);
    }
    let hunks = |text: &str| text.matches("+    ").count();
    assert_eq!(hunks(&pieces), hunks(diff["text"].as_str().unwrap()));
    let applied = project.run(&["apply", omitted["planPath"].as_str().unwrap(), "--verify", "none"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(project.text("src/vaults/of/the/large/house/Vault3.sol").contains("Sums.grossTotal"));
}
