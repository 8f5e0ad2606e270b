//! Texts that nobody expects: not UTF-8, empty, one huge line, nested without end.

use super::{command, faulty, places, run};
use crate::faces::{Project, Ran};

fn rename(project: &Project, target: &str) -> Ran {
    run(command(project, &["--project", ".", "rename", target, "amount", "--output", "json"]))
}

#[test]
fn a_file_that_is_not_utf8_is_refused_by_name() {
    let project = Project::with(&[("a.py", "def total():\n    return 1\n")]);
    project.write("latin.py", b"# -*- coding: latin-1 -*-\nfrom a import total\n# caf\xe9\nprint(total())\n");
    let ran = rename(&project, "a.py::total");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let reason = ran.json()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("latin.py` is not valid UTF-8 at byte 51; convert the file"), "{reason}");
    let ran = rename(&project, "latin.py:2:15");
    assert_eq!((ran.code, ran.json()["reason"].as_str()), (Some(1), Some(reason.as_str())), "{ran:?}");
}

#[test]
fn a_picture_that_holds_a_name_stands_in_nobodys_way() {
    let class = "export class Shop {\n  count = 0;\n  total() {\n    return this.count;\n  }\n}\n";
    let project = Project::with(&[("shop.ts", class)]);
    project.write("logo.ai", b"%PDF Shop count \xe2\xff Shop\n");
    let args = ["--project", ".", "refactor", "self-encapsulate-field", "shop.ts#Shop.count", "--output", "json"];
    let ran = run(command(&project, &args));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let plan = ran.json();
    assert_eq!(plan["edits"].as_array().map(Vec::len), Some(1), "{plan}");
}

#[cfg(unix)]
#[test]
fn an_environment_behind_a_link_is_a_library() {
    let outside = tempfile::tempdir().unwrap();
    let packages = outside.path().join("lib/python3.11/site-packages");
    std::fs::create_dir_all(&packages).unwrap();
    std::fs::write(outside.path().join("pyvenv.cfg"), "version = 3.11.0\n").unwrap();
    std::fs::write(packages.join("boxes.py"), "class Box:\n    def total(self):\n        return 1\n").unwrap();
    let program = "from boxes import Box\n\n\nclass Order:\n    def total(self):\n        return Box().total()\n\n\nprint(Order().total())\n";
    let project = Project::with(&[("main.py", program), ("pyproject.toml", "[project]\nname = \"shop\"\n")]);
    std::os::unix::fs::symlink(outside.path(), project.root().join(".venv")).unwrap();
    let plan = rename(&project, "main.py::Order::total");
    assert_eq!(plan.code, Some(0), "{plan:?}");
    assert_eq!(places(&plan.json(), &project.root()), ["main.py:4:8", "main.py:8:14"]);
    let refused = rename(&project, "main.py:6:22");
    assert_eq!(refused.code, Some(1), "{refused:?}");
}

#[test]
fn an_empty_file_has_no_name_and_can_be_moved() {
    let project = Project::with(&[("empty.py", ""), ("a.lua", "")]);
    let ran = rename(&project, "empty.py:1:1");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.json()["reason"].as_str().unwrap().contains("no name stands at"), "{ran:?}");
    let moved = run(command(&project, &["--project", ".", "move", "empty.py", "b.py", "--output", "json"])).json();
    assert_eq!((moved["edits"].as_array().unwrap().len(), moved["fsMoves"].as_array().unwrap().len()), (0, 1));
}

#[test]
fn a_huge_line_is_edited_at_its_end() {
    let filling = "ö".repeat(2_500_000);
    let project = Project::with(&[("a.lua", &format!("local total = 1; x = '{filling}' print(total)\n"))]);
    let args = ["--project", ".", "rename", "a.lua:1:7", "amount", "--output", "json"];
    let plan = run(faulty(&project, "honest", &args));
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    assert_eq!(places(&plan.json(), &project.root()), ["a.lua:0:6", "a.lua:0:2500030"]);
}

#[test]
fn endless_nesting_ends_no_process() {
    let deep = |open: &str, close: &str| format!("{}total{}", open.repeat(10_000), close.repeat(10_000));
    let project = Project::with(&[
        ("a.lua", &format!("local total = 1\nx = {}\n", deep("(", ")"))),
        ("a.py", "def total():\n    return 1\n"),
        ("b.py", &format!("import a\nfrom a import total\nx = {}\ny = {}\n", deep("(", ")"), deep("[", "]"))),
        ("c.py", &format!("from a import total\nx = {}\n", deep("-", ""))),
        ("a.ts", "export const total = 1;\n"),
        ("b.ts", &format!("import {{ total }} from './a';\nexport const x = {};\n", deep("(", ")"))),
        ("c.ts", &format!("import {{ total }} from './a';\n{};\n", deep("(() => {", "})()"))),
    ]);
    let args = ["--project", ".", "rename", "a.lua:1:7", "amount", "--output", "json"];
    let plan = run(faulty(&project, "honest", &args)).json();
    assert_eq!(places(&plan, &project.root()), ["a.lua:0:6", "a.lua:1:10004"]);
    let moved = run(command(&project, &["--project", ".", "move", "a.py", "z.py", "--output", "json"])).json();
    assert_eq!(places(&moved, &project.root()), ["b.py:0:7", "b.py:1:5", "c.py:0:5"]);
    // No server reads these to their ends: it is told that they may be the reason for a short plan.
    for target in ["a.ts::total", "a.py::total"] {
        let ran = rename(&project, target);
        let warnings = if ran.code == Some(0) { ran.json()["warnings"].to_string() } else { String::new() };
        let is_told = ["b.", "c."].iter().all(|name| warnings.contains(name)) && warnings.contains("not changed");
        assert!(is_told || matches!(ran.code, Some(1 | 3)) && ran.stderr.contains("error: "), "{ran:?}");
    }
}
