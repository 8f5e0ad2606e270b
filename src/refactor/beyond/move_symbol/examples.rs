//! Examples in docstrings and documents (Python's `doctest`) that take what left by its old module.

use super::{Draft, Way};
use crate::refactor::Refusal;
use crate::refactor::documents::may_be_run;
use crate::refactor::source_file::Code;
use crate::syntax::Language;
use crate::text::{AbsPath, Span, TextEdit};

/// The module that something leaves and the one that it goes to, each in dots, with the names that go.
pub(super) struct Examples<'a> {
    old: String,
    new: String,
    names: Vec<&'a str>,
}

/// A line behind its prompt.
struct Line<'t> {
    start: usize,
    /// What stands before the code: the indentation and the prompt.
    lead: &'t str,
    code: &'t str,
}

impl Way<'_> {
    /// Returns what examples have to follow; nothing where they cannot name one of the modules.
    pub(super) fn examples(&self) -> Option<Examples<'_>> {
        let (old, new) = self.dotted()?;
        let names = self.leaving.iter().map(|one| one.name).collect();
        Some(Examples { old, new, names })
    }

    /// Returns both modules of a Python program in dots; nothing where one of them has no such name.
    pub(super) fn dotted(&self) -> Option<(String, String)> {
        let dotted = |module: &AbsPath| self.links.plain_source(&self.from.path, module).ok();
        let (old, new) = (dotted(&self.from.path)?, dotted(&self.to.path)?);
        let is_named = |module: &str| !module.is_empty() && !module.starts_with('.');
        (self.is_python() && is_named(&old) && is_named(&new)).then_some((old, new))
    }

    /// Leads the examples of a file, those aside that go along.
    pub(super) fn lead_examples(&self, path: &AbsPath, draft: &mut Draft) -> Result<Vec<TextEdit>, Refusal> {
        let Some(examples) = self.examples() else { return Ok(Vec::new()) };
        let Ok(text) = self.session.disk().read(path) else { return Ok(Vec::new()) };
        let edits = match Language::of_path(path) {
            Some(Language::Python) => examples.in_code(&Code::known(self.session, path)?),
            None if may_be_run(path) => examples.edits(text.as_str(), Span::new(0, text.as_str().len())),
            _ => return Ok(Vec::new()),
        };
        let goes = |edit: &TextEdit| *path == self.from.path && self.leaving.iter().any(|one| one.holds(edit.span));
        let is_gone = draft.deleted.contains_key(path);
        let own: Vec<TextEdit> = edits.iter().filter(|edit| !is_gone && !goes(edit)).cloned().collect();
        if !own.is_empty() && !draft.created.contains_key(path) {
            draft.edits.entry(path.clone()).or_insert_with(|| (text, Vec::new())).1.extend(own);
        }
        Ok(edits)
    }
}

