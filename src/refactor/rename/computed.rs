//! Where a script asks an object for members by keys that it makes as it runs (`handlers[kind]`), and what is renamed may
//! be among them: told. Our plugin in tsserver knows the types (`lsp/provision/tsserver_plugin/asking.js`).

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::gathered::Gathered;
use super::inherited::Told;
use super::probes::Form;
use super::related::{changed, cover_importers};
use super::run_time;
use crate::lsp::{LspError, Place, Server};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::tsserver::{OneBased, within};
use crate::session::{Session, SessionError};
use crate::syntax::is_any_function;
use crate::text::{AbsPath, Span};

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
}

/// Tells where what has a renamed declaration, a module among them, is asked by such a key; nothing where the server has no
/// such plugin.
pub(super) async fn tell(
    session: &Session,
    server: &Arc<Server>,
    (name, start): (&str, &Place),
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    if is_local(session, start)? {
        return Ok(Vec::new());
    }
    cover_importers(session, server, gathered).await?;
    let arguments = json!({ "name": name, "found": changed(session, gathered)? });
    let command = vec![Value::from("lspwright.askedByKey"), arguments];
    let body: Body = match server.execute_as("typescript.tsserverRequest", command).await {
        Ok(Response { body }) => body,
        Err(LspError::Refused { .. } | LspError::BadAnswer { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(SessionError::from(error).into()),
    };
    let mut told = Told::new();
    for key in body.places {
        let Some(path) = AbsPath::new(&key.file).ok().filter(|path| path.is_below(session.root())) else { continue };
        let text = session.disk().read(&path)?;
        let (Some(start), Some(end)) = (within(&text, &key.start), within(&text, &key.end)) else { continue };
        told.entry((path, Form::Dynamic)).or_default().insert(Span::new(start, end));
    }
    run_time::warnings(session, name, told)
}

/// Tells whether a name is declared in a function, where no object has it.
fn is_local(session: &Session, declared: &Place) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&declared.path)? else { return Ok(true) };
    let name = parsed.tree.nodes().covering(Span::new(declared.offset, declared.offset + 1));
    let is_variable = name.parent().is_some_and(|outer| outer.is("variable_declarator"));
    Ok(is_variable && name.ancestors().any(is_any_function))
}
