//! One Python file, read once: its tokens and imports at once, its scopes when they are asked for.

use std::cell::OnceCell;
use std::sync::Arc;

use super::place::Place;
use crate::syntax::python::{
    FromImport, FromItem, Import, ImportKind, Imported, ModuleItem, Names, Token, TokenKind, Unfolded, Word, imports,
    lex,
};
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Text, TextEdit};

pub(super) struct Source {
    pub(super) path: AbsPath,
    /// The place of the file itself; a package's `__init__` counts as its package.
    pub(super) place: Place,
    /// The directory that the file lies in: what relative imports count from.
    pub(super) directory: Place,
    pub(super) text: Arc<Text>,
    /// Where the text has the examples of its docstrings behind it, as code: how it was made.
    unfolded: Option<Unfolded>,
    pub(super) tokens: Vec<Token>,
    pub(super) imports: Vec<Import>,
    tree: OnceCell<Tree>,
    names: OnceCell<Names>,
}

/// What an import statement binds a name to, before that is looked up.
#[derive(Clone, Copy)]
pub(super) enum Bound<'s> {
    /// `import a.b as m`, or `import a.b` which binds `a`.
    Module(&'s ModuleItem),
    Name(&'s FromImport, &'s FromItem),
}

impl Source {
    pub(super) fn new(path: AbsPath, place: Place, text: Arc<Text>) -> Self {
        Self::made(path, place, (text, None))
    }

    fn made(path: AbsPath, place: Place, (text, unfolded): (Arc<Text>, Option<Unfolded>)) -> Self {
        let tokens = lex(text.as_str());
        let imports = imports(text.as_str(), &tokens);
        let directory = place.parent().unwrap_or_default();
        let place = if place.name() == "__init__" { directory.clone() } else { place };
        Self { path, place, directory, text, unfolded, tokens, imports, tree: OnceCell::new(), names: OnceCell::new() }
    }

    /// Returns the same file with its examples as code; nothing where it has none.
    pub(super) fn unfolded(&self) -> Option<Self> {
        if !self.str().contains(">>>") {
            return None;
        }
        let unfolded = Unfolded::of(self.tree(), self.str())?;
        let text = Arc::new(self.text.with_content(unfolded.made.text().to_owned()));
        let place = if self.is_init() { self.place.join("__init__") } else { self.place.clone() };
        Some(Self::made(self.path.clone(), place, (text, Some(unfolded))))
    }

    /// Leads edits of the text back to the file: those of examples to their docstrings, where a statement that is added
    /// stands in the line of the next one. What an example's lines cannot take is left out.
    pub(super) fn folded(&self, edits: Vec<TextEdit>) -> Vec<TextEdit> {
        let Some(unfolded) = &self.unfolded else { return edits };
        let back = |edit: TextEdit| {
            if edit.span.end <= unfolded.from {
                return Some(edit);
            }
            let span = unfolded.made.origin(edit.span)?;
            let (written, is_added) = (edit.new_text.trim_end(), edit.span.is_empty());
            let lines: Vec<&str> = written.lines().map(str::trim).collect();
            match lines.len() {
                _ if is_added && edit.new_text.ends_with(char::is_whitespace) => {
                    Some(TextEdit::new(span, format!("{}; ", lines.join("; ").trim_end_matches([';', ' ']))))
                }
                0 | 1 => Some(TextEdit::new(span, edit.new_text)),
                _ => None,
            }
        };
        edits.into_iter().filter_map(back).collect()
    }

    pub(super) fn is_init(&self) -> bool {
        self.place == self.directory
    }

    pub(super) fn str(&self) -> &str {
        self.text.as_str()
    }

