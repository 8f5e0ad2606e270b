//! Inspections through the binary: every smell told as a case, every answer decoded, broken input of all kinds.
//!
//! ```text
//! What smells here.
//!
//! -- shop/order.py --
//! class Order: …
//! -- expect --
//! severity location refactoring: details
//! ```
//! The file's name is the smell's. `CASE=name` runs one, `UPDATE=1` writes what came out.

use std::path::Path;

use lspwright::inspect::SMELLS;
use lspwright::syntax::target::{Resolved, Target, resolve};
use lspwright::syntax::{Language, Tree};
use lspwright::text::{Encoding, LineBreaks, LineIndex, Position};
use serde_json::Value;

use crate::faces::{Project, decoded};
use crate::written::Written;

/// One case as it is written.
struct Case {
    written: Written,
    smell: String,
    project: Project,
}

fn cases() -> Vec<Case> {
    Written::all("smells").into_iter().map(Case::new).collect()
}

impl Case {
    fn new(written: Written) -> Self {
        let smell = written.file.file_stem().unwrap().to_str().unwrap().to_owned();
        let given: Vec<(&str, &str)> =
            written.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let project = Project::with(&given);
        Self { written, smell, project }
    }

    /// Returns the findings, a line for each.
    fn found(&self) -> String {
        let args = ["--project", ".", "smells", ".", "--smell", &self.smell, "--output", "json", "--quiet"];
        let answer = self.project.run(&args).json();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        let line = |row: &Value| {
            let [severity, location, refactoring, details] =
                ["severity", "location", "suggested_refactoring", "details"].map(|key| text(row, key));
            format!("{severity} {location} {refactoring}: {details}\n")
        };
        let notes = answer["notes"].as_array().into_iter().flatten();
        let rows = answer["smells"].as_array().unwrap().iter().map(line);
        rows.chain(notes.map(|note| format!("note: {}\n", note.as_str().unwrap()))).collect()
    }
}

