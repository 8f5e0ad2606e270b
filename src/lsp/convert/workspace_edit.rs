//! A server's `WorkspaceEdit`, read whole: one of which a part could not be carried out is no answer.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::reader::{Reader, Seen, is_cell, path};
use crate::lsp::{Answer, Whole};
use crate::plan::{Warning, WarningKind};
use crate::text::{AbsPath, Text, TextEdit, is_hidden, quoted};

/// LSP 3.17 § WorkspaceEdit.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lsp) struct WireEdit {
    changes: Option<BTreeMap<String, Vec<WireTextEdit>>>,
    document_changes: Option<Vec<WireChange>>,
    change_annotations: Option<BTreeMap<String, WireAnnotation>>,
}

/// Why an answer is of no use.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::lsp) enum Unusable {
    /// It does not hold together, or wants what is not carried out.
    Bad(String),
    /// It is about another version of a document than the one that was sent: asked again, the server may know better.
    Outdated(String),
}

/// Either a `TextDocumentEdit` or a resource operation, told apart by `kind`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireChange {
    kind: Option<String>,
    text_document: Option<WireDocument>,
    edits: Vec<WireTextEdit>,
    uri: String,
    old_uri: String,
    new_uri: String,
    options: Option<WireOptions>,
    annotation_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WireDocument {
    uri: String,
    version: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireOptions {
    overwrite: bool,
    ignore_if_exists: bool,
    ignore_if_not_exists: bool,
    recursive: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireTextEdit {
    range: lsp_types::Range,
    /// Not there in a snippet edit, which this client does not take.
    new_text: Option<String>,
    insert_text_format: Option<u32>,
    annotation_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireAnnotation {
    #[serde(default)]
    label: String,
    #[serde(default)]
    needs_confirmation: bool,
}

impl From<String> for Unusable {
    fn from(reason: String) -> Self {
        Self::Bad(reason)
    }
}

/// An answer as far as it was read.
struct Reading<'r, 'a> {
    reader: &'r Reader<'a>,
    annotations: BTreeMap<String, WireAnnotation>,
    whole: Whole,
}

/// Reads a `WorkspaceEdit`: `documentChanges` where there are any, else `changes`.
pub(super) fn read(reader: &Reader<'_>, edit: WireEdit) -> Result<Answer, Unusable> {
    let annotations = edit.change_annotations.unwrap_or_default();
    let mut reading = Reading { reader, annotations, whole: Whole::default() };
    match edit.document_changes {
        Some(changes) => changes.into_iter().try_for_each(|change| reading.take(change))?,
        None => {
            for (uri, edits) in edit.changes.unwrap_or_default() {
                reading.take_edits(&WireDocument { uri, version: None }, edits)?;
            }
        }
    }
    let mut whole = reading.whole;
    whole.edits.values_mut().for_each(ordered);
    whole.warnings.sort();
    whole.warnings.dedup();
    Ok(Answer::new(whole))
}

impl Reading<'_, '_> {
    fn take(&mut self, change: WireChange) -> Result<(), Unusable> {
        let (options, noted) = (change.options.unwrap_or_default(), change.annotation_id);
        match (change.kind.as_deref(), change.text_document) {
            (None, Some(document)) => return self.take_edits(&document, change.edits),
            (Some("create"), _) => {
                let path = self.new_entry(&change.uri)?;
                self.confirm(noted.as_deref(), &path);
                self.create(path, &options)?;
            }
            (Some("rename"), _) => {
                let (from, to) = (self.entry(&change.old_uri)?, self.new_entry(&change.new_uri)?);
                self.confirm(noted.as_deref(), &from);
                self.rename(from, to, &options)?;
            }
            (Some("delete"), _) => {
                let path = self.entry(&change.uri)?;
                self.confirm(noted.as_deref(), &path);
                self.delete(path, &options)?;
            }
            (kind, _) => {
                let kind = quoted(kind.unwrap_or_default());
                return Err(Unusable::Bad(format!("it contains a change of unknown kind {kind}")));
            }
        }
        Ok(())
    }

    fn create(&mut self, path: AbsPath, options: &WireOptions) -> Result<(), String> {
        match self.is_there(&path) {
            false => self.whole.creates.push(path),
            true if options.overwrite => return Err(format!("it would overwrite `{path}`")),
            true if options.ignore_if_exists => {}
            true => return Err(format!("it creates `{path}`, which exists")),
        }
        Ok(())
    }

    fn rename(&mut self, from: AbsPath, to: AbsPath, options: &WireOptions) -> Result<(), String> {
        if !self.is_there(&from) {
            return Err(format!("it moves `{from}`, which is not there"));
        }
        // On a file system that does not tell `A` from `a`, the file is its own target.
        let is_itself = from.as_str().to_lowercase() == to.as_str().to_lowercase();
        match self.is_there(&to) && !is_itself {
            false => self.whole.moves.push((from, to)),
            true if options.overwrite => return Err(format!("it would overwrite `{to}` with `{from}`")),
            true if options.ignore_if_exists => {}
            true => return Err(format!("it moves `{from}` to `{to}`, which exists")),
        }
        Ok(())
    }

    fn delete(&mut self, path: AbsPath, options: &WireOptions) -> Result<(), String> {
        let is_full = || std::fs::read_dir(path.as_path()).is_ok_and(|mut entries| entries.next().is_some());
        match self.is_there(&path) {
            true if !options.recursive && is_full() => {
                return Err(format!("it deletes the directory `{path}`, which is not empty"));
            }
            true => self.whole.deletes.push(path),
            false if options.ignore_if_not_exists => {}
            false => return Err(format!("it deletes `{path}`, which is not there")),
        }
        Ok(())
    }

    /// Tells whether something lies at a path once all that was read so far is done.
    fn is_there(&self, path: &AbsPath) -> bool {
        let on_disk = |path: &AbsPath| path.as_path().symlink_metadata().is_ok();
        let before = before_moves(path.clone(), &self.whole.moves);
        if self.whole.creates.contains(path) {
            return true;
        }
        let has_left = || {
            let left = self.whole.moves.iter().map(|(from, _)| from).chain(&self.whole.deletes);
            left.into_iter().any(|gone| path.is_below(gone))
        };
        on_disk(&before) && (before != *path || !has_left())
    }

    fn take_edits(&mut self, document: &WireDocument, edits: Vec<WireTextEdit>) -> Result<(), Unusable> {
        // basedpyright lists every file of the project with no edits. Cells of notebooks are not changed: who renames tells of
        // them.
        if edits.is_empty() || is_cell(&document.uri) {
            return Ok(());
        }
        let path = before_moves(self.reader.path(&document.uri)?, &self.whole.moves);
        let is_created = self.whole.creates.contains(&path);
        if !is_created {
            self.check_version(&path, document.version)?;
        }
        let text = if is_created { Seen::from(Text::new("")) } else { self.reader.text(&path)? };
        let mut converted = Vec::with_capacity(edits.len());
        for edit in edits {
            self.confirm(edit.annotation_id.as_deref(), &path);
            let span =
                self.reader.span_in(&text, edit.range).map_err(|reason| format!("an edit of `{path}` {reason}"))?;
            let new_text = edit.new_text.filter(|_| edit.insert_text_format != Some(2));
            let new_text = new_text.ok_or_else(|| format!("an edit of `{path}` is a snippet"))?;
            converted.push(TextEdit::new(span, new_text));
        }
        self.whole.edits.entry(path).or_default().extend(converted);
        Ok(())
    }

    /// Checks that an edit is about the text that was sent (LSP 3.17 § OptionalVersionedTextDocumentIdentifier). Of a
    /// document that was never opened, jedi-language-server and gopls say version 0.
    fn check_version(&self, path: &AbsPath, version: Option<i64>) -> Result<(), Unusable> {
        let sent = (self.reader.sent)(path);
        let Some(said) = version.filter(|said| *said != sent.map_or(0, i64::from)) else { return Ok(()) };
        let ours = sent.map_or_else(|| "none".to_owned(), |sent| format!("version {sent}"));
        Err(Unusable::Outdated(format!("it is about version {said} of `{path}`, of which {ours} was sent")))
    }

    /// Notes what a person should agree to.
    fn confirm(&mut self, annotation: Option<&str>, path: &AbsPath) {
        let annotation = annotation.and_then(|id| self.annotations.get(id)).filter(|found| found.needs_confirmation);
        let Some(annotation) = annotation else { return };
        let message = format!("the language server wants this to be confirmed: {}", quoted(&annotation.label));
        self.whole.warnings.push(Warning::at(WarningKind::Unconfirmed, message, path.clone(), None));
    }

    /// Returns the path of what is moved or deleted: a link stays a link.
    fn entry(&self, uri: &str) -> Result<AbsPath, String> {
        let path = path(uri)?;
        Ok(self.reader.disk.contain_entry(&path).unwrap_or(path))
    }

    /// As [`Reading::entry`], of something new.
    fn new_entry(&self, uri: &str) -> Result<AbsPath, String> {
        let path = self.entry(uri)?;
        let name = path.shown_from(self.reader.disk.root());
        if name.contains(is_hidden) {
            return Err(format!("in the path {} a character is not seen", quoted(&name)));
        }
        Ok(path)
    }
}

/// Sorts edits. Insertions at one place are one, in the order in which they came (LSP 3.17 § TextEdit[]); what is said
/// twice counts once.
pub(super) fn ordered(edits: &mut Vec<TextEdit>) {
    edits.sort_by_key(|edit| edit.span);
    edits.dedup_by(|next, known| {
        let is_one = next.span == known.span && (next.span.is_empty() || next.new_text == known.new_text);
        if is_one && next.new_text != known.new_text {
            known.new_text.push_str(&next.new_text);
        }
        is_one
    });
}

/// Returns where a document lay before the moves that the same answer makes ahead of its edits.
pub(super) fn before_moves(path: AbsPath, moves: &[(AbsPath, AbsPath)]) -> AbsPath {
    moves.iter().rev().fold(path, |path, (from, to)| path.rebased(to, from).unwrap_or(path))
}
