//! Solidity that nobody expects, renamed and moved by the embedded server.

use super::{command, places, run};
use crate::faces::{Project, Ran};

const TOKEN: &str = "pragma solidity ^0.8.20;\ncontract Token { uint256 public total; }\n";
const USER: &str = "pragma solidity ^0.8.20;\nimport {Token} from './Token.sol';\n\
                    contract User { function f(Token token) external view { token.total(); } }\n";

/// A project with every sort of broken source; those that are text mention `word`.
fn broken(word: &str) -> Project {
    let nested = |open: &str, close: &str| {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        format!("contract Deep {{ function f() public {{ {open} {word} {close} }} }}")
    };
    let project = Project::with(&[
        ("src/Token.sol", TOKEN),
        ("src/User.sol", USER),
        ("src/Half.sol", &format!("contract Half {{ function f() public {{ if ({word} == (1 + ")),
        ("src/Deep.sol", &nested("(", ")")),
        ("src/Blocks.sol", &nested("{", "}")),
        ("src/Large.sol", &format!("// {word}{}", "x".repeat(50 << 20))),
        ("src/A.sol", "import './B.sol'; contract A is B { function a() public { b(); } }"),
        ("src/B.sol", "import './A.sol'; contract B is A { function b() public { a(); } }"),
        ("src/Self.sol", "import './Self.sol'; contract Self is Self {}"),
        ("src/empty.sol", ""),
        ("foundry.toml", "[profile.default]\nsrc = 'src'\n"),
    ]);
    project.write("src/binary.sol", [0xff_u8, 0xfe, 0, 1, 2, 0xc3, 0x28]);
    project.write("src/zeros.sol", [0_u8; 4096]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(project.root().join("src"), project.root().join("src/loop")).unwrap();
    project
}

fn planned(project: &Project, words: &[&str]) -> Ran {
    run(command(project, &[&["--project", "."], words, &["--output", "json"]].concat()))
}

#[test]
fn broken_sources_that_do_not_mention_a_name_do_not_hinder_its_rename() {
    let project = broken("other");
    let ran = planned(&project, &["rename", "src/Token.sol:Token.total", "sum"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(places(&ran.json(), &project.root()), ["src/Token.sol:1:32", "src/User.sol:2:62"]);
    let ran = planned(&project, &["rename", "src/A.sol:A.a", "first"]);
    assert!(matches!(ran.code, Some(0 | 1)), "contracts that inherit in a circle: {ran:?}");
    let ran = planned(&project, &["move", "src/Token.sol", "src/tokens/Token.sol"]);
    assert_eq!((ran.code, places(&ran.json(), &project.root())), (Some(0), vec!["src/User.sol:1:21".to_owned()]));
}

#[test]
fn broken_sources_that_mention_a_name_are_named() {
    let project = broken("total");
    let ran = planned(&project, &["rename", "src/Token.sol:Token.total", "sum"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(["Half.sol", "Deep.sol", "Blocks.sol"].iter().any(|file| said.contains(file)), "{said}");
    for target in
        ["src/Half.sol:Half.f", "src/Deep.sol:Deep.f", "src/binary.sol:1:1", "src/zeros.sol:1:1", "src/Large.sol:1:5"]
    {
        let ran = planned(&project, &["rename", target, "g"]);
        assert!(matches!(ran.code, Some(0..=2)), "{target}: {ran:?}");
    }
}
