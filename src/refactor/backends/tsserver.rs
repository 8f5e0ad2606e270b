//! The refactorings of tsserver, asked for by its own requests, which change nothing by themselves.

mod body;
mod calls;
mod imports;
mod placement;
mod static_member;
mod style;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lsp::{Feature, LspError, Server};
use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::extracted_tail::Tail;
use crate::refactor::analysis::free_names::check_name;
use crate::refactor::analysis::repeated_statements::{Extraction, Repeated, extent, joined, same, wanted};
use crate::refactor::analysis::value_semantics;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class, selected, wanted_lines};
use crate::refactor::tsserver::{OneBased, one_based, speaks_tsserver, within};
use crate::session::{Session, SessionError};
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::{AbsPath, Span, Text, TextEdit, quoted};

/// Turns lines into a function of the module.
pub(crate) const EXTRACT_FUNCTION: Run = |session, request| Box::pin(extract(session, request, MODULE));

/// Turns lines of a method into a method, those of a function into a function.
pub(crate) const EXTRACT_METHOD: Run = |session, request| Box::pin(extract(session, request, CLASS));

/// How tsserver describes where the function would come to stand.
const MODULE: &[&str] = &["function in module scope", "function in global scope"];
const CLASS: &[&str] = &["method in class", "function in module scope", "function in global scope"];
/// What tsserver calls a new function or method.
const PLACEHOLDERS: &[&str] = &["newFunction", "newMethod"];

#[derive(Deserialize)]
struct Answer<T> {
    body: Option<T>,
}

#[derive(Deserialize)]
struct Refactor {
    name: String,
    actions: Vec<Action>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    name: String,
    description: String,
    #[serde(default)]
    not_applicable_reason: Option<String>,
}

#[derive(Deserialize)]
struct Edits {
    edits: Vec<FileEdits>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileEdits {
    file_name: String,
    text_changes: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    start: OneBased,
    end: OneBased,
    new_text: String,
}

/// A selection that tsserver is asked about.
struct Asked<'a> {
    session: &'a Session,
    server: Arc<Server>,
    selection: Value,
}

async fn extract(session: &Session, request: &Request, scopes: &[&str]) -> Result<Plan, Refusal> {
    // Its ranges are in the text that the server knows.
    session.refresh().await;
    check_new(session, request, scopes).await?;
    let turn = session.alone().await;
    let code = Code::of(session, request)?;
    let name = request.params.text("name");
    let statements = selected(&code, wanted_lines(&code, request)?)?;
    if let Some(placeholder) = PLACEHOLDERS.iter().find(|placeholder| code.text().contains(**placeholder)) {
        return Err(Refusal::NotPossible(format!(
            "`{placeholder}` stands in `{}`: tsserver uses that name",
            code.shown
        )));
    }
    value_semantics::check(&code, &statements)?;
    if let Some(at) = uses_private(&statements).filter(|_| scopes == MODULE) {
        return Err(code.refuse(at, "the lines use what their class keeps for itself: try `extract-method`"));
    }
    let again = wanted(&code, &ScopedNames::of(&code), (request, &statements));
    let lines = Lines { session, code: &code, statements: &statements, name, scopes };
    match Tail::of(&code, &statements) {
        Some(tail) => {
            // tsserver extracts no lines that return in several ways.
            drop(turn);
            code.plan(lines.returning(tail, again).await?)
        }
        None => lines.by_server(again).await,
    }
}

/// Refuses a name that means something already. To be asked before the server is held: others of its answers are needed for it.
async fn check_new(session: &Session, request: &Request, scopes: &[&str]) -> Result<(), Refusal> {
    let code = Code::of(session, request)?;
    let statements = selected(&code, wanted_lines(&code, request)?)?;
    check_name(session, &code, around(&statements, scopes), request.params.text("name")).await
}

/// Statements that become a function.
struct Lines<'c, 'n> {
    session: &'n Session,
    code: &'c Code,
    statements: &'n [Node<'c>],
    name: &'n str,
    scopes: &'n [&'n str],
}

