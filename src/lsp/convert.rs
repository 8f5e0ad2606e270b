//! The one place that knows both LSP's words and the plan's.

mod reader;
mod tsserver_edits;
mod workspace_edit;

use lsp_types::{
    Diagnostic, DiagnosticSeverity, DocumentSymbol, DocumentSymbolResponse, GotoDefinitionResponse, NumberOrString,
    PrepareRenameResponse, SymbolKind,
};
use serde::Deserialize as _;
use serde_json::Value;
use url::Url;

use super::{Answer, Location, Prepared, Symbol};
use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Span, is_hidden, quoted};
use crate::workspace::{Change, ChangeKind};

use reader::{Seen, is_cell};

pub(super) use reader::{Measure, Reader, path, uri};
pub(super) use workspace_edit::{Unusable, WireEdit};

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

impl Reader<'_> {
    pub(super) fn answer(&self, edit: WireEdit) -> Result<Answer, Unusable> {
        workspace_edit::read(self, edit)
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

    fn symbol(&self, text: &Seen, symbol: DocumentSymbol) -> Result<Symbol, String> {
        let children = symbol.children.unwrap_or_default().into_iter().map(|child| self.symbol(text, child));
        Ok(Symbol {
            name: symbol.name,
            kind: kind(symbol.kind),
            span: self.span_in(text, symbol.range)?,
            name_span: self.span_in(text, symbol.selection_range)?,
            children: children.collect::<Result<_, _>>()?,
        })
    }
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
