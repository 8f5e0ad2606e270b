//! Plans for contracts: what others will see differently is told, and code is generated where the stack may not suffice.

use serde_json::Value;

use crate::faces::Project;

/// A function with as many variables as the compiler's stack holds.
fn full() -> String {
    let held: String = (0..13).map(|at| format!("        uint256 v{at} = {at};\n")).collect();
    format!(
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\ncontract Full {{\n    function total(uint256 seed) \
         public pure returns (uint256) {{\n{held}        return seed * 3;\n    }}\n}}\n"
    )
}

#[test]
fn a_variable_that_the_stack_has_no_room_for_is_refused() {
    let project = Project::with(&[("Full.sol", &full()), ("foundry.toml", "")]);
    let explain =
        ["refactor", "introduce-explaining-variable", "Full.sol:Full.total", "--expression", "seed * 3", "--name", "t"];
    let ran = project.run(&[&explain[..], &["--apply"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("tack too deep"), "{ran:?}");
    assert_eq!(project.text("Full.sol"), full(), "nothing was written");
    let more = ["refactor", "add-parameter", "Full.sol:Full.total", "--name", "more", "--param_type", "uint256"];
    let ran = project.run(&[&more[..], &["--value", "1", "--apply"]].concat());
    assert!(ran.code == Some(1) && ran.stderr.contains("tack too deep"), "{ran:?}");
    // As the project is compiled, there is room.
    project.write("foundry.toml", "[profile.default]\noptimizer = true\nvia_ir = true\n");
    let ran = project.run(&[&explain[..], &["--apply"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

const BANK: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

struct Order { address who; uint256 amount; }

contract Bank {
    uint256 private total;
    mapping(address => uint256) public held;
    event Paid(address who);

    function pay(Order calldata order) external { total += _sum(order.amount); emit Paid(order.who); }
    function _sum(uint256 amount) internal pure returns (uint256) { return amount; }
}
";

#[test]
fn what_others_see_differently_is_told_without_a_compiler() {
    let project = Project::with(&[("Bank.sol", BANK), ("foundry.toml", "")]);
    let told = |target: &str, name: &str| -> Vec<String> {
        let json: Value = project.run(&["rename", target, name, "--verify", "none", "--output", "json"]).json();
        let all = json["warnings"].as_array().cloned().unwrap_or_default();
        let changed = all.iter().filter(|warning| warning["kind"] == "interface-changed");
        changed.flat_map(|warning| warning["message"].as_str().unwrap().split("; ")).map(str::to_owned).collect()
    };
    assert_eq!(
        told("Bank.sol:Bank.pay", "send"),
        [
            "`Bank` loses `function pay((address,uint256)), selector 0x0c518a32`",
            "`Bank` gains `function send((address,uint256)), selector 0x3ba237f0`",
        ]
    );
    assert_eq!(told("Bank.sol:Bank.held", "kept").len(), 3, "a getter, and the storage's name");
    assert_eq!(told("Bank.sol:Bank.total", "all"), ["the storage of `Bank` has `all` where it had `total`"]);
    assert_eq!(
        told("Bank.sol:Bank.Paid", "Done"),
        ["`Bank` loses `event Paid(address)`", "`Bank` gains `event Done(address)`"]
    );
    for (target, name) in [("Bank.sol:Bank._sum", "_plus"), ("Bank.sol:Order", "Request"), ("Bank.sol:Bank", "Vault")] {
        assert_eq!(told(target, name), [""; 0], "{target}: nobody sees it");
    }
}

/// A source that does not compile hides the errors of all others from the compiler.
#[test]
fn what_does_not_compile_before_is_left_out_and_told() {
    const VAULT: &str = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\ncontract Vault {\n    function ok(uint256 x) internal pure returns (bool) { return x > 1; }\n    function put(uint256 x) external pure { require(ok(x)); }\n}\n";
    const TEST: &str = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nimport {Test} from \"forge-std/Test.sol\";\nimport {Vault} from \"../src/Vault.sol\";\n\ncontract VaultTest is Test, Vault {\n    function testOk() public pure { require(ok(2)); }\n}\n";
    let project =
        Project::with(&[("src/Vault.sol", VAULT), ("test/Vault.t.sol", TEST), ("foundry.toml", "[profile.default]\n")]);
    let verified = |project: &Project, level: &str| -> Value {
        let ran = project.run(&["rename", "src/Vault.sol:Vault.ok", "fine", "--verify", level, "--output", "json"]);
        ran.json()["verification"].clone()
    };
    for level in ["diagnostics", "project"] {
        let found = verified(&project, level);
        assert_eq!((&found["status"], &found["filesLeftOut"]), (&"possible".into(), &1.into()), "{found}");
        assert!(found["reason"].as_str().unwrap().contains("`test/Vault.t.sol` did not compile before"), "{found}");
    }
    project.write(
        "test/Vault.t.sol",
        TEST.replace("import {Test} from \"forge-std/Test.sol\";\n", "").replace("Test, ", ""),
    );
    assert_eq!(verified(&project, "diagnostics")["status"], "clean");
    // What is found beside a source that does not compile is found all the same.
    project.write("test/Other.t.sol", TEST.replace("VaultTest", "OtherTest"));
    let broken = r#"{"edits": [{"filePath": "src/Vault.sol", "textEdits": [{"range": {"start": {"line": 4, "character": 13},
        "end": {"line": 4, "character": 15}}, "newText": "fine"}]}]}"#;
    project.write("plan.json", broken);
    let found = project.run(&["verify", "plan.json", "--project", ".", "--output", "json"]).json();
    assert_eq!(found["verification"]["status"], "regressed", "{found}");
    let checked = project.run(&["check", "src", "--output", "json"]).json();
    assert_eq!(
        (&checked["success"], checked["diagnostics"].as_array().map(Vec::len)),
        (&true.into(), Some(0)),
        "{checked}"
    );
    project.write("src/Vault.sol", VAULT.replace("ok(x)", "ok(x, 1)"));
    let checked = project.run(&["check", "src", "--output", "json"]).json();
    assert_eq!(
        (&checked["success"], &checked["diagnostics"][0]["source"]),
        (&false.into(), &"solc".into()),
        "{checked}"
    );
}
