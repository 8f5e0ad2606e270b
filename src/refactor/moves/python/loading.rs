//! What a module does, in order, while it is imported: as far as its neighbours can notice.

use std::collections::BTreeSet;

use super::source::{Source, bounds_of};
use crate::syntax::python::{Import, Token, TokenKind};

/// One thing that happens while a module is imported.
pub(super) enum Event<'s> {
    Import {
        import: &'s Import,
        /// Whether the module goes on where the import fails.
        is_guarded: bool,
    },
    /// A name comes to be.
    Bind(&'s str),
    /// An attribute of something imported is asked for.
    Ask { name: &'s str, member: &'s str, is_guarded: bool },
}

/// Reads a module's events. Bodies of functions, and what only type checkers see, do not happen.
pub(super) fn events(source: &Source) -> Vec<Event<'_>> {
    let imported: BTreeSet<&str> =
        source.imports.iter().flat_map(bounds_of).map(|bound| bound.word().text.as_str()).collect();
    let mut reader = Reader { source, imported, events: Vec::new(), skipped: None, guarded: None };
    let mut start = 0;
    for (at, token) in source.tokens.iter().enumerate() {
        if token.kind == TokenKind::Newline {
            reader.line(start, at);
            start = at + 1;
        }
    }
    reader.events
}

struct Reader<'s> {
    source: &'s Source,
    imported: BTreeSet<&'s str>,
    events: Vec<Event<'s>>,
    /// The indentation of the block that does not happen.
    skipped: Option<usize>,
    /// The indentation of the `try` whose failures are caught.
    guarded: Option<usize>,
}

impl<'s> Reader<'s> {
    fn line(&mut self, start: usize, end: usize) {
        let source = self.source;
        let tokens: Vec<&'s Token> =
            source.tokens[start..end].iter().filter(|token| token.kind != TokenKind::Comment).collect();
        let Some(first) = tokens.first() else { return };
        let column = self.column(first.span.start);
        if self.skipped.is_some_and(|outer| column > outer) {
            return;
        }
        self.skipped = None;
        self.guarded = self.guarded.filter(|outer| column > *outer);
        let words: Vec<&str> = tokens.iter().take(3).map(|token| self.text(token)).collect();
        match words.as_slice() {
            ["def", name, ..] | ["async", "def", name] => {
                self.asks(&tokens);
                self.events.push(Event::Bind(name));
                self.skipped = Some(column);
            }
            ["class", name, ..] => {
                self.asks(&tokens);
                self.events.push(Event::Bind(name));
            }
            ["if", ..] if self.is_never(&tokens) => self.skipped = Some(column),
            ["try", ..] => {
                self.guarded = self.guarded.or(Some(column));
                self.imports(first.span.start, &tokens);
            }
            _ => {
                self.imports(first.span.start, &tokens);
                self.asks(&tokens);
                self.binds(&tokens);
            }
        }
    }

    fn text(&self, token: &Token) -> &'s str {
        token.span.of(self.source.text.as_str()).unwrap_or_default()
    }

    fn column(&self, offset: usize) -> usize {
        let before = &self.source.text.as_str()[..offset];
        before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
    }

    /// Tells whether a condition holds only for type checkers or when the file is run.
    fn is_never(&self, tokens: &[&Token]) -> bool {
        let is_negated = tokens.get(1).is_some_and(|token| self.text(token) == "not");
        let names = |wanted: &str| tokens.iter().any(|token| self.text(token) == wanted);
        !is_negated && (names("TYPE_CHECKING") || names("__name__"))
    }

    fn imports(&mut self, start: usize, tokens: &[&Token]) {
        let source = self.source;
        let end = tokens.last().map_or(start, |token| token.span.end);
        let is_guarded = self.guarded.is_some();
        for import in source.imports.iter().filter(|import| import.span.start >= start && import.span.end <= end) {
            self.events.push(Event::Import { import, is_guarded });
        }
    }

    fn asks(&mut self, tokens: &[&'s Token]) {
        let is_guarded = self.guarded.is_some();
        for (at, window) in tokens.windows(3).enumerate() {
            let name = self.text(window[0]);
            let is_chain = window[1].is_op(b'.') && window[2].kind == TokenKind::Name && self.imported.contains(name);
            let is_root = at == 0 || !tokens[at - 1].is_op(b'.');
            if is_chain && is_root && !self.is_lazy(tokens) {
                self.events.push(Event::Ask { name, member: self.text(window[2]), is_guarded });
            }
        }
    }

    /// Tells whether a line may hold code that does not run at once.
    fn is_lazy(&self, tokens: &[&Token]) -> bool {
        tokens.iter().any(|token| matches!(self.text(token), "lambda" | "def" | "import"))
    }

    /// Notes what the line binds: the names before `=`, and those behind `as` and `for`.
    fn binds(&mut self, tokens: &[&'s Token]) {
        let is_equals = |at: usize| {
            tokens[at].is_op(b'=') && !tokens.get(at + 1).is_some_and(|token| token.is_op(b'=')) && {
                at > 0 && !matches!(tokens[at - 1].kind, TokenKind::Op(b'=' | b'!' | b'<' | b'>'))
            }
        };
        let end = (0..tokens.len()).rev().find(|at| is_equals(*at));
        let targets = tokens[..end.unwrap_or(0)].iter().filter(|token| token.kind == TokenKind::Name);
        self.events.extend(targets.map(|token| Event::Bind(self.text(token))).collect::<Vec<_>>());
        for pair in tokens.windows(2) {
            if matches!(self.text(pair[0]), "as" | "for") && pair[1].kind == TokenKind::Name {
                self.events.push(Event::Bind(self.text(pair[1])));
            }
        }
    }
}
