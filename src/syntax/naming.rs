//! From a declaration to a target that leads back to it.

use std::collections::BTreeMap;

use crate::text::{Encoding, LineBreaks, LineIndex, Span};

use super::{Declaration, DeclarationKind, Language};

/// Names the declarations of one text.
pub struct Naming<'d> {
    /// By their paths, imports left out where something else has the path too.
    same: BTreeMap<&'d [String], Vec<&'d Declaration>>,
    places: Places<'d>,
    language: Language,
}

/// Lines and columns of one text, as targets count them.
pub struct Places<'t> {
    text: &'t str,
    index: LineIndex,
}

impl<'d> Naming<'d> {
    pub fn new(all: &'d [Declaration], text: &'d str, language: Language) -> Self {
        let mut same: BTreeMap<&[String], Vec<&Declaration>> = BTreeMap::new();
        for declaration in all {
            same.entry(&declaration.path).or_default().push(declaration);
        }
        for group in same.values_mut().filter(|group| !group.iter().all(|it| is_import(it))) {
            group.retain(|it| !is_import(it));
        }
        Self { same, places: Places::new(text), language }
    }

    /// Returns what follows the file's path in a target that means this declaration: its names; with its
    /// lines, where others are called the same; its place, where these share the lines.
    pub fn target(&self, declaration: &Declaration) -> String {
        let group = self.same.get(declaration.path.as_slice()).map(Vec::as_slice).unwrap_or_default();
        let names = shown(&declaration.path, self.language);
        if group.len() < 2 {
            return names;
        }
        let (first, last) = self.places.lines(declaration.full_span);
        let shares = |other: &&&Declaration| {
            let (start, end) = self.places.lines(other.full_span);
            other.name_span != declaration.name_span && start <= last && first <= end
        };
        match group.iter().find(shares) {
            None => format!("{names}#L{first}-L{last}"),
            Some(_) => self.places.target(declaration.name_span.start),
        }
    }

    pub fn places(&self) -> &Places<'d> {
        &self.places
    }
}

impl<'t> Places<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, index: LineIndex::new(text, LineBreaks::Lsp) }
    }

    /// Returns the first and the last line of a span, counted from 1.
    pub fn lines(&self, span: Span) -> (u32, u32) {
        (self.line(span.start), self.line(span.end.max(span.start + 1) - 1))
    }

    /// Returns the line of an offset, counted from 1.
    pub fn line(&self, offset: usize) -> u32 {
        self.index.line_of(offset)
    }

    /// Counts the lines; a line end at the text's end begins no further one.
    pub fn count(&self) -> u32 {
        let lines = self.index.line_count() as u32;
        lines - u32::from(self.text.is_empty() || self.text.ends_with(['\n', '\r']))
    }

    /// Returns `:line:column`, both counted from 1, the column in characters.
    pub fn target(&self, offset: usize) -> String {
        let position = self.index.position(self.text, offset, Encoding::Utf32);
        position.map_or_else(String::new, |at| format!(":{}:{}", at.line + 1, at.character + 1))
    }
}

/// Returns the part of a symbol target behind the file's path, in the language's own convention.
pub fn shown(names: &[String], language: Language) -> String {
    match language {
        Language::TypeScript | Language::Tsx | Language::JavaScript => format!("#{}", names.join(".")),
        Language::Solidity | Language::Java | Language::Go => format!(":{}", names.join(".")),
        _ => names.iter().map(|name| format!("::{name}")).collect(),
    }
}

fn is_import(declaration: &Declaration) -> bool {
    matches!(declaration.kind, DeclarationKind::Import | DeclarationKind::ImportAlias)
}
