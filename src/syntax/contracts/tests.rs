//! Declarations, from current sources and from old ones.

use super::*;
use crate::syntax::{Language, Tree};

fn read(text: &str) -> Unit {
    Unit::of(&Tree::parse(Language::Solidity, text), text)
}

#[test]
fn imports_in_every_form() {
    let unit = read(
        "import \"a.sol\"; import './b.sol' as B; import * as C from \"c.sol\"; import {D, E as F} from \"d.sol\";",
    );
    let names: Vec<ImportedNames> = unit.imports.iter().map(|import| import.names.clone()).collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let expected = [
        ImportedNames::All,
        ImportedNames::Module("B".to_owned()),
        ImportedNames::Module("C".to_owned()),
        ImportedNames::Some(vec![pair("D", "D"), pair("E", "F")]),
    ];
    assert_eq!(names, expected);
    assert_eq!(unit.imports[1].source, "./b.sol");
}

#[test]
fn contracts_with_all_that_they_declare() {
    let unit = read(
        "abstract contract A is B, M.C(1) {
            using {f, L.g} for uint; using L for *;
            struct S { uint a; mapping(address => S[3]) b; } enum E { X, Y } type T is uint8;
            event Ev(address indexed a, uint); error Er(uint a);
            uint public constant K = 1; address immutable owner; mapping(address k => uint v) balances; bool transient locked;
            constructor(uint a) B(a) payable {}
            modifier only(uint a) virtual { _; }
            function f(S memory s, uint[] calldata, function(uint) external returns (bool) cb) external view only(1) L.m returns (uint a, T) { return a; }
            receive() external payable {} fallback(bytes calldata) external {}
        }
        interface I { function g() external; }",
    );
    let contract = &unit.contracts[0];
    assert_eq!((contract.kind, contract.bases.len()), (ContractKind::Abstract, 2));
    assert_eq!(contract.bases[1], ["M", "C"]);
    let kinds: Vec<_> =
        contract.members.functions.iter().map(|it| (it.kind.as_str(), it.visibility, it.mutability)).collect();
    let expected = [
        ("constructor", Visibility::Public, Mutability::Payable),
        ("modifier", Visibility::Internal, Mutability::Nonpayable),
        ("function", Visibility::External, Mutability::View),
        ("receive", Visibility::External, Mutability::Payable),
        ("fallback", Visibility::External, Mutability::Nonpayable),
    ];
    assert_eq!(kinds, expected);
    let function = &contract.members.functions[2];
    let params: Vec<String> = function.params.iter().map(|param| param.of.written()).collect();
    assert_eq!(params, ["S", "uint256[]", "function"]);
    assert_eq!(function.returns.len(), 2);
    let modifiers: Vec<&str> = function.modifiers.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(modifiers, ["only(1)", "L.m"]);
    let kept: Vec<_> = contract.members.variables.iter().map(|it| (it.name.as_str(), it.storage)).collect();
    let expected = [
        ("K", Storage::Constant),
        ("owner", Storage::Immutable),
        ("balances", Storage::State),
        ("locked", Storage::Transient),
    ];
    assert_eq!(kept, expected);
    assert_eq!(contract.members.types.len(), 3);
    assert_eq!(contract.members.usings[0].names, [vec!["f".to_owned()], vec!["L".to_owned(), "g".to_owned()]]);
    assert_eq!(unit.contracts[1].members.functions[0].visibility, Visibility::External);
}

#[test]
fn sources_of_old_compilers() {
    let unit = read(
        "pragma solidity ^0.4.11;
        contract Old { address owner; function Old() { owner = msg.sender; } function () payable {}
          function total() constant returns (uint) { return 1; } function pay() payable { throw; } }",
    );
    let functions = &unit.contracts[0].members.functions;
    let told: Vec<_> =
        functions.iter().map(|it| (it.name.as_str(), it.kind.as_str(), it.visibility, it.mutability)).collect();
    let expected = [
        ("constructor", "constructor", Visibility::Public, Mutability::Nonpayable),
        ("fallback", "fallback", Visibility::Public, Mutability::Payable),
        ("total", "function", Visibility::Public, Mutability::View),
        ("pay", "function", Visibility::Public, Mutability::Payable),
    ];
    assert_eq!(told, expected);
}

#[test]
fn half_a_contract_still_tells() {
    let unit = read("contract A { uint a; function f() public { a = 1; } function g( ");
    assert!(unit.contracts.iter().any(|it| it.name == "A") || unit.free.functions.iter().any(|it| it.name == "f"));
}
