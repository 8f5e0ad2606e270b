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
    assert!(checked["verification"]["reason"].as_str().unwrap().contains("a file"), "{checked}");
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
