//! A module as it reads without its bodies: written for people, read back when they have edited it.
//!
//! Each declaration stands below a line with its id. The last line says what each was like when the view was written, so
//! that an edit of the view is told from one of the source.

use std::collections::{BTreeMap, BTreeSet};

use super::id::{Id, hashed};
use super::module::{DeclarationRow, Module};
use super::parts::{Parts, Reader, Rest, indented, read};
use crate::session::Parsed;
use crate::syntax::{EntryKind, Family, Language};
use crate::text::{Span, TextEdit, TextEdits};

/// What ends the name of a view's file.
pub const SUFFIX: &str = ".pt";
const TITLE: &str = "lspwright view of ";
const BASE: &str = "as written: ";
const NO_VALUE: &str = "value not shown";

/// A module as a view shows it: one of the project, or what a view makes of it.
pub struct Readable {
    parsed: Parsed,
    module: Module,
    pub(super) shown: Vec<Shown>,
    /// What the declarations were like when the view was written.
    base: Option<BTreeMap<Id, u32>>,
}

/// One declaration of a view, or several that share a line.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// None where nobody has given it one.
    pub(super) ids: Vec<Id>,
    pub(super) numbers: Vec<usize>,
    /// What it is a member of, in the same list.
    pub(super) owner: Option<usize>,
    pub(super) parts: Parts,
    pub(super) hash: u32,
}

/// Tells whether views are made of files in a language.
pub fn has_view(language: Language) -> bool {
    matches!(language.family(), Family::Python | Family::Script | Family::Solidity)
}

/// Returns the module that a text is a view of; nothing where it is none.
pub fn viewed(text: &str) -> Option<&str> {
    let first = text.lines().next()?;
    first.trim_start_matches(['#', '/', ' ']).strip_prefix(TITLE).map(str::trim).filter(|path| !path.is_empty())
}

impl Readable {
    /// Reads a module of the project.
    pub fn of(parsed: &Parsed, module: &Module) -> Self {
        let (parsed, mut own) = read(&module.path, module.language, parsed.text.as_str());
        for (row, known) in own.rows.iter_mut().zip(&module.rows) {
            row.id = known.id;
        }
        Self { shown: shown(&parsed, &own, Ids::OfRows), parsed, module: own, base: None }
    }

    /// Reads a view.
    pub fn read(path: &str, language: Language, view: &str) -> Self {
        let (parsed, module) = read(path, language, view);
        let footer = view.lines().rev().find_map(|line| line.trim_start_matches(['#', '/', ' ']).strip_prefix(BASE));
        let entry = |word: &str| {
            let (id, hash) = word.split_once(':')?;
            Some((Id::parse(id)?, u32::from_str_radix(hash, 16).ok()?))
        };
        let base = footer.map(|footer| footer.split_whitespace().filter_map(entry).collect());
        Self { shown: shown(&parsed, &module, Ids::OfMarks), parsed, module, base }
    }

    /// Writes the view; nothing where it could not be read back as it was meant.
    pub fn written(&self) -> Option<String> {
        let mark = mark(self.module.language);
        let mut text = format!("{mark} {TITLE}{}\n", self.module.path);
        let reader = Reader::new(&self.parsed, &self.module);
        self.write_members(&reader, (None, ""), &mut text);
        let base = self.shown.iter().flat_map(|one| one.ids.iter().map(|id| format!(" {id}:{:08x}", one.hash)));
        text.push_str(&format!("\n{mark} {}{}\n", BASE.trim_end(), base.collect::<String>()));
        let back = Self::read(&self.module.path, self.module.language, &text);
        let key = |one: &Shown| (one.ids.clone(), one.owner, one.hash);
        let is_same = self.shown.iter().map(key).eq(back.shown.iter().map(key));
        (is_same && back.parsed.tree.error_count() == 0).then_some(text)
    }

    fn write_members(&self, reader: &Reader<'_>, (owner, indent): (Option<usize>, &str), text: &mut String) {
        let is_long = |one: &Shown| one.parts.rest != Rest::Nothing || one.parts.lead.is_some();
        let mut last: Option<&Shown> = None;
        for (at, one) in self.shown.iter().enumerate().filter(|(_, one)| one.owner == owner) {
            let has_gap = last.is_none_or(|last| is_long(last) || is_long(one));
            if has_gap && (owner.is_none() || last.is_some()) {
                text.push('\n');
            }
            self.write_one(reader, (at, indent), text);
            last = Some(one);
        }
    }