    pub(super) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::parse(Language::Python, self.str()))
    }

    pub(super) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(self.tree(), self.str()))
    }

    /// Returns every name that an import statement binds, with the word that is bound.
    pub(super) fn bounds(&self) -> impl Iterator<Item = (&Import, Bound<'_>)> {
        self.imports.iter().flat_map(|import| bounds_of(import).into_iter().map(move |bound| (import, bound)))
    }

    /// Returns what the import statement binds whose bound word begins at an offset.
    pub(super) fn bound_at(&self, offset: usize) -> Option<(&Import, Bound<'_>)> {
        let after = self.imports.partition_point(|import| import.span.start <= offset);
        let import = self.imports.get(after.checked_sub(1)?)?;
        let bound = bounds_of(import).into_iter().find(|bound| bound.word().span.start == offset)?;
        Some((import, bound))
    }

    /// Returns the sources of the star imports.
    pub(super) fn stars(&self) -> impl Iterator<Item = (&Import, &FromImport)> {
        self.imports.iter().filter_map(|import| match &import.kind {
            ImportKind::From(from) if from.imported == Imported::Star => Some((import, from)),
            _ => None,
        })
    }

    /// Tells whether `.name` follows a name or a call somewhere, read from the tokens alone.
    pub(super) fn has_member(&self, name: &str) -> bool {
        let text = self.str();
        self.tokens.windows(2).any(|pair| pair[0].is_op(b'.') && pair[1].is_name(text, name))
    }

    /// Returns the contents of string literals with the statement-long ones (docstrings) marked.
    pub(super) fn strings(&self) -> impl Iterator<Item = (crate::text::Span, bool)> + '_ {
        let is_end = |token: Option<&Token>| token.is_none_or(|token| token.kind == TokenKind::Newline);
        self.tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::String).map(move |(at, token)| {
            let before = self.tokens[..at].iter().rfind(|token| token.kind != TokenKind::Comment);
            let after = self.tokens[at + 1..].iter().find(|token| token.kind != TokenKind::Comment);
            let opens = is_end(before) || before.is_some_and(|token| token.is_op(b':'));
            (token.span, opens && is_end(after))
        })
    }

    pub(super) fn comments(&self) -> impl Iterator<Item = crate::text::Span> + '_ {
        self.tokens.iter().filter(|token| token.kind == TokenKind::Comment).map(|token| token.span)
    }
}

impl<'s> Bound<'s> {
    pub(super) fn word(self) -> &'s Word {
        match self {
            Self::Module(item) => item.bound(),
            Self::Name(_, item) => item.bound(),
        }
    }
}

pub(super) fn bounds_of(import: &Import) -> Vec<Bound<'_>> {
    match &import.kind {
        ImportKind::Modules(items) => items.iter().map(Bound::Module).collect(),
        ImportKind::From(from) => match &from.imported {
            Imported::Star => Vec::new(),
            Imported::Names(items) => items.iter().map(|item| Bound::Name(from, item)).collect(),
        },
    }
}

/// Returns the first names of the absolute modules that a statement imports or imports from.
pub(super) fn absolute_top(import: &Import) -> Vec<&str> {
    match &import.kind {
        ImportKind::Modules(items) => items.iter().map(|item| item.path.parts[0].text.as_str()).collect(),
        ImportKind::From(from) if from.level == 0 => {
            from.module.iter().map(|module| module.parts[0].text.as_str()).collect()
        }
        ImportKind::From(_) => Vec::new(),
    }
}

/// Returns the parts of every absolute module name of a statement; of a `from` import also with each name.
pub(super) fn absolute_modules(import: &Import) -> Vec<Vec<&str>> {
    match &import.kind {
        ImportKind::Modules(items) => items.iter().map(|item| item.path.texts()).collect(),
        ImportKind::From(from) if from.level == 0 => {
            let origin = from.module.as_ref().map(|module| module.texts()).unwrap_or_default();
            let members: Vec<Vec<&str>> = bounds_of(import)
                .into_iter()
                .map(|bound| match bound {
                    Bound::Name(_, item) => origin.iter().copied().chain([item.name.text.as_str()]).collect(),
                    Bound::Module(item) => item.path.texts(),
                })
                .collect();
            members.into_iter().chain([origin.clone()]).collect()
        }
        ImportKind::From(_) => Vec::new(),
    }
}
