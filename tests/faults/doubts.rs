//! A check that finds nothing new proves nothing of uses that no type is known of.

use serde_json::json;

use super::{command, run};
use crate::faces::Project;
use crate::mcp::Client;

const FILES: &[(&str, &str)] = &[
    ("pyproject.toml", ""),
    ("shop.py", "class Order:\n    def charge(self) -> int:\n        return 1\n"),
    ("use.py", "def bill(order):\n    return order.charge()\n"),
];
const RENAME: [&str; 5] = ["--project", ".", "rename", "shop.py::Order::charge", "settle"];

#[test]
fn a_plan_with_possible_uses_is_not_clean() {
    let project = Project::with(FILES);
    let checked =
        run(command(&project, &[&RENAME[..], &["--verify", "diagnostics", "--output", "json"]].concat())).json();
    assert_eq!(checked["warnings"][0]["kind"], "possible-use", "{checked}");
    assert_eq!(checked["verification"]["status"], "possible", "{checked}");
    let reason = checked["verification"]["reason"].as_str().unwrap();
    assert_eq!(reason, "1 use of unknown type in 1 file may have to change", "{checked}");
    assert!(checked["summary"].as_str().unwrap().starts_with("possible: 1 edit in 1 file, plan "), "{checked}");
    let strict = run(command(&project, &[&RENAME[..], &["--verify", "diagnostics", "--strict"]].concat()));
    assert_eq!(strict.code, Some(1), "{strict:?}");
    let before = project.files();
    let refused = run(command(&project, &[&RENAME[..], &["--apply", "--strict"]].concat()));
    assert_eq!((refused.code, project.files()), (Some(1), before), "{refused:?}");
    assert!(refused.stderr.contains("not proven whole"), "{refused:?}");
    let applied = run(command(&project, &[&RENAME[..], &["--apply"]].concat()));
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(project.text("shop.py").contains("settle"));
}

#[test]
fn agents_may_be_strict_as_well() {
    let project = Project::with(FILES);
    let mut client = Client::start(command(&project, &["serve", "--project", "."]));
    client.initialize("2025-11-25");
    let rename = json!({"filePath": "shop.py", "line": 1, "character": 8, "newName": "settle"});
    let plan = client.call("planRenameSymbol", rename)["structuredContent"].clone();
    let strict = client.call("applyPlan", json!({"planId": plan["planId"], "strict": true}));
    assert_eq!(strict["isError"], true, "{strict}");
    assert!(!project.text("shop.py").contains("settle"));
    let applied = client.call("applyPlan", json!({"planId": plan["planId"]}));
    assert_eq!(applied["structuredContent"]["verification"]["status"], "possible", "{applied}");
}

#[test]
fn a_use_behind_many_mentions_is_seen_and_told_first() {
    let mut files: Vec<(String, &str)> = FILES[..2].iter().map(|(path, text)| ((*path).to_owned(), *text)).collect();
    files.extend((0..70).map(|number| (format!("notes/n{number:02}.py"), "# charge\nNOTE = \"charge\"\n")));
    files.push(("zoo.py".to_owned(), "def bill(order):\n    return order.charge()\n"));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let project = Project::with(&files);
    let checked =
        run(command(&project, &[&RENAME[..], &["--verify", "diagnostics", "--output", "json"]].concat())).json();
    assert_eq!(checked["verification"]["status"], "possible", "{checked}");
    let warnings = checked["warnings"].as_array().unwrap();
    assert_eq!((warnings.len(), &warnings[0]["kind"]), (8, &json!("possible-use")), "{checked}");
    assert!(warnings[0]["filePath"].as_str().unwrap().ends_with("zoo.py"), "{checked}");
    assert_eq!(warnings[1]["places"], 2, "{checked}");
    let counts = json!([
        {"kind": "possible-use", "places": 1, "files": 1},
        {"kind": "mentioned-not-changed", "places": 140, "files": 70},
    ]);
    assert_eq!(checked["warningCounts"], counts, "{checked}");
    let total = "in all 1 possible-use in 1 file, 140 mentioned-not-changed in 70 files; 64 remarks are not listed";
    assert_eq!((&warnings[7]["kind"], &warnings[7]["message"]), (&json!("not-listed"), &json!(total)), "{checked}");
    let shell = run(command(&project, &RENAME));
    assert_eq!(shell.stderr.lines().filter(|line| line.contains("mentioned-not-changed: ")).count(), 6, "{shell:?}");
    assert!(shell.stderr.contains(&format!("not-listed: {total}\nunchecked: 1 edit in 1 file, plan ")), "{shell:?}");
    // A plan that comes back counts them still.
    let file = project.outside().join("plan.json");
    std::fs::write(&file, checked.to_string()).unwrap();
    let again =
        run(command(&project, &["--project", ".", "verify", file.to_str().unwrap(), "--output", "json"])).json();
    assert_eq!(again["warningCounts"], counts, "{again}");
    assert_eq!(again["verification"]["status"], "possible", "{again}");
}
