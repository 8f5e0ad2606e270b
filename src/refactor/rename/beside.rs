//! Members that the same uses mean: what is asked of a union is declared by each of its members.
//!
//! Seen with TypeScript 6.0: tsserver's rename of one declaration changes every such use, and leaves the
//! declarations beside it. Of a member that is called, `definition` names one declaration only;
//! `documentHighlights`, asked at the use and for the files that hold the others, names them all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::gathered::Gathered;
use super::script::{OneBased, one_based, within};
use super::subject::Subject;
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{DeclarationKind, Site, site, whole_words};
use crate::text::{AbsPath, Span};

/// At most so many uses are asked for their declarations; beyond, a check has to tell.
const USES: usize = 64;

/// What stands beside the declarations that are changed.
#[derive(Default)]
pub(super) struct Beside {
    pub declarations: Vec<Place>,
    /// Some uses were not asked.
    pub is_partial: bool,
}

/// tsserver's answer to `documentHighlights` (its protocol.ts, DocumentHighlightsItem).
#[derive(Deserialize)]
struct Highlights {
    #[serde(default)]
    body: Vec<InFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InFile {
    file: String,
    highlight_spans: Vec<Highlight>,
}

#[derive(Deserialize)]
struct Highlight {
    start: OneBased,
}

/// Finds the declarations beside those that are changed, where the rename began at a member.
pub(super) async fn declarations(
    session: &Session,
    server: &Arc<Server>,
    (subject, start): (&Subject, &Place),
    gathered: &Gathered,
) -> Result<Beside, Refusal> {
    let mut beside = Beside::default();
    if !is_member(session, start, subject.name.len())? {
        return Ok(beside);
    }
    let mut others = others(session, server, &subject.name, gathered)?;
    if others.is_empty() {
        return Ok(beside);
    }
    let uses = uses(session, gathered, &subject.name)?;
    beside.is_partial = uses.len() > USES;
    for place in uses.into_iter().take(USES) {
        for found in highlights(session, server, &place, &others).await? {
            if others.get_mut(&found.path).is_some_and(|offsets| offsets.remove(&found.offset)) {
                beside.declarations.push(found);
            }
        }
    }
    Ok(beside)
}

/// The members of that name which are not changed, by file.
fn others(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    gathered: &Gathered,
) -> Result<BTreeMap<AbsPath, BTreeSet<usize>>, Refusal> {
    let mut others: BTreeMap<AbsPath, BTreeSet<usize>> = BTreeMap::new();
    for path in session.disk().files_mentioning(name).into_iter().filter(|path| server.spec().speaks_of(path)) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        for span in whole_words(parsed.text.as_str(), name) {
            if !gathered.has(&path, span) && declares_member(site(&parsed.tree, parsed.text.as_str(), span)) {
                others.entry(path.clone()).or_default().insert(span.start);
            }
        }
    }
    Ok(others)
}

/// The changed places behind a dot, and those that are taken apart by name: the first of every file before
/// the second of any.
fn uses(session: &Session, gathered: &Gathered, name: &str) -> Result<Vec<Place>, Refusal> {
    let mut ranked = Vec::new();
    for path in gathered.paths() {
        let text = session.disk().read(path)?;
        let edits = gathered.edits_of(path);
        let is_use = |edit: &&crate::text::TextEdit| {
            let keeps_old = format!("{}: {name}", edit.new_text.split(':').next().unwrap_or_default());
            text.as_str()[..edit.span.start].ends_with('.') || edit.new_text == keeps_old
        };
        let places = edits.iter().filter(is_use).map(|edit| Place { path: path.clone(), offset: edit.span.start });
        ranked.extend(places.enumerate());
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    Ok(ranked.into_iter().map(|(_, place)| place).collect())
}

/// Asks which of the others a use means, too.
async fn highlights(
    session: &Session,
    server: &Arc<Server>,
    place: &Place,
    others: &BTreeMap<AbsPath, BTreeSet<usize>>,
) -> Result<Vec<Place>, Refusal> {
    let bad = |problem: &str| Refusal::BadAnswer { server: server.name().to_string(), problem: problem.to_owned() };
    let text = session.disk().read(&place.path)?;
    let (line, offset) = one_based(&text, place.offset).ok_or_else(|| bad("a use is no place in its file"))?;
    // It fails where the use's own file is not among them.
    let files: BTreeSet<&str> = others.keys().chain([&place.path]).map(AbsPath::as_str).collect();
    let arguments = json!({ "file": place.path.as_str(), "line": line, "offset": offset, "filesToSearch": files });
    let command = vec![Value::from("documentHighlights"), arguments];
    let answer: Highlights =
        server.execute_as("typescript.tsserverRequest", command).await.map_err(SessionError::from)?;
    let mut found = Vec::new();
    for InFile { file, highlight_spans } in answer.body {
        let Ok(path) = AbsPath::new(&file) else { continue };
        if !others.contains_key(&path) {
            continue;
        }
        let text = session.disk().read(&path)?;
        let offsets = highlight_spans.iter().filter_map(|span| within(&text, &span.start));
        found.extend(offsets.map(|offset| Place { path: path.clone(), offset }));
    }
    Ok(found)
}

/// Tells whether a member of a class, an interface or an object is declared there.
fn is_member(session: &Session, place: &Place, length: usize) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    let span = Span::new(place.offset, place.offset + length);
    Ok(declares_member(site(&parsed.tree, parsed.text.as_str(), span)))
}

fn declares_member(site: Site) -> bool {
    matches!(site, Site::Declaration(DeclarationKind::Method | DeclarationKind::Property))
}
