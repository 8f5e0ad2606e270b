//! tsserver's own requests, through typescript-language-server and vtsls: they change nothing, and answer at once.

use std::sync::Arc;

use serde_json::{Value, json};

use super::pushed_diagnostics::Pushes;
use super::standing::AsOf;
use super::{Answer, LspError, Quirk, Server};
use crate::plan::Problem;
use crate::syntax::{IndentWidth, Language, Tree};
use crate::text::{AbsPath, quoted};
use crate::workspace::{Change, ChangeKind};

const REQUEST: &str = "typescript.tsserverRequest";
/// Our plugin's.
const LOOK_AGAIN: &str = "lspwright.lookAgain";
const SYNTACTIC: &str = "syntacticDiagnosticsSync";
const SEMANTIC: &str = "semanticDiagnosticsSync";
const SUGGESTIONS: &str = "suggestionDiagnosticsSync";

/// What a finding is known again by: its code, and its first line and character, 0-based.
type Known = (i64, i64, i64);

impl Server {
    /// Also answers for files that are not open, and sees what the overlays of others change in them.
    pub(super) async fn tsserver_diagnostics(&self, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
        self.tsserver_found(path, &[SYNTACTIC, SEMANTIC]).await
    }

    /// The same with what tsserver suggests: what nobody uses, what could be written in another way.
    pub(super) async fn tsserver_suggestions(&self, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
        self.tsserver_found(path, &[SYNTACTIC, SEMANTIC, SUGGESTIONS]).await
    }

    async fn tsserver_found(&self, path: &AbsPath, requests: &[&str]) -> Result<Vec<Problem>, LspError> {
        let mut problems = Vec::new();
        for (request, body) in requests.iter().zip(self.tsserver_each(path, requests).await?) {
            problems.extend(self.read(request, |reader| reader.tsserver_problems(path, &body))?);
        }
        problems.sort();
        problems.dedup();
        Ok(problems)
    }

    /// Returns what the server has pushed for an open document, suggestions included, once that is all that tsserver finds
    /// there: what it offers to do hangs on its having pushed that, however slow the machine is.
    pub(super) async fn tsserver_pushed(&self, path: &AbsPath) -> Result<Arc<Vec<Value>>, LspError> {
        let conversation = self.conversation();
        if let Some(found) = conversation.findings.get(path, conversation.now_in(path)) {
            return Ok(found);
        }
        let told = conversation.told();
        let found = self.tsserver_each(path, &[SYNTACTIC, SEMANTIC, SUGGESTIONS]).await?;
        let found = found.iter().filter_map(Value::as_array).flatten();
        let mut expected: Vec<Known> = found.filter_map(known_to_tsserver).collect();
        expected.sort_unstable();
        let is_all = |pushed: &Pushes| {
            let pushed = pushed.get(path).map(|one| one.diagnostics());
            let found = pushed.as_ref().and_then(Value::as_array).map(|all| all.iter().filter_map(known));
            found.is_some_and(|found| {
                let mut found: Vec<Known> = found.collect();
                found.sort_unstable();
                found == expected
            })
        };
        let patience = self.push_patience();
        let mut pushed = conversation.peer.pushed.subscribe();
        tokio::select! {
            all = tokio::time::timeout(patience, pushed.wait_for(is_all)) => {
                if all.is_err() {
                    return Err(self.unheard(patience));
                }
            }
            death = conversation.dead() => return Err(conversation.died(death)),
        }
        let as_of = AsOf { told, ..conversation.now_in(path) };
        let found = pushed.borrow().get(path).map(|one| one.diagnostics());
        let found = found.and_then(|mut found| found.as_array_mut().map(std::mem::take)).unwrap_or_default();
        let found = Arc::new(found);
        conversation.findings.put(path.clone(), as_of, Arc::clone(&found));
        Ok(found)
    }

    /// Run, `_typescript.applyRefactoring` (typescript-language-server 5.3.0) creates the files of its edits on the disk
    /// before it sends them. The request behind it changes nothing.
    pub(super) async fn tsserver_refactor(&self, arguments: Vec<Value>) -> Result<Option<Answer>, LspError> {
        const EDITS: &str = "getEditsForRefactor";
        let wanted = arguments.into_iter().next().unwrap_or_default();
        let body = self.tsserver(EDITS, wanted).await?;
        if let Some(reason) = body["notApplicableReason"].as_str() {
            let (server, method) = (self.name().clone(), EDITS.to_owned());
            return Err(LspError::Refused { server, method, code: 0, message: reason.to_owned() });
        }
        let edits = body["edits"].as_array().filter(|edits| !edits.is_empty());
        edits.map(|edits| self.read(EDITS, |reader| reader.tsserver_edits(edits))).transpose()
    }

