//! Text that comes to stand further in or out.

use std::collections::BTreeSet;

use crate::refactor::source_file::Code;
use crate::syntax::{Language, Node, Tree, indent_step};
use crate::text::{Span, TextEdit};

/// How one text is indented.
pub(crate) struct Layout<'c> {
    code: &'c Code,
    step: String,
    /// Where lines begin inside strings: white space there is content.
    content: BTreeSet<usize>,
}

impl<'c> Layout<'c> {
    pub(crate) fn of(code: &'c Code) -> Self {
        let text = code.text();
        let content = content(code.root(), text);
        let step = indent_step(&code.parsed().tree, text).unwrap_or_else(|| smallest(text));
        Self { code, step, content }
    }

    /// Returns what one level is indented by.
    pub(crate) fn step(&self) -> &str {
        &self.step
    }

    /// Returns whole lines one level further in; empty ones stay empty.
    pub(crate) fn inside(&self, lines: &str) -> String {
        let line = |line: &str| if line.trim().is_empty() { line.to_owned() } else { format!("{}{line}", self.step) };
        lines.split_inclusive('\n').map(line).collect()
    }

    /// Returns how long lines may be, as far as the text shows it.
    pub(crate) fn longest(&self) -> usize {
        self.code.text().lines().map(|line| line.chars().count()).max().unwrap_or(0).clamp(79, 100)
    }

    /// Returns a stretch as it reads when its first line is indented by `base`: the other lines go along.
    pub(crate) fn moved(&self, span: Span, base: &str) -> String {
        self.moved_with(span, base, &[])
    }

    /// Returns an expression as it reads when its line is indented by `base` and it begins at a column: lines that begin
    /// right behind a bracket of another line go on to.
    pub(crate) fn beside(&self, span: Span, base: &str, column: usize) -> String {
        const BRACKETS: &[&str] =
            &["argument_list", "dictionary", "list", "parenthesized_expression", "set", "subscript", "tuple"];
        let (text, code) = (self.code.text(), self.code);
        let own = &text[span.start..span.end];
        if !own.contains('\n') {
            return own.to_owned();
        }
        if own.contains("\n\t") || base.contains('\t') {
            return self.moved(span, base);
        }
        let column_of = |at: usize| text[code.line_start(at)..at].chars().count();
        let shift = column as isize - column_of(span.start) as isize;
        let plain = base.len() as isize - code.indent(span.start).len() as isize;
        let mut shifts = vec![(code.line_start(span.start), shift)];
        let mut moved = String::new();
        let mut at = span.start;
        for line in text[span.start..span.end].split_inclusive('\n') {
            let begins = at + line.len() - line.trim_start().len();
            if at > span.start && !self.content.contains(&at) && !line.trim().is_empty() {
                let bracket = code
                    .covering(Span::new(begins, begins + 1))
                    .ancestors()
                    .find(|outer| outer.is_any(BRACKETS) && span.contains(outer.span()) && outer.start() < at);
                let opened = bracket.map(|it| {
                    text[it.start()..it.end()].find(['(', '[', '{']).map_or(it.start(), |to| it.start() + to)
                });
                let aligned = opened.filter(|opened| column_of(*opened) + 1 == column_of(begins));
                let own = aligned.and_then(|it| shifts.iter().find(|(start, _)| *start == code.line_start(it)));
                let own = own.map_or(plain, |(_, shift)| *shift);
                shifts.push((at, own));
                let indent = (column_of(begins) as isize + own).max(0) as usize;
                moved.push_str(&" ".repeat(indent));
                moved.push_str(line.trim_start());
            } else {
                moved.push_str(line);
            }
            at += line.len();
        }
        moved
    }

    /// Does the same to a stretch with edits in it, which are sorted and begin and end within lines.
    pub(crate) fn moved_with(&self, span: Span, base: &str, edits: &[TextEdit]) -> String {
        let mut moved = String::new();
        let mut at = span.start;
        for edit in edits {
            self.put(&mut moved, (span.start, Span::new(at, edit.span.start)), base);
            moved.push_str(&edit.new_text);
            at = edit.span.end;
        }
        self.put(&mut moved, (span.start, Span::new(at, span.end)), base);
        moved
    }

    /// Adds a part of what begins at `start`.
    fn put(&self, moved: &mut String, (start, part): (usize, Span), base: &str) {
        let (text, old) = (self.code.text(), self.code.indent(start));
        let mut at = part.start;
        for line in text[part.start..part.end].split_inclusive('\n') {
            let is_first = at == part.start;
            // What only an edit goes on is no empty line.
            let is_empty = line.trim().is_empty() && line.ends_with('\n');
            match line.strip_prefix(old) {
                Some(rest) if !is_first && !self.content.contains(&at) && !is_empty => {
                    moved.push_str(base);
                    moved.push_str(rest);
                }
                _ => moved.push_str(line),
            }
            at += line.len();
        }
    }
}

