//! What a server offers to do about code, and what comes of it (LSP 3.17 § textDocument/codeAction). Nothing is carried out.

use std::sync::Arc;

use serde_json::{Value, json};

use super::convert::{Unusable, WireEdit, uri};
use super::{Action, Answer, CommandUse, Feature, LspError, NoEdit, Quirk, Server, locked};
use crate::plan::Problem;
use crate::text::{AbsPath, Span};

const METHOD: &str = "textDocument/codeAction";
const RESOLVE: &str = "codeAction/resolve";

impl Server {
    /// Asks what can be done about a stretch of a file, in the text that the server sees. `only` names kinds of actions;
    /// others are left out, though servers may offer them. What is wrong there, the server is told as it said it itself.
    pub async fn code_actions(
        &self,
        path: &AbsPath,
        span: Span,
        (only, ask): (&[String], Ask),
    ) -> Result<Offered, LspError> {
        self.must_offer(Feature::CodeAction)?;
        self.ensure_open(path).await?;
        // Some never say what they find; they may have something to offer all the same.
        let (found, unheard) = match self.raw_diagnostics(path).await {
            Ok(found) => (found, None),
            Err(unheard @ LspError::Unheard { .. }) => (Arc::default(), Some(unheard)),
            Err(error) => return Err(error),
        };
        let there = self.read(METHOD, |reader| reader.touching(path, &found, span))?;
        Ok(Offered { actions: self.actions_for(path, span, (&there, only, ask)).await?, unheard })
    }

    /// Returns what the server finds in a file, each with where it stands and the means to ask what can be done about it.
    pub async fn findings(&self, path: &AbsPath) -> Result<Vec<(Problem, Option<Span>, Finding)>, LspError> {
        self.ensure_open(path).await?;
        let found = self.raw_diagnostics(path).await?;
        let prefix = self.code_prefix();
        self.read(METHOD, |reader| {
            let one = |raw: &Value| {
                let (problem, span) = reader.finding(path, raw)?;
                let code = problem.code.map(|code| with_prefix(prefix, &raw["code"], code));
                Ok((Problem { code, ..problem }, span, Finding(raw.clone())))
            };
            found.iter().map(one).collect::<Result<_, String>>()
        })
    }

    /// Asks what can be done about one finding.
    pub async fn fixes(&self, path: &AbsPath, span: Span, finding: &Finding) -> Result<Vec<Action>, LspError> {
        self.actions_for(path, span, (std::slice::from_ref(&finding.0), &[], Ask::Anew)).await
    }

    /// Returns what an action changes: as it was said at once, as it is said when asked, or as a command sends it.
    pub async fn edit_of(&self, action: &Action) -> Result<Result<Answer, NoEdit>, LspError> {
        let is_sent =
            matches!(self.command_use(&action.raw), Some(CommandUse::SendsEdits | CommandUse::TsserverRefactor));
        let raw = match action.raw["edit"].is_null() && !is_sent && self.resolves_actions() {
            true => without_empty_edit(self.ask(RESOLVE, action.raw.clone()).await?),
            false => action.raw.clone(),
        };
        let mut answers = Vec::new();
        let edit: Option<WireEdit> =
            serde_json::from_value(raw["edit"].clone()).map_err(|error| self.bad_answer(METHOD, error.to_string()))?;
        if let Some(edit) = edit {
            answers.push(self.read(METHOD, |reader| reader.answer(edit))?);
        }
        let command = raw["command"]["command"].as_str();
        let arguments = raw["command"]["arguments"].as_array().cloned().unwrap_or_default();
        match command.map(|command| (command, self.command_use(&raw))) {
            None => {}
            Some((_, Some(CommandUse::AfterEdit))) if !answers.is_empty() => {}
            Some((command, Some(CommandUse::SendsEdits))) if answers.is_empty() => {
                answers = self.execute_captured(command, arguments).await?.answers;
            }
            Some((_, Some(CommandUse::TsserverRefactor))) if answers.is_empty() => {
                answers.extend(self.tsserver_refactor(arguments).await?);
            }
            Some((command, _)) => return Ok(Err(NoEdit::RunsCommand(command.to_owned()))),
        }
        answers.retain(|answer| !answer.is_empty());
        Ok(match answers.len() {
            0 => Err(NoEdit::Nothing),
            1 => Ok(answers.remove(0)),
            _ => Err(NoEdit::Several),
        })
    }

    async fn actions_for(
        &self,
        path: &AbsPath,
        span: Span,
        (diagnostics, only, ask): (&[Value], &[String], Ask),
    ) -> Result<Vec<Action>, LspError> {
        self.tsserver_layout(path).await?;
        let text = self.seen(path)?;
        let place = |offset| {
            let position = self.measure().position(&text, offset);
            position.ok_or_else(|| LspError::NoPlace { path: path.clone(), offset })
        };
        let range = json!({"start": place(span.start)?, "end": place(span.end)?});
        let mut context = json!({"diagnostics": diagnostics, "triggerKind": 1});
        if !only.is_empty() {
            context["only"] = only.into();
        }
        let params = json!({"textDocument": {"uri": uri(path)}, "range": range, "context": context});
        let actions = self.offered(params, ask).await?.into_iter().map(|raw| self.action(in_one_form(raw)));
        let is_wanted = |action: &Action| only.is_empty() || only.iter().any(|kind| action.is_of(kind));
        Ok(actions.filter(is_wanted).collect())
    }

