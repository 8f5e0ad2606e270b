//! What a source says before anything is parsed: the versions that it wants, and what it imports.

use super::lexer::{Token, TokenKind, tokens};
use crate::text::Span;

/// The pragmas and imports of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// The version pragmas, one after the other, as they are written.
    pub pragmas: String,
    pub imports: Vec<Import>,
}

/// One import directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The path as it is written, without its quotes.
    pub path: String,
    /// Where the path stands, without its quotes.
    pub span: Span,
    /// Whether it brings in every name that is seen there: `import "path";`.
    pub is_of_all: bool,
}

impl Header {
    pub fn read(text: &str) -> Self {
        let mut header = Self::default();
        let mut depth = 0_usize;
        let mut statement: Vec<Token> = Vec::new();
        for token in tokens(text) {
            match token.kind {
                TokenKind::Comment { .. } => continue,
                TokenKind::Sign(b'{') => depth += 1,
                TokenKind::Sign(b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            let begins = statement.is_empty() && matches!(token.of(text), "pragma" | "import") && depth == 0;
            if begins || !statement.is_empty() {
                statement.push(token);
            }
            if token.kind == TokenKind::Sign(b';') && !statement.is_empty() {
                header.take(text, &statement);
                statement.clear();
            }
        }
        header
    }

    fn take(&mut self, text: &str, statement: &[Token]) {
        let word = |at: usize| statement.get(at).map_or("", |token| token.of(text));
        if word(0) == "pragma" && word(1) == "solidity" {
            for token in statement {
                self.pragmas.push_str(token.of(text));
                self.pragmas.push_str(if token.kind == TokenKind::Word { " " } else { "" });
            }
            return;
        }
        let literal = statement.iter().position(|token| token.kind == TokenKind::String);
        if let (Some(at), "import") = (literal, word(0)) {
            let (literal, is_of_all) = (&statement[at], at == 1 && word(2) == ";");
            let span = Span::new(literal.span.start + 1, literal.span.end.saturating_sub(1));
            let path = span.of(text).unwrap_or_default().to_owned();
            self.imports.push(Import { path, span, is_of_all });
        }
    }
}
