//! Plans from elsewhere that name what no plan touches: refused for that reason, whichever way they come in.

use std::path::Path;

use serde_json::{Value, json};

use super::{command, run};
use crate::faces::Project;
use crate::mcp::Client;

/// A plan, with the basis that its maker would give it.
fn plan(mut plan: Value, basis: &[&str]) -> Value {
    let entry = |path: &&str| json!({"filePath": path, "sha256": "0".repeat(64)});
    plan["basis"] = basis.iter().map(entry).collect();
    plan
}

fn edit(path: &str) -> Value {
    let start = json!({"line": 0, "character": 0});
    json!([{"filePath": path, "textEdits": [{"range": {"start": start, "end": start}, "newText": "x"}]}])
}

fn refused(project: &Project, plan: &Value, code: i32, reason: &str) {
    let before = project.files();
    let file = project.outside().join("plan.json");
    std::fs::write(&file, plan.to_string()).unwrap();
    let file = file.to_str().unwrap();
    for args in [&["apply", file, "--verify", "none"][..], &["apply", file], &["verify", file]] {
        let ran = run(command(project, &[&["--project", "."], args].concat()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{args:?} {plan}: {ran:?}");
        assert!(ran.stderr.contains(reason) && !ran.stderr.contains("changed since"), "{args:?} {plan}: {ran:?}");
    }
    assert_eq!(project.files(), before);
}

fn project() -> Project {
    let project = Project::with(&[("a.py", "x = 1\n"), (".git/config", "[core]\n"), (".git/hooks/x", "x")]);
    std::os::unix::fs::symlink(".git/hooks", project.root().join("hooks")).unwrap();
    std::fs::write(project.outside().join("outer.py"), "x = 1\n").unwrap();
    project
}

#[test]
fn version_controls_files_are_refused_by_name() {
    let project = project();
    let reason = "version control's own files";
    for path in [".git/config", "hooks/x", "./a/../.git/config"] {
        refused(&project, &plan(json!({"edits": edit(path)}), &[]), 1, reason);
        refused(&project, &plan(json!({"edits": edit(path)}), &[path]), 1, reason);
        refused(&project, &plan(json!({"edits": [], "fsDeletes": [path]}), &[path]), 1, reason);
        refused(&project, &plan(json!({"edits": [], "fsMoves": [{"from": path, "to": "b.py"}]}), &[path]), 1, reason);
    }
    for path in [".git/hooks/post-commit", "hooks/post-commit", "sub/.HG/hgrc", ".git. /config", "GIT~1/config"] {
        refused(&project, &plan(json!({"edits": edit(path), "fsCreates": [path]}), &[]), 1, reason);
        refused(&project, &plan(json!({"edits": [], "fsMoves": [{"from": "a.py", "to": path}]}), &[]), 1, reason);
    }
}

#[test]
fn what_lies_outside_the_root_is_refused_as_that() {
    let project = project();
    let outer = project.outside().join("outer.py");
    let reason = "outside the project";
    for path in [outer.to_str().unwrap(), "../outer.py", "/etc/hostname"] {
        refused(&project, &plan(json!({"edits": edit(path)}), &[path]), 2, reason);
        refused(&project, &plan(json!({"edits": [], "fsDeletes": [path]}), &[path]), 2, reason);
        refused(&project, &plan(json!({"edits": [], "fsMoves": [{"from": path, "to": "b.py"}]}), &[path]), 2, reason);
        refused(&project, &plan(json!({"edits": [], "fsMoves": [{"from": "a.py", "to": path}]}), &["a.py"]), 2, reason);
    }
    assert_eq!(std::fs::read_to_string(Path::new(&outer)).unwrap(), "x = 1\n");
}

#[test]
fn agents_are_refused_for_the_same_reasons() {
    let project = project();
    let (before, root) = (project.files(), project.root());
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    let cases = [
        (plan(json!({"edits": edit(".git/config")}), &[".git/config"]), "refused", "version control's own files"),
        (plan(json!({"edits": edit("../outer.py")}), &["../outer.py"]), "outside-root", "outside the project"),
    ];
    for (plan, kind, reason) in cases {
        for tool in ["verifyPlan", "applyPlan"] {
            let answer = client.call(tool, json!({"projectRoot": root, "plan": plan}));
            let text = answer["content"][0]["text"].as_str().unwrap();
            assert_eq!(answer["isError"], true, "{answer}");
            assert!(text.contains(kind) && text.contains(reason) && !text.contains("changed since"), "{tool}: {text}");
        }
    }
    assert_eq!(project.files(), before);
}

#[test]
fn a_move_into_version_controls_files_is_no_plan() {
    let project = project();
    for to in [".git/a.py", "hooks/a.py", "pkg/.svn/a.py"] {
        let ran = run(command(&project, &["--project", ".", "move", "a.py", to]));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{to}: {ran:?}");
        assert!(ran.stderr.contains("version control's own files"), "{to}: {ran:?}");
    }
    let ran = run(command(&project, &["--project", ".", "move", ".git/config", "config.py"]));
    assert!(ran.code != Some(0) && ran.stderr.contains("version control's own files"), "{ran:?}");
}
