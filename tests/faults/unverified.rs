//! A check that could not look is not a pass.

use serde_json::{Value, json};

use super::{command, faulty, run};
use crate::faces::Project;
use crate::mcp::Client;

const LUA: &[(&str, &str)] = &[("a.lua", "local total = 1\nprint(total)\n")];
const RENAME: [&str; 5] = ["--project", ".", "rename", "a.lua:1:7", "sum"];
const RENAMED: &str = "local sum = 1\nprint(sum)\n";

#[test]
fn what_could_not_be_checked_is_not_written() {
    let project = Project::with(LUA);
    let before = project.files();
    let plan = run(faulty(&project, "mute", &[&RENAME[..], &["--output", "json"]].concat())).ok();
    let file = project.outside().join("plan.json");
    std::fs::write(&file, plan).unwrap();
    let file = file.to_str().unwrap();
    let refactor = ["--project", ".", "refactor", "rename", "a.lua:1:7", "--new_name", "sum", "--apply"];
    for args in [&[&RENAME[..], &["--apply"]].concat()[..], &["--project", ".", "apply", file], &refactor] {
        let ran = run(faulty(&project, "mute", args));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{args:?}: {ran:?}");
        assert!(
            ran.stderr.contains("error: the plan could not be checked: server `faulty` has not said within"),
            "{args:?}: {ran:?}"
        );
        assert!(ran.stderr.contains("`--verify`") && ran.stderr.contains("`--force`"), "{args:?}: {ran:?}");
        assert_eq!(project.files(), before, "{args:?}: {ran:?}");
    }
    let ran = run(faulty(&project, "mute", &[&RENAME[..], &["--apply", "--output", "json"]].concat()));
    assert!(ran.stdout.contains("\"kind\": \"unverified\""), "{ran:?}");
    // A plan is no harm, and a check that was not asked for no reason.
    assert_eq!(run(faulty(&project, "mute", &[&RENAME[..], &["--verify", "diagnostics"]].concat())).code, Some(0));
}

#[test]
fn who_says_so_writes_unchecked() {
    for how in [["--verify", "none"], ["--verify", "syntax"], ["--force", "--verify=diagnostics"]] {
        let project = Project::with(LUA);
        let ran = run(faulty(&project, "mute", &[&RENAME[..], &["--apply"], &how].concat()));
        assert_eq!((ran.code, project.text("a.lua").as_str()), (Some(0), RENAMED), "{how:?}: {ran:?}");
        assert_eq!(ran.stderr.contains("unverified"), how[0] == "--force", "{how:?}: {ran:?}");
    }
}

#[test]
fn agents_are_refused_as_well() {
    let project = Project::with(LUA);
    let mut client = Client::start(faulty(&project, "mute", &["serve", "--project", "."]));
    client.initialize("2025-11-25");
    let rename = json!({"refactoring": "rename", "target": "a.lua:1:7", "params": {"new_name": "sum"}});
    let preview = client.call("preview_refactoring", rename.clone());
    let text = preview["content"][0]["text"].as_str().unwrap();
    let id = text.lines().find_map(|line| line.trim().strip_prefix("plan_id: ")).unwrap().trim_matches('"').to_owned();
    let refused = client.call("applyPlan", json!({"planId": id}));
    let said: Value = serde_json::from_str(refused["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(said["error"]["kind"], "unverified", "{refused}");
    let refused = client.call("apply_refactoring", rename)["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(refused.contains("type: unverified"), "{refused}");
    assert_eq!(project.text("a.lua"), LUA[0].1);
    let applied = client.call("applyPlan", json!({"planId": id, "force": true}));
    assert_eq!((&applied["isError"], project.text("a.lua").as_str()), (&json!(false), RENAMED), "{applied}");
}

#[test]
fn where_no_checker_reads_anything_there_is_nothing_to_miss() {
    let files = [("assets/a.png", "1"), ("assets/deep/b.png", "2"), ("data.json", "{\"a\": 1}\n")];
    let project = Project::with(&files);
    let ran = run(command(&project, &["--project", ".", "move", "assets", "pictures", "--apply"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stderr.contains("clean: 2 moves, plan ") && ran.stderr.contains("; no checker reads the files that change"),
        "{ran:?}"
    );
    assert_eq!(project.text("pictures/deep/b.png"), "2");
    let edit = |new: &str| {
        let range = json!({"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 7}});
        json!({"edits": [{"filePath": "data.json", "textEdits": [{"range": range, "newText": new}]}]})
    };
    let file = project.outside().join("plan.json");
    for (new, code) in [("{", 1), ("2", 0)] {
        std::fs::write(&file, edit(new).to_string()).unwrap();
        let ran = run(command(&project, &["--project", ".", "apply", file.to_str().unwrap()]));
        assert_eq!(ran.code, Some(code), "{new}: {ran:?}");
    }
}

#[test]
fn a_language_that_the_plan_does_not_touch_is_not_needed() {
    let project = Project::with(&[("a.py", "def total():\n    return 1\n"), LUA[0]]);
    let ran = run(faulty(&project, "mute", &["--project", ".", "rename", "a.py::total", "amount", "--apply"]));
    assert_eq!((ran.code, project.text("a.py").as_str()), (Some(0), "def amount():\n    return 1\n"), "{ran:?}");
    assert!(ran.stderr.contains("clean: 1 edit in 1 file"), "{ran:?}");
}
