//! The one place that knows both LSP's words and the plan's.

mod tsserver_edits;
mod workspace_edit;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentSymbol, DocumentSymbolResponse, GotoDefinitionResponse, NumberOrString,
    PrepareRenameResponse, SymbolKind,
};
use serde::Deserialize as _;
use serde_json::Value;
use url::Url;

use super::{Answer, Location, Prepared, Symbol};
use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Encoding, LineBreaks, LineIndex, Position, Span, Text, is_hidden, quoted};
use crate::workspace::{Change, ChangeKind, Disk};

pub(super) use workspace_edit::{Unusable, WireEdit};

/// How one server counts lines and characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Measure {
    pub(super) encoding: Encoding,
    pub(super) breaks: LineBreaks,
}

/// Reads one answer of a server through the texts that it saw.
pub(super) struct Reader<'a> {
    pub(super) disk: &'a Disk,
    pub(super) measure: Measure,
    /// The text that the server saw at a path.
    pub(super) seen: &'a dyn Fn(&AbsPath) -> Result<Arc<Text>, String>,
    /// The version under which that text was sent; nothing for a document that is not open.
    pub(super) sent: &'a dyn Fn(&AbsPath) -> Option<i32>,
    texts: RefCell<BTreeMap<AbsPath, Arc<Text>>>,
}

/// Returns the URI of a path, percent-encoded; a folder's has no slash at its end, because
/// typescript-language-server answers such a one with nothing.
pub(super) fn uri(path: &AbsPath) -> String {
    let uri = Url::from_file_path(path.as_path()).expect("an AbsPath is absolute");
    uri.into()
}

/// Returns the path of a file's URI as it stands there.
pub(super) fn path(uri: &str) -> Result<AbsPath, String> {
    let parsed = Url::parse(uri).map_err(|error| format!("{} is no URI: {error}", quoted(uri)))?;
    if parsed.scheme() != "file" {
        return Err(format!("{} is no file", quoted(uri)));
    }
    let path = parsed.to_file_path().map_err(|()| format!("{} is no path on this system", quoted(uri)))?;
    AbsPath::new(path).map_err(|error| error.to_string())
}

/// Tells whether a URI is that of a cell: basedpyright calls the first one of code `notes.ipynb#0`, and counts its lines from
/// its own beginning.
fn is_cell(uri: &str) -> bool {
    uri.split_once('#').is_some_and(|(file, _)| file.ends_with(".ipynb"))
}

/// Returns the params of `workspace/didChangeWatchedFiles`.
pub(super) fn watched_changes(changes: &[Change]) -> Value {
    let kind = |kind| match kind {
        ChangeKind::Created => 1,
        ChangeKind::Changed => 2,
        ChangeKind::Deleted => 3,
    };
    let changes = changes.iter().map(|change| serde_json::json!({"uri": uri(&change.path), "type": kind(change.kind)}));
    serde_json::json!({"changes": changes.collect::<Vec<_>>()})
}

impl Measure {
    fn lines(self, text: &Text) -> &LineIndex {
        text.lines_by(self.breaks)
    }

    /// Returns the position where `text` ends.
    pub(super) fn end_of(self, text: &Text) -> Value {
        let end = self.lines(text).position(text.as_str(), text.as_str().len(), self.encoding);
        let end = end.expect("a text has an end");
        serde_json::json!({"line": end.line, "character": end.character})
    }

    /// Returns the position of an offset; nothing where it is no place in the text.
    pub(super) fn position(self, text: &Text, offset: usize) -> Option<Value> {
        let position = self.lines(text).position(text.as_str(), offset, self.encoding)?;
        Some(serde_json::json!({"line": position.line, "character": position.character}))
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        disk: &'a Disk,
        measure: Measure,
        seen: &'a dyn Fn(&AbsPath) -> Result<Arc<Text>, String>,
        sent: &'a dyn Fn(&AbsPath) -> Option<i32>,
    ) -> Self {
        Self { disk, measure, seen, sent, texts: RefCell::default() }
    }

    pub(super) fn answer(&self, edit: WireEdit) -> Result<Answer, Unusable> {
        workspace_edit::read(self, edit)
    }

