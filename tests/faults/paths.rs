//! Projects with odd paths, and targets that lead out of them.

use std::os::unix::fs::symlink;

use super::{command, places, run};
use crate::faces::Project;

const ROOT: &str = "Größe 数 & mehr";
const FILES: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"p\"\n"),
    ("pkg/__init__.py", ""),
    ("pkg/a.py", "def total():\n    return 1\n"),
    ("pkg/naïve dir/c d#e%20.py", "from pkg.a import total\n\ntotal()\n"),
    ("../outer.py", "def total():\n    return 1\n"),
];

/// A project that is also reached by `../link`, with links inside to a file and a directory of its own and
/// to a file outside.
fn project() -> Project {
    let project = Project::named(ROOT, FILES);
    let link = |target: &str, path: &str| symlink(target, project.root().join(path)).unwrap();
    link(ROOT, "../link");
    link("a.py", "pkg/linked.py");
    link("pkg", "also");
    link("../../outer.py", "pkg/out.py");
    project
}

#[test]
fn the_plan_is_the_same_by_whichever_path_one_comes() {
    let project = project();
    let expected = ["pkg/a.py:0:4", "pkg/naïve dir/c d#e%20.py:0:18", "pkg/naïve dir/c d#e%20.py:2:0"];
    let link = project.outside().join("link");
    let by_link = link.join("pkg/a.py:1:5");
    let targets = ["pkg/a.py::total", "pkg/linked.py:1:5", "also/a.py:1:5", by_link.to_str().unwrap()];
    for (target, root) in targets.into_iter().zip([".", "../link", ".", link.to_str().unwrap()]) {
        let rename = ["--project", root, "rename", target, "amount", "--output", "json"];
        let plan = run(command(&project, &rename)).json();
        // Every path of a plan has its links resolved, and each file is there once.
        assert_eq!(places(&plan, &project.root()), expected, "{target}: {plan}");
    }
    let applied = run(command(&project, &["--project", "../link", "rename", "also/a.py:1:5", "amount", "--apply"]));
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(project.text("pkg/naïve dir/c d#e%20.py"), "from pkg.a import amount\n\namount()\n");
    assert!(project.root().join("pkg/linked.py").is_symlink());
}

#[test]
fn what_leaves_the_root_is_refused() {
    let project = project();
    let before = project.files();
    let outer = project.outside().join("outer.py");
    let outer = outer.to_str().unwrap();
    let refused = |args: &[&str]| {
        let ran = run(command(&project, &[&["--project", "."], args].concat()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("outside the project") && ran.stderr.contains("hint: "), "{args:?}: {ran:?}");
    };
    refused(&["rename", "../outer.py:1:5", "amount"]);
    refused(&["rename", &format!("{outer}:1:5"), "amount"]);
    refused(&["rename", "pkg/out.py:1:5", "amount"]);
    refused(&["rename", "also/../../outer.py:1:5", "amount"]);
    refused(&["move", "pkg/a.py", "../a.py"]);
    refused(&["move", "pkg/a.py", outer.replace("outer", "a").as_str()]);
    refused(&["move", outer, "pkg/b.py"]);
    refused(&["move", "pkg", "../pkg"]);
    let plan = serde_json::json!({"edits": [{"filePath": outer, "textEdits": [
        {"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 9}}, "newText": "amount"}]}]});
    for path in [outer, "../outer.py", "pkg/out.py"] {
        let mut plan = plan.clone();
        plan["edits"][0]["filePath"] = path.into();
        let file = project.outside().join("plan.json");
        std::fs::write(&file, plan.to_string()).unwrap();
        refused(&["apply", file.to_str().unwrap(), "--verify", "none"]);
    }
    assert_eq!(project.files(), before);
    assert_eq!(std::fs::read_to_string(outer).unwrap(), "def total():\n    return 1\n");
}
