//! Files that change under a warm session, under a plan, and under two at once.

use std::path::Path;
use std::process::Stdio;

use lspwright::lsp::Place;
use lspwright::refactor::rename::{self, RenameRequest};
use lspwright::render::json;
use lspwright::session::Session;

use super::{command, faulty, places, run};
use crate::faces::{Project, Ran};
use crate::support::{block_on, session};

/// Plans the rename of what `needle` begins with in a file; tells the places.
async fn renamed(session: &Session, file: &str, needle: &str) -> Vec<String> {
    let path = session.root().join(file).unwrap();
    let offset = std::fs::read_to_string(path.as_path()).unwrap().find(needle).unwrap();
    let request = RenameRequest::new(Place { path, offset }, "amount");
    let plan = rename::plan(session, &request).await.unwrap_or_else(|refusal| panic!("{refusal}"));
    places(&serde_json::to_value(json::plan(&plan, None)).unwrap(), session.root().as_path())
}

#[test]
fn a_warm_session_sees_what_changed_in_python() {
    let files = [("a.py", "def total():\n    return 1\n"), ("b.py", "from a import total\n\ntotal()\n")];
    let project = Project::with(&[&files[..], &[("pyproject.toml", "[project]\nname = \"p\"\n")]].concat());
    block_on(async {
        let session = session(&project.root());
        let first = renamed(&session, "a.py", "total").await;
        assert_eq!(first, ["a.py:0:4", "b.py:0:14", "b.py:2:0"]);
        project.write("a.py", "import os\n\n\ndef total():\n    return len(os.sep)\n");
        project.write("b.py", "\"\"\"Uses it.\"\"\"\nfrom a import total\n\nprint(1, total())\n");
        project.write("c.py", "import a\n\na.total()\n");
        let second = renamed(&session, "a.py", "total").await;
        assert_eq!(second, ["a.py:3:4", "b.py:1:14", "b.py:3:9", "c.py:2:2"]);
        std::fs::remove_file(project.root().join("b.py")).unwrap();
        let third = renamed(&session, "c.py", "total").await;
        assert_eq!(third, ["a.py:3:4", "c.py:2:2"]);
        session.close().await;
    });
}

#[test]
fn a_warm_session_sees_what_changed_in_typescript() {
    let files =
        [("a.ts", "export const total = 1;\n"), ("b.ts", "import { total } from './a';\nconsole.log(total);\n")];
    let project = Project::with(&[&files[..], &[("tsconfig.json", "{}\n")]].concat());
    block_on(async {
        let session = session(&project.root());
        let first = renamed(&session, "a.ts", "total").await;
        assert_eq!(first, ["a.ts:0:13", "b.ts:0:9", "b.ts:1:12"]);
        project.write("a.ts", "// First.\n\nexport const total = 1;\n");
        project.write("b.ts", "\n\nimport { total } from './a';\nconsole.log(1, total);\n");
        project.write("c.ts", "import * as a from './a';\nconsole.log(a.total);\n");
        let second = renamed(&session, "a.ts", "total").await;
        assert_eq!(second, ["a.ts:2:13", "b.ts:2:9", "b.ts:3:15", "c.ts:1:14"]);
        std::fs::remove_file(project.root().join("b.ts")).unwrap();
        let third = renamed(&session, "c.ts", "total").await;
        assert_eq!(third, ["a.ts:2:13", "c.ts:1:14"]);
        session.close().await;
    });
}

/// A plan that renames `total` in `count` files, made by the words of the public JSON alone.
fn plan(project: &Project, count: usize) -> std::path::PathBuf {
    let text = "local total = 1\nprint(total)\n";
    let names = (0..count).map(|number| format!("f{number:03}.lua"));
    let edit = |line: u32| {
        serde_json::json!({"range": {"start": {"line": line, "character": 6}, "end": {"line": line, "character": 11}},
            "newText": "amount"})
    };
    let (mut edits, mut basis) = (Vec::new(), Vec::new());
    for name in names {
        project.write(&name, text);
        let sha256 = lspwright::text::ContentHash::of(text.as_bytes());
        basis.push(serde_json::json!({"filePath": name, "sha256": sha256.as_str()}));
        edits.push(serde_json::json!({"filePath": name, "textEdits": [edit(0), edit(1)]}));
    }
    let file = project.outside().join("plan.json");
    std::fs::write(&file, serde_json::json!({"edits": edits, "fsMoves": [], "basis": basis}).to_string()).unwrap();
    file
}