    /// Returns the path of a file URI. One that reaches into the project by a link is returned as the
    /// project knows it.
    pub(super) fn path(&self, uri: &str) -> Result<AbsPath, String> {
        let path = path(uri)?;
        Ok(self.disk.contain(&path).unwrap_or(path))
    }

    /// Reads a list of places. Those that are no files, such as a class inside an archive, and cells of notebooks are left
    /// out: nothing in them could be changed.
    pub(super) fn locations(&self, found: Option<GotoDefinitionResponse>) -> Result<Vec<Location>, String> {
        let places: Vec<(Url, lsp_types::Range)> = match found {
            None => Vec::new(),
            Some(GotoDefinitionResponse::Scalar(one)) => vec![(one.uri, one.range)],
            Some(GotoDefinitionResponse::Array(all)) => all.into_iter().map(|one| (one.uri, one.range)).collect(),
            Some(GotoDefinitionResponse::Link(all)) => {
                all.into_iter().map(|one| (one.target_uri, one.target_selection_range)).collect()
            }
        };
        let mut locations = Vec::with_capacity(places.len());
        for (uri, range) in places.into_iter().filter(|(uri, _)| uri.scheme() == "file" && !is_cell(uri.as_str())) {
            let path = self.path(uri.as_str())?;
            let span = self.span(&path, range).map_err(|reason| format!("a place in `{path}` {reason}"))?;
            locations.push(Location { path, span });
        }
        locations.sort();
        locations.dedup();
        Ok(locations)
    }

