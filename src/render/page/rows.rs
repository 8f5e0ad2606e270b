//! The rows of a file's differences: the old line on the left, the new one on the right, remarks below their line.

use super::super::markup::{escaped, put};
use super::colours::Coloured;
use crate::syntax::Language;
use crate::text::{AbsPath, Range, Span, Text};

/// A file before and after.
pub(super) struct Sides<'a> {
    pub path_before: &'a AbsPath,
    pub before: Option<&'a Text>,
    pub after: Option<&'a Text>,
}

/// A remark, at a line of one side where it has one.
pub(super) struct Note {
    line: Option<usize>,
    is_of_new: bool,
    kind: &'static str,
    message: String,
}

impl Note {
    pub(super) fn before(range: Option<Range>, (kind, message): (&'static str, String)) -> Self {
        Self { line: line_of(range), is_of_new: false, kind, message }
    }

    pub(super) fn after(range: Option<Range>, (kind, message): (&'static str, String)) -> Self {
        Self { line: line_of(range), is_of_new: true, kind, message }
    }
}

fn line_of(range: Option<Range>) -> Option<usize> {
    range.and_then(|range| usize::try_from(range.start.line).ok())
}

/// A line with its number, 0-based.
type Line<'h> = (usize, &'h str);

/// Lines that stand beside each other.
enum Row<'h> {
    Gap(&'h str),
    Same(Line<'h>, Line<'h>),
    Changed(Option<Line<'h>>, Option<Line<'h>>),
}

/// Writes the table of a file's hunks, with its remarks.
pub(super) fn write(
    page: &mut String,
    sides: &Sides<'_>,
    language: Option<Language>,
    (hunks, notes): (&str, Vec<Note>),
) {
    let coloured = |text: Option<&Text>| text.map(|text| Coloured::of(text, language));
    let (old, new) = (coloured(sides.before), coloured(sides.after));
    let rows = rows(hunks);
    let is_at = |note: &Note, (left, right): (Option<usize>, Option<usize>)| {
        note.line.is_some() && note.line == if note.is_of_new { right } else { left }
    };
    let is_shown = |note: &&Note| rows.iter().any(|row| is_at(note, numbers(row)));
    for note in notes.iter().filter(|note| !is_shown(note)) {
        let line = note.line.map(|line| format!("line {}: ", line + 1)).unwrap_or_default();
        put(page, &format!("<p class=\"note {0}\"><b>{0}</b> {line}{1}</p>\n", note.kind, escaped(&note.message)));
    }
    put(page, "<table>\n");
    for row in &rows {
        put(page, &written(row, old.as_ref(), new.as_ref()));
        for note in notes.iter().filter(|note| is_at(note, numbers(row))) {
            let message = escaped(&note.message);
            put(page, &format!("<tr class=\"note {0}\"><td colspan=\"4\"><b>{0}</b> {message}</td></tr>\n", note.kind));
        }
    }
    put(page, "</table>\n");
}

fn numbers(row: &Row<'_>) -> (Option<usize>, Option<usize>) {
    match row {
        Row::Gap(_) => (None, None),
        Row::Same(old, new) => (Some(old.0), Some(new.0)),
        Row::Changed(old, new) => (old.map(|old| old.0), new.map(|new| new.0)),
    }
}

fn written(row: &Row<'_>, old: Option<&Coloured>, new: Option<&Coloured>) -> String {
    let cell = |side: Option<&Coloured>, line: Option<Line<'_>>, class: &str, changed: Option<Span>| {
        let Some((number, text)) = line else { return "<td class=\"n\"></td><td class=\"none\"></td>".to_owned() };
        let text = side.map_or_else(|| escaped(text), |side| side.line(number, text, changed));
        format!("<td class=\"n\">{}</td><td class=\"{class}\">{text}</td>", number + 1)
    };
    let (left, right) = match row {
        Row::Gap(hunk) => return format!("<tr class=\"gap\"><td colspan=\"4\">{}</td></tr>\n", escaped(hunk)),
        Row::Same(before, after) => (cell(old, Some(*before), "", None), cell(new, Some(*after), "", None)),
        Row::Changed(before, after) => {
            let parts = before.zip(*after).map(|((_, before), (_, after))| differing(before, after));
            let (gone, come) = parts.unzip();
            (cell(old, *before, "old", gone), cell(new, *after, "new", come))
        }
    };
    format!("<tr>{left}{right}</tr>\n")
}

/// Finds the parts in which two lines differ.
fn differing(before: &str, after: &str) -> (Span, Span) {
    let shared = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
    };
    let start = shared(&mut before.chars().zip(after.chars()));
    let end = shared(&mut before[start..].chars().rev().zip(after[start..].chars().rev()));
    (Span::new(start, before.len() - end), Span::new(start, after.len() - end))
}

/// Reads hunks of a unified diff as rows: what goes stands beside what comes.
fn rows(hunks: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let (mut old, mut new) = (0, 0);
    let (mut gone, mut come): (Vec<Line<'_>>, Vec<Line<'_>>) = (Vec::new(), Vec::new());
    for line in hunks.split_terminator('\n') {
        let text = line.get(1..).unwrap_or_default();
        let text = text.strip_suffix('\r').unwrap_or(text);
        match line.as_bytes().first() {
            Some(b'-') => push(&mut gone, &mut old, text),
            Some(b'+') => push(&mut come, &mut new, text),
            Some(b'@') => {
                pair(&mut rows, &mut gone, &mut come);
                (old, new) = starts(line);
                rows.push(Row::Gap(line));
            }
            Some(b'\\') => {}
            _ => {
                pair(&mut rows, &mut gone, &mut come);
                rows.push(Row::Same((old, text), (new, text)));
                (old, new) = (old + 1, new + 1);
            }
        }
    }
    pair(&mut rows, &mut gone, &mut come);
    rows
}

fn push<'h>(lines: &mut Vec<Line<'h>>, number: &mut usize, text: &'h str) {
    lines.push((*number, text));
    *number += 1;
}

fn pair<'h>(rows: &mut Vec<Row<'h>>, gone: &mut Vec<Line<'h>>, come: &mut Vec<Line<'h>>) {
    let count = gone.len().max(come.len());
    let (mut left, mut right) = (gone.drain(..), come.drain(..));
    rows.extend((0..count).map(|_| Row::Changed(left.next(), right.next())));
}

/// Reads where a hunk begins on both sides, 0-based: `@@ -12,3 +14 @@`.
fn starts(head: &str) -> (usize, usize) {
    let start = |sign: char| {
        let word = head.split(' ').find_map(|word| word.strip_prefix(sign))?;
        word.split(',').next()?.parse::<usize>().ok()
    };
    (start('-').unwrap_or(1).saturating_sub(1), start('+').unwrap_or(1).saturating_sub(1))
}
