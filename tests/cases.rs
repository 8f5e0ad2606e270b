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

use lspwright::lsp::Place;
use lspwright::plan::Plan;
use lspwright::refactor::Refusal;
use lspwright::refactor::rename::{Aliases, Conflicts, Prose, RenameRequest};
use lspwright::refactor::renamed;
use lspwright::session::Session;
use lspwright::syntax::{Family, Language};
use lspwright::text::AbsPath;

use crate::support;
use crate::written::{Written, clear};

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
    written: Written,
    command: Vec<String>,
}

/// Runs every case of a folder in one session, the project rewritten between them as an editor would.
fn run(folder: &str) {
    let cases: Vec<Case> = Written::all(folder).into_iter().filter(Written::is_wanted).map(Case::new).collect();
    let project = tempfile::tempdir().unwrap();
    // tsserver watches nothing right below the places where home directories lie, and would not hear of new files.
    let root = project.path().join("home/project");
    std::fs::create_dir_all(&root).unwrap();
    let failures = support::block_on(async {
        let session = support::session(&root);
        let mut failures = String::new();
        for case in &cases {
            if let Err(failure) = case.run(&session).await {
                writeln!(failures, "{}:\n{failure}", case.written.file.display()).unwrap();
            }
        }
        session.close().await;
        failures
    });
    assert!(failures.is_empty(), "{failures}");
}

impl Case {
    fn new(written: Written) -> Self {
        let command = written.command.split_whitespace().map(str::to_owned).collect();
        Self { written, command }
    }

    async fn run(&self, session: &Session) -> Result<(), String> {
        let place = self.write(session);
        session.refresh().await;
        match renamed(session, &self.request(place.clone())).await {
            Err(refusal) => self.written.judge(&refused(&refusal, session.root())),
            Ok(plan) => {
                self.written.judge(&shown(&plan, session.root()))?;
                self.is_closed(session, &plan, &place).await
            }
        }
    }

    /// Asks from every place that the plan edits: the plan is the same one. From a string, a comment or a document nobody can ask; a
    /// place where two names stand as one (`{ old }`, which becomes `{ new: old }`) may mean the other; and a rename
    /// that stops at a re-export is another one from beyond it. Of a case with `--open` the names in a test's double may mean that alone.
    async fn is_closed(&self, session: &Session, plan: &Plan, start: &Place) -> Result<(), String> {
        let mut others = String::new();
        let new_name = &self.command[1];
        let asked = &plan.edits()[&start.path];
        let covers =
            |edit: &&lspwright::text::TextEdit| edit.span.start <= start.offset && start.offset <= edit.span.end;
        let old_name = asked.edits.iter().find(covers).and_then(|edit| edit.span.of(asked.before.as_str()));
        let is_code = |path: &AbsPath| Language::of_path(path).is_some_and(|it| it.family() != Family::Data);
        for (path, file) in plan.edits().iter().filter(|(path, _)| is_code(path)) {
            for edit in file.edits.iter().filter(|edit| edit.new_text == *new_name) {
                let place = Place { path: path.clone(), offset: edit.span.start };
                let request = RenameRequest { expect: old_name.map(str::to_owned), ..self.request(place) };
                let at = file.before.position(edit.span.start).unwrap();
                let place = format!("from {path}:{}:{}", at.line + 1, at.character + 1);
                match renamed(session, &request).await {
                    Err(Refusal::NoName { .. } | Refusal::NotExpected { .. }) => {}
                    Ok(other) if other.edits() == plan.edits() && other.moves() == plan.moves() => {}
                    Ok(other) => {
                        writeln!(others, "{place} it is another plan:\n{}", shown(&other, session.root())).unwrap();
                    }
                    Err(refusal) => writeln!(others, "{place} it is refused: {refusal}").unwrap(),
                }
            }
        }
        if others.is_empty()
            || self.command.iter().any(|word| ["--keep", "--untyped", "--open"].contains(&word.as_str()))
        {
            Ok(())
        } else {
            Err(others)
        }
    }

    /// Writes the case's files, takes away all others, and returns the marked place.
    fn write(&self, session: &Session) -> Place {
        clear(session.root().as_path());
        let mut place = None;
        for (name, text) in &self.written.files {
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
            prose: Prose {
                strings: has("--strings"),
                comments: has("--comments"),
                docs: has("--docs"),
                untyped: has("--untyped"),
            },
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
    let shorter = |part: &str| library(part).unwrap_or_else(|| part.to_owned());
    let placed = |part: &str| part.split('(').map(shorter).collect::<Vec<_>>().join("(");
    format!("refused: {}\n", message.split('`').map(placed).collect::<Vec<_>>().join("`"))
}

/// Names a library's file wherever it is installed: a server's own by its package, a module of Python's alike whether
/// its stub or its source is shown.
fn library(path: &str) -> Option<String> {
    let stub = path.split_once("/typeshed-fallback/stdlib/").map(|(_, module)| module);
    let source = || path.split_once("/lib/python3.")?.1.split_once('/').map(|(_, module)| module);
    if let Some(module) = stub.or_else(source) {
        return Some(format!("{{library}}/{}", module.trim_end_matches('i').trim_end_matches(".py")));
    }
    let is_of_server = path.starts_with('/') && path.contains("/servers/");
    path.rsplit_once("/node_modules/").filter(|_| is_of_server).map(|(_, file)| file.to_owned())
}
