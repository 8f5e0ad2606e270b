//! Where a script asks an object for members by keys that it makes as it runs (`handlers[kind]`), and what is renamed may
//! be among them, and where a member of a value is meant whose type is lost (`"run" in value`): told. Our plugin in tsserver
//! knows the types (`lsp/provision/tsserver_plugin/asking.js`, `untyped.js`).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::class_reflection::Told;
use super::file_bindings;
use super::probes::Form;
use super::run_time;
use super::server_edits::Gathered;
use super::structural_types::{changed, cover_importers};
use crate::lsp::{LspError, Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::tsserver::{OneBased, within};
use crate::session::{Session, SessionError};
use crate::text::{AbsPath, Span, TextEdit};

#[derive(Deserialize)]
struct Response {
    body: Body,
}

#[derive(Deserialize)]
struct Body {
    places: Vec<Key>,
}

/// Where a key stands that a program makes.
#[derive(Deserialize)]
struct Key {
    file: String,
    #[serde(flatten)]
    start: OneBased,
    end: OneBased,
    /// The name itself stands there, for what a module exports: a test puts a double in its place.
    #[serde(default, rename = "isExported")]
    is_exported: bool,
    /// The name itself stands there, beside a value of no known type.
    #[serde(default, rename = "isUntyped")]
    is_untyped: bool,
}

/// Leads the names by which a test puts a double in the place of what a module exports. Tells where what has a renamed
/// declaration, a module among them, is asked by such a key; nothing where the server has no
/// such plugin. Where it is known to have one, and that fails, it is told that nobody looked.
pub(super) async fn tell(
    session: &Session,
    (server, has_plugin): (&Arc<Server>, bool),
    ([name, new_name], start): ([&str; 2], &Place),
    gathered: &mut Gathered,
) -> Result<Vec<Warning>, Refusal> {
    if file_bindings::is_kept(session, start)? {
        return Ok(Vec::new());
    }
    cover_importers(session, server, gathered).await?;
    let arguments = json!({ "name": name, "found": changed(session, gathered)? });
    let command = vec![Value::from("lspwright.askedByKey"), arguments];
    let body: Body = match server.execute_as("typescript.tsserverRequest", command).await {
        Ok(Response { body }) => body,
        Err(LspError::Refused { .. } | LspError::BadAnswer { .. }) => {
            return Ok(Vec::from_iter(has_plugin.then(|| unseen(name))));
        }
        Err(error) => return Err(SessionError::from(error).into()),
    };
    let mut told = Told::new();
    let kept = format!(" as {name}");
    let mut untyped: BTreeMap<AbsPath, Vec<Span>> = BTreeMap::new();
    let mut is_behind = false;
    // What hands it on by its old name makes that one right.
    let is_kept = gathered.paths().any(|path| gathered.edits_of(path).iter().any(|it| it.new_text.ends_with(&kept)));
    for key in body.places {
        let Some(path) = AbsPath::new(&key.file).ok().filter(|path| path.is_below(session.root())) else { continue };
        let text = session.disk().read(&path)?;
        let (Some(start), Some(end)) = (within(&text, &key.start), within(&text, &key.end)) else {
            is_behind = true;
            continue;
        };
        let span = Span::new(start, end);
        if let Some(edit) = double(session, (&path, span), [name, new_name])?.filter(|_| key.is_exported && !is_kept) {
            gathered.add(path, edit, new_name);
        } else if key.is_untyped {
            untyped.entry(path).or_default().push(span);
        } else {
            told.entry((path, Form::Dynamic)).or_default().insert(span);
        }
    }
    let mut warnings = run_time::warnings(session, name, told)?;
    warnings.extend(is_behind.then(|| unseen(name)));
    for (path, spans) in untyped {
        warnings.push(unknown(session, name, (path, spans))?);
    }
    Ok(warnings)
}

/// Writes a name anew by which a test says what it puts a double in the place of: a key, or a string.
fn double(
    session: &Session,
    (path, span): (&AbsPath, Span),
    [name, new]: [&str; 2],
) -> Result<Option<TextEdit>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(None) };
    let (text, node) = (parsed.text.as_str(), parsed.tree.nodes().covering(span));
    let start = span.start + usize::from(node.is("string"));
    let own = Span::new(start, start + name.len());
    let written = match node.is("shorthand_property_identifier") {
        true => format!("{new}: {name}"),
        false => new.to_owned(),
    };
    Ok((own.of(text) == Some(name)).then(|| TextEdit::new(own, written)))
}

/// Tells that nobody knows where the program asks for a name that no search finds.
fn unseen(name: &str) -> Warning {
    let message =
        format!("the server did not tell where `{name}` may be asked for by a key, or of a value of no known type");
    Warning::of_plan(WarningKind::Unproven, message)
}

/// Tells of places where a member of a value is meant that nobody knows the type of.
fn unknown(session: &Session, name: &str, (path, mut spans): (AbsPath, Vec<Span>)) -> Result<Warning, Refusal> {
    spans.sort();
    let text = session.disk().read(&path)?;
    let message = format!("`{name}` may be meant here and is not changed: no type is known there");
    Ok(Warning::at_lines(WarningKind::PossibleUse, message, path, (&text, &spans)))
}
