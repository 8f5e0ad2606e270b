//! Cuts Solidity into words, literals, comments and signs, whatever its version.

use crate::text::Span;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Word,
    Number,
    /// A literal with its quotes.
    String,
    /// A comment with its signs; `is_doc` for NatSpec.
    Comment {
        is_doc: bool,
    },
    /// One byte of anything else.
    Sign(u8),
}

/// One piece of a text; white space stands between pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

impl Token {
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        self.span.of(text).unwrap_or_default()
    }
}

/// Returns the pieces of `text` in order. Broken text gives pieces too: a string ends with its line, a comment
/// with the text.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let start = at;
        let first = *bytes.get(at)?;
        let (kind, length) = piece(&bytes[start..], first);
        at = start + length;
        Some(Token { kind, span: Span::new(start, at) })
    })
}

fn piece(rest: &[u8], first: u8) -> (TokenKind, usize) {
    match (first, rest.get(1)) {
        (b'/', Some(b'/')) => {
            let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            let is_doc = rest.get(2) == Some(&b'/') && rest.get(3) != Some(&b'/');
            (TokenKind::Comment { is_doc }, length)
        }
        (b'/', Some(b'*')) => {
            let end = memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |at| at + 4);
            let is_doc = rest.get(2) == Some(&b'*') && rest.get(3) != Some(&b'/');
            (TokenKind::Comment { is_doc }, end)
        }
        (b'"' | b'\'', _) => (TokenKind::String, string_length(rest, first)),
        _ if is_word(first) && !first.is_ascii_digit() => (TokenKind::Word, run(rest)),
        _ if first.is_ascii_digit() => (TokenKind::Number, run(rest)),
        _ => (TokenKind::Sign(first), 1),
    }
}

fn string_length(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' | b'\r' => return at,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

fn run(rest: &[u8]) -> usize {
    rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
}

/// Tells whether a byte can stand in an identifier; bytes of other scripts are kept with it.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