    fn write_one(&self, reader: &Reader<'_>, (at, indent): (usize, &str), text: &mut String) {
        let one = &self.shown[at];
        let (mark, family) = (mark(self.module.language), self.module.language.family());
        let ids: Vec<String> = one.ids.iter().map(ToString::to_string).collect();
        let mut said = format!("{mark} [{}]", ids.join(" "));
        let raised: Vec<String> = one.numbers.iter().flat_map(|number| reader.raised(*number)).collect();
        if !raised.is_empty() {
            said.push_str(&format!(" raises {}", raised.join(", ")));
        }
        if matches!(one.parts.rest, Rest::Value(_)) {
            said.push_str(&format!(" {NO_VALUE}"));
        }
        let mut line = |written: &str, indent: &str| {
            text.push_str(&format!("{indent}{}\n", indented(written, indent)));
        };
        line(&said, indent);
        if let Some(lead) = &one.parts.lead {
            line(&lead.text, indent);
        }
        let head = &one.parts.head.text;
        let inner = format!("{indent}{}", reader.unit());
        let has_comment = head.lines().last().is_some_and(|last| last.contains(mark));
        let gap = if has_comment { "\n" } else { " " };
        let members = self.shown.iter().any(|other| other.owner == Some(at));
        match (one.parts.rest, family) {
            (Rest::Nothing, _) => line(head, indent),
            (Rest::Value(_), Family::Python) => line(&format!("{head} ..."), indent),
            (Rest::Value(_), _) => line(&format!("{head} undefined"), indent),
            (Rest::Body(_) | Rest::Members(_), Family::Python) => {
                let is_short = !has_comment && one.parts.doc.is_none() && !members;
                line(&if is_short { format!("{head} ...") } else { head.clone() }, indent);
                if let Some(doc) = &one.parts.doc {
                    line(&doc.text, &inner);
                }
                if !is_short && !members {
                    line("...", &inner);
                }
                if members {
                    self.write_members(reader, (Some(at), &inner), text);
                }
            }
            (Rest::Members(_), _) if members => {
                line(&format!("{head}{gap}{{"), indent);
                self.write_members(reader, (Some(at), &inner), text);
                text.push_str(&format!("{indent}}}\n"));
            }
            (Rest::Body(_) | Rest::Members(_), _) => line(&format!("{head}{gap}{{}}"), indent),
        }
    }

    /// Tells whether somebody edited this view since it was written.
    pub fn is_edited(&self) -> bool {
        let Some(base) = &self.base else { return true };
        let mut left: BTreeSet<Id> = base.keys().copied().collect();
        let is_as_written = |one: &Shown| {
            !one.ids.is_empty()
                && !self.has_own_rest(one)
                && one.ids.iter().all(|id| left.remove(id) && base.get(id) == Some(&one.hash))
        };
        !self.shown.iter().all(is_as_written) || !left.is_empty()
    }

    pub(super) fn row(&self, number: usize) -> &DeclarationRow {
        &self.module.rows[number]
    }

    pub(super) fn base(&self) -> Option<&BTreeMap<Id, u32>> {
        self.base.as_ref()
    }

    pub(super) fn text(&self) -> &str {
        self.parsed.text.as_str()
    }

    pub(super) fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    pub(super) fn module(&self) -> &Module {
        &self.module
    }

    /// Returns where a view does not parse: line and column, counted from 1.
    pub fn error(&self) -> Option<(u32, u32)> {
        let error = self.parsed.tree.nodes().iter().find(|node| node.is_error() || node.is_missing())?;
        self.parsed.text.position(error.start()).map(|at| (at.line + 1, at.character + 1))
    }

    /// Tells whether a body, or a value, was written into a view.
    pub(super) fn has_own_rest(&self, one: &Shown) -> bool {
        let reader = Reader::new(&self.parsed, &self.module);
        match (one.parts.rest, one.numbers.first()) {
            (Rest::Body(body), Some(number)) => !reader.is_stub(*number, body),
            (Rest::Value(value), _) => !matches!(value.of(self.text()), Some("..." | "undefined")),
            _ => false,
        }
    }

