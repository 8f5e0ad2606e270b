//! The hunks of a unified diff, made from the edits themselves: only what an edit touches is compared.
//!
//! A line here is what git calls one: it ends with `\n`, and a lone `\r` or U+2028 is part of it.

use std::fmt::Write as _;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::plan::FileEdit;
use crate::text::{Text, TextEdit};

/// How many unchanged lines stand around a change, as git and patch have it.
pub(super) const CONTEXT: usize = 3;

/// So many are enough for an agent, which pays for each.
pub(super) const LITTLE: usize = 1;

/// Lines `old` of the text before that become `new`; line numbers are 0-based.
struct Change<'a> {
    at: usize,
    old: Vec<&'a str>,
    new: Vec<String>,
}

/// Writes the hunks that lead from the text before an edit to the one after it, with so many unchanged lines around each.
pub(super) fn of_edit(edit: &FileEdit, context: usize) -> String {
    let before = String::from_utf8(edit.before.encode()).expect("a Text is UTF-8");
    let mark = before.len() - edit.before.as_str().len();
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let starts = line_starts(&lines);
    let mut changes = Vec::new();
    for block in blocks(edit.edits.iter(), &starts, mark) {
        let old = &lines[block.first..block.past];
        let after = apply(&before[starts[block.first]..starts[block.past]], &block.edits, starts[block.first]);
        narrow(block.first, old, &after, &mut changes);
    }
    write_hunks(&lines, &changes, context)
}

/// Writes the hunk of a file that comes into being; nothing for an empty one.
pub(super) fn of_creation(text: &Text) -> String {
    let content = String::from_utf8(text.encode()).expect("a Text is UTF-8");
    let new: Vec<String> = content.split_inclusive('\n').map(str::to_owned).collect();
    if new.is_empty() { String::new() } else { write_hunks(&[], &[Change { at: 0, old: Vec::new(), new }], 0) }
}

/// Writes the hunk of a file that goes; nothing for an empty one.
pub(super) fn of_deletion(text: &Text) -> String {
    let content = String::from_utf8(text.encode()).expect("a Text is UTF-8");
    let lines: Vec<&str> = content.split_inclusive('\n').collect();
    let old = lines.clone();
    if old.is_empty() { String::new() } else { write_hunks(&lines, &[Change { at: 0, old, new: Vec::new() }], 0) }
}

/// Whole lines that some edits touch, with those edits as (start, end, new text) in bytes of the file.
struct Block<'a> {
    first: usize,
    past: usize,
    edits: Vec<(usize, usize, &'a str)>,
}

fn line_starts(lines: &[&str]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in lines {
        at += line.len();
        starts.push(at);
    }
    starts
}

/// Groups edits whose lines touch. `mark` is the width of the byte order mark, which edits do not count.
fn blocks<'a>(edits: impl Iterator<Item = &'a TextEdit>, starts: &[usize], mark: usize) -> Vec<Block<'a>> {
    let last = starts.len() - 1;
    let line_of = |offset: usize| (starts.partition_point(|start| *start <= offset) - 1).min(last);
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for edit in edits {
        let (start, end) = (edit.span.start + mark, edit.span.end + mark);
        let first = line_of(start);
        // An edit at the very end of a text without a final newline continues its last line.
        let first = if first == last && first > 0 { first - 1 } else { first };
        let past = (line_of(end) + 1).min(last);
        let piece = (start, end, edit.new_text.as_str());
        match blocks.last_mut() {
            Some(block) if first <= block.past => {
                block.past = block.past.max(past);
                block.edits.push(piece);
            }
            _ => blocks.push(Block { first, past, edits: vec![piece] }),
        }
    }
    blocks
}

fn apply(old: &str, edits: &[(usize, usize, &str)], base: usize) -> String {
    let mut after = String::with_capacity(old.len());
    let mut at = 0;
    for (start, end, new_text) in edits {
        after.push_str(&old[at..start - base]);
        after.push_str(new_text);
        at = end - base;
    }
    after.push_str(&old[at..]);
    after
}

/// Finds the lines of a block that really differ.
fn narrow<'a>(first: usize, old: &[&'a str], after: &str, changes: &mut Vec<Change<'a>>) {
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    for op in capture_diff_slices(Algorithm::Myers, old, &new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let at = first + op.old_range().start;
        let new = new[op.new_range()].iter().map(|line| (*line).to_owned()).collect();
        changes.push(Change { at, old: old[op.old_range()].to_vec(), new });
    }
}

fn write_hunks(lines: &[&str], changes: &[Change<'_>], context: usize) -> String {
    let mut written = String::new();
    let mut moved = 0_isize;
    let mut rest = changes;
    while let Some(first) = rest.first() {
        let together = 1 + rest.windows(2).take_while(|pair| pair[1].at <= end(&pair[0]) + 2 * context).count();
        let (hunk, later) = rest.split_at(together);
        let from = first.at.saturating_sub(context);
        let past = hunk.last().map_or(from, end).saturating_add(context).min(lines.len());
        moved += write_hunk(&mut written, (lines, past), hunk, (from, from.saturating_add_signed(moved)));
        rest = later;
    }
    written
}

fn end(change: &Change<'_>) -> usize {
    change.at + change.old.len()
}

/// Writes one hunk that begins at the given lines before and after, and ends before line `to`; returns by how much it
/// grows the text.
fn write_hunk(
    written: &mut String,
    (lines, to): (&[&str], usize),
    changes: &[Change<'_>],
    from: (usize, usize),
) -> isize {
    let old_count = to - from.0;
    let gone: usize = changes.iter().map(|change| change.old.len()).sum();
    let come: usize = changes.iter().map(|change| change.new.len()).sum();
    let new_count = old_count - gone + come;
    let (old, new) = (side(from.0, old_count), side(from.1, new_count));
    writeln!(written, "@@ -{old} +{new} @@").expect("a String takes all that is written");
    let mut at = from.0;
    for change in changes {
        lines[at..change.at].iter().for_each(|line| write_line(written, ' ', line));
        change.old.iter().for_each(|line| write_line(written, '-', line));
        change.new.iter().for_each(|line| write_line(written, '+', line));
        at = end(change);
    }
    lines[at..to].iter().for_each(|line| write_line(written, ' ', line));
    come.cast_signed() - gone.cast_signed()
}

/// A hunk's side: an empty one is named by the line before it, a single line without its count.
fn side(from: usize, count: usize) -> String {
    match count {
        0 => format!("{from},0"),
        1 => format!("{}", from + 1),
        _ => format!("{},{count}", from + 1),
    }
}

fn write_line(written: &mut String, sign: char, line: &str) {
    written.push(sign);
    written.push_str(line);
    if !line.ends_with('\n') {
        written.push_str("\n\\ No newline at end of file\n");
    }
}
