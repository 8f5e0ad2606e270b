//! Plans of code actions beside the bare server's own edits: the same bytes, and how much longer they take.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lspwright::text::{Position, Span, Text, TextEdit, TextEdits};
use serde_json::{Value, json};
use url::Url;

use crate::conversation::Conversation;
use crate::names::uses;
use crate::random::Random;
use crate::raw;
use crate::subjects::{Language, Subject};
use crate::tree::files_below;
use crate::trial::Ground;

/// What came of the actions of one package.
#[derive(Default)]
pub struct Beside {
    pub same: usize,
    /// Refused, with a reason.
    pub refused: usize,
    /// Each with what it was.
    pub different: Vec<String>,
    /// Milliseconds of a list and of a plan: bare, lspwright's.
    pub lists: Vec<(f64, f64)>,
    pub plans: Vec<(f64, f64)>,
}

type Texts = BTreeMap<PathBuf, String>;

/// Compares so many actions at random places of a package.
pub fn compare(ground: &mut Ground<'_>, n: usize, seed: u64) -> Result<Beside, String> {
    let (name, id) = match ground.subject.language {
        Language::Python => ("basedpyright", "python"),
        Language::TypeScript => ("typescript-language-server", "typescript"),
        Language::Rust => return Ok(Beside::default()),
    };
    let problems = ground.listed()?;
    let files = files_below(&ground.root.join(ground.subject.sources), ground.subject.language.extensions());
    let places: Vec<(PathBuf, usize)> = files.iter().flat_map(|file| places(ground.subject, file)).collect();
    let provisioned = raw::provisioned(id, &ground.root)?;
    let all: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let mut bare = raw::start(&provisioned, id, &ground.root, &all)?;
    let mut random = Random::new(seed, ground.subject.name);
    let mut outcome = Beside::default();
    for _ in 0..n * 4 {
        if outcome.same + outcome.refused + outcome.different.len() >= n {
            break;
        }
        let (file, offset) = random.pick(&places).ok_or("no places")?.clone();
        let text = Text::new(fs::read_to_string(&file).map_err(|error| error.to_string())?);
        let at = text.position(offset).ok_or("a place outside the text")?;
        let spot = Spot { file, at, problems: &problems };
        one(ground, &mut bare, (&spot, name), &mut outcome)?;
    }
    Ok(outcome)
}

fn places(subject: &Subject, file: &Path) -> Vec<(PathBuf, usize)> {
    let text = fs::read_to_string(file).unwrap_or_default();
    uses(subject.language, &text).into_iter().map(|it| (file.to_owned(), it.place.start)).collect()
}

/// A place, and what is found anywhere.
struct Spot<'a> {
    file: PathBuf,
    at: Position,
    problems: &'a [Value],
}

impl Spot<'_> {
    /// What a bare client asks.
    fn question(&self) -> Value {
        let point = json!({ "line": self.at.line, "character": self.at.character });
        let order = |at: &Value| (at["line"].as_u64().unwrap_or(0), at["character"].as_u64().unwrap_or(0));
        let touches = |it: &&Value| {
            it["filePath"] == json!(self.file)
                && order(&it["range"]["start"]) <= order(&point)
                && order(&point) <= order(&it["range"]["end"])
        };
        let finding = |it: &Value| {
            let code = it["code"].as_str().unwrap_or_default();
            let code =
                code.strip_prefix("TS").and_then(|it| it.parse::<u32>().ok()).map_or(json!(code), |it| json!(it));
            json!({ "range": it["range"], "message": it["message"], "code": code, "source": it["source"] })
        };
        let found: Vec<Value> = self.problems.iter().filter(touches).map(finding).collect();
        json!({
            "textDocument": { "uri": raw::uri(&self.file) }, "range": { "start": point, "end": point },
            "context": { "diagnostics": found, "triggerKind": 1 },
        })
    }
}