/// Returns a declaration as it reads in a block that is indented by `base`, where one empty line stands for two.
pub(crate) fn in_block(language: Language, declared: &str, base: &str) -> String {
    let tree = Tree::parse(language, declared);
    let content = content(tree.nodes().root(), declared);
    let mut said = String::new();
    let mut at = 0;
    for line in declared.split_inclusive('\n') {
        match (content.contains(&at), line.trim().is_empty()) {
            (false, true) if said.ends_with("\n\n") || said.ends_with("\n\r\n") => {}
            (false, false) => said.push_str(&format!("{base}{line}")),
            _ => said.push_str(line),
        }
        at += line.len();
    }
    said
}

/// Returns where lines begin inside strings; what a docstring says is read without the indentation that it has.
pub(crate) fn content(root: Node<'_>, text: &str) -> BTreeSet<usize> {
    let strings = root.descendants().filter(|node| node.is_any(&["string", "template_string", "jsx_text"]));
    let mut content = BTreeSet::new();
    for string in strings.filter(|node| !is_docstring(*node)) {
        let inside = &text[string.start()..string.end()];
        let begun = inside.match_indices('\n').map(|(at, _)| string.start() + at + 1);
        // What is put into a template is code.
        let is_code = |at: &usize| {
            string.named_children().any(|it| it.is("template_substitution") && it.start() < *at && *at <= it.end())
        };
        content.extend(begun.filter(|at| !is_code(at)));
    }
    content
}

/// Tells whether a string of Python tells what a function or a class is for.
fn is_docstring(string: Node<'_>) -> bool {
    let statement = string.parent().filter(|it| it.is("expression_statement"));
    let block = statement.and_then(Node::parent).filter(|it| it.is("block"));
    let is_first = block.and_then(|it| it.named_children().next()) == statement;
    is_first && block.and_then(Node::parent).is_some_and(|it| it.is_any(&["function_definition", "class_definition"]))
}

/// Returns a stretch with edits in it.
pub(crate) fn changed(text: &str, span: Span, edits: &[TextEdit]) -> String {
    let mut edits: Vec<&TextEdit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let mut said = String::new();
    let mut at = span.start;
    for edit in edits {
        said.push_str(&text[at..edit.span.start]);
        said.push_str(&edit.new_text);
        at = edit.span.end;
    }
    said.push_str(&text[at..span.end]);
    said
}

/// Lets edits that take whole lines out from between empty ones take one of these along.
pub(crate) fn closed_up(text: &str, mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    edits.sort_by_key(|edit| edit.span);
    let begins = |at: usize| at == 0 || text[..at].ends_with('\n');
    let mut before: Option<(usize, bool)> = None;
    for at in 0..edits.len() {
        let span = edits[at].span;
        if !edits[at].new_text.is_empty() || span.is_empty() || !begins(span.start) || !begins(span.end) {
            continue;
        }
        // A block of Python does not begin with an empty line.
        let above = text[..span.start].trim_end_matches('\n');
        let own = above.len() + 1 < span.start || above.ends_with(':');
        let is_below = before.filter(|(end, _)| *end == span.start).map_or(own, |(_, is_below)| is_below);
        let line = text[span.end..].split_inclusive('\n').next().filter(|line| line.trim().is_empty());
        let end = span.end + line.map_or(0, str::len);
        let is_met = |other: &TextEdit| {
            let is_other = other.span != span && other.span.start >= span.start && other.span.start <= end;
            is_other && (!other.new_text.is_empty() || other.span.start < end)
        };
        let end = if is_below && !edits.iter().any(is_met) { end } else { span.end };
        edits[at].span = Span::new(span.start, end);
        before = Some((end, is_below));
    }
    begun(text, edits)
}

/// Lets what goes from the top of a text take the empty lines along that it would begin with then.
fn begun(text: &str, mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let is_blank = |span: Span| span.of(text).is_some_and(|it| it.trim().is_empty());
    let mut end = 0;
    let goes = |edit: &&TextEdit| {
        let is_next = edit.new_text.is_empty()
            && !edit.span.is_empty()
            && is_blank(Span::new(end.min(edit.span.start), edit.span.start));
        end = if is_next { edit.span.end } else { end };
        is_next
    };
    let count = edits.iter().take_while(goes).count();
    if count == 0 || edits[0].span.start > 0 || end > 0 && !text[..end].ends_with('\n') {
        return edits;
    }
    let blank = text[end..].len() - text[end..].trim_start_matches(['\n', '\r']).len();
    let limit = edits.get(count).map_or(text.len(), |next| next.span.start);
    let whole = TextEdit::new(Span::new(0, (end + blank).min(limit)), "");
    edits.splice(..count, [whole]);
    edits
}

/// Takes whole lines out, with the empty ones above them.
pub(crate) fn without_lines(code: &Code, span: Span) -> TextEdit {
    let (start, end) = (code.line_start(span.start), code.next_line(span.end));
    let before = code.text()[..start].trim_end().len();
    match before {
        0 => TextEdit::new(Span::new(start, code.line_start(code.next_word(end)).max(end)), ""),
        _ => TextEdit::new(Span::new(code.next_line(before), end), ""),
    }
}

/// Returns the smallest indentation that a text uses; four blanks where it uses none.
fn smallest(text: &str) -> String {
    let indent = |line: &str| line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('*'));
    let smallest = lines.map(indent).filter(|indent| !indent.is_empty()).min_by_key(String::len);
    smallest.unwrap_or_else(|| "    ".to_owned())
}
