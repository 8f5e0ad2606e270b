//! The edits of several files, gathered for one plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::placement::with_imports;
use crate::refactor::analysis::imports::typed::{typed_block, typed_edits};
use crate::refactor::source_file::Code;
use crate::syntax::{Family, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit, TextEdits};

#[derive(Default)]
pub(crate) struct Edits {
    files: BTreeMap<AbsPath, (Arc<Text>, Vec<TextEdit>)>,
    /// Import statements, which find their places among the other edits of their files.
    imports: BTreeMap<AbsPath, (Code, Vec<String>)>,
    /// Those that type checkers alone are to see.
    typed: BTreeMap<AbsPath, (Code, Vec<String>)>,
    warnings: Vec<Warning>,
}

impl Edits {
    pub(crate) fn add(&mut self, code: &Code, edits: impl IntoIterator<Item = TextEdit>) {
        let text = || (Arc::clone(&code.parsed().text), Vec::new());
        self.files.entry(code.path.clone()).or_insert_with(text).1.extend(edits);
    }

    /// Takes back the edits of what stands in spans of a file: they go wherever its text goes.
    pub(crate) fn taken(&mut self, code: &Code, spans: &[Span]) -> Vec<TextEdit> {
        let Some((_, edits)) = self.files.get_mut(&code.path) else { return Vec::new() };
        let is_inside = |edit: &TextEdit| spans.iter().any(|span| span.contains(edit.span));
        let (taken, left) = std::mem::take(edits).into_iter().partition(is_inside);
        *edits = left;
        taken
    }

    /// Adds import statements, each of one module.
    pub(crate) fn import(&mut self, code: &Code, lines: impl IntoIterator<Item = String>) {
        let none = || (code.clone(), Vec::new());
        self.imports.entry(code.path.clone()).or_insert_with(none).1.extend(lines);
    }

    /// Adds import statements of Python that type checkers alone are to see.
    pub(crate) fn import_typed(&mut self, code: &Code, lines: impl IntoIterator<Item = String>) {
        let none = || (code.clone(), Vec::new());
        self.typed.entry(code.path.clone()).or_insert_with(none).1.extend(lines);
    }

    /// Tells whether what is written into a file so far, imports left aside, has a name that is no member's.
    pub(crate) fn have(&self, code: &Code, name: &str) -> bool {
        let is_plain = |text: &str, word: Span| {
            let (before, is_script) = (&text[..word.start], code.family() == Family::Script);
            // A string of Python may be an annotation.
            let is_string = is_script && before.ends_with(['\'', '"']) && text[word.end..].starts_with(['\'', '"']);
            !is_string && (!before.ends_with('.') || before.ends_with("..."))
        };
        let is_written = |text: &str| whole_words(text, name).into_iter().any(|word| is_plain(text, word));
        self.files.get(&code.path).is_some_and(|(_, edits)| edits.iter().any(|edit| is_written(&edit.new_text)))
    }

    pub(crate) fn warn(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        self.warnings.extend(warnings);
    }

    pub(crate) fn plan(mut self) -> Result<Plan, Refusal> {
        for (code, mut lines) in std::mem::take(&mut self.typed).into_values() {
            lines.sort();
            lines.dedup();
            if lines.is_empty() {
                continue;
            }
            let new = self.imports.get(&code.path).map_or(&[][..], |(_, lines)| lines.as_slice());
            match typed_edits(&code, &lines) {
                Some(edits) => self.add(&code, edits),
                None => {
                    let (block, needed) = typed_block(&code, &lines, new);
                    self.add(&code, [block]);
                    self.import(&code, needed);
                }
            }
        }
        for (path, (code, lines)) in std::mem::take(&mut self.imports) {
            let none = || (Arc::clone(&code.parsed().text), Vec::new());
            let (_, edits) = self.files.entry(path).or_insert_with(none);
            *edits = with_imports(&code, std::mem::take(edits), &lines);
        }
        for (text, edits) in self.files.values_mut() {
            if has_doubles(edits) {
                *edits = without_doubles(std::mem::take(edits));
            }
            join(text.as_str(), edits);
            import_first(edits);
            close_gaps(text.as_str(), edits);
            begin_with_text(text.as_str(), edits);
        }
        let emptied: Vec<Warning> = self.files.iter().filter_map(emptied).collect();
        self.warnings.extend(emptied);
        Ok(Plan::new(Parts { edits: self.files, warnings: self.warnings, ..Parts::default() })?)
    }
}

/// Takes the empty lines away, too, that a text would begin with where all above them goes.
pub(crate) fn begin_with_text(text: &str, edits: &mut [TextEdit]) {
    edits.sort_by_key(|edit| edit.span);
    let (mut top, mut last) = (0, None);
    for (at, edit) in edits.iter().enumerate() {
        if edit.span.start != top || edit.span.is_empty() || !edit.new_text.is_empty() {
            break;
        }
        (top, last) = (edit.span.end, Some(at));
    }
    let Some(last) = last else { return };
    let blank = text[top..].len() - text[top..].trim_start_matches(['\r', '\n']).len();
    let next = edits.get(last + 1).map_or(text.len(), |it| it.span.start);
    edits[last].span.end = (top + blank).min(next);
}

