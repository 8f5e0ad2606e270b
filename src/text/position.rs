//! Lines and columns, and the way from them to byte offsets and back.
//!
//! Every system that meets here, in one place:
//! - offsets: bytes of UTF-8, 0-based, the only system inside the house;
//! - LSP: line and character, both 0-based, the character counted in the negotiated
//!   [`Encoding`] (UTF-16 units unless agreed otherwise; LSP 3.17 § Position);
//! - the public plan: as LSP in UTF-16 units;
//! - the command line: line and column, both 1-based, the column counted in characters
//!   (that is [`Encoding::Utf32`] plus one).

/// A place in a text: line and character, both 0-based; the unit of `character` is an [`Encoding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// Two places, the end excluded; the unit of both is UTF-16 unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// What `character` counts (LSP 3.17 § PositionEncodingKind).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

/// Which characters end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineBreaks {
    /// `\n`, `\r\n` and `\r` (LSP 3.17 § Text Documents).
    #[default]
    Lsp,
    /// Those, U+2028 and U+2029: what ECMAScript calls line terminators, and what tsserver counts.
    EcmaScript,
}

/// Where the lines of one text begin.
// Invariant: starts with 0, strictly rising.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the lines of `text`; a text of no characters has one line.
    pub fn new(text: &str, breaks: LineBreaks) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut at = 0;
        while at < bytes.len() {
            let width = match bytes[at] {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
                b'\r' | b'\n' => 1,
                0xE2 if breaks == LineBreaks::EcmaScript && is_separator(&bytes[at..]) => 3,
                _ => 0,
            };
            at += width.max(1);
            if width > 0 {
                starts.push(at);
            }
        }
        Self { starts }
    }

    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line of an offset, counted from 1; past the text's end, the last one.
    pub fn line_of(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// Returns the bytes of a line, its line end included; nothing past the last line.
    pub fn line(&self, text: &str, line: u32) -> Option<std::ops::Range<usize>> {
        let line = usize::try_from(line).ok()?;
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        Some(start..end)
    }

    /// Returns the offset of a position; nothing where the line does not exist, the character lies
    /// past the line's end, or it falls inside a character.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> Option<usize> {
        let line = self.line(text, position.line)?;
        let wanted = position.character as usize;
        let content_end = self.content_end(text, &line);
        if encoding == Encoding::Utf8 || text[line.start..content_end].is_ascii() {
            let offset = line.start + wanted;
            return (offset <= content_end && text.is_char_boundary(offset)).then_some(offset);
        }
        let mut units = 0;
        for (at, character) in text[line.start..content_end].char_indices() {
            if units >= wanted {
                return (units == wanted).then_some(line.start + at);
            }
            units += width(character, encoding);
        }
        (units == wanted).then_some(content_end)
    }

    /// Returns the position of an offset; nothing past the text's end, inside a character, or between
    /// the two of a `\r\n`, which no position names (LSP 3.17 § Text Documents).
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Option<Position> {
        let in_line_end = offset > 0 && text.as_bytes().get(offset - 1..=offset) == Some(b"\r\n");
        if !text.is_char_boundary(offset) || in_line_end {
            return None;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &text[self.starts[line]..offset];
        let character = match encoding {
            Encoding::Utf8 => before.len(),
            _ if before.is_ascii() => before.len(),
            _ => before.chars().map(|character| width(character, encoding)).sum(),
        };
        Some(Position { line: u32::try_from(line).ok()?, character: u32::try_from(character).ok()? })
    }

    /// Returns where the line's content ends and its line end begins. Only the one line end is cut
    /// off: separators that are part of the content under these [`LineBreaks`] stay.
    fn content_end(&self, text: &str, line: &std::ops::Range<usize>) -> usize {
        let is_last = line.end == text.len() && self.starts.last() == Some(&line.start);
        if is_last {
            return line.end;
        }
        let content = &text[line.clone()];
        let end_width =
            if content.ends_with("\r\n") { 2 } else { content.chars().next_back().map_or(0, char::len_utf8) };
        line.end - end_width
    }
}

fn is_separator(bytes: &[u8]) -> bool {
    matches!(bytes, [0xE2, 0x80, 0xA8 | 0xA9, ..])
}

fn width(character: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
        Encoding::Utf32 => 1,
    }
}
