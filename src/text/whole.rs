//! The whole text of one file, with what its bytes say beside it.

use std::sync::OnceLock;

use super::{ContentHash, Encoding, LineBreaks, LineIndex, Position, Range, Span};

const BOM: &str = "\u{feff}";

/// A file's text. A byte order mark is kept apart: offset 0 and position 0:0 lie behind it, as
/// editors and language servers count.
#[derive(Debug, Clone)]
pub struct Text {
    content: String,
    has_bom: bool,
    hash: ContentHash,
    lines: OnceLock<LineIndex>,
    /// Where ECMAScript counts other lines than LSP.
    script_lines: OnceLock<Option<Box<LineIndex>>>,
}

/// A file whose bytes are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not valid UTF-8 at byte {at}")]
pub struct NotUtf8 {
    /// The first byte that does not fit, 0-based.
    pub at: usize,
}

impl Text {
    /// Decodes a file's bytes.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, NotUtf8> {
        let hash = ContentHash::of(&bytes);
        let mut content = String::from_utf8(bytes).map_err(|error| NotUtf8 { at: error.utf8_error().valid_up_to() })?;
        let has_bom = content.starts_with(BOM);
        if has_bom {
            content.drain(..BOM.len());
        }
        Ok(Self::of(content, has_bom, hash))
    }

    /// Makes a text that has no byte order mark.
    pub fn new(content: impl Into<String>) -> Self {
        let content = content.into();
        let hash = ContentHash::of(content.as_bytes());
        Self::of(content, false, hash)
    }

    /// Tells whether the file begins with a byte order mark.
    pub fn has_byte_order_mark(&self) -> bool {
        self.has_bom
    }

    /// Makes a text of other content with this one's byte order mark.
    pub fn with_content(&self, content: String) -> Self {
        let mut bytes = Vec::with_capacity(content.len() + BOM.len());
        if self.has_bom {
            bytes.extend_from_slice(BOM.as_bytes());
        }
        bytes.extend_from_slice(content.as_bytes());
        Self::of(content, self.has_bom, ContentHash::of(&bytes))
    }

    fn of(content: String, has_bom: bool, hash: ContentHash) -> Self {
        Self { content, has_bom, hash, lines: OnceLock::new(), script_lines: OnceLock::new() }
    }

    /// Returns the bytes as they stand, or should stand, on the disk.
    pub fn encode(&self) -> Vec<u8> {
        let bom = if self.has_bom { BOM } else { "" };
        [bom.as_bytes(), self.content.as_bytes()].concat()
    }

    /// Returns the content behind the byte order mark.
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// Returns the hash of the whole file's bytes.
    pub fn hash(&self) -> &ContentHash {
        &self.hash
    }

    /// Returns the lines as LSP counts them.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.content, LineBreaks::Lsp))
    }

    /// Returns the lines that end at these breaks.
    pub fn lines_by(&self, breaks: LineBreaks) -> &LineIndex {
        if breaks == LineBreaks::Lsp {
            return self.lines();
        }
        let own = self.script_lines.get_or_init(|| {
            let differs = self.content.contains(['\u{2028}', '\u{2029}']);
            differs.then(|| Box::new(LineIndex::new(&self.content, breaks)))
        });
        own.as_deref().unwrap_or_else(|| self.lines())
    }

    /// Returns the position of an offset, UTF-16 units; nothing where the offset is no place in the text.
    pub fn position(&self, offset: usize) -> Option<Position> {
        self.lines().position(&self.content, offset, Encoding::Utf16)
    }

    /// Returns the offset of a position in UTF-16 units; nothing where it is no place in the text.
    pub fn offset(&self, position: Position) -> Option<usize> {
        self.lines().offset(&self.content, position, Encoding::Utf16)
    }

    /// Returns the positions of a span's two ends, UTF-16 units.
    pub fn range(&self, span: Span) -> Option<Range> {
        Some(Range { start: self.position(span.start)?, end: self.position(span.end)? })
    }

    /// Returns the span of a range in UTF-16 units.
    pub fn span(&self, range: Range) -> Option<Span> {
        let (start, end) = (self.offset(range.start)?, self.offset(range.end)?);
        (start <= end).then(|| Span::new(start, end))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Text {}