    pub(super) fn prepared(&self, path: &AbsPath, found: Option<PrepareRenameResponse>) -> Result<Prepared, String> {
        let (range, placeholder) = match found {
            None => return Ok(Prepared::Nothing),
            Some(PrepareRenameResponse::DefaultBehavior { default_behavior: true }) => return Ok(Prepared::Default),
            Some(PrepareRenameResponse::DefaultBehavior { .. }) => return Ok(Prepared::Nothing),
            Some(PrepareRenameResponse::Range(range)) => (range, None),
            Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }) => (range, Some(placeholder)),
        };
        if let Some(placeholder) = placeholder.as_ref().filter(|name| name.contains(is_hidden)) {
            return Err(format!("in the name {} a character is not seen", quoted(placeholder)));
        }
        Ok(Prepared::At { span: self.span(path, range)?, placeholder })
    }

    /// Reads diagnostics. A range outside the text, which servers give for empty files and whole-file
    /// findings, is left out; the problem stays.
    pub(super) fn problems(&self, path: &AbsPath, diagnostics: Vec<Diagnostic>) -> Result<Vec<Problem>, String> {
        let text = self.text(path)?;
        let problem = |diagnostic: Diagnostic| Problem {
            path: path.clone(),
            range: self.span_in(&text, diagnostic.range).ok().and_then(|span| text.range(span)),
            severity: severity(diagnostic.severity),
            code: diagnostic.code.map(|code| match code {
                NumberOrString::Number(number) => number.to_string(),
                NumberOrString::String(text) => text,
            }),
            message: diagnostic.message,
            source: diagnostic.source,
        };
        let mut problems: Vec<_> = diagnostics.into_iter().map(problem).collect();
        problems.sort();
        Ok(problems)
    }

    /// Reads one diagnostic as [`Reader::problems`] does, with the stretch that it is about.
    pub(super) fn finding(&self, path: &AbsPath, raw: &Value) -> Result<(Problem, Option<Span>), String> {
        let diagnostic = Diagnostic::deserialize(raw).map_err(|error| error.to_string())?;
        let span = self.span(path, diagnostic.range).ok();
        let problem = self.problems(path, vec![diagnostic])?.remove(0);
        Ok((problem, span))
    }

    /// Returns the diagnostics that are about a stretch of a file, or touch it.
    pub(super) fn touching(&self, path: &AbsPath, found: &[Value], span: Span) -> Result<Vec<Value>, String> {
        let text = self.text(path)?;
        let is_there = |raw: &&Value| {
            let range = lsp_types::Range::deserialize(&raw["range"]).ok();
            let found = range.and_then(|range| self.span_in(&text, range).ok());
            found.is_some_and(|found| found.start <= span.end && span.start <= found.end)
        };
        Ok(found.iter().filter(is_there).cloned().collect())
    }

    /// Reads the edits of tsserver's `getEditsForRefactor`: lines and offsets are 1-based, and 0 in a new file.
    pub(super) fn tsserver_edits(&self, files: &[Value]) -> Result<Answer, Unusable> {
        tsserver_edits::read(self, files)
    }

    /// Reads the body of tsserver's `semanticDiagnosticsSync` and `syntacticDiagnosticsSync`: lines and
    /// offsets are 1-based.
    pub(super) fn tsserver_problems(&self, path: &AbsPath, body: &Value) -> Result<Vec<Problem>, String> {
        let found = body.as_array().ok_or_else(|| format!("no list of diagnostics: {}", quoted(&body.to_string())))?;
        let text = self.text(path)?;
        let place = |value: &Value| -> Option<lsp_types::Position> {
            let number = |key: &str| u32::try_from(value[key].as_u64()?.checked_sub(1)?).ok();
            Some(lsp_types::Position::new(number("line")?, number("offset")?))
        };
        let problem = |one: &Value| {
            let range = place(&one["start"]).zip(place(&one["end"]));
            let range = range.map(|(start, end)| lsp_types::Range::new(start, end));
            Problem {
                path: path.clone(),
                range: range.and_then(|range| self.span_in(&text, range).ok()).and_then(|span| text.range(span)),
                severity: tsserver_severity(one["category"].as_str().unwrap_or_default()),
                code: one["code"].as_u64().map(|code| format!("TS{code}")),
                message: one["text"].as_str().unwrap_or_default().to_owned(),
                source: Some("typescript".into()),
            }
        };
        Ok(found.iter().map(problem).collect())
    }

    /// Reads a document's symbols, nested or flat.
    pub(super) fn symbols(&self, path: &AbsPath, found: Option<DocumentSymbolResponse>) -> Result<Vec<Symbol>, String> {
        let text = self.text(path)?;
        let outside = |reason| format!("a symbol of `{path}` {reason}");
        match found {
            None => Ok(Vec::new()),
            Some(DocumentSymbolResponse::Nested(all)) => {
                all.into_iter().map(|one| self.symbol(&text, one)).collect::<Result<_, _>>().map_err(outside)
            }
            Some(DocumentSymbolResponse::Flat(all)) => {
                let symbol = |one: lsp_types::SymbolInformation| {
                    let span = self.span_in(&text, one.location.range).map_err(outside)?;
                    Ok(Symbol { name: one.name, kind: kind(one.kind), span, name_span: span, children: Vec::new() })
                };
                all.into_iter().map(symbol).collect()
            }
        }
    }

    fn symbol(&self, text: &Text, symbol: DocumentSymbol) -> Result<Symbol, String> {
        let children = symbol.children.unwrap_or_default().into_iter().map(|child| self.symbol(text, child));
        Ok(Symbol {
            name: symbol.name,
            kind: kind(symbol.kind),
            span: self.span_in(text, symbol.range)?,
            name_span: self.span_in(text, symbol.selection_range)?,
            children: children.collect::<Result<_, _>>()?,
        })
    }

    fn span(&self, path: &AbsPath, range: lsp_types::Range) -> Result<Span, String> {
        self.span_in(&*self.text(path)?, range)
    }

    /// Returns the span of a range. Its end may lie behind the end of a line, which stands for the line's
    /// end (LSP 3.17 § Position), and at the beginning of the line after the last, which stands for the
    /// text's end.
    fn span_in(&self, text: &Text, range: lsp_types::Range) -> Result<Span, String> {
        let (start, end) = (position(range.start), position(range.end));
        let shown = || {
            let (from, to) = (range.start, range.end);
            let last = self.measure.lines(text).line_count();
            format!(
                "at {}:{}-{}:{} lies outside the text of {last} lines",
                from.line, from.character, to.line, to.character
            )
        };
        let start = self.offset(text, start).ok_or_else(shown)?;
        let end = self.offset(text, end).or_else(|| self.line_end(text, end)).ok_or_else(shown)?;
        if start <= end { Ok(Span::new(start, end)) } else { Err(shown()) }
    }

    fn offset(&self, text: &Text, position: Position) -> Option<usize> {
        let (content, lines) = (text.as_str(), self.measure.lines(text));
        let behind_last = position.character == 0 && position.line as usize == lines.line_count();
        if behind_last { Some(content.len()) } else { lines.offset(content, position, self.measure.encoding) }
    }

    /// Returns where a line's content ends, for a position that lies behind it. One inside the line that
    /// is no place cuts a character, and stands for nothing.
    fn line_end(&self, text: &Text, position: Position) -> Option<usize> {
        let (content, lines) = (text.as_str(), self.measure.lines(text));
        let line = lines.line(content, position.line)?;
        let is_last = position.line as usize + 1 == lines.line_count();
        let written = &content[line.clone()];
        let written = if is_last { written } else { without_line_end(written) };
        let end = line.start + written.len();
        let last = lines.position(content, end, self.measure.encoding)?;
        (position.character > last.character).then_some(end)
    }

    fn text(&self, path: &AbsPath) -> Result<Arc<Text>, String> {
        if let Some(known) = self.texts.borrow().get(path) {
            return Ok(Arc::clone(known));
        }
        let text = (self.seen)(path)?;
        self.texts.borrow_mut().insert(path.clone(), Arc::clone(&text));
        Ok(text)
    }
}