impl Examples<'_> {
    /// Returns the edits of a file's docstrings.
    pub(super) fn in_code(&self, code: &Code) -> Vec<TextEdit> {
        let strings = code.root().descendants().filter(|node| node.is("string"));
        strings.flat_map(|string| self.edits(code.text(), string.span())).collect()
    }

    /// Returns the edits of examples that share their names.
    pub(super) fn edits(&self, text: &str, within: Span) -> Vec<TextEdit> {
        let lines = lines(text, within);
        lines.iter().flat_map(|line| self.of_import(line, &lines)).collect()
    }

    fn of_import(&self, line: &Line<'_>, all: &[Line<'_>]) -> Vec<TextEdit> {
        let code = line.code.split('#').next().unwrap_or_default().trim_end();
        let part = |part: &str| Span::new(line.at(part), line.at(part) + part.len());
        if let Some((module, items)) = code.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            if module.trim() == self.old {
                return self.of_names(line, (part(module.trim()), items));
            }
            let (package, own) = parted(&self.old);
            let (name, alias) = aliased(items);
            if module.trim() != package || name != own {
                return Vec::new();
            }
            let (new_package, new) = parted(&self.new);
            let Some(mut edits) = self.of_members(all, (alias.unwrap_or(own), alias.unwrap_or(new)), true) else {
                return Vec::new();
            };
            edits.push(TextEdit::new(part(module.trim()), new_package));
            edits.push(TextEdit::new(part(name), new));
            return edits;
        }
        let Some(items) = code.strip_prefix("import ") else { return Vec::new() };
        let (name, alias) = aliased(items);
        if name != self.old {
            return Vec::new();
        }
        let known = (alias.unwrap_or(&self.old), alias.unwrap_or(&self.new));
        if let Some(mut edits) = self.of_members(all, known, true) {
            edits.push(TextEdit::new(part(name), self.new.as_str()));
            return edits;
        }
        let Some(mut edits) = self.of_members(all, known, false).filter(|edits| alias.is_none() && !edits.is_empty())
        else {
            return Vec::new();
        };
        let said = format!("\n{}import {}", line.lead, self.new);
        edits.push(TextEdit::new(Span::at(line.start + line.code.len()), said));
        edits
    }

    /// `from shop.tax import rate, total`
    fn of_names(&self, line: &Line<'_>, (module, items): (Span, &str)) -> Vec<TextEdit> {
        if items.contains(['(', '\\', '*']) {
            return Vec::new();
        }
        let items: Vec<&str> = items.split(',').map(str::trim).collect();
        let (gone, stay): (Vec<&str>, Vec<&str>) =
            items.iter().partition(|item| self.names.contains(&item.split(' ').next().unwrap_or_default()));
        if gone.is_empty() {
            return Vec::new();
        }
        if stay.is_empty() {
            return vec![TextEdit::new(module, self.new.as_str())];
        }
        let (first, last) = (line.at(items[0]), items.last().map_or(0, |last| line.at(last) + last.len()));
        let added = format!("{}\n{}from {} import {}", stay.join(", "), line.lead, self.new, gone.join(", "));
        vec![TextEdit::new(Span::new(first, last), added)]
    }

    /// Leads `known.name` wherever the name left; nothing where others are asked for, and all have to go.
    fn of_members(&self, all: &[Line<'_>], (known, new): (&str, &str), is_all: bool) -> Option<Vec<TextEdit>> {
        let mut edits = Vec::new();
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        for line in all {
            for (at, _) in line.code.match_indices(&format!("{known}.")) {
                if line.code[..at].ends_with(|it: char| is_word(it) || it == '.') {
                    continue;
                }
                let rest = &line.code[at + known.len() + 1..];
                let member = &rest[..rest.find(|it| !is_word(it)).unwrap_or(rest.len())];
                match self.names.contains(&member) {
                    true => edits.push(TextEdit::new(Span::new(line.start + at, line.start + at + known.len()), new)),
                    false if is_all => return None,
                    false => {}
                }
            }
        }
        (!is_all || !edits.is_empty()).then_some(edits)
    }
}

impl Line<'_> {
    /// Returns where a part of the line stands.
    fn at(&self, part: &str) -> usize {
        self.start + (part.as_ptr() as usize - self.code.as_ptr() as usize)
    }
}

/// Returns the lines behind prompts.
fn lines(text: &str, within: Span) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut start = within.start;
    for whole in within.of(text).unwrap_or_default().split_inclusive('\n') {
        let line = whole.trim_end_matches(['\r', '\n']);
        let begun = line.len() - line.trim_start().len();
        if line[begun..].starts_with(">>> ") || line[begun..].starts_with("... ") {
            let (lead, code) = line.split_at(begun + 4);
            found.push(Line { start: start + lead.len(), lead, code });
        }
        start += whole.len();
    }
    found
}

/// Takes a module's own name off its package.
fn parted(module: &str) -> (&str, &str) {
    module.rsplit_once('.').unwrap_or(("", module))
}

/// Takes `a as b` apart.
fn aliased(item: &str) -> (&str, Option<&str>) {
    match item.split_once(" as ") {
        Some((name, alias)) => (name.trim(), Some(alias.trim())),
        None => (item.trim(), None),
    }
}
