//! A check is made once: while all that it looked at stands, nobody is asked again.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::faces::Project;
use crate::mcp::Client;

const FILES: &[(&str, &str)] = &[("a.lua", "local total = 1\nprint(total)\n"), ("b.lua", "print(1)\n")];

/// A command in a project whose Lua is spoken by a server that writes down what it is asked.
fn counting(project: &Project, args: &[&str]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty.mjs");
    let config = format!(
        "[servers.counting]\ncommand = [\"node\", {script:?}, \"counts\", {:?}]\nlanguages = {{ lua = [\"lua\"] }}\n\
         [[routes]]\nlanguages = [\"lua\"]\nservers = [\"counting\"]\n",
        asked(project)
    );
    let file = project.outside().join("counting.toml");
    std::fs::write(&file, config).unwrap();
    let mut command = project.command(args);
    command.env("LSPWRIGHT_CONFIG", file);
    command
}

fn asked(project: &Project) -> std::path::PathBuf {
    project.outside().join("asked")
}

/// How often the server was asked what is wrong with a file.
fn checks(project: &Project) -> usize {
    let asked = std::fs::read_to_string(asked(project)).unwrap_or_default();
    asked.lines().filter(|line| *line == "textDocument/diagnostic").count()
}

fn client(project: &Project, flags: &[&str]) -> Client {
    let mut client = Client::start(counting(project, &[&["serve", "--project", "."], flags].concat()));
    client.initialize("2025-11-25");
    client
}

fn planned(client: &mut Client, more: Value) -> Value {
    let mut rename = json!({"filePath": "a.lua", "line": 0, "character": 6, "newName": "sum"});
    rename.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = client.call("planRenameSymbol", rename);
    assert_eq!(answer["isError"], false, "{answer}");
    answer["structuredContent"].clone()
}

#[test]
fn a_plan_that_was_checked_is_applied_without_another_check() {
    let project = Project::with(FILES);
    let mut client = client(&project, &[]);
    let plan = planned(&mut client, json!({}));
    assert!(plan["summary"].as_str().unwrap().starts_with("unchecked: 2 edits in 1 file, plan "), "{plan}");
    assert_eq!(checks(&project), 0);
    let verified = client.call("verifyPlan", json!({"planId": plan["planId"]}));
    let summary = verified["structuredContent"]["summary"].as_str().unwrap();
    assert!(summary.starts_with("clean: 2 edits in 1 file, plan "), "{verified}");
    let asked = checks(&project);
    assert!(asked > 0);
    for again in [json!({"planId": plan["planId"]}), json!({"plan": plan})] {
        let verified = client.call("verifyPlan", again);
        assert_eq!(verified["structuredContent"]["verification"]["status"], "clean", "{verified}");
        assert_eq!(checks(&project), asked, "{verified}");
    }
    let applied = client.call("applyPlan", json!({"planId": plan["planId"]}));
    assert_eq!(applied["structuredContent"]["verification"]["status"], "clean", "{applied}");
    assert_eq!((checks(&project), project.text("a.lua").as_str()), (asked, "local sum = 1\nprint(sum)\n"));
}

#[test]
fn what_the_planning_checked_is_not_checked_again() {
    let project = Project::with(FILES);
    let mut client = client(&project, &[]);
    let plan = planned(&mut client, json!({"verify": "diagnostics"}));
    let asked = checks(&project);
    assert!(asked > 0);
    let applied = client.call("applyPlan", json!({"planId": plan["planId"]}));
    assert_eq!((applied["isError"].clone(), checks(&project)), (json!(false), asked), "{applied}");
}

#[test]
fn where_any_file_has_changed_the_check_is_made_again() {
    let changes = [("b.lua", "print(2)\n"), ("c.lua", "print(total)\n"), ("ignored/d.lua", "print(3)\n")];
    for (path, text) in changes {
        let project = Project::with(FILES);
        project.write(".gitignore", "ignored\n");
        project.write("ignored/d.lua", "print(1)\n");
        let mut client = client(&project, &[]);
        let plan = planned(&mut client, json!({"verify": "diagnostics"}));
        let asked = checks(&project);
        project.write(path, text);
        let applied = client.call("applyPlan", json!({"planId": plan["planId"]}));
        assert_eq!(applied["isError"], false, "{applied}");
        assert!(checks(&project) > asked, "{path} has changed");
    }
}

#[test]
fn a_clients_command_decides_where_the_user_allows_it() {
    let project = Project::with(FILES);
    let ran = project.outside().join("ran");
    let count = || std::fs::read_to_string(&ran).unwrap_or_default().lines().count();
    let mut client = client(&project, &["--allow-commands"]);
    let plan = planned(&mut client, json!({}));
    let fails = json!({"planId": plan["planId"], "check": "grep -q total a.lua"});
    let verified = client.call("verifyPlan", fails.clone())["structuredContent"].clone();
    assert_eq!(verified["verification"]["level"], "project", "{verified}");
    assert!(verified["summary"].as_str().unwrap().starts_with("regressed (project): 2 edits"), "{verified}");
    assert_eq!(client.call("applyPlan", fails)["isError"], true);
    let late = json!({"planId": plan["planId"], "check": "sleep 1000", "checkTimeout": 1});
    let late = client.call("verifyPlan", late)["structuredContent"].clone();
    assert_eq!(late["verification"]["status"], "unverified", "{late}");
    let passes = json!({"planId": plan["planId"], "check": format!("echo ran >> '{}'", ran.display())});
    let verified = client.call("verifyPlan", passes.clone())["structuredContent"].clone();
    assert_eq!((verified["verification"]["status"].clone(), count()), (json!("clean"), 2), "{verified}");
    let applied = client.call("applyPlan", passes);
    assert_eq!((applied["isError"].clone(), count()), (json!(false), 2), "{applied}");
    assert_eq!(project.text("a.lua"), "local sum = 1\nprint(sum)\n");
}

#[test]
fn without_leave_no_client_has_a_command_run() {
    let project = Project::with(FILES);
    let ran = project.outside().join("ran");
    let mut client = client(&project, &[]);
    let plan = planned(&mut client, json!({}));
    let check = format!("touch '{}'", ran.display());
    let rename = json!({"refactoring": "rename", "target": "a.lua:1:7", "params": {"new_name": "sum"}, "check": check});
    let calls = [
        ("verifyPlan", json!({"planId": plan["planId"], "check": check})),
        ("applyPlan", json!({"planId": plan["planId"], "check": check})),
        ("planRenameSymbol", json!({"target": "a.lua:1:7", "newName": "sum", "check": check})),
        ("preview_refactoring", rename.clone()),
        ("apply_refactoring", rename),
        ("undoPlan", json!({"check": check})),
    ];
    for (tool, arguments) in calls {
        let refused = client.call(tool, arguments);
        assert_eq!(refused["isError"], true, "{tool}: {refused}");
        let text = refused["content"][0]["text"].as_str().unwrap();
        assert_eq!(text.contains("--allow-commands"), tool != "undoPlan", "{tool}: {text}");
    }
    assert!(!ran.exists());
    assert_eq!(project.text("a.lua"), FILES[0].1);
}
