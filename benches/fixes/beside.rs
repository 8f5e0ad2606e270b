//! Plans of code actions beside the bare servers' own edits: the same bytes, and how much longer they take.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lspwright::lsp::Feature;
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
    /// Refused, each with the reason.
    pub refused: Vec<String>,
    /// Each with what it was.
    pub different: Vec<String>,
    /// Milliseconds of a list and of a plan: bare, lspwright's.
    pub lists: Vec<(f64, f64)>,
    pub plans: Vec<(f64, f64)>,
    /// The actions on whole files that were compared.
    whole: BTreeSet<(PathBuf, String)>,
}

type Texts = BTreeMap<PathBuf, String>;

/// Compares so many actions at random places of a package.
pub fn compare(ground: &mut Ground<'_>, n: usize, seed: u64) -> Result<Beside, String> {
    let id = match ground.subject.language {
        Language::Python => "python",
        Language::TypeScript => "typescript",
        Language::Rust => return Ok(Beside::default()),
    };
    let problems = ground.listed()?;
    let files = files_below(&ground.root.join(ground.subject.sources), ground.subject.language.extensions());
    let places: Vec<(PathBuf, usize)> = files.iter().flat_map(|file| places(ground.subject, file)).collect();
    let all: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let provisioned = raw::provisioned_for(id, (Feature::CodeAction, usize::MAX), &ground.root)?;
    let bare = provisioned.iter().map(|server| {
        let talk = raw::start(server, id, &ground.root, &all)?;
        Ok(Bare { name: server.spec.name.to_string(), talk, found: BTreeMap::new() })
    });
    let mut bare = bare.collect::<Result<Vec<Bare>, String>>()?;
    let mut random = Random::new(seed, ground.subject.name);
    let mut outcome = Beside::default();
    for _ in 0..n * 4 {
        if outcome.same + outcome.refused.len() + outcome.different.len() >= n {
            break;
        }
        let (file, offset) = random.pick(&places).ok_or("no places")?.clone();
        let elsewhere: Vec<&(PathBuf, usize)> = places.iter().filter(|it| it.0 == file && it.1 != offset).collect();
        let Some((_, other)) = random.pick(&elsewhere) else { continue };
        let text = Text::new(fs::read_to_string(&file).map_err(|error| error.to_string())?);
        let at = |offset| text.position(offset).ok_or("a place outside the text");
        let spot = Spot { file, at: at(offset)?, other: at(*other)?, problems: &problems };
        one(ground, &mut bare, &spot, &mut outcome)?;
    }
    Ok(outcome)
}

fn places(subject: &Subject, file: &Path) -> Vec<(PathBuf, usize)> {
    let text = fs::read_to_string(file).unwrap_or_default();
    uses(subject.language, &text).into_iter().map(|it| (file.to_owned(), it.place.start)).collect()
}

/// One of the servers that lspwright asks.
struct Bare {
    name: String,
    talk: Conversation,
    /// What it finds in each file that it was asked about.
    found: BTreeMap<PathBuf, Vec<Value>>,
}

/// A place, another one in its file, and what is found anywhere.
struct Spot<'a> {
    file: PathBuf,
    at: Position,
    other: Position,
    problems: &'a [Value],
}

impl Bare {
    /// What a client asks who knows what the server finds in the file: one that does not say it when asked has pushed it,
    /// which is what lspwright tells of it.
    fn question(&mut self, spot: &Spot<'_>, at: Position) -> Value {
        if !self.found.contains_key(&spot.file) {
            let pulled = json!({ "textDocument": { "uri": raw::uri(&spot.file) } });
            let found = self.talk.request("textDocument/diagnostic", &pulled);
            let found = found.map(|mut found| found["items"].take().as_array().cloned().unwrap_or_default());
            self.found.insert(spot.file.clone(), found.unwrap_or_else(|_| spot.pushed()));
        }
        let point = json!({ "line": at.line, "character": at.character });
        let order = |at: &Value| (at["line"].as_u64().unwrap_or(0), at["character"].as_u64().unwrap_or(0));
        let touches =
            |it: &&Value| order(&it["range"]["start"]) <= order(&point) && order(&point) <= order(&it["range"]["end"]);
        let found: Vec<&Value> = self.found[&spot.file].iter().filter(touches).collect();
        json!({
            "textDocument": { "uri": raw::uri(&spot.file) }, "range": { "start": point, "end": point },
            "context": { "diagnostics": found, "triggerKind": 1 },
        })
    }
}

