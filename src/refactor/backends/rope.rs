//! What the Python library rope can do, asked in a process of its own that writes nothing.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::lsp::provision::Rope;
use crate::lsp::{Guard, Program};
use crate::plan::{Parts, Plan, difference};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::fields::slotted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_class};
use crate::session::Session;
use crate::text::{AbsPath, ContentHash, Span, TextEdit, quoted};

pub(crate) const LOCAL_TO_FIELD: Run = |session, request| Box::pin(plan(session, request, "local-to-field"));

/// The program that speaks with the library.
const DRIVER: &str = include_str!("rope/driver.py");
/// How long it may take; rope itself knows no end.
const PATIENCE: Duration = Duration::from_secs(120);
/// No answer is larger: it holds new texts of files.
const MOST_BYTES: usize = 64 << 20;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Changed(Vec<Changed>),
    Refused(String),
}

/// A file's new text, and the hash of the bytes that it was computed from.
#[derive(Deserialize)]
struct Changed {
    path: String,
    sha256: String,
    text: String,
}

async fn plan(session: &Session, request: &Request, refactoring: &str) -> Result<Plan, Refusal> {
    let slot = slot(&local(session, request)?)?;
    session.may_ask()?;
    let question = question(session, request, refactoring)?;
    let rope = session.rope().await?;
    let failed = |reason: String| Refusal::NotPossible(format!("rope failed: {reason}"));
    match ask(&rope, question, &session.options().guard).await.map_err(failed)? {
        Answer::Refused(reason) => Err(Refusal::NotPossible(reason)),
        Answer::Changed(changed) => changes(session, changed, slot),
    }
}

/// A variable that is to become a field.
struct Local {
    code: Code,
    place: usize,
}

/// Refuses at once what the grammar rules out: a name that stands in no method.
fn local(session: &Session, request: &Request) -> Result<Local, Refusal> {
    let code = Code::of(session, request)?;
    let place = request.target.place().unwrap_or_default();
    let here = code.covering(Span::new(place, (place + 1).min(code.text().len())));
    let names = ScopedNames::of(&code);
    let method = function_of(here).filter(|it| it.ancestors().any(is_class));
    let is_its_name = method.is_some_and(|it| it.child("name") == Some(here));
    let is_local = !is_its_name && names.at(here).is_some_and(|name| names.is_local(name, method));
    match is_local {
        true => Ok(Local { code, place }),
        false => Err(code.refuse(place, "no variable of a method stands here")),
    }
}

/// Lists the new field where its class lists those that its objects have; rope leaves that out.
fn slot(local: &Local) -> Result<Option<(AbsPath, TextEdit)>, Refusal> {
    let Local { code, place } = local;
    let node = code.covering(Span::new(*place, (*place + 1).min(code.text().len())));
    let Some(class) = Class::around(code, node) else { return Ok(None) };
    let edit = slotted(&class, node.text(code.text()))?;
    Ok(edit.map(|edit| (code.path.clone(), edit)))
}

/// Words the request; the other files that mention the name are looked at, and none of them changes.
fn question(session: &Session, request: &Request, refactoring: &str) -> Result<Value, Refusal> {
    let target = &request.target;
    let unnamed = || Refusal::NotPossible(format!("the target names no one thing in `{}`", target.shown));
    let parsed = session.parsed(&target.path)?.ok_or_else(unnamed)?;
    let text = parsed.text.as_str();
    let name = target.place().and_then(|place| parsed.tree.identifier_at(text, place)).ok_or_else(unnamed)?;
    let word = name.of(text).unwrap_or_default();
    let mut files = session.disk().files_mentioning(word);
    files.retain(|file| matches!(file.extension(), "py" | "pyi") && *file != target.path);
    let files: Vec<String> = files.iter().map(|file| relative(session, file)).collect();
    Ok(json!({
        "root": session.root().as_str(), "path": relative(session, &target.path), "offset": name.start,
        "name": word, "files": files, "refactoring": refactoring,
    }))
}

fn relative(session: &Session, path: &AbsPath) -> String {
    path.shown_from(session.root())
}

async fn ask(rope: &Rope, mut question: Value, guard: &Guard) -> Result<Answer, String> {
    question["library"] = json!([rope.library]);
    // Isolated: neither the project nor the user's own packages are imported.
    let words = rope.python.iter().map(String::as_str).chain(["-I", "-B", "-c", DRIVER]);
    // Started elsewhere: a shim in the place of Python reads which one the project wants.
    let program = Program::new(words).at(rope.library.as_ref()).within(&rope.env);
    let program = program.asked(question.to_string()).saying(MOST_BYTES);
    let output = program.run(guard, PATIENCE).await.map_err(|error| error.to_string())?;
    let answer = output.stdout.whole().map_err(|bytes| format!("its answer is of {bytes} bytes"))?;
    serde_json::from_slice(answer).map_err(|_| output.stderr.text().lines().last().map_or_else(String::new, quoted))
}

/// Makes edits of the new texts, as far as both sides read the same ones.
fn changes(session: &Session, changed: Vec<Changed>, slot: Option<(AbsPath, TextEdit)>) -> Result<Plan, Refusal> {
    let mut parts = Parts::default();
    for file in changed {
        let outside = || Refusal::EditsOutside { server: "rope".to_owned(), path: file.path.clone() };
        let path = session.root().join(&file.path).map_err(|_| outside())?;
        if !path.is_below(session.root()) {
            return Err(outside());
        }
        let before = session.disk().read(&session.disk().contain(&path)?)?;
        if ContentHash::parse(&file.sha256).as_ref() != Some(before.hash()) {
            return Err(Refusal::NotPossible(format!("`{}` changes at this moment", file.path)));
        }
        let mut edits = difference(before.as_str(), &file.text);
        edits.extend(slot.as_ref().filter(|(changed, _)| *changed == path).map(|(_, edit)| edit.clone()));
        parts.edits.insert(path, (before, edits));
    }
    Ok(Plan::new(parts)?)
}