impl<'c> Lines<'c, '_> {
    /// Refuses lines that use their object, which a function of the module has not.
    fn check_object(&self) -> Result<(), Refusal> {
        match uses_object(self.statements).filter(|_| self.scopes == MODULE) {
            Some(at) => Err(self.code.refuse(at, "the lines use their object: try `extract-method`")),
            None => Ok(()),
        }
    }

    /// Refuses lines that declare something other than a plain variable for those behind them: tsserver (6.0) hands nothing else
    /// back, and says that it cannot extract an exported declaration.
    fn check_declared(&self) -> Result<(), Refusal> {
        let (code, names, lines) = (self.code, ScopedNames::of(self.code), extent(self.statements));
        let is_plain = |one: &Name| {
            let node = code.covering(one.span);
            node.parent().is_some_and(|it| it.is("variable_declarator") && it.child("name") == Some(node))
        };
        let is_asked = |one: &Name| names.of_meaning(one.meaning).any(|it| !lines.contains(it.span));
        let declared = names.within(lines).find(|one| one.is_binding && !is_plain(one) && is_asked(one));
        declared.map_or(Ok(()), |one| {
            let name = one.span.of(code.text()).unwrap_or_default();
            let reason =
                format!("`{name}` is used behind the lines: only plain variables are handed back, so leave it out");
            Err(code.refuse(one.span.start, reason))
        })
    }

    /// Writes lines that return as a function, and the calls of it.
    async fn returning(&self, tail: Tail<'c>, again: Vec<Repeated<'c>>) -> Result<Vec<TextEdit>, Refusal> {
        let Self { session, code, statements, name, .. } = *self;
        self.check_object()?;
        let edits = tail.extracted(session, name).await?;
        let object = |statements: &[Node<'c>]| around(statements, CLASS).filter(|_| uses_object(statements).is_some());
        let mut all = Vec::new();
        for one in again {
            let is_its = object(&one.statements) == object(statements);
            let own = match Tail::of(code, &one.statements).filter(|_| is_its) {
                Some(tail) => tail.extracted(session, name).await.map(|own| Extraction::of(one.span(), own)),
                None => Ok(None),
            };
            all.push((one, own));
        }
        Ok(self.joined(edits, all))
    }

    /// Asks tsserver for a function, and for the one that the lines would become wherever they stand again.
    async fn by_server(&self, again: Vec<Repeated<'c>>) -> Result<Plan, Refusal> {
        let Self { session, code, statements, name, scopes } = *self;
        let server = session.server(code.parsed().tree.language(), Feature::Rename).await?;
        if !speaks_tsserver(&server) {
            return Err(Refusal::NotPossible(format!("{} offers no refactorings", server.name())));
        }
        session.cover(&server, std::slice::from_ref(&code.path)).await?;
        // What is not open it reads when its own watcher tells it to, which may be too late.
        server.open(std::slice::from_ref(&code.path)).await.map_err(SessionError::from)?;
        server.tsserver_layout(&code.path).await.map_err(SessionError::from)?;
        let asked = Asked { session, server: Arc::clone(&server), selection: selection(code, statements)? };
        let edits = asked.extracted(scopes).await;
        if edits.is_err() && asked.extracted(CLASS).await.is_ok() {
            // Where a method is refused, too, the reason is another one.
            self.check_object()?;
        }
        if edits.is_err() {
            self.check_declared()?;
        }
        let mut edits = asked.changes((code, statements), edits?, name).await?;
        let class = around(statements, scopes);
        let scopes = if class.is_some() { scopes } else { MODULE };
        let mut all = Vec::new();
        for one in again {
            let is_its = around(&one.statements, scopes) == class;
            let own = Lines { statements: &one.statements, scopes, ..*self }.extraction(&server).await;
            let own = own.map(|own| own.filter(|_| is_its));
            all.push((one, own));
        }
        if let Some((_, own)) = edits.get_mut(&code.path).filter(|_| !all.is_empty()) {
            *own = self.joined(std::mem::take(own), all);
        }
        let what = if code.is_typed_script() { "the types" } else { "the parameters" };
        let doubt = format!("{what} of `{name}` are as {} infers them", server.name());
        let doubt = Warning::of_plan(WarningKind::Unproven, doubt);
        Ok(Plan::new(Parts { edits, warnings: vec![doubt], ..Parts::default() })?)
    }

    async fn extraction(&self, server: &Arc<Server>) -> Result<Option<Extraction>, Refusal> {
        let Self { session, code, statements, name, scopes } = *self;
        let asked = Asked { session, server: Arc::clone(server), selection: selection(code, statements)? };
        let mut all = asked.changes((code, statements), asked.extracted(scopes).await?, name).await?;
        let own = all.remove(&code.path).filter(|_| all.is_empty());
        Ok(own.and_then(|(_, edits)| Extraction::of(extent(statements), edits)))
    }

    /// Adds the calls that take the place of repeated statements to the edits of a function.
    fn joined(
        &self,
        edits: Vec<TextEdit>,
        all: Vec<(Repeated<'c>, Result<Option<Extraction>, Refusal>)>,
    ) -> Vec<TextEdit> {
        match Extraction::of(extent(self.statements), edits.clone()) {
            Some(model) => joined(same(self.session, self.code, model, all), 0),
            None => edits,
        }
    }
}

/// Returns the class that a method of some statements would be one of.
fn around<'c>(statements: &[Node<'c>], scopes: &[&str]) -> Option<Node<'c>> {
    statements[0].ancestors().find(|outer| is_class(*outer)).filter(|_| scopes == CLASS)
}

