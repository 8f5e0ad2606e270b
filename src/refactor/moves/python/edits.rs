//! Edits of one file, kept small: only what differs is replaced, and added lines are gathered per place.

use std::collections::BTreeMap;

use crate::syntax::python::{FromImport, FromItem, Import, Word};
use crate::text::{Span, TextEdit};

/// The edits of one file while they are being found.
#[derive(Debug, Clone, Default)]
pub(super) struct FileEdits {
    edits: Vec<TextEdit>,
    /// Statements to stand before the statement that begins at the offset.
    added: BTreeMap<usize, Added>,
}

#[derive(Debug, Clone, Default)]
struct Added {
    begins_line: bool,
    statements: Vec<String>,
}

/// The module of a `from` import: how many dots, and the names behind them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) level: usize,
    pub(super) names: Vec<String>,
}

impl Origin {
    pub(super) fn written(from: &FromImport) -> Self {
        let names = from.module.as_ref().map(|module| module.texts()).unwrap_or_default();
        Self { level: from.level, names: names.into_iter().map(str::to_owned).collect() }
    }

    pub(super) fn text(&self) -> String {
        ".".repeat(self.level) + &self.names.join(".")
    }

    /// Returns the statement that imports a name from here; from nowhere it is a top-level module.
    pub(super) fn statement(&self, name: &str, alias: Option<&str>) -> String {
        let alias = alias.filter(|alias| *alias != name).map(|alias| format!(" as {alias}")).unwrap_or_default();
        if self.level == 0 && self.names.is_empty() {
            return format!("import {name}{alias}");
        }
        format!("from {} import {name}{alias}", self.text())
    }
}

impl FileEdits {
    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.added.is_empty()
    }

    pub(super) fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.edits.push(TextEdit::new(span, text));
    }

    /// Adds a statement before `import`, once.
    pub(super) fn add_before(&mut self, import: &Import, statement: String) {
        let added = self.added.entry(import.span.start).or_default();
        added.begins_line = import.begins_line;
        if !added.statements.contains(&statement) {
            added.statements.push(statement);
        }
    }

    /// Replaces the parts of a dotted name that differ.
    pub(super) fn rename_dotted(&mut self, words: &[&Word], new: &[String]) {
        if let Some(edit) = dotted(words, new) {
            self.edits.push(edit);
        }
    }

    /// Replaces what `from` imports from.
    pub(super) fn rename_origin(&mut self, text: &str, from: &FromImport, new: &Origin) {
        let old = Origin::written(from);
        if old == *new {
            return;
        }
        if let (Some(module), true) = (&from.module, old.level == new.level && !new.names.is_empty()) {
            let words: Vec<&Word> = module.parts.iter().collect();
            return self.rename_dotted(&words, &new.names);
        }
        if old.names == new.names && old.level > 0 && new.level > 0 {
            return self.replace(from.dots, ".".repeat(new.level));
        }
        let before = if text[..from.source.start].ends_with(char::is_whitespace) { "" } else { " " };
        let after = if text[from.source.end..].starts_with(char::is_whitespace) { "" } else { " " };
        self.replace(from.source, format!("{before}{}{after}", new.text()));
    }

    /// Takes items out of a list of names, of which at least one stays.
    pub(super) fn remove_items(&mut self, text: &str, items: &[FromItem], leaves: &dyn Fn(usize) -> bool) {
        let mut at = 0;
        while at < items.len() {
            if !leaves(at) {
                at += 1;
                continue;
            }
            let first = at;
            while at < items.len() && leaves(at) {
                at += 1;
            }
            self.remove_run(text, items, (first, at));
        }
    }

    fn remove_run(&mut self, text: &str, items: &[FromItem], (first, end): (usize, usize)) {
        let whole_lines: Vec<Option<Span>> = items[first..end].iter().map(|item| own_line(text, item)).collect();
        if let Some(lines) = whole_lines.into_iter().collect::<Option<Vec<Span>>>() {
            for line in lines {
                self.replace(line, "");
            }
            return;
        }
        let span = match items.get(end) {
            Some(next) => Span::new(items[first].span.start, next.span.start),
            None => Span::new(items[first - 1].span.end, items[end - 1].span.end),
        };
        self.replace(span, "");
    }

    /// Returns all edits; statements that were added at one place become one insertion.
    pub(super) fn finish(mut self, text: &str) -> Vec<TextEdit> {
        for (offset, added) in self.added {
            let separator = if added.begins_line { line_break(text, offset) } else { "; ".to_owned() };
            let inserted: String = added.statements.iter().map(|statement| format!("{statement}{separator}")).collect();
            self.edits.push(TextEdit::new(Span::at(offset), inserted));
        }
        self.edits.sort();
        self.edits.dedup();
        self.edits
    }
}

/// Returns the line end before the statement at `offset` with the statement's indentation.
fn line_break(text: &str, offset: usize) -> String {
    let before = &text[..offset];
    let indent = &before[before.trim_end_matches([' ', '\t', '\u{c}']).len()..];
    let is_windows = match text.find('\n') {
        Some(at) => text[..at].ends_with('\r'),
        None => false,
    };
    format!("{}{indent}", if is_windows { "\r\n" } else { "\n" })
}

/// Returns the lines of an item that has them to itself, with the comment behind it and the line's end.
fn own_line(text: &str, item: &FromItem) -> Option<Span> {
    let before = text[..item.span.start].trim_end_matches([' ', '\t']);
    let after = text[item.comma_end..].trim_start_matches([' ', '\t']);
    let rest = if after.starts_with('#') { after.trim_start_matches(|c| c != '\n' && c != '\r') } else { after };
    let line_end = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) };
    let is_alone = before.ends_with(['\n', '\r']) && line_end > 0;
    is_alone.then(|| Span::new(before.len(), text.len() - rest.len() + line_end))
}

/// Returns the edit that turns one dotted name into another, touching only the parts that differ.
fn dotted(words: &[&Word], new: &[String]) -> Option<TextEdit> {
    let same = |(word, name): &(&&Word, &String)| word.text == **name;
    let prefix = words.iter().zip(new).take_while(same).count();
    let most = words.len().min(new.len()) - prefix;
    let suffix = words.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let (old_end, new_end) = (words.len() - suffix, new.len() - suffix);
    let middle = new[prefix..new_end].join(".");
    let edit = match (prefix < old_end, prefix < new_end, suffix > 0) {
        (false, false, _) => return None,
        (true, true, _) => TextEdit::new(Span::new(words[prefix].span.start, words[old_end - 1].span.end), middle),
        (true, false, true) => TextEdit::new(Span::new(words[prefix].span.start, words[old_end].span.start), ""),
        (true, false, false) => TextEdit::new(Span::new(words[prefix - 1].span.end, words[old_end - 1].span.end), ""),
        (false, true, true) => TextEdit::new(Span::at(words[old_end].span.start), format!("{middle}.")),
        (false, true, false) => TextEdit::new(Span::at(words[old_end - 1].span.end), format!(".{middle}")),
    };
    Some(edit)
}