impl Spot<'_> {
    fn pushed(&self) -> Vec<Value> {
        let finding = |it: &Value| {
            let code = it["code"].as_str().unwrap_or_default();
            let code =
                code.strip_prefix("TS").and_then(|it| it.parse::<u32>().ok()).map_or(json!(code), |it| json!(it));
            json!({ "range": it["range"], "message": it["message"], "code": code, "source": it["source"] })
        };
        self.problems.iter().filter(|it| it["filePath"] == json!(self.file)).map(finding).collect()
    }
}

/// Asks all servers at once, as lspwright does.
fn asked(bare: &mut [Bare], questions: &[Value]) -> Result<Vec<Value>, String> {
    let mut ids = Vec::new();
    for (server, question) in bare.iter_mut().zip(questions) {
        ids.push(server.talk.ask("textDocument/codeAction", question)?);
    }
    bare.iter_mut().zip(ids).map(|(server, id)| server.talk.result(id)).collect()
}

/// Compares the actions of one place: one list, and a plan of each.
fn one(ground: &mut Ground<'_>, bare: &mut [Bare], spot: &Spot<'_>, outcome: &mut Beside) -> Result<(), String> {
    let ours = |at: Position| json!({ "filePath": spot.file, "line": at.line, "character": at.character });
    // Warm: all were asked about this file before, not about this place.
    let other: Vec<Value> = bare.iter_mut().map(|server| server.question(spot, spot.other)).collect();
    asked(bare, &other)?;
    ground.call("listCodeActions", ours(spot.other))?;
    let questions: Vec<Value> = bare.iter_mut().map(|server| server.question(spot, spot.at)).collect();
    let (actions, bare_list) = timed(|| asked(bare, &questions))?;
    let (listed, own_list) = timed(|| ground.call("listCodeActions", ours(spot.at)))?;
    outcome.lists.push((bare_list, own_list));
    let rows = listed["actions"].as_array().cloned().unwrap_or_default();
    for row in rows.iter().filter(|row| row["disabled"] == "") {
        let title = row["title"].as_str().unwrap_or_default();
        // The server writes a new file before it sends its edits.
        if title.starts_with("Move to ") {
            continue;
        }
        // The same wherever in the file it is asked for.
        let is_whole = row["kind"].as_str().is_some_and(|kind| kind.starts_with("source"));
        if is_whole && !outcome.whole.insert((spot.file.clone(), title.to_owned())) {
            continue;
        }
        let name = row["server"].as_str().unwrap_or_default().split(' ').next().unwrap_or_default();
        let of = bare.iter().position(|server| server.name == name).ok_or_else(|| format!("nobody is `{name}`"))?;
        let is_it = |it: &&Value| it["title"] == row["title"] && (it["kind"] == row["kind"] || it["kind"].is_null());
        let action = actions[of].as_array().into_iter().flatten().find(is_it);
        let place = format!("{} {}: {name}: {title}", spot.file.display(), spot.at.line + 1);
        let Some(action) = action else {
            outcome.different.push(format!("{place}: the bare server does not offer it there"));
            continue;
        };
        let (answer, mut bare_plan) = timed(|| bare_edit(&mut bare[of].talk, action))?;
        bare_plan += bare_list;
        let asked = json!({ "target": listed["target"], "action": row["action"], "detail": "edits" });
        let begin = Instant::now();
        let planned = ground.call("planCodeAction", asked);
        let own_plan = begin.elapsed().as_secs_f64() * 1000.0;
        let planned = match planned {
            Ok(planned) => planned,
            Err(_) if bare_texts(&answer)?.is_empty() => {
                outcome.same += 1;
                continue;
            }
            Err(why) => {
                outcome.refused.push(format!("{place}: {why}"));
                continue;
            }
        };
        outcome.plans.push((bare_plan, own_plan));
        let (theirs, own) = (bare_texts(&answer)?, own_texts(&planned)?);
        match theirs == own {
            true => outcome.same += 1,
            false => outcome.different.push(format!("{place}: {}", first_difference(&theirs, &own))),
        }
    }
    Ok(())
}

/// Tells where texts differ first.
fn first_difference(theirs: &Texts, own: &Texts) -> String {
    let lines = |text: Option<&String>| text.map_or(Vec::new(), |text| text.lines().map(str::to_owned).collect());
    for path in theirs.keys().chain(own.keys()) {
        let (theirs, own) = (lines(theirs.get(path)), lines(own.get(path)));
        let same = theirs.iter().zip(&own).take_while(|(theirs, own)| theirs == own).count();
        if same < theirs.len().max(own.len()) {
            let (theirs, own) = (theirs.get(same), own.get(same));
            return format!("{} {}: bare {theirs:?}, lspwright {own:?}", path.display(), same + 1);
        }
    }
    "line breaks".to_owned()
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