fn position(wire: lsp_types::Position) -> Position {
    Position { line: wire.line, character: wire.character }
}

fn without_line_end(line: &str) -> &str {
    let cut = || &line[..line.char_indices().next_back().map_or(0, |(at, _)| at)];
    line.strip_suffix("\r\n").unwrap_or_else(cut)
}

fn severity(wire: Option<DiagnosticSeverity>) -> Severity {
    match wire {
        Some(DiagnosticSeverity::WARNING) => Severity::Warning,
        Some(DiagnosticSeverity::INFORMATION) => Severity::Information,
        Some(DiagnosticSeverity::HINT) => Severity::Hint,
        // LSP leaves an omitted severity to the client.
        _ => Severity::Error,
    }
}

fn tsserver_severity(category: &str) -> Severity {
    match category {
        "warning" => Severity::Warning,
        "suggestion" => Severity::Hint,
        "message" => Severity::Information,
        _ => Severity::Error,
    }
}

fn kind(kind: SymbolKind) -> &'static str {
    const NAMES: [(SymbolKind, &str); 26] = [
        (SymbolKind::FILE, "file"),
        (SymbolKind::MODULE, "module"),
        (SymbolKind::NAMESPACE, "namespace"),
        (SymbolKind::PACKAGE, "package"),
        (SymbolKind::CLASS, "class"),
        (SymbolKind::METHOD, "method"),
        (SymbolKind::PROPERTY, "property"),
        (SymbolKind::FIELD, "field"),
        (SymbolKind::CONSTRUCTOR, "constructor"),
        (SymbolKind::ENUM, "enum"),
        (SymbolKind::INTERFACE, "interface"),
        (SymbolKind::FUNCTION, "function"),
        (SymbolKind::VARIABLE, "variable"),
        (SymbolKind::CONSTANT, "constant"),
        (SymbolKind::STRING, "string"),
        (SymbolKind::NUMBER, "number"),
        (SymbolKind::BOOLEAN, "boolean"),
        (SymbolKind::ARRAY, "array"),
        (SymbolKind::OBJECT, "object"),
        (SymbolKind::KEY, "key"),
        (SymbolKind::NULL, "null"),
        (SymbolKind::ENUM_MEMBER, "enum member"),
        (SymbolKind::STRUCT, "struct"),
        (SymbolKind::EVENT, "event"),
        (SymbolKind::OPERATOR, "operator"),
        (SymbolKind::TYPE_PARAMETER, "type parameter"),
    ];
    NAMES.iter().find(|(known, _)| *known == kind).map_or("symbol", |(_, name)| name)
}

#[cfg(test)]
mod tests;
