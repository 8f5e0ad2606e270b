//! One module of the index: a file with its declarations.

use std::sync::Arc;

use super::fingerprint::Fingerprint;
use super::id::Id;
use crate::session::Parsed;
use crate::syntax::{Also, Entry, EntryKind, Family, Language, Places, Tree, entries};
use crate::text::{ContentHash, Span, Text};

/// A file with its declarations.
#[derive(Debug, Clone)]
pub struct Module {
    /// Relative to the root, `/` between its parts.
    pub path: String,
    pub language: Language,
    pub lines: u32,
    pub hash: ContentHash,
    /// In the order of their names in the text.
    pub rows: Vec<DeclarationRow>,
}

/// One declaration in the index.
#[derive(Debug, Clone)]
pub struct DeclarationRow {
    pub id: Id,
    pub kind: EntryKind,
    pub is_public: bool,
    pub also: Also,
    /// The number of the row in the same module that this one is a member of.
    pub parent: Option<usize>,
    /// The names of what it stands in, outermost first, and its own.
    pub names: Vec<String>,
    pub name_span: Span,
    pub full_span: Span,
    /// First and last, counted from 1.
    pub lines: (u32, u32),
    pub(super) print: Fingerprint,
}

/// A declaration that is there no more.
#[derive(Debug, Clone)]
pub struct Gone {
    pub id: Id,
    pub path: String,
    pub names: Vec<String>,
    pub(super) kind: EntryKind,
}

impl Module {
    /// Reads a file's declarations; none has an id of its own yet.
    pub fn read(path: &str, language: Language, (tree, text): (&Tree, &Text)) -> Self {
        let source = text.as_str();
        let places = Places::new(source);
        let row = |entry: Entry| {
            let declaration = &entry.declaration;
            DeclarationRow {
                id: Id::born(0, 0),
                kind: entry.kind,
                is_public: entry.is_public,
                also: entry.also,
                parent: entry.parent,
                names: declaration.path.clone(),
                name_span: declaration.name_span,
                full_span: declaration.full_span,
                lines: places.lines(declaration.full_span),
                print: Fingerprint::of(tree, source, declaration),
            }
        };
        let rows = entries(tree, source).into_iter().map(row).collect();
        Self { path: path.to_owned(), language, lines: places.count(), hash: text.hash().clone(), rows }
    }

    /// Returns the row whose name begins at an offset.
    pub fn at(&self, offset: usize) -> Option<(usize, &DeclarationRow)> {
        self.rows.iter().enumerate().find(|(_, row)| row.name_span.start == offset)
    }

    /// Returns the innermost row around an offset that fits.
    pub fn around(&self, offset: usize, fits: impl Fn(&DeclarationRow) -> bool) -> Option<&DeclarationRow> {
        let holds = |row: &&DeclarationRow| row.full_span.start <= offset && offset < row.full_span.end && fits(row);
        self.rows.iter().filter(holds).min_by_key(|row| row.full_span.len())
    }

    /// Returns the number of the row that is another one's in a text of before: of the same names and kind.
    pub fn number_of(&self, row: &DeclarationRow) -> Option<usize> {
        self.rows.iter().position(|it| it.names == row.names && it.kind == row.kind)
    }

    /// Returns the numbers of what is one to its callers, in the order of the text: the overloads of a function with what
    /// carries them out, the accessors of a property. Nothing but white space and comments parts them.
    pub fn group(&self, number: usize, text: &str) -> Vec<usize> {
        let row = &self.rows[number];
        if !matches!(self.language.family(), Family::Python | Family::Script) || !row.kind.is_callable() {
            return vec![number];
        }
        let is_like = |it: &DeclarationRow| it.parent == row.parent && it.names == row.names && it.kind.is_callable();
        let like: Vec<usize> = (0..self.rows.len()).filter(|it| is_like(&self.rows[*it])).collect();
        let follows = |one: &usize, other: &usize| {
            let between = text.get(self.rows[*one].full_span.end..self.rows[*other].full_span.start);
            between.is_some_and(|between| between.lines().all(is_no_code))
        };
        let mut groups = like.chunk_by(follows);
        groups.find(|group| group.contains(&number)).map_or_else(|| vec![number], <[usize]>::to_vec)
    }

    /// Reads the same file with another text.
    pub(super) fn reread(&self, text: String) -> (Parsed, Self) {
        let text = Text::new(text);
        let tree = Tree::parse(self.language, text.as_str());
        let module = Self::read(&self.path, self.language, (&tree, &text));
        (Parsed::new(Arc::new(text), tree), module)
    }

    /// Returns the members of a row.
    pub fn members(&self, number: usize) -> impl Iterator<Item = &DeclarationRow> {
        self.rows.iter().filter(move |row| row.parent == Some(number))
    }
}

impl DeclarationRow {
    pub fn name(&self) -> &str {
        self.names.last().map(String::as_str).unwrap_or_default()
    }
}

fn is_no_code(line: &str) -> bool {
    let line = line.trim();
    matches!(line, "" | ";") || ["#", "//", "/*", "*"].iter().any(|mark| line.starts_with(mark))
}