/// Returns where statements use a name that is private to its class.
fn uses_private(statements: &[Node<'_>]) -> Option<usize> {
    let mut nodes = statements.iter().flat_map(|one| one.walk_until(is_class));
    nodes.find(|node| node.is("private_property_identifier")).map(Node::start)
}

/// Returns where statements use the object that they belong to.
fn uses_object(statements: &[Node<'_>]) -> Option<usize> {
    const OWN: &[&str] = &["class_body", "function_declaration", "function_expression"];
    let mut nodes = statements.iter().flat_map(|one| one.walk_until(|it| it.is_any(OWN)));
    nodes.find(|node| node.is("this")).map(Node::start)
}

fn selection(code: &Code, statements: &[Node<'_>]) -> Result<Value, Refusal> {
    let (text, span) = (&code.parsed().text, extent(statements));
    let ends = (one_based(text, span.start), one_based(text, span.end));
    let (Some((start_line, start_offset)), Some((end_line, end_offset))) = ends else {
        return Err(code.refuse(span.start, "the lines have no place"));
    };
    Ok(json!({
        "file": code.path.as_str(), "startLine": start_line, "startOffset": start_offset,
        "endLine": end_line, "endOffset": end_offset,
    }))
}

impl Asked<'_> {
    /// Returns the edits of the first extraction that is offered for one of the scopes, in their order.
    async fn extracted(&self, scopes: &[&str]) -> Result<Vec<FileEdits>, Refusal> {
        let more = json!({"triggerReason": "invoked", "kind": "refactor.extract.function"});
        let offered: Vec<Refactor> = self.ask("getApplicableRefactors", &more).await?;
        let actions: Vec<(&str, &Action)> =
            offered.iter().flat_map(|one| one.actions.iter().map(move |action| (one.name.as_str(), action))).collect();
        let fits = |scope: &str, action: &Action| action.description.contains(scope);
        let open = |scope: &str| {
            actions.iter().find(|(_, action)| action.not_applicable_reason.is_none() && fits(scope, action))
        };
        let Some((refactor, action)) = scopes.iter().copied().find_map(open) else {
            let reason = actions.iter().find_map(|(_, action)| action.not_applicable_reason.as_deref());
            let reason = reason.map_or_else(|| "it gave no reason".to_owned(), quoted);
            return Err(Refusal::NotPossible(format!(
                "{} would not extract these lines: {reason}",
                self.server.name()
            )));
        };
        let wanted = json!({"refactor": refactor, "action": action.name});
        let Edits { edits } = self.ask("getEditsForRefactor", &wanted).await?;
        Ok(edits)
    }

    async fn ask<T: DeserializeOwned>(&self, request: &str, more: &Value) -> Result<T, Refusal> {
        let mut wanted = self.selection.clone();
        for (key, value) in more.as_object().into_iter().flatten() {
            wanted[key] = value.clone();
        }
        let asked = self.server.execute_as("typescript.tsserverRequest", vec![Value::from(request), wanted]).await;
        let answer: Answer<T> = match asked {
            Err(LspError::Refused { message, .. }) => {
                let said = format!("{} refused `{request}`: {}", self.server.name(), quoted(&message));
                return Err(Refusal::NotPossible(said));
            }
            other => other.map_err(SessionError::from)?,
        };
        answer.body.ok_or_else(|| self.bad(format!("its answer to `{request}` is empty")))
    }

    fn bad(&self, problem: String) -> Refusal {
        Refusal::BadAnswer { server: self.server.name().to_string(), problem }
    }

    /// Puts the name where the placeholder stands. tsserver infers the types of what it makes, so that a check
    /// has to prove them.
    async fn changes(
        &self,
        (code, statements): (&Code, &[Node<'_>]),
        edits: Vec<FileEdits>,
        name: &str,
    ) -> Result<BTreeMap<AbsPath, (Arc<Text>, Vec<TextEdit>)>, Refusal> {
        let mut all = BTreeMap::new();
        for file in edits {
            let path = AbsPath::new(&file.file_name).map_err(|error| self.bad(error.to_string()))?;
            if !path.is_below(self.session.root()) {
                return Err(Refusal::EditsOutside { server: self.server.name().to_string(), path: path.to_string() });
            }
            let text = self.session.disk().read(&path)?;
            let mut changes = Vec::with_capacity(file.text_changes.len());
            for change in &file.text_changes {
                let ends = (place(&text, &change.start), place(&text, &change.end));
                let (Some(start), Some(end)) = ends else { return Err(self.bad(format!("a place outside `{path}`"))) };
                changes.push(TextEdit::new(Span::new(start, end), named(&change.new_text, name)));
            }
            if path == code.path {
                changes = placement::beside((code, statements), name, changes);
                changes = imports::in_order(code, changes);
                changes = imports::as_types(self.session, code, changes);
                changes = static_member::marked(statements, name, changes);
                changes = calls::mended(self.session, (code, statements), name, changes);
                changes = style::styled((self.session, &self.server), (code, statements), name, changes).await;
            }
            all.insert(path, (text, changes));
        }
        Ok(all)
    }
}

/// Returns the offset of a place. The end of a text whose last line is empty tsserver counts on the line before it.
fn place(text: &Text, at: &OneBased) -> Option<usize> {
    let end = || {
        let line = within(text, &OneBased { line: at.line, offset: 1 })?;
        let rest = text.as_str()[line..].encode_utf16().count();
        (rest + 1 == at.offset as usize).then(|| text.as_str().len())
    };
    within(text, at).or_else(end)
}

fn named(text: &str, name: &str) -> String {
    let mut named = text.to_owned();
    for placeholder in PLACEHOLDERS {
        let places = crate::syntax::whole_words(&named, placeholder);
        for place in places.into_iter().rev() {
            named.replace_range(place.start..place.end, name);
        }
    }
    if name.starts_with('#') { without_private(&named, name) } else { named }
}

/// Takes the word `private` from the declaration of a name that is private by itself: `private async #read(`.
fn without_private(text: &str, name: &str) -> String {
    const WORD: &str = "private ";
    let mut written = text.to_owned();
    for (at, _) in text.rmatch_indices(WORD) {
        let modifiers = text[at + WORD.len()..].split_once(name).map(|(modifiers, _)| modifiers);
        let is_its =
            |modifiers: &str| modifiers.split_whitespace().all(|word| ["static", "async", "*"].contains(&word));
        if modifiers.is_some_and(is_its) {
            written.replace_range(at..at + WORD.len(), "");
        }
    }
    written
}