    async fn offered(&self, params: Value, ask: Ask) -> Result<Vec<Value>, LspError> {
        let (question, conversation) = (params.to_string(), self.living().await?);
        let as_of = conversation.now();
        if ask == Ask::UnlessJustAsked
            && let Some(known) = conversation.offered.get(&question, as_of)
        {
            return Ok(known);
        }
        // basedpyright (1.40.1) puts `null` among them.
        let found: Option<Vec<Option<Value>>> = self.ask(METHOD, params).await?;
        let found: Vec<Value> = found.unwrap_or_default().into_iter().flatten().collect();
        conversation.offered.put(question, as_of, found.clone());
        Ok(found)
    }

    fn action(&self, raw: Value) -> Action {
        let word = |key: &str| raw[key].as_str().unwrap_or_default().to_owned();
        let prefix = self.code_prefix();
        let code = |one: &Value| {
            let code = &one["code"];
            let written = code.as_str().map(str::to_owned).or_else(|| code.as_i64().map(|code| code.to_string()))?;
            Some(with_prefix(prefix, code, written))
        };
        let mut fixes: Vec<String> = raw["diagnostics"].as_array().into_iter().flatten().filter_map(code).collect();
        fixes.sort();
        fixes.dedup();
        let (answer, unusable) = match self.inline_edit(&raw) {
            Ok(answer) => (answer, None),
            Err(reason) => (None, Some(format!("its edit is of no use: {reason}"))),
        };
        let said = raw["disabled"]["reason"].as_str().map(str::to_owned);
        let is_out_of_place = said.is_some();
        let disabled = said.or(unusable).or_else(|| self.runs_command(&raw));
        let is_preferred = raw["isPreferred"] == true;
        let (title, kind) = (word("title"), word("kind"));
        Action { title, kind, is_preferred, fixes, disabled, is_out_of_place, answer, raw }
    }

    fn inline_edit(&self, raw: &Value) -> Result<Option<Answer>, String> {
        let edit: Option<WireEdit> = serde_json::from_value(raw["edit"].clone()).map_err(|error| error.to_string())?;
        let Some(edit) = edit else { return Ok(None) };
        match self.try_read(|reader| reader.answer(edit)) {
            Ok(Ok(answer)) => Ok(Some(answer)),
            Ok(Err(Unusable::Bad(reason) | Unusable::Outdated(reason))) => Err(reason),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Tells why an action cannot be planned that takes a command of which nothing is known.
    fn runs_command(&self, raw: &Value) -> Option<String> {
        let command = raw["command"]["command"].as_str()?;
        let has_edit = !raw["edit"].is_null();
        let is_told_later = !has_edit && self.resolves_actions();
        let is_known = match self.command_use(raw) {
            Some(CommandUse::AfterEdit) => has_edit || is_told_later,
            Some(CommandUse::SendsEdits | CommandUse::TsserverRefactor) => !has_edit,
            None => is_told_later && !raw["data"].is_null(),
        };
        (!is_known).then(|| NoEdit::RunsCommand(command.to_owned()).to_string())
    }

    /// What is done with the command of an action, as far as that is known.
    fn command_use(&self, raw: &Value) -> Option<CommandUse> {
        self.spec().commands.get(raw["command"]["command"].as_str()?).copied()
    }

    fn resolves_actions(&self) -> bool {
        locked(&self.conversation().peer.capabilities).resolves_actions()
    }

    /// What stands before a number in the codes of this server's findings, as its checker writes them.
    fn code_prefix(&self) -> &'static str {
        if self.spec().has(Quirk::TsserverDiagnostics) { "TS" } else { "" }
    }
}

/// Whether a server is asked for actions that it was asked for just before, while it has been told nothing since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Anew,
    UnlessJustAsked,
}

/// What a server offers to do.
#[derive(Debug)]
pub struct Offered {
    pub actions: Vec<Action>,
    /// Set where the server has not said what it finds in the file: fixes of that are not among them.
    pub unheard: Option<LspError>,
}

/// A finding as its server said it; to be handed back.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding(Value);

impl Action {
    /// Tells whether the action is of a kind, or of one below it: `refactor.extract` is a `refactor`.
    pub fn is_of(&self, kind: &str) -> bool {
        let rest = self.kind.strip_prefix(kind);
        kind.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

fn with_prefix(prefix: &str, code: &Value, written: String) -> String {
    if code.is_number() { format!("{prefix}{written}") } else { written }
}

/// Writes a bare command as an action that takes it (LSP 3.17: an answer may hold both), and leaves an edit out that changes
/// nothing: gopls (0.16) sends one beside the command that does.
fn in_one_form(raw: Value) -> Value {
    if raw["command"].is_string() {
        return json!({"title": raw["title"], "command": raw});
    }
    without_empty_edit(raw)
}

fn without_empty_edit(mut raw: Value) -> Value {
    let is_empty = |key: &str| match &raw["edit"][key] {
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        _ => true,
    };
    let is_empty = is_empty("changes") && is_empty("documentChanges");
    if let Some(action) = raw.as_object_mut().filter(|_| is_empty) {
        action.remove("edit");
    }
    raw
}
