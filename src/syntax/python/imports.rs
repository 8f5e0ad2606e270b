//! Python's import statements, every form of them, with the place of every part.

use super::lexer::{Token, TokenKind};
use crate::text::Span;

/// One import statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// From its first keyword to its last token.
    pub span: Span,
    /// Whether nothing but white space stands before it on its line.
    pub begins_line: bool,
    pub kind: ImportKind,
}

impl Import {
    /// Tells whether it changes how the file itself is read, and has to be first: `from __future__ import …`.
    pub fn is_future(&self) -> bool {
        let module = match &self.kind {
            ImportKind::From(from) => from.module.as_ref(),
            ImportKind::Modules(_) => None,
        };
        module.is_some_and(|module| module.texts() == ["__future__"])
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportKind {
    /// `import a.b, c as d`
    Modules(Vec<ModuleItem>),
    /// `from ..a import b as c, d`
    From(FromImport),
}

/// One module of `import a.b.c as m`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleItem {
    pub path: DottedName,
    pub alias: Option<Word>,
    pub span: Span,
}

/// What `from` imports from, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromImport {
    /// How many dots lead.
    pub level: usize,
    /// The dots; empty where there are none.
    pub dots: Span,
    pub module: Option<DottedName>,
    /// The dots and the module's name.
    pub source: Span,
    pub imported: Imported,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    Star,
    Names(Vec<FromItem>),
}

/// One name of a `from` import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromItem {
    pub name: Word,
    pub alias: Option<Word>,
    pub span: Span,
    /// Where the item ends with its comma; where it ends itself if none follows.
    pub comma_end: usize,
}

/// An identifier and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

/// `a.b.c`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DottedName {
    pub parts: Vec<Word>,
    pub span: Span,
}

impl ModuleItem {
    /// Returns the name that the statement binds: the alias, or the path's first part.
    pub fn bound(&self) -> &Word {
        self.alias.as_ref().unwrap_or(&self.path.parts[0])
    }
}

impl FromItem {
    /// Returns the name that the statement binds.
    pub fn bound(&self) -> &Word {
        self.alias.as_ref().unwrap_or(&self.name)
    }
}

impl DottedName {
    pub fn texts(&self) -> Vec<&str> {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

/// Finds the import statements among a text's tokens, in order.
pub fn imports(text: &str, tokens: &[Token]) -> Vec<Import> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut begins = true;
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        let word = if begins && token.kind == TokenKind::Name { token.span.of(text) } else { None };
        if let Some(("import" | "from", keyword)) = word.map(|word| (word, token)) {
            let mut parser = Parser { text, tokens, at };
            if let Some(kind) = parser.statement() {
                let span = Span::new(keyword.span.start, tokens[parser.at - 1].span.end);
                found.push(Import { span, begins_line: begins_line(text, span.start), kind });
                at = parser.at;
                begins = false;
                continue;
            }
        }
        match token.kind {
            TokenKind::Op(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Op(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            TokenKind::Newline => depth = 0,
            _ => {}
        }
        let opens = matches!(token.kind, TokenKind::Newline | TokenKind::Op(b';' | b':')) && depth == 0;
        begins = opens || begins && token.kind == TokenKind::Comment;
        at += 1;
    }
    found
}

fn begins_line(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '\t', '\u{c}']);
    before.is_empty() || before.ends_with(['\n', '\r'])
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn statement(&mut self) -> Option<ImportKind> {
        if self.take_name("import") {
            return self.modules().map(ImportKind::Modules);
        }
        self.take_name("from").then(|| self.origin_and_names()).flatten().map(ImportKind::From)
    }

    fn modules(&mut self) -> Option<Vec<ModuleItem>> {
        let mut items = Vec::new();
        loop {
            let path = self.dotted()?;
            let alias = self.alias()?;
            let end = alias.as_ref().map_or(path.span.end, |alias| alias.span.end);
            items.push(ModuleItem { span: Span::new(path.span.start, end), path, alias });
            if !self.take_op(b',') {
                return Some(items);
            }
        }
    }

    fn origin_and_names(&mut self) -> Option<FromImport> {
        let first = self.tokens.get(self.at)?.span.start;
        let mut level = 0;
        let mut dots = Span::at(first);
        while self.take_op(b'.') {
            level += 1;
            dots.end = self.tokens[self.at - 1].span.end;
        }
        let module = if self.peek_name("import") { None } else { Some(self.dotted()?) };
        let end = module.as_ref().map_or(dots.end, |module| module.span.end);
        if level == 0 && module.is_none() || !self.take_name("import") {
            return None;
        }
        let imported = self.imported()?;
        Some(FromImport { level, dots, module, source: Span::new(first, end), imported })
    }

    fn imported(&mut self) -> Option<Imported> {
        if self.take_op(b'*') {
            return Some(Imported::Star);
        }
        let in_parentheses = self.take_op(b'(');
        let mut items: Vec<FromItem> = Vec::new();
        loop {
            self.skip_comments();
            if in_parentheses && self.take_op(b')') {
                return (!items.is_empty()).then_some(Imported::Names(items));
            }
            let name = self.word()?;
            let alias = self.alias()?;
            let end = alias.as_ref().map_or(name.span.end, |alias| alias.span.end);
            self.skip_comments_before_comma();
            let has_comma = self.take_op(b',');
            let comma_end = if has_comma { self.tokens[self.at - 1].span.end } else { end };
            let span = Span::new(name.span.start, end);
            items.push(FromItem { name, alias, span, comma_end });
            if !has_comma && !in_parentheses {
                return Some(Imported::Names(items));
            }
        }
    }

    fn skip_comments(&mut self) {
        while self.tokens.get(self.at).is_some_and(|token| token.kind == TokenKind::Comment) {
            self.at += 1;
        }
    }

    fn skip_comments_before_comma(&mut self) {
        let rest = &self.tokens[self.at..];
        let comments = rest.iter().take_while(|token| token.kind == TokenKind::Comment).count();
        if rest.get(comments).is_some_and(|token| token.is_op(b',')) {
            self.at += comments;
        }
    }

    /// Reads `as name` where it stands; the outer option is nothing where the name is missing.
    #[allow(clippy::option_option)]
    fn alias(&mut self) -> Option<Option<Word>> {
        if self.take_name("as") { self.word().map(Some) } else { Some(None) }
    }

    fn dotted(&mut self) -> Option<DottedName> {
        let mut parts = vec![self.word()?];
        while self.take_op(b'.') {
            parts.push(self.word()?);
        }
        let end = parts.last().map(|part| part.span.end)?;
        Some(DottedName { span: Span::new(parts[0].span.start, end), parts })
    }

    fn word(&mut self) -> Option<Word> {
        let token = self.tokens.get(self.at).filter(|token| token.kind == TokenKind::Name)?;
        self.at += 1;
        Some(Word { text: token.span.of(self.text)?.to_owned(), span: token.span })
    }

    fn take_op(&mut self, op: u8) -> bool {
        let is_there = self.tokens.get(self.at).is_some_and(|token| token.is_op(op));
        self.at += usize::from(is_there);
        is_there
    }

    fn peek_name(&self, name: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.is_name(self.text, name))
    }

    fn take_name(&mut self, name: &str) -> bool {
        let is_there = self.peek_name(name);
        self.at += usize::from(is_there);
        is_there
    }
}