/// Compares the actions of one place: one list, and a plan of each.
fn one(
    ground: &mut Ground<'_>,
    bare: &mut Conversation,
    (spot, server): (&Spot<'_>, &str),
    outcome: &mut Beside,
) -> Result<(), String> {
    let question = spot.question();
    let ours = json!({ "filePath": spot.file, "line": spot.at.line, "character": spot.at.character });
    // Warm: what is asked for the first time loads more. Of what a server has not found yet it offers nothing.
    if ground.subject.language == Language::Python {
        bare.request("textDocument/diagnostic", &json!({ "textDocument": { "uri": raw::uri(&spot.file) } }))?;
    }
    bare.request("textDocument/codeAction", &question)?;
    ground.call("listCodeActions", ours.clone())?;
    let (actions, bare_list) = timed(|| bare.request("textDocument/codeAction", &question))?;
    let (listed, own_list) = timed(|| ground.call("listCodeActions", ours))?;
    outcome.lists.push((bare_list, own_list));
    let rows = listed["actions"].as_array().cloned().unwrap_or_default();
    let is_of = |row: &&Value| row["server"].as_str().is_some_and(|it| it.split(' ').next() == Some(server));
    for row in rows.iter().filter(is_of).filter(|row| row["disabled"] == "") {
        let title = row["title"].as_str().unwrap_or_default();
        // The server writes a new file before it sends its edits.
        if title.starts_with("Move to ") {
            continue;
        }
        let is_it = |it: &&Value| it["title"] == row["title"] && (it["kind"] == row["kind"] || it["kind"].is_null());
        let action = actions.as_array().into_iter().flatten().find(is_it);
        let Some(action) = action else {
            outcome.different.push(format!(
                "{} {}: {title}: the bare server does not offer it there",
                spot.file.display(),
                spot.at.line + 1
            ));
            continue;
        };
        let (answer, mut bare_plan) = timed(|| bare_edit(bare, action))?;
        bare_plan += bare_list;
        let asked = json!({ "target": listed["target"], "action": row["action"] });
        let begin = Instant::now();
        let planned = ground.call("planCodeAction", asked);
        let own_plan = begin.elapsed().as_secs_f64() * 1000.0;
        let Ok(planned) = planned else {
            outcome.refused += 1;
            continue;
        };
        outcome.plans.push((bare_plan, own_plan));
        match bare_texts(&answer)? == own_texts(&planned)? {
            true => outcome.same += 1,
            false => outcome.different.push(format!("{} {}: {title}", spot.file.display(), spot.at.line + 1)),
        }
    }
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> Result<T, String>) -> Result<(T, f64), String> {
    let begin = Instant::now();
    let done = work()?;
    Ok((done, begin.elapsed().as_secs_f64() * 1000.0))
}

/// Takes an action as an editor would: its edit, what is said when asked, or what its command sends.
fn bare_edit(bare: &mut Conversation, action: &Value) -> Result<Value, String> {
    if !action["edit"].is_null() {
        return Ok(action["edit"].clone());
    }
    if action["command"].is_null() {
        return Ok(bare.request("codeAction/resolve", action)?["edit"].take());
    }
    let command = if action["command"].is_string() { action } else { &action["command"] };
    bare.sent.clear();
    bare.request(
        "workspace/executeCommand",
        &json!({ "command": command["command"], "arguments": command["arguments"] }),
    )?;
    Ok(bare.sent.pop().unwrap_or(Value::Null))
}

/// The files that the server's answer changes, as they are then.
fn bare_texts(answer: &Value) -> Result<Texts, String> {
    let changes = answer["changes"].as_object().into_iter().flatten().map(|(uri, edits)| (uri.as_str(), edits));
    let documents = answer["documentChanges"].as_array().into_iter().flatten();
    let documents = documents.map(|it| (it["textDocument"]["uri"].as_str().unwrap_or_default(), &it["edits"]));
    let mut texts = Texts::new();
    for (uri, edits) in changes.chain(documents) {
        let path = Url::parse(uri).ok().and_then(|uri| uri.to_file_path().ok()).ok_or("no path")?;
        texts.insert(path.clone(), edited(&path, edits)?);
    }
    Ok(texts)
}

fn own_texts(plan: &Value) -> Result<Texts, String> {
    let one = |file: &Value| {
        let path = PathBuf::from(file["filePath"].as_str().unwrap_or_default());
        let text = edited(&path, &file["textEdits"])?;
        Ok((path, text))
    };
    plan["edits"].as_array().into_iter().flatten().map(one).collect()
}

fn edited(path: &Path, edits: &Value) -> Result<String, String> {
    let text = Text::new(fs::read_to_string(path).map_err(|error| error.to_string())?);
    let place = |at: &Value| {
        let number = |key: &str| at[key].as_u64().and_then(|it| u32::try_from(it).ok()).unwrap_or_default();
        text.offset(Position { line: number("line"), character: number("character") }).ok_or("outside the text")
    };
    let one = |edit: &Value| -> Result<TextEdit, String> {
        let (start, end) = (place(&edit["range"]["start"])?, place(&edit["range"]["end"])?);
        Ok(TextEdit::new(Span::new(start, end), edit["newText"].as_str().unwrap_or_default().to_owned()))
    };
    let mut joined: Vec<TextEdit> = Vec::new();
    for edit in edits.as_array().into_iter().flatten().map(one) {
        let edit = edit?;
        // What is inserted at one place stands there in its order (LSP 3.17 § TextEdit[]).
        match joined.iter_mut().find(|it| it.span.is_empty() && it.span == edit.span) {
            Some(earlier) => earlier.new_text.push_str(&edit.new_text),
            None => joined.push(edit),
        }
    }
    Ok(TextEdits::new(joined).map_err(|error| error.to_string())?.apply(text.as_str()))
}