    /// Asks several questions about a file, all at once; returns the bodies of the answers.
    async fn tsserver_each(&self, path: &AbsPath, requests: &[&str]) -> Result<Vec<Value>, LspError> {
        let asked = requests.iter().map(|request| self.tsserver(request, json!({"file": path.as_str()})));
        futures::future::try_join_all(asked).await
    }

    /// Waits until typescript-language-server knows every watch that tsserver has set up. It hands a change on only to those it
    /// knows (5.3.0), and tsserver asks for the watch of a file in the moment in which it reads it, whenever that is: told of a
    /// change in between, it would keep the text of before for good. What it reads later is the new text.
    pub(super) async fn hear_of_watches(&self) {
        // What fails here fails again when the server is asked.
        let _ = self.tsserver("status", Value::Null).await;
    }

    /// Has tsserver look again for modules and configurations that were not there when it did, and are now: it does not hear of
    /// all of them (see `tsserver_plugin/lookups.js`). Nothing is asked of other servers.
    pub async fn look_again(&self, changes: &[Change]) {
        let of = |kind| {
            let paths = changes.iter().filter(move |change| change.kind == kind).map(|change| change.path.as_str());
            paths.collect::<Vec<&str>>()
        };
        let (created, deleted) = (of(ChangeKind::Created), of(ChangeKind::Deleted));
        if self.is_told_of_all() && !(created.is_empty() && deleted.is_empty()) {
            // One that has loaded no project yet does not know the request, and looks for all of it later.
            let _ = self.tsserver(LOOK_AGAIN, json!({"created": created, "deleted": deleted})).await;
        }
    }

    /// Tells tsserver how an open file is indented and how its lines end: what it makes there is written so. It takes four
    /// spaces where nobody says so, and typescript-language-server (5.3.0) asks for it with the first opening of a file alone,
    /// and knows nothing of line endings. Nothing is said to other servers.
    pub async fn tsserver_layout(&self, path: &AbsPath) -> Result<(), LspError> {
        if !self.spec().has(Quirk::TsserverRequests) || !self.has_command(REQUEST) {
            return Ok(());
        }
        let conversation = self.conversation();
        let as_of = conversation.now();
        if conversation.laid_out.get(path, as_of).is_some() {
            return Ok(());
        }
        let text = self.seen(path)?;
        let language = Language::of_path(path).unwrap_or(Language::TypeScript);
        let mut options = json!({"newLineCharacter": if text.as_str().contains("\r\n") { "\r\n" } else { "\n" }});
        if let Some(IndentWidth { width, is_tab }) =
            IndentWidth::of(&Tree::parse(language, text.as_str()), text.as_str())
        {
            options["indentSize"] = width.into();
            options["tabSize"] = width.into();
            options["convertTabsToSpaces"] = (!is_tab).into();
        }
        self.tsserver("configure", json!({"file": path.as_str(), "formatOptions": options})).await?;
        conversation.laid_out.put(path.clone(), as_of, ());
        Ok(())
    }

    /// Returns the body of an answer. None of these sends edits that could be taken for another command's: several may be
    /// on their way.
    async fn tsserver(&self, request: &str, wanted: Value) -> Result<Value, LspError> {
        let params = json!({"command": REQUEST, "arguments": [request, wanted]});
        let mut answer: Value = self.ask("workspace/executeCommand", params).await?;
        if answer["success"] == false {
            let message = answer["message"].as_str().unwrap_or_default();
            return Err(self.bad_answer(request, format!("it failed: {}", quoted(message))));
        }
        Ok(answer["body"].take())
    }
}

fn known(diagnostic: &Value) -> Option<Known> {
    let start = &diagnostic["range"]["start"];
    Some((diagnostic["code"].as_i64()?, start["line"].as_i64()?, start["character"].as_i64()?))
}

/// The same of tsserver's own form, whose lines and offsets are 1-based.
fn known_to_tsserver(diagnostic: &Value) -> Option<Known> {
    let start = &diagnostic["start"];
    Some((diagnostic["code"].as_i64()?, start["line"].as_i64()? - 1, start["offset"].as_i64()? - 1))
}