#[test]
fn every_smell_has_a_case_and_is_found_in_it() {
    let wanted = std::env::var("CASE").ok();
    let cases = cases();
    let told: Vec<&str> = cases.iter().map(|case| case.smell.as_str()).collect();
    assert_eq!(told, SMELLS.iter().map(|smell| smell.name).collect::<Vec<_>>());
    let mut failures = String::new();
    for case in cases.iter().filter(|case| wanted.as_ref().is_none_or(|name| case.smell.contains(name.as_str()))) {
        let found = case.found();
        if std::env::var_os("UPDATE").is_some() {
            case.written.update(&found);
        } else if found != case.written.expected || !found.contains(": ") {
            failures += &format!("{}:\n--- expected\n{}--- found\n{found}\n", case.smell, case.written.expected);
        }
        assert!(!found.contains("fine"), "{}: what is called fine does not smell:\n{found}", case.smell);
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Every location is a target that leads somewhere in the file, by the resolver that all tools share.
#[test]
fn every_location_is_a_target() {
    for case in cases() {
        let args = ["--project", ".", "smells", ".", "--smell", &case.smell, "--output", "json", "--quiet"];
        let answer = case.project.run(&args).json();
        for row in answer["smells"].as_array().unwrap() {
            lead(&case.project, row["location"].as_str().unwrap());
        }
        let args = ["--project", ".", "inspect", ".", "--depth", "method", "--output", "json", "--quiet"];
        let answer = case.project.run(&args).json();
        for row in answer["classes"].as_array().unwrap().iter().chain(answer["methods"].as_array().unwrap()) {
            lead(&case.project, row["name"].as_str().unwrap());
        }
    }
}

/// Every answer is a text that the format's own decoder takes, its tables of uniform rows.
#[test]
fn every_answer_is_decoded() {
    for case in cases() {
        for command in [&["smells", "."][..], &["inspect", "."], &["inspect", ".", "--depth", "method"]] {
            let all = ["--project", ".", "--quiet"];
            let toon = case.project.run(&[command, &all].concat()).ok();
            let json = case.project.run(&[command, &all, &["--output", "json"]].concat()).json();
            assert_eq!(decoded(&toon), json, "{}", case.smell);
            for table in json.as_object().unwrap().iter().filter(|(_, value)| value.is_array()) {
                let rows = table.1.as_array().unwrap();
                let is_table =
                    rows.is_empty() || rows[0].is_string() || toon.contains(&format!("{}[{}]{{", table.0, rows.len()));
                assert!(is_table, "{}: {toon}", table.0);
            }
        }
    }
}

fn lead(project: &Project, location: &str) {
    let target = Target::parse(location).unwrap();
    let text = project.text(target.path());
    let language = Language::of_extension(Path::new(target.path()).extension().unwrap().to_str().unwrap()).unwrap();
    let index = LineIndex::new(&text, LineBreaks::Lsp);
    match target {
        Target::Symbol { names, lines, .. } => {
            let found = resolve(&Tree::parse(language, &text), &text, &names, lines);
            assert!(matches!(found, Resolved::Found(_)), "{location}: {found:?}");
        }
        Target::Position { line, column, .. } => {
            let position = Position { line: line - 1, character: column - 1 };
            assert!(index.offset(&text, position, Encoding::Utf32).is_some(), "{location}");
        }
        Target::Lines { last, .. } => assert!(last as usize <= index.line_count(), "{location}"),
        Target::Range { .. } | Target::File { .. } => {}
    }
}

#[test]
fn a_baseline_lets_only_new_smells_fail() {
    let long = |name: &str| format!("def {name}(a, b, c, d, e, f, g, h):\n    return a\n\n\n");
    let project = Project::with(&[("shop.py", &long("first"))]);
    let smells = |more: &[&str]| {
        let args = ["--project", ".", "smells", "--smell", "long-parameter-list", "--output", "json"];
        project.run(&[&args[..], more].concat())
    };
    assert_eq!(smells(&["--fail-on", "medium"]).code, Some(1));
    assert_eq!(smells(&["--fail-on", "high"]).code, Some(0));
    let written = smells(&["--write-baseline", "baseline.json", "--fail-on", "medium"]);
    assert_eq!(written.code, Some(1), "{written:?}");
    project.write("shop.py", format!("# moved down\n\n{}", long("first")));
    let known = smells(&["--baseline", "baseline.json", "--fail-on", "low"]);
    assert_eq!((known.code, known.json()["smells"].as_array().unwrap().len()), (Some(0), 0), "{known:?}");
    assert!(
        known.stderr.contains("0 smells in 1 files") && known.stderr.contains("1 more are in the baseline"),
        "{known:?}"
    );
    project.write("shop.py", long("first") + &long("second"));
    let new = smells(&["--baseline", "baseline.json", "--fail-on", "low"]);
    assert_eq!(new.json()["smells"][0]["location"], "shop.py::second", "{new:?}");
    assert_eq!(new.code, Some(1));
    let missing = smells(&["--baseline", "none.json"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(missing.stderr.contains("hint: write it: lspwright smells --write-baseline none.json"), "{missing:?}");
}

#[test]
fn thresholds_come_from_the_project_or_a_named_file() {
    let project = Project::with(&[("shop.py", "def f(a, b, c):\n    return a\n")]);
    let count = |more: &[&str]| {
        let ran = project.run(&[&["--project", ".", "smells", "--output", "json", "--quiet"][..], more].concat());
        ran.json()["smells"].as_array().map(Vec::len).unwrap_or(usize::MAX)
    };
    assert_eq!(count(&["--smell", "long-parameter-list"]), 0);
    project.write(".lspwright/smells.toml", "[long-parameter-list]\nparameters = 2\n");
    assert_eq!(count(&["--smell", "long-parameter-list"]), 1);
    project.write("other.toml", "exclude = ['*.py']\n");
    assert_eq!(count(&["--config", "other.toml"]), 0);
    project.write(".lspwright/smells.toml", "[long-list]\n");
    let ran = project.run(&["--project", ".", "smells"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("smells.toml`: no smell is called `long-list`"), "{ran:?}");
    assert_eq!(project.run(&["--project", ".", "smells", "--config", "none.toml"]).code, Some(2));
}

#[test]
fn an_inspection_has_no_patch() {
    let project = Project::of("python-shop");
    let ran = project.run(&["inspect", "shop", "--project", ".", "--output", "patch"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
}

/// Files that are no good code, and one that is.
fn broken_project() -> Project {
    let project = Project::with(&[("good.py", "class A:\n    def f(self):\n        return 1\n")]);
    let deep = format!("x = {}{}\n", "(".repeat(10_000), ")".repeat(10_000));
    let blocks = format!("function f() {{{}{}}}\n", "if (a) {".repeat(10_000), "}".repeat(10_000));
    let classes: String = (0..2_000).map(|depth| format!("{}class A:\n", " ".repeat(depth))).collect();
    project
        .write("half.ts", "export class A { run() { return 1 } }\nexport function f(a: string) { if (a) { return `${");
    project.write("half.rs", "impl A { fn run(&self) { match a { Some(");
    project.write("half.java", "class A { void run( { for (;; ");
    project.write("half.sol", "contract A { function f( public { if (");
    project.write("half.go", "package a\nfunc (a *A f( {");
    project.write("binary.py", [0_u8, 159, 146, 150, 0, 1, 2]);
    project.write("latin.py", b"name = '\xe9'\n");
    project.write("mixed.py", b"a = 'gr\xc3\xbc\xc3\x9f'\nb = '\xfc'\n");
    project.write("utf16.py", [0xff_u8, 0xfe, b'a', 0, b'=', 0, b'1', 0]);
    project.write("bom.py", "\u{feff}class Bom:\n    pass\n");
    project.write("carriage.py", "class Cr:\r    def f(self):\r        pass\r");
    project.write("large.py", "x = 1\n".repeat(9_000_000));
    project.write("deep.py", deep);
    project.write("blocks.js", blocks);
    project.write("classes.py", classes);
    project.write("empty.py", "");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("loop.py", project.root().join("loop.py")).unwrap();
        std::os::unix::fs::symlink(".", project.root().join("round")).unwrap();
    }
    project
}

#[test]
fn broken_input_is_answered() {
    let project = broken_project();
    let run = |args: &[&str]| project.run(&[args, &["--project", ".", "--output", "json", "--quiet"]].concat());
    for command in [&["inspect", ".", "--depth", "method"][..], &["smells", "."]] {
        let answer = run(command).json();
        let left_out = answer["left_out"].as_array().unwrap();
        let named: Vec<&str> = left_out.iter().map(|row| row["path"].as_str().unwrap()).collect();
        for file in ["large.py", "latin.py", "mixed.py", "utf16.py", "deep.py", "blocks.js"] {
            assert!(named.contains(&file), "{command:?}: {file} in {named:?}");
        }
    }
    let classes = run(&["inspect", "."]).json()["classes"].to_string();
    for name in ["good.py::A", "bom.py::Bom", "carriage.py::Cr", "half.ts#A"] {
        assert!(classes.contains(name), "{name} in {classes}");
    }
    for (file, code, said) in [
        ("latin.py", 1, "not valid UTF-8"),
        ("large.py", 1, "too large"),
        ("none.py", 2, "does not exist"),
        ("loop.py", 2, "loop.py"),
        ("../outside.py", 2, "outside the project"),
    ] {
        let ran = run(&["inspect", file]);
        assert_eq!(ran.code, Some(code), "{file}: {ran:?}");
        assert!(ran.json()["error"]["message"].as_str().unwrap().contains(said), "{file}: {ran:?}");
    }
    for file in
        ["half.ts", "half.rs", "half.java", "half.sol", "half.go", "deep.py", "blocks.js", "classes.py", "empty.py"]
    {
        let ran = run(&["inspect", file, "--depth", "method"]);
        let is_deep = ["deep.py", "blocks.js"].contains(&file);
        assert_eq!(
            (ran.code, ran.stdout.contains("nests deeper than 3000 levels")),
            (Some(0), is_deep),
            "{file}: {ran:?}"
        );
        assert_eq!(run(&["smells", file]).code, Some(0), "{file}");
    }
    assert_eq!(run(&["smells", "good.md"]).code, Some(2));
}
