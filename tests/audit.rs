//! The audit tools as both faces offer them; every answer is read by the format's own decoder.

use serde_json::{Value, json};

use crate::faces::{Project, decoded};
use crate::mcp::Client;

const VAULT: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Owned} from \"./Owned.sol\";
contract Vault is Owned {
    mapping(address who => uint256 amount) public balances;
    event Withdrawn(address indexed who, uint256 amount);
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw(uint256 amount) external onlyOwner {
        require(balances[msg.sender] >= amount, \"too, \\\"much\\\": ü\");
        (bool ok, ) = msg.sender.call{value: amount}(\"\");
        require(ok);
        balances[msg.sender] -= amount;
        emit Withdrawn(msg.sender, amount);
    }
    function held(address who) external view returns (uint256) { return balances[who]; }
    function set(uint256 a) external {}
    function set(uint256 a, uint256 b) external {}
    receive() external payable {}
}
";
const OWNED: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
abstract contract Owned {
    address public owner = msg.sender;
    /// Only who owns it.
    modifier onlyOwner() { require(msg.sender == owner, \"not the owner\"); _; }
    function give(address to) public virtual onlyOwner { owner = to; }
}
";

fn vault() -> Project {
    Project::with(&[("contracts/Vault.sol", VAULT), ("contracts/Owned.sol", OWNED), ("foundry.toml", "")])
}

#[test]
fn every_view_is_valid_toon_and_says_the_same_in_json() {
    let project = vault();
    let commands: &[&[&str]] = &[
        &["entrypoints", "contracts"],
        &["entrypoints", "contracts/**/*.sol", "--include-view"],
        &["function_insights", "contracts/Vault.sol:Vault.withdraw"],
        &["function_insights", "contracts/Vault.sol:Vault.set", "--signature", "set(uint256,uint256)"],
        &["callgraph", "contracts", "--root", "Vault.withdraw"],
        &["peek", "contracts"],
        &["metrics", "contracts"],
    ];
    for command in commands {
        let toon = project.run(command).ok();
        let json = project.run(&[*command, &["--output", "json"]].concat()).json();
        assert_eq!(decoded(&toon), json, "{command:?}");
        assert_eq!(toon, project.run(command).ok(), "the same request gives the same bytes: {command:?}");
    }
}

#[test]
fn entrypoints_insights_and_measures_of_a_vault() {
    let project = vault();
    let listed = decoded(&project.run(&["entrypoints", "contracts/Vault.sol"]).ok());
    let rows = listed["entrypoints"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["signature"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["deposit()", "withdraw(uint256)", "set(uint256)", "set(uint256,uint256)", "receive()", "give(address)"]
    );
    assert_eq!(rows[1]["location"], json!({"line": 8, "column": 14}));
    assert_eq!((&rows[5]["inherited_from"], &rows[5]["file"]), (&json!("Owned"), &json!("contracts/Owned.sol")));

    let insight = decoded(&project.run(&["function_insights", "contracts/Vault.sol:Vault.withdraw"]).ok());
    let function = &insight["function"];
    assert_eq!(function["state"]["writes"][0]["path"], "balances[msg.sender]");
    assert_eq!(function["calls"]["external"][0]["kind"], "call");
    let late: Vec<&Value> =
        function["order"].as_array().unwrap().iter().filter(|row| row["write_after_external_call"] == true).collect();
    assert_eq!(late.len(), 1, "{function}");
    assert_eq!(function["transitive"]["reads"][0]["path"], "owner");

    let peek = project.run(&["peek", "contracts/Owned.sol"]).ok();
    assert!(peek.contains("function give(address to) public virtual onlyOwner"), "{peek}");
    assert!(!peek.contains("owner = to"), "{peek}");
    let metrics = decoded(&project.run(&["metrics", "contracts/Owned.sol"]).ok());
    assert_eq!((&metrics["totals"]["code"], &metrics["totals"]["comment"]), (&json!(6), &json!(2)), "{metrics}");
    assert_eq!(metrics["functions"][1]["name"], "give");
    let calls = decoded(&project.run(&["callgraph", "contracts", "--root", "withdraw"]).ok());
    let callees: Vec<&str> =
        calls["calls"].as_array().unwrap().iter().map(|row| row["callee"].as_str().unwrap()).collect();
    assert_eq!(callees, ["Owned.onlyOwner", "msg.sender.call"]);
}

#[test]
fn what_cannot_be_answered_is_told() {
    let project = vault();
    let refused = |args: &[&str]| {
        let ran = project.run(&[args, &["--output", "toon"]].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        decoded(&ran.stdout)["error"].clone()
    };
    let missing = refused(&["function_insights", "contracts/Vault.sol:Vault.withdrow"]);
    let message = "Could not find function withdrow in contract Vault in file contracts/Vault.sol";
    assert_eq!((&missing["type"], &missing["message"]), (&json!("function_not_found"), &json!(message)));
    let overloads = refused(&["function_insights", "contracts/Vault.sol:Vault.set"]);
    assert_eq!(overloads["type"], "function_ambiguous");
    assert_eq!(
        overloads["hints"],
        json!(["name it by `Vault.set(uint256)`", "name it by `Vault.set(uint256,uint256)`"])
    );
    let language = refused(&["entrypoints", "contracts", "--language", "cobol"]);
    assert_eq!(language["type"], "language_not_supported");
    assert_eq!(refused(&["peek", "contracts/None.sol"])["type"], "invalid_arguments");
}

#[test]
fn an_agent_hands_texts_in() {
    let project = vault();
    let mut client = Client::start(project.command(&["serve", "--toolsets", "audit"]));
    client.initialize("2025-11-25");
    let files = json!([{"path": "a/Vault.sol", "content": VAULT}, {"path": "a/Owned.sol", "content": OWNED}]);
    let mut said = |tool: &str, arguments: Value| {
        let result = client.call(tool, arguments);
        assert_eq!(result.get("structuredContent"), None, "{result}");
        (result["isError"] == true, decoded(result["content"][0]["text"].as_str().unwrap()))
    };
    let (_, listed) = said("entrypoints", json!({"files": files, "include_view": true}));
    assert_eq!(listed["entrypoints"].as_array().unwrap().len(), 11, "{listed}");
    let selector = json!({"file": "a/Vault.sol", "contract": "Vault", "name": "deposit"});
    let (_, insight) = said("function_insights", json!({"files": files, "selector": selector}));
    assert_eq!(insight["function"]["mutability"], "payable");
    let (failed, error) = said("entrypoints", json!({}));
    assert_eq!((failed, &error["error"]["type"]), (true, &json!("invalid_arguments")));
    let (_, peek) = said("peek", json!({"paths": [project.root().join("contracts")]}));
    assert_eq!(peek["files"].as_array().unwrap().len(), 2, "the project is found above an absolute path");
    let python = json!([{"path": "a.py", "content": "def f(): pass\n"}]);
    let (_, listed) = said("entrypoints", json!({"files": python, "language": "python"}));
    assert_eq!(listed["entrypoints"][0]["kind"], "export");
}

#[test]
fn broken_files_are_told_or_read_as_far_as_they_go() {
    let deep = format!(
        "contract Deep {{ uint x; function f() public {{ x = {}1{}; }} }}",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    let blocks = format!("contract Blocks {{ function f() public {} {} }}", "{".repeat(10_000), "}".repeat(10_000));
    let large = format!("contract Large {{ }} // {}", "x".repeat(50 << 20));
    let half = &VAULT[..VAULT.find("(bool ok").unwrap()];
    let project = Project::with(&[
        ("c/Deep.sol", deep.as_str()),
        ("c/Blocks.sol", blocks.as_str()),
        ("c/Large.sol", large.as_str()),
        ("c/Half.sol", half),
        ("c/A.sol", "import './B.sol'; contract A is B { function a() public { b(); } }"),
        ("c/B.sol", "import './A.sol'; contract B is A { function b() public { a(); } }"),
        ("c/Crlf.sol", "\u{feff}contract Crlf {\r\n uint x;\r\n function f() public {\r\n x = 1; }\r\n}\r\n"),
        ("c/empty.sol", ""),
        ("foundry.toml", ""),
    ]);
    project.write("c/binary.sol", [0xff_u8, 0xfe, 0, 1, 2, 0xc3, 0x28]);
    project.write("c/zeros.sol", [0_u8; 4096]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(project.root().join("c"), project.root().join("c/loop")).unwrap();
    let listed = decoded(&project.run(&["entrypoints", "c"]).ok());
    let names: Vec<&str> =
        listed["entrypoints"].as_array().unwrap().iter().map(|row| row["contract"].as_str().unwrap()).collect();
    for contract in ["Deep", "Blocks", "A", "B", "Crlf"] {
        assert!(names.contains(&contract), "{contract} in {names:?}");
    }
    let skipped: Vec<&str> = listed["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["skipped"] == "the file")
        .map(|row| row["file"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["c/Large.sol", "c/binary.sol"]);
    for command in ["peek", "metrics", "callgraph"] {
        decoded(&project.run(&[command, "c"]).ok());
    }
    let crlf = decoded(&project.run(&["function_insights", "c/Crlf.sol:Crlf.f"]).ok());
    assert_eq!(crlf["function"]["state"]["writes"][0]["location"], Value::Null);
    assert_eq!(crlf["function"]["state"]["writes"][0]["line"], 4);
    for target in [
        "c/Deep.sol:Deep.f",
        "c/Blocks.sol:Blocks.f",
        "c/A.sol:A.a",
        "c/Half.sol:Vault.deposit",
        "c/Large.sol:Large.f",
        "c/binary.sol:A.f",
    ] {
        let ran = project.run(&["function_insights", target, "--output", "toon"]);
        assert!(matches!(ran.code, Some(0..=2)), "{target}: {ran:?}");
        decoded(&ran.stdout);
    }
}
