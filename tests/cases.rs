//! Renames and moves told as text files: prose, the command, the files, and the plan or the refusal.
//!
//! ```text
//! Why this case is here.
//!
//! > rename size --strings
//! -- pkg/shapes.py --
//! def $0area(): ...
//! -- expect --
//! a diff, or `refused: …` with a part of the message
//! ```
//! `$0` marks the place; `\r` in a file stands for a carriage return. `CASE=name` runs one case,
//! `UPDATE=1` writes what came out into the files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lspwright::lsp::Place;
use lspwright::plan::Plan;
use lspwright::refactor::Refusal;
use lspwright::refactor::rename::{self, Aliases, Conflicts, Prose, RenameRequest};
use lspwright::session::Session;
use lspwright::text::AbsPath;

use crate::support;

#[test]
fn rename_python() {
    run("rename/python");
}

#[test]
fn rename_typescript() {
    run("rename/typescript");
}

#[test]
fn rename_solidity() {
    run("rename/solidity");
}

/// One case as it is written.
struct Case {
    file: PathBuf,
    source: String,
    command: Vec<String>,
    files: Vec<(String, String)>,
    expected: String,
}

/// Runs every case of a folder in one session, the project rewritten between them as an editor would.
fn run(folder: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let wanted = std::env::var("CASE").ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let named = |file: &&PathBuf| wanted.as_ref().is_none_or(|name| file.to_string_lossy().contains(name.as_str()));
    let cases: Vec<Case> = files.iter().filter(named).map(|file| Case::read(file)).collect();
    let project = tempfile::tempdir().unwrap();
    let failures = support::block_on(async {
        let session = support::session(project.path());
        let mut failures = String::new();
        for case in &cases {
            if let Err(failure) = case.run(&session).await {
                writeln!(failures, "{}:\n{failure}", case.file.display()).unwrap();
            }
        }
        session.close().await;
        failures
    });
    assert!(failures.is_empty(), "{failures}");
}

impl Case {
    fn read(file: &Path) -> Self {
        let source = std::fs::read_to_string(file).unwrap();
        let mut command = Vec::new();
        let mut files: Vec<(String, String)> = Vec::new();
        for line in source.split_inclusive('\n') {
            if let Some(name) = line.trim_end().strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
                files.push((name.to_owned(), String::new()));
            } else if let Some((_, text)) = files.last_mut() {
                text.push_str(line);
            } else if let Some(words) = line.strip_prefix("> ") {
                command = words.split_whitespace().map(str::to_owned).collect();
            }
        }
        let (_, expected) = files.pop().filter(|(name, _)| name == "expect").expect("the last part is `expect`");
        Self { file: file.to_owned(), source, command, files, expected }
    }

    async fn run(&self, session: &Session) -> Result<(), String> {
        let place = self.write(session);
        session.refresh().await;
        let got = match rename::plan(session, &self.request(place)).await {
            Ok(plan) => shown(&plan, session.root()),
            Err(refusal) => refused(&refusal, session.root()),
        };
        if std::env::var_os("UPDATE").is_some() {
            let head = self.source.split("-- expect --\n").next().unwrap();
            std::fs::write(&self.file, format!("{head}-- expect --\n{got}")).unwrap();
            return Ok(());
        }
        if got == self.expected {
            return Ok(());
        }
        Err(format!("--- expected\n{}--- got\n{got}", self.expected))
    }

    /// Writes the case's files, takes away all others, and returns the marked place.
    fn write(&self, session: &Session) -> Place {
        for entry in std::fs::read_dir(session.root().as_path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
        }
        let mut place = None;
        for (name, text) in &self.files {
            let path = session.root().join(name).unwrap();
            let mut text = text.replace("\\r\n", "\r\n");
            if let Some(offset) = text.find("$0") {
                text.replace_range(offset..offset + 2, "");
                place = Some(Place { path: path.clone(), offset });
            }
            std::fs::create_dir_all(path.parent().unwrap().as_path()).unwrap();
            std::fs::write(path.as_path(), text).unwrap();
        }
        place.expect("a case marks its place with `$0`")
    }

    fn request(&self, place: Place) -> RenameRequest {
        let has = |flag: &str| self.command.iter().any(|word| word == flag);
        let expect = self.command.iter().position(|word| word == "--expect").map(|at| self.command[at + 1].clone());
        RenameRequest {
            place,
            new_name: self.command[1].clone(),
            expect,
            aliases: if has("--keep") { Aliases::Keep } else { Aliases::Through },
            prose: Prose { strings: has("--strings"), comments: has("--comments") },
            conflicts: if has("--force") { Conflicts::Force } else { Conflicts::Refuse },
        }
    }
}

/// A plan as a case expects it: its diff without context, and its warnings.
fn shown(plan: &Plan, root: &AbsPath) -> String {
    let diff = lspwright::render::diff(plan, root);
    let mut shown: String =
        diff.lines().filter(|line| !line.starts_with(' ')).map(|line| format!("{line}\n")).collect();
    for warning in plan.warnings() {
        let path = warning.path.as_ref().and_then(|path| path.relative_to(root));
        let path = path.map(|path| path.to_string()).unwrap_or_default();
        writeln!(shown, "warning {} {path}: {}", warning.kind.as_str(), warning.message).unwrap();
    }
    shown
}

fn refused(refusal: &Refusal, root: &AbsPath) -> String {
    let message = refusal.to_string().replace(&format!("{root}/"), "");
    let shortened: Vec<String> =
        message.split('`').map(|part| library(part).unwrap_or_else(|| part.to_owned())).collect();
    format!("refused: {}\n", shortened.join("`"))
}

/// Names a module of Python's own library alike, whether its stub or its source is shown, wherever they are installed.
fn library(path: &str) -> Option<String> {
    let stub = path.split_once("/typeshed-fallback/stdlib/").map(|(_, module)| module);
    let source = || path.split_once("/lib/python3.")?.1.split_once('/').map(|(_, module)| module);
    let module = stub.or_else(source)?.trim_end_matches('i').trim_end_matches(".py");
    Some(format!("{{library}}/{module}"))
}
