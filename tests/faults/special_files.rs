//! Pipes and devices where a project should have files: nothing waits for them, and nothing grows.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

use super::{PATIENCE, command};
use crate::faces::{Project, Ran};
use crate::mcp::Client;

/// Puts a pipe that nobody writes to in a file's place.
fn pipe(project: &Project, path: &str) {
    let path = clear(project, path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Puts a link to a device without an end in a file's place.
fn endless(project: &Project, path: &str) {
    let path = clear(project, path);
    std::os::unix::fs::symlink("/dev/zero", path).unwrap();
}

fn clear(project: &Project, path: &str) -> std::path::PathBuf {
    let path = project.root().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    // Nothing may have stood there.
    let _ = std::fs::remove_file(&path);
    path
}

/// Runs a command that has to end by itself.
fn ended(mut command: Command) -> Ran {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("still running after {PATIENCE:?}: {command:?}");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Ran::of(child.wait_with_output().unwrap())
}

const ODD: [fn(&Project, &str); 2] = [pipe, endless];

#[test]
fn a_rename_waits_for_no_odd_file_beside_it() {
    let files = [("a.py", "def total():\n    return 1\n"), ("sub/b.py", "from a import total\n\ntotal()\n")];
    for put in ODD {
        let project = Project::with(&files);
        std::fs::create_dir_all(project.root().join(".git/info")).unwrap();
        for path in [
            ".gitignore",
            "sub/.gitignore",
            ".git/index",
            ".git/info/exclude",
            "pyproject.toml",
            "pyrightconfig.json",
            "setup.cfg",
            "requirements.txt",
            "sub/odd.py",
            "remappings.txt",
            ".lspwright/smells.toml",
        ] {
            put(&project, path);
        }
        let plan = ended(command(&project, &["rename", "a.py::total", "amount", "--project", ".", "--output", "json"]));
        let edited: Vec<String> = super::places(&plan.json(), &project.root());
        assert_eq!(edited, ["a.py:0:4", "sub/b.py:0:14", "sub/b.py:2:0"], "{plan:?}");
    }
}

#[test]
fn an_odd_target_is_refused_by_its_kind() {
    for put in ODD {
        let project = Project::with(&[("a.py", "total = 1\n"), ("pyproject.toml", "")]);
        put(&project, "odd.py");
        put(&project, "plan.json");
        // A link is moved as a link, whatever it leads to.
        let moved = ended(command(&project, &["move", "odd.py", "even.py"]));
        assert_eq!(moved.code == Some(0), project.root().join("odd.py").is_symlink(), "{moved:?}");
        for args in [
            &["rename", "odd.py::total", "amount"][..],
            &["rename", "odd.py:1:1", "amount"],
            &["apply", "plan.json"],
            &["verify", "plan.json"],
            &["smells", "odd.py"],
            &["inspect", "odd.py"],
            &["smells", ".", "--baseline", "plan.json"],
        ] {
            let ran = ended(command(&project, args));
            assert!(ran.code.is_some_and(|code| code != 0) && ran.stderr.contains("error: "), "{args:?}: {ran:?}");
            assert!(!ran.stderr.contains("internal"), "{args:?}: {ran:?}");
        }
    }
}

#[test]
fn odd_configurations_of_contracts_and_smells_are_waited_for_by_nobody() {
    let contract = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\ncontract A { uint public total; }\n";
    for put in ODD {
        let project = Project::with(&[("a.sol", contract), ("a.py", "total = 1\n")]);
        put(&project, "foundry.toml");
        put(&project, "remappings.txt");
        put(&project, "hardhat.config.js");
        put(&project, "package.json");
        put(&project, "tsconfig.json");
        put(&project, ".lspwright/smells.toml");
        let renamed = ended(command(&project, &["rename", "a.sol:A.total", "amount", "--project", "."]));
        assert_eq!(renamed.code, Some(0), "{renamed:?}");
        assert_eq!(ended(command(&project, &["entrypoints", "a.sol", "--project", "."])).code, Some(0));
        let smells = ended(command(&project, &["smells", ".", "--project", "."]));
        assert!(smells.code == Some(2) && smells.stderr.contains("smells.toml"), "{smells:?}");
    }
}

#[test]
fn calls_that_meet_pipes_do_not_keep_others_waiting() {
    let project = Project::with(&[("a.py", "total = 1\n"), ("pyproject.toml", "")]);
    pipe(&project, "odd.py");
    pipe(&project, ".gitignore");
    let mut client = Client::start(command(&project, &["serve"]));
    client.initialize("2025-06-18");
    let root = |path: &Path| json!({"projectRoot": path.to_str().unwrap(), "path": "odd.py"});
    for _ in 0..3 {
        let refused = client.call("inspect_structure", root(&project.root()));
        assert_eq!(refused["isError"], true, "{refused}");
    }
    let seen = client.call("inspect_structure", json!({"projectRoot": project.root(), "path": "a.py"}));
    assert_eq!(seen["isError"], json!(false), "{seen}");
}