/// Takes empty lines away that would stand on both sides of whole lines that go: as many stay as stand on the side that has more.
fn close_gaps(text: &str, edits: &mut [TextEdit]) {
    edits.sort_by_key(|edit| edit.span);
    for at in 0..edits.len() {
        let TextEdit { span, new_text } = &edits[at];
        let is_whole = |offset: usize| text[..offset].ends_with('\n');
        if !new_text.is_empty() || span.is_empty() || !is_whole(span.start) || !is_whole(span.end) {
            continue;
        }
        // The rest of a line in which something changes is no empty line.
        let from = at.checked_sub(1).map_or(0, |before| edits[before].span.end);
        let from = if is_whole(from) || from == 0 {
            from
        } else {
            text[from..].find('\n').map_or(text.len(), |it| from + it + 1)
        };
        let to = edits.get(at + 1).map_or(text.len(), |next| next.span.start);
        let is_empty = |line: &&str| line.ends_with('\n') && line.trim().is_empty();
        let lines = |from: usize, to: usize| text.get(from..to).unwrap_or_default().split_inclusive('\n');
        let above = lines(from, span.start).rev().take_while(is_empty).count();
        let spare: usize = lines(span.end, to).take_while(is_empty).take(above).map(str::len).sum();
        edits[at].span.end += spare;
    }
}

/// Tells of a file of which nothing is left.
fn emptied((path, (text, edits)): (&AbsPath, &(Arc<Text>, Vec<TextEdit>))) -> Option<Warning> {
    let is_blank = |text: &str| text.trim().is_empty();
    let is_gone = !is_blank(text.as_str()) && edits.iter().all(|it| is_blank(&it.new_text));
    let edits = TextEdits::new(edits.clone()).ok().filter(|_| is_gone)?;
    is_blank(&edits.apply(text.as_str()))
        .then(|| Warning::at(WarningKind::FollowUp, "nothing is left in this file", path.clone(), None))
}

/// Makes one edit of an import and what else comes to its place.
fn import_first(edits: &mut Vec<TextEdit>) {
    let is_import = |it: &TextEdit| ["import ", "from "].iter().any(|word| it.new_text.starts_with(word));
    let is_inserted = |it: &TextEdit, at: usize| it.span.is_empty() && it.span.start == at;
    let Some(import) = edits.iter().find(|it| it.span.is_empty() && is_import(it)).cloned() else { return };
    let at = import.span.start;
    let mut others = edits.iter().filter(|it| is_inserted(it, at) && **it != import);
    let (Some(other), None) = (others.next().cloned(), others.next()) else { return };
    edits.retain(|it| !is_inserted(it, at));
    edits.push(TextEdit::new(import.span, import.new_text + &other.new_text));
}

/// Puts what is inserted inside of whole lines that go in their place.
fn join(text: &str, edits: &mut Vec<TextEdit>) {
    let is_inside = |edit: &TextEdit, outer: &TextEdit| {
        edit.span.is_empty()
            && outer.new_text.is_empty()
            && outer.span.start < edit.span.start
            && edit.span.end < outer.span.end
    };
    let inserted: Vec<TextEdit> =
        edits.iter().filter(|edit| edits.iter().any(|outer| is_inside(edit, outer))).cloned().collect();
    edits.retain(|edit| !inserted.contains(edit));
    for edit in inserted {
        let Some(outer) = edits.iter_mut().find(|outer| outer.span.contains(edit.span) && !outer.span.is_empty())
        else {
            continue;
        };
        outer.new_text.push_str(below(&text[..outer.span.start], &edit.new_text));
        let end = outer.span.of(text).map_or("", |gone| &gone[gone.trim_end().len()..]);
        if !outer.new_text.ends_with('\n') {
            outer.new_text.push_str(end);
        }
    }
}

/// Returns what was to stand behind a line that goes: the blank line before it stays, unless it would be the first of a block
/// or the second.
fn below<'t>(before: &str, new: &'t str) -> &'t str {
    let is_first = before.trim_end().ends_with([':', '{', '(', '[']) || before.trim_end().is_empty();
    let has_blank = before.ends_with("\n\n") || before.ends_with("\n\r\n");
    match is_first || has_blank {
        true => new.trim_start_matches(['\r', '\n']),
        false => new.strip_prefix("\r\n").or_else(|| new.strip_prefix('\n')).unwrap_or(new),
    }
}

/// Tells whether something is taken out in pieces that overlap.
fn has_doubles(edits: &[TextEdit]) -> bool {
    let mut gone: Vec<Span> = edits.iter().filter(|it| it.new_text.is_empty()).map(|it| it.span).collect();
    gone.sort();
    gone.windows(2).any(|pair| pair[0].end > pair[1].start)
}

/// Joins what is taken out twice, or in pieces that meet.
pub(crate) fn without_doubles(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    edits.sort();
    let mut joined: Vec<TextEdit> = Vec::new();
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.new_text.is_empty() && edit.new_text.is_empty() && last.span.end >= edit.span.start => {
                last.span.end = last.span.end.max(edit.span.end);
            }
            _ => joined.push(edit),
        }
    }
    joined
}
