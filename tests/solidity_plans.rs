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