    /// Returns the source of a declaration that was added to a view, with a word in each body that nobody has written.
    pub(super) fn source(&self, one: &Shown) -> String {
        let reader = Reader::new(&self.parsed, &self.module);
        let start = one.parts.lead.as_ref().map_or(one.parts.head.span.start, |lead| lead.span.start);
        let line = self.text()[..start].rfind('\n').map_or(0, |at| at + 1);
        let span = Span::new(line, one.parts.end);
        let shifted =
            |edit: TextEdit| TextEdit::new(Span::new(edit.span.start - line, edit.span.end - line), edit.new_text);
        let written = &self.text()[line..one.parts.end];
        let edits = TextEdits::new(reader.unwritten(span).into_iter().map(shifted).collect()).unwrap_or_default();
        let filled = edits.apply(written);
        let is_source = |line: &&str| marked(line).is_none();
        filled.lines().filter(is_source).collect::<Vec<_>>().join("\n")
    }
}

/// Where the ids of a list come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ids {
    OfRows,
    OfMarks,
}

fn mark(language: Language) -> &'static str {
    if language.family() == Family::Python { "#" } else { "//" }
}

/// Reads the line above a declaration: its ids, and what else it says.
fn marked(line: &str) -> Option<(Vec<Id>, &str)> {
    let said = line.trim().trim_start_matches(['#', '/']).trim_start().strip_prefix('[')?;
    let (ids, rest) = said.split_once(']')?;
    let ids = ids.split_whitespace().map(Id::parse).collect::<Option<Vec<Id>>>()?;
    (!ids.is_empty()).then_some((ids, rest))
}

fn shown(parsed: &Parsed, module: &Module, ids: Ids) -> Vec<Shown> {
    let reader = Reader::new(parsed, module);
    let mut all = Vec::new();
    collect(&reader, ids, (None, None), &mut all);
    all
}

fn collect(reader: &Reader<'_>, ids: Ids, (row, owner): (Option<usize>, Option<usize>), all: &mut Vec<Shown>) {
    for group in reader.members(row) {
        let mut parts = reader.parts(&group, false);
        let own = match ids {
            Ids::OfRows => group.iter().map(|number| reader.module.rows[*number].id).collect(),
            Ids::OfMarks => {
                let lead = parts.lead.as_ref().map(|lead| lead.text.as_str()).unwrap_or_default();
                let first = lead.lines().find_map(marked);
                let (ids, says) = first.unwrap_or_default();
                if says.contains(NO_VALUE) {
                    parts = reader.parts(&group, true);
                }
                unmark(&mut parts);
                ids
            }
        };
        let said = |part: &Option<super::parts::Part>| part.as_ref().map(|it| it.text.clone()).unwrap_or_default();
        let whole = format!("{}\0{}\0{}", said(&parts.lead), parts.head.text, said(&parts.doc));
        let is_holder = matches!(parts.rest, Rest::Members(_));
        let hash = hashed(whole.bytes()) as u32;
        all.push(Shown { ids: own, numbers: group.clone(), owner, parts, hash });
        if let (true, [number]) = (is_holder, group.as_slice()) {
            let at = all.len() - 1;
            collect(reader, ids, (Some(*number), Some(at)), all);
        }
    }
}

/// Takes the line with the id out of what is said above a declaration.
fn unmark(parts: &mut Parts) {
    let Some(lead) = &mut parts.lead else { return };
    let rest: Vec<&str> = lead.text.lines().filter(|line| marked(line).is_none()).collect();
    let rest = rest.join("\n");
    if rest.is_empty() {
        parts.lead = None;
    } else {
        lead.text = rest;
    }
}

/// A declaration's names and kind, which tell it from others where no id does.
pub(super) type Named<'r> = (&'r [String], EntryKind);

impl Readable {
    pub(super) fn named(&self, one: &Shown) -> Vec<Named<'_>> {
        one.numbers.iter().map(|number| self.row(*number)).map(|row| (row.names.as_slice(), row.kind)).collect()
    }
}