fn apply(file: &Path) -> [&str; 6] {
    ["apply", file.to_str().unwrap(), "--project", ".", "--verify", "none"]
}

#[test]
fn a_plan_for_other_texts_is_refused_whole() {
    let project = Project::with(&[]);
    let file = plan(&project, 3);
    let refused = |what: &str| {
        let before = project.files();
        let ran = run(command(&project, &apply(&file)));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{what}: {ran:?}");
        let named = format!("changed since the plan was made: `{}`", project.root().join("f001.lua").display());
        assert!(ran.stderr.contains(&named) && ran.stderr.contains("hint: "), "{what}: {ran:?}");
        assert_eq!(project.files(), before, "{what}");
    };
    project.write("f001.lua", "local total = 1\nprint(total) -- changed\n");
    refused("changed");
    std::fs::remove_file(project.root().join("f001.lua")).unwrap();
    refused("gone");
    std::fs::create_dir(project.root().join("f001.lua")).unwrap();
    refused("a directory now");
    std::fs::remove_dir(project.root().join("f001.lua")).unwrap();
    project.write("f001.lua", "local total = 1\nprint(total)\n");
    assert_eq!(run(command(&project, &apply(&file))).code, Some(0));
    let again = run(command(&project, &apply(&file)));
    assert_eq!(again.code, Some(1), "a second time there is nothing left to change: {again:?}");
    assert_eq!(project.text("f001.lua"), "local amount = 1\nprint(amount)\n");
}

/// Runs the same command twice at one time.
fn twice(make: impl Fn() -> std::process::Command) -> [Ran; 2] {
    let start = || make().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    [start(), start()].map(|child| Ran::of(child.wait_with_output().unwrap()))
}

#[test]
fn of_two_who_apply_one_plan_one_wins() {
    for round in 0..4 {
        let project = Project::with(&[]);
        let file = plan(&project, 100);
        let ran = twice(|| command(&project, &apply(&file)));
        let mut codes = [ran[0].code, ran[1].code];
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(1)], "round {round}: {ran:?}");
        let loser = ran.iter().find(|ran| ran.code == Some(1)).unwrap();
        assert!(loser.stderr.contains("changed since the plan was made"), "round {round}: {loser:?}");
        let files = project.files();
        assert_eq!(files.len(), 100, "nothing is left beside the files");
        assert!(files.values().all(|bytes| bytes == b"local amount = 1\nprint(amount)\n"), "round {round}");
        let undone = run(command(&project, &["undo", "--project", "."]));
        assert_eq!(undone.code, Some(0), "{undone:?}");
        assert!(project.files().values().all(|bytes| bytes == b"local total = 1\nprint(total)\n"));
    }
}

#[test]
fn two_who_plan_at_once_have_the_same_plan() {
    let files = [("a.py", "def total():\n    return 1\n"), ("b.py", "from a import total\n\ntotal()\n")];
    let python = Project::with(&files);
    let lua = Project::with(&[("a.lua", "local total = 1\nprint(total)\n")]);
    let rename = |target| ["--project", ".", "rename", target, "amount", "--output", "json"];
    let of_python = twice(|| command(&python, &rename("a.py::total")));
    let of_lua = twice(|| faulty(&lua, "honest", &rename("a.lua:1:7")));
    for [one, other] in [of_python, of_lua] {
        assert_eq!((one.code, &one.stdout), (Some(0), &other.stdout), "{one:?} {other:?}");
        assert!(one.json()["planId"].is_string());
    }
}
