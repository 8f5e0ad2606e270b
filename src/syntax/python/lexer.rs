//! Python's tokens, much faster than a tree: enough to find imports, strings and dotted names.

use crate::text::Span;

/// One token; spans of strings are those of their content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Name,
    Number,
    /// One character of an operator or of punctuation.
    Op(u8),
    /// The content of a string literal, or of one literal part of an f-string.
    String,
    /// A comment with its `#`.
    Comment,
    /// The end of a logical line.
    Newline,
}

impl Token {
    pub fn is_op(&self, op: u8) -> bool {
        self.kind == TokenKind::Op(op)
    }

    pub fn is_name(&self, text: &str, name: &str) -> bool {
        self.kind == TokenKind::Name && self.span.of(text) == Some(name)
    }
}

/// Cuts a text into tokens. A text that breaks Python's rules gives the tokens that can be made out.
pub fn lex(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, depth: 0, tokens: Vec::with_capacity(text.len() / 5) };
    while lexer.at < lexer.bytes.len() {
        lexer.step();
    }
    lexer.push(TokenKind::Newline, text.len());
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// How many brackets are open.
    depth: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let start = self.at;
        match self.bytes[start] {
            b' ' | b'\t' | 0x0c => self.at += 1,
            b'\n' | b'\r' => self.line_end(),
            b'\\' => self.backslash(),
            b'#' => self.comment(),
            b'\'' | b'"' => self.string(start),
            b'0'..=b'9' => self.number(),
            byte if is_name_start(byte) => self.name(),
            byte => self.operator(byte),
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn line_end(&mut self) {
        let start = self.at;
        self.at += 1;
        let is_blank = self.tokens.last().is_none_or(|token| token.kind == TokenKind::Newline);
        if self.depth == 0 && !is_blank {
            self.push(TokenKind::Newline, start);
        }
    }

    /// A backslash joins its line to the next; anywhere else it is a mistake, and skipped.
    fn backslash(&mut self) {
        self.at += 1;
        if self.bytes[self.at..].starts_with(b"\r\n") {
            self.at += 2;
        } else if matches!(self.bytes.get(self.at), Some(b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let end = memchr::memchr2(b'\n', b'\r', &self.bytes[start..]);
        self.at = end.map_or(self.bytes.len(), |width| start + width);
        self.push(TokenKind::Comment, start);
    }

    fn number(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| is_name_part(*byte) || *byte == b'.') {
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
    }

    fn name(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| is_name_part(*byte)) {
            self.at += 1;
        }
        let name = &self.text[start..self.at];
        if matches!(self.bytes.get(self.at), Some(b'\'' | b'"')) && is_prefix(name) {
            self.string(start);
            return;
        }
        if self.depth > 0 && matches!(name, "import" | "def" | "class") && self.begins_line(start) {
            // No bracket can be open here: the text is broken above, and its rest still counts.
            self.depth = 0;
            self.tokens.push(Token { kind: TokenKind::Newline, span: Span::at(start) });
        }
        self.push(TokenKind::Name, start);
    }

    fn begins_line(&self, start: usize) -> bool {
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    fn operator(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        match byte {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.push(TokenKind::Op(byte), start);
    }

    /// Reads a string whose prefix begins at `start` and whose quote stands at the current place.
    fn string(&mut self, start: usize) {
        let prefix = &self.text[start..self.at];
        let is_format = prefix.bytes().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'));
        let quote = self.bytes[self.at];
        let width = if self.bytes[self.at..].starts_with(&[quote; 3]) { 3 } else { 1 };
        self.at += width;
        let string = Quoted { quote, width, is_format };
        self.content(string);
    }

    fn content(&mut self, string: Quoted) {
        let mut start = self.at;
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            match byte {
                b'\\' => self.at += 2,
                b'\n' | b'\r' if string.width == 1 => break,
                _ if string.ends(&self.bytes[self.at..]) => {
                    self.push(TokenKind::String, start);
                    self.at += string.width;
                    return;
                }
                b'{' if string.is_format && self.bytes.get(self.at + 1) == Some(&b'{') => self.at += 2,
                b'{' if string.is_format => {
                    self.push(TokenKind::String, start);
                    self.interpolation(string);
                    start = self.at;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
        if self.text.is_char_boundary(self.at) {
            self.push(TokenKind::String, start);
        }
    }

    /// Reads the code between the braces of an f-string; a format spec is read as if it were code.
    fn interpolation(&mut self, string: Quoted) {
        let outer = self.depth;
        self.step();
        while self.at < self.bytes.len() && self.depth > outer {
            let ends_badly = string.width == 1 && matches!(self.bytes[self.at], b'\n' | b'\r');
            if ends_badly || string.ends(&self.bytes[self.at..]) && !self.opens_inner_string(string) {
                self.depth = outer;
                return;
            }
            self.step();
        }
        self.depth = outer;
    }

    /// Tells whether the string's own quote, met in an interpolation, opens another string (Python
    /// 3.12): then the same quote comes again on this line before the closing brace.
    fn opens_inner_string(&self, string: Quoted) -> bool {
        let rest = &self.bytes[self.at + string.width..];
        let line = memchr::memchr2(b'\n', b'\r', rest).map_or(rest, |end| &rest[..end]);
        let Some(next) = memchr::memchr(string.quote, line) else { return false };
        line[next..].contains(&b'}')
    }
}

#[derive(Clone, Copy)]
struct Quoted {
    quote: u8,
    width: usize,
    is_format: bool,
}

impl Quoted {
    fn ends(self, rest: &[u8]) -> bool {
        rest[0] == self.quote && (self.width == 1 || rest.starts_with(&[self.quote; 3]))
    }
}

fn is_prefix(name: &str) -> bool {
    name.len() <= 2 && name.bytes().all(|byte| b"rRbBuUfFtT".contains(&byte))
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
