//! A server's places and texts, read through what it saw.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use serde_json::Value;
use url::Url;

use crate::text::{AbsPath, Encoding, LineBreaks, LineIndex, Position, Span, Text, quoted};
use crate::workspace::Disk;

/// How one server counts lines and characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::lsp) struct Measure {
    pub(in crate::lsp) encoding: Encoding,
    pub(in crate::lsp) breaks: LineBreaks,
    /// Whether a byte order mark counts in a file that is not open.
    pub(in crate::lsp) counts_mark: bool,
}

/// Reads one answer of a server through the texts that it saw.
pub(in crate::lsp) struct Reader<'a> {
    pub(in crate::lsp) disk: &'a Disk,
    pub(in crate::lsp) measure: Measure,
    /// The text that the server saw at a path.
    pub(in crate::lsp) seen: &'a dyn Fn(&AbsPath) -> Result<Arc<Text>, String>,
    /// The version under which that text was sent; nothing for a document that is not open.
    pub(in crate::lsp) sent: &'a dyn Fn(&AbsPath) -> Option<i32>,
    texts: RefCell<BTreeMap<AbsPath, Seen>>,
}

/// A text as a server counts in it.
#[derive(Debug, Clone)]
pub(in crate::lsp) struct Seen {
    text: Arc<Text>,
    /// What the server counts at the beginning of the first line and is no part of the text, in its unit.
    mark: u32,
}

impl Deref for Seen {
    type Target = Text;

    fn deref(&self) -> &Text {
        &self.text
    }
}

impl From<Text> for Seen {
    fn from(text: Text) -> Self {
        Self { text: Arc::new(text), mark: 0 }
    }
}

/// Returns the URI of a path, percent-encoded; a folder's has no slash at its end, because
/// typescript-language-server answers such a one with nothing.
pub(in crate::lsp) fn uri(path: &AbsPath) -> String {
    let uri = Url::from_file_path(path.as_path()).expect("an AbsPath is absolute");
    uri.into()
}

/// Returns the path of a file's URI as it stands there.
pub(in crate::lsp) fn path(uri: &str) -> Result<AbsPath, String> {
    let parsed = Url::parse(uri).map_err(|error| format!("{} is no URI: {error}", quoted(uri)))?;
    if parsed.scheme() != "file" {
        return Err(format!("{} is not a file", quoted(uri)));
    }
    let path = parsed.to_file_path().map_err(|()| format!("{} is not a path on this system", quoted(uri)))?;
    AbsPath::new(path).map_err(|error| error.to_string())
}

/// Tells whether a URI is that of a cell: basedpyright calls the first one of code `notes.ipynb#0`, and counts its lines from
/// its own beginning.
pub(super) fn is_cell(uri: &str) -> bool {
    uri.split_once('#').is_some_and(|(file, _)| file.ends_with(".ipynb"))
}

impl Measure {
    pub(super) fn lines(self, text: &Text) -> &LineIndex {
        text.lines_by(self.breaks)
    }

    /// Returns the position where `text` ends.
    pub(in crate::lsp) fn end_of(self, text: &Text) -> Value {
        let end = self.lines(text).position(text.as_str(), text.as_str().len(), self.encoding);
        let end = end.expect("a text has an end");
        serde_json::json!({"line": end.line, "character": end.character})
    }

    /// Returns the position of an offset; nothing where it is no place in the text.
    pub(in crate::lsp) fn position(self, text: &Text, offset: usize) -> Option<Value> {
        let position = self.lines(text).position(text.as_str(), offset, self.encoding)?;
        Some(serde_json::json!({"line": position.line, "character": position.character}))
    }
}

impl<'a> Reader<'a> {
    pub(in crate::lsp) fn new(
        disk: &'a Disk,
        measure: Measure,
        seen: &'a dyn Fn(&AbsPath) -> Result<Arc<Text>, String>,
        sent: &'a dyn Fn(&AbsPath) -> Option<i32>,
    ) -> Self {
        Self { disk, measure, seen, sent, texts: RefCell::default() }
    }

    /// Returns the path of a file URI. One that reaches into the project by a link is returned as the
    /// project knows it, and one that a link leads out of it (an environment in `.venv`) as the place that it leads to.
    pub(in crate::lsp) fn path(&self, uri: &str) -> Result<AbsPath, String> {
        Ok(self.disk.led_to(path(uri)?))
    }

    pub(super) fn span(&self, path: &AbsPath, range: lsp_types::Range) -> Result<Span, String> {
        self.span_in(&self.text(path)?, range)
    }

    /// Returns the span of a range. Its end may lie behind the end of a line, which stands for the line's
    /// end (LSP 3.17 § Position), and at the beginning of the line after the last, which stands for the
    /// text's end.
    pub(super) fn span_in(&self, text: &Seen, range: lsp_types::Range) -> Result<Span, String> {
        let (start, end) = (text.behind_mark(range.start), text.behind_mark(range.end));
        let shown = || {
            let (from, to) = (range.start, range.end);
            let last = self.measure.lines(text).line_count();
            format!(
                "at {}:{}-{}:{} lies outside the text of {last} lines",
                from.line, from.character, to.line, to.character
            )
        };
        let start = self.place(text, start).ok_or_else(shown)?;
        let end = self.place(text, end).or_else(|| self.line_end(text, end)).ok_or_else(shown)?;
        if start <= end { Ok(Span::new(start, end)) } else { Err(shown()) }
    }

    pub(super) fn offset(&self, text: &Seen, position: lsp_types::Position) -> Option<usize> {
        self.place(text, text.behind_mark(position))
    }

    fn place(&self, text: &Text, position: Position) -> Option<usize> {
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

    pub(super) fn text(&self, path: &AbsPath) -> Result<Seen, String> {
        if let Some(known) = self.texts.borrow().get(path) {
            return Ok(known.clone());
        }
        let text = (self.seen)(path)?;
        let is_counted = self.measure.counts_mark && text.has_byte_order_mark() && (self.sent)(path).is_none();
        let mark = match self.measure.encoding {
            _ if !is_counted => 0,
            Encoding::Utf8 => 3,
            Encoding::Utf16 | Encoding::Utf32 => 1,
        };
        let seen = Seen { text, mark };
        self.texts.borrow_mut().insert(path.clone(), seen.clone());
        Ok(seen)
    }
}

impl Seen {
    /// Returns where a place of the server is in the text.
    fn behind_mark(&self, wire: lsp_types::Position) -> Position {
        let mark = if wire.line == 0 { self.mark } else { 0 };
        Position { line: wire.line, character: wire.character.saturating_sub(mark) }
    }
}

pub(super) fn without_line_end(line: &str) -> &str {
    let cut = || &line[..line.char_indices().next_back().map_or(0, |(at, _)| at)];
    line.strip_suffix("\r\n").unwrap_or_else(cut)
}
