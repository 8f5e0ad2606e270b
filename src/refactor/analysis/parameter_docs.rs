//! What comments say of parameters: `@param name` in JSDoc, `:param name:` and the sections of docstrings.

use super::classes::comments_above;
use super::indentation::Layout;
use crate::refactor::analysis::call_sites::Signature;
use crate::refactor::source_file::{Code, is_block};
use crate::syntax::python::{Documents, documented};
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// What is said of one parameter, in whole lines.
struct Entry<'c> {
    name: &'c str,
    /// Where the name stands.
    place: Span,
    lines: Span,
}

/// A parameter as it shall be.
#[derive(Clone, Copy)]
pub(crate) struct Said<'a> {
    /// The name that it had; none if it is new.
    pub old: Option<&'a str>,
    pub new: &'a str,
    /// The type of a new one, as JSDoc says it.
    pub of: Option<&'a str>,
    /// What a new one is about, for a docstring.
    pub about: Option<&'a str>,
}

/// Writes what is said of parameters in their new order. What is said of others goes; of new ones JSDoc says the types where
/// it says those of all others. Where something else is told there, all stays as it is.
pub(crate) fn followed(code: &Code, function: Node<'_>, known: &[&str], order: &[Said<'_>]) -> Vec<TextEdit> {
    let Some(doc) = documentation(code, function) else { return Vec::new() };
    let entries = entries(code, doc);
    let is_known = |entry: &Entry<'_>| known.contains(&bare(entry.name));
    let is_joined = entries.windows(2).all(|pair| pair[0].lines.end == pair[1].lines.start);
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Vec::new() };
    let is_closed = !code.text()[..last.lines.end].ends_with('\n');
    if !is_joined || is_closed || !entries.iter().all(is_known) {
        return apart(code, &entries, (known, order));
    }
    let is_whole = known.iter().all(|name| entries.iter().any(|entry| bare(entry.name) == *name));
    let is_plain = code.family() == Family::Script && !code.is_typed_script();
    let mut all: Vec<String> = Vec::new();
    for Said { old, new, of, about } in order {
        let Some(old) = old else {
            let added = match code.family() {
                Family::Python => about.and_then(|about| described(code, first, (new, about))),
                Family::Script if is_whole && is_plain => added(code, first, (new, *of)),
                _ => None,
            };
            all.extend(added);
            continue;
        };
        for entry in entries.iter().filter(|entry| bare(entry.name) == *old) {
            let new = format!("{new}{}", &entry.name[old.len()..]);
            let before = Span::new(entry.lines.start, entry.place.start);
            let behind = Span::new(entry.place.end, entry.core(code).end);
            let parts = [before.of(code.text()), Some(new.as_str()), behind.of(code.text())];
            all.push(parts.into_iter().flatten().collect());
        }
    }
    // The empty lines between entries are not those behind the last.
    let said = all.join(first.gap(code)) + last.gap(code);
    let lines = Span::new(first.lines.start, last.lines.end);
    let (said, whole) = if all.is_empty() { (String::new(), with_heading(code, lines)) } else { (said, lines) };
    if whole.of(code.text()) == Some(said.as_str()) {
        return Vec::new();
    }
    vec![TextEdit::new(whole, said)]
}

impl Entry<'_> {
    /// Returns its lines without the empty ones at their end.
    fn core(&self, code: &Code) -> Span {
        let said = self.lines.of(code.text()).unwrap_or_default();
        let last = self.lines.start + said.trim_end().len();
        Span::new(self.lines.start, code.next_line(last).min(self.lines.end))
    }

    /// Returns the empty lines at its end.
    fn gap<'c>(&self, code: &'c Code) -> &'c str {
        &code.text()[self.core(code).end..self.lines.end]
    }
}

/// Writes the entry of a new parameter into a docstring as another one is written: `:param name:`, `name: …`, or `name : type`
/// with what it is about below.
fn described(code: &Code, like: &Entry<'_>, (name, about): (&str, &str)) -> Option<String> {
    let (text, end) = (code.text(), code.newline());
    let indent = code.indent(like.place.start);
    let step = Layout::of(code).step().to_owned();
    let before = text[like.lines.start..like.place.start].trim_start();
    let behind = text[like.place.end..code.line_end(like.place.end)].trim();
    match before.is_empty() {
        false if before.starts_with(":param") => Some(format!("{indent}:param {name}: {about}{end}")),
        false => None,
        true if behind == ":" => Some(format!("{indent}{name}:{end}{indent}{step}{about}{end}")),
        true if behind.ends_with(':') || behind.contains(": ") && !text[like.place.end..].starts_with(" :") => {
            Some(format!("{indent}{name}: {about}{end}"))
        }
        true => Some(format!("{indent}{name}{end}{indent}{step}{about}{end}")),
    }
}

/// Writes the entry of a new parameter as another one is written.
fn added(code: &Code, like: &Entry<'_>, (name, of): (&str, Option<&str>)) -> Option<String> {
    let line = like.lines.of(code.text())?;
    let (before, _) = line.split_once("@param")?;
    let is_own = before.trim() == "*";
    let of = of.unwrap_or("*");
    is_own.then(|| format!("{before}@param {{{of}}} {name}{}", code.newline()))
}

/// Says in JSDoc of a parameter that is added behind all others.
pub(crate) fn with_added(signature: &Signature<'_>, (name, of): (&str, Option<&str>)) -> Vec<TextEdit> {
    let text = signature.code.text();
    let known: Vec<&str> = signature.parameters.iter().map(|it| it.name.text(text)).collect();
    let same = known.iter().map(|name| Said { old: Some(name), new: name, of: None, about: None });
    let order: Vec<Said<'_>> = same.chain([Said { old: None, new: name, of, about: None }]).collect();
    followed(signature.code, signature.function, &known, &order)
}

/// Returns the type of a value as JSDoc says it, where it can be read off.
pub(crate) fn type_of(value: &str) -> Option<&'static str> {
    match value.chars().next()? {
        '"' | '\'' | '`' => Some("string"),
        _ if value.parse::<f64>().is_ok() => Some("number"),
        _ if matches!(value, "true" | "false") => Some("boolean"),
        _ => None,
    }
}

/// Follows where something else is said between, and where one entry tells of several parameters: each has its new name where it
/// stands, and what goes is taken out.
fn apart(code: &Code, entries: &[Entry<'_>], (known, order): (&[&str], &[Said<'_>])) -> Vec<TextEdit> {
    let new = |entry: &Entry<'_>| {
        let name = bare(entry.name);
        let kept = order.iter().find(|it| it.old == Some(name)).map(|it| it.new);
        kept.or(Some(name).filter(|name| !known.contains(name)))
            .map(|new| format!("{new}{}", &entry.name[name.len()..]))
    };
    let mut edits = Vec::new();
    for one in entries.chunk_by(|one, next| one.lines.start == next.lines.start) {
        let all: Vec<String> = one.iter().filter_map(new).collect();
        let (Some(first), Some(last)) = (one.first(), one.last()) else { continue };
        if one.iter().map(|entry| entry.name).eq(all.iter().map(String::as_str)) {
            continue;
        }
        edits.push(match all.is_empty() {
            true if entries.len() == one.len() => TextEdit::new(with_heading(code, first.lines), ""),
            true => TextEdit::new(without_blanks(code, first.lines), ""),
            false => TextEdit::new(Span::new(first.place.start, last.place.end), all.join(", ")),
        });
    }
    edits
}

/// Returns the lines of an entry, with an empty one behind them where one stands before them; of one that the closing quotes
/// follow, with the end of the line before.
fn without_blanks(code: &Code, lines: Span) -> Span {
    let text = code.text();
    if !text[..lines.end].ends_with('\n') {
        return Span::new(text[..lines.start].trim_end().len(), lines.end);
    }
    let behind = code.next_line(lines.end);
    let is_empty = |from: usize, to: usize| from < to && text[from..to].trim().is_empty();
    let is_apart = is_empty(code.line_start(lines.start.saturating_sub(1)), lines.start);
    Span::new(lines.start, if is_apart && is_empty(lines.end, behind) { behind } else { lines.end })
}

/// Returns the lines of entries with what stands above them for them alone: the heading of a section in a docstring, and empty
/// lines where nothing follows.
fn with_heading(code: &Code, lines: Span) -> Span {
    let text = code.text();
    if !text[..lines.end].ends_with('\n') {
        return without_blanks(code, lines);
    }
    let start = heading_start(code, lines.start);
    let follows = text[lines.end..].lines().next().unwrap_or_default();
    let is_last = is_closing(follows.trim_start().trim_start_matches('*'));
    let is_apart = code.family() == Family::Python && (start < lines.start && follows.trim().is_empty() || is_last);
    let before = text[..start].trim_end();
    Span::new(if is_apart { code.next_line(before.len()).min(start) } else { start }, lines.end)
}

/// Returns where the heading above entries begins; the entries where a docstring has none there.
fn heading_start(code: &Code, entries: usize) -> usize {
    let text = code.text();
    let above = |at: usize| {
        let start = code.line_start(at.saturating_sub(1));
        (start, text[start..at].trim())
    };
    let (start, line) = above(entries);
    match line {
        _ if code.family() != Family::Python || is_marked(&text[entries..]) => entries,
        line if line.starts_with("---") || line.starts_with("===") => above(start).0,
        line if line.ends_with(':') => start,
        _ => entries,
    }
}

/// Returns the lines that tell of some parameters and of no others, the heading above them first.
pub(super) fn lines_about(signature: &Signature<'_>, parameters: &[usize]) -> Vec<Span> {
    let (code, text) = (signature.code, signature.code.text());
    let names: Vec<&str> = parameters.iter().map(|at| signature.parameters[*at].name.text(text)).collect();
    let all = documentation(code, signature.function).map(|doc| entries(code, doc)).unwrap_or_default();
    let is_meant = |one: &&Entry<'_>| {
        all.iter().filter(|it| it.lines.start == one.lines.start).all(|it| names.contains(&bare(it.name)))
    };
    let own: Vec<Span> = all.iter().filter(is_meant).map(|it| it.core(code)).collect();
    let heading = all.first().filter(|_| !own.is_empty()).map(|first| first.lines.start);
    heading.map(|at| Span::new(heading_start(code, at), at)).into_iter().chain(own).collect()
}

/// Takes out what is said of parameters that go.
pub(crate) fn without_docs(signature: &Signature<'_>, gone: &[usize]) -> Vec<TextEdit> {
    replaced_docs(signature, gone, None)
}

/// Does the same, and says in the place of the first in a docstring of Python what the parameter is about that they become.
pub(crate) fn replaced_docs(signature: &Signature<'_>, gone: &[usize], new: Option<(&str, &str)>) -> Vec<TextEdit> {
    let text = signature.code.text();
    let known: Vec<&str> = signature.parameters.iter().map(|it| it.name.text(text)).collect();
    let mut order: Vec<Said<'_>> = Vec::new();
    for (at, name) in known.iter().enumerate() {
        match new.filter(|_| gone.first() == Some(&at)) {
            _ if !gone.contains(&at) => order.push(Said { old: Some(name), new: name, of: None, about: None }),
            Some((new, about)) => order.push(Said { old: None, new, of: None, about: Some(about) }),
            None => {}
        }
    }
    followed(signature.code, signature.function, &known, &order)
}

/// Says what a parameter is about that others become.
pub(crate) fn told_of(signature: &Signature<'_>, gone: &[usize]) -> String {
    let name = |at: &usize| format!("`{}`", signature.parameters[*at].name.text(signature.code.text()));
    let names: Vec<String> = gone.iter().map(name).collect();
    match names.split_last() {
        Some((last, [])) => format!("{last}."),
        Some((last, others)) => format!("{} and {last}.", others.join(", ")),
        None => String::new(),
    }
}

/// Does the same in the JSDoc of JavaScript: what it says of them it goes on to say of the fields of an object, in brackets of
/// those that calls leave out. Nothing where it does not say something of each of them, one behind the other.
pub(crate) fn nested_docs(
    signature: &Signature<'_>,
    gone: &[usize],
    (object, left_out): (&str, &[usize]),
) -> Option<Vec<TextEdit>> {
    let (code, text) = (signature.code, signature.code.text());
    let is_plain = code.family() == Family::Script && !code.is_typed_script();
    let doc = documentation(code, signature.function).filter(|_| is_plain)?;
    let all = entries(code, doc);
    let names: Vec<&str> = gone.iter().map(|at| signature.parameters[*at].name.text(text)).collect();
    let is_meant = |entry: &&Entry<'_>| names.contains(&bare(entry.name));
    let own: Vec<&Entry<'_>> = all.iter().filter(is_meant).collect();
    let is_joined = own.windows(2).all(|pair| pair[0].lines.end == pair[1].lines.start);
    let is_whole = names.iter().all(|name| own.iter().any(|entry| entry.name == *name));
    let first = own.first().filter(|_| is_joined && is_whole)?;
    let head = added(code, first, (object, Some("object")))?;
    let is_left_out = |name: &str| left_out.iter().any(|at| signature.parameters[*at].name.text(text) == name);
    let named = own.iter().flat_map(|entry| {
        let is_open = is_left_out(entry.name) && !text[..entry.place.start].ends_with('[');
        let (opening, closing) = if is_open { ("[", Some("]")) } else { ("", None) };
        let closing = closing.map(|it| TextEdit::new(Span::at(entry.place.end), it));
        std::iter::once(TextEdit::new(Span::at(entry.place.start), format!("{opening}{object}."))).chain(closing)
    });
    Some(std::iter::once(TextEdit::new(Span::at(first.lines.start), head)).chain(named).collect())
}

/// Returns what a docstring of Python says of parameters that [`without_docs`] takes out of it, as lines for another one: in the
/// same style, below its heading. Nothing where it says nothing of them, or keeps it.
pub(crate) fn moved_docs(signature: &Signature<'_>, moved: &[usize]) -> Vec<String> {
    let (code, text) = (signature.code, signature.code.text());
    let doc = documentation(code, signature.function).filter(|_| code.family() == Family::Python);
    let gone = without_docs(signature, moved);
    let Some(doc) = doc.filter(|_| !gone.is_empty()) else { return Vec::new() };
    let names: Vec<&str> = moved.iter().map(|at| signature.parameters[*at].name.text(text)).collect();
    let mut entries: Vec<Entry<'_>> = entries(code, doc);
    if entries.windows(2).any(|pair| pair[0].lines == pair[1].lines) {
        return Vec::new();
    }
    let heading = entries.first().map(|first| heading(code, first.lines.start)).unwrap_or_default();
    entries.retain(|it| names.contains(&it.name));
    let Some(first) = entries.first() else { return Vec::new() };
    let base = heading.first().map_or_else(|| code.indent(first.place.start), |_| code.indent(doc.start)).len();
    let said = entries.iter().flat_map(|it| it.lines.of(text).unwrap_or_default().lines());
    let said = said.map(|line| line[base.min(line.len() - line.trim_start().len())..].trim_end().to_owned());
    let mut all: Vec<String> = heading.into_iter().chain(said).collect();
    while all.last().is_some_and(String::is_empty) {
        all.pop();
    }
    all
}

/// Returns what JSDoc says of a parameter that [`without_docs`] takes out of it with `moved`, line by line.
pub(crate) fn moved_description<'c>(signature: &Signature<'c>, moved: &[usize], at: usize) -> Vec<&'c str> {
    let (code, text) = (signature.code, signature.code.text());
    let doc = documentation(code, signature.function).filter(|_| code.family() == Family::Script);
    let Some(doc) = doc.filter(|_| !without_docs(signature, moved).is_empty()) else { return Vec::new() };
    let name = signature.parameters[at].name.text(text);
    let entry = entries(code, doc).into_iter().find(|it| it.name == name);
    let said = entry.and_then(|it| Span::new(it.place.end, it.lines.end).of(text)).unwrap_or_default();
    // `[name=1]`
    let said = if said.starts_with(['=', ']']) { said.split_once(']').map_or("", |(_, rest)| rest) } else { said };
    let said = said.trim_start().trim_start_matches("- ").trim_end();
    let lines = said.lines().map(|line| line.trim().trim_start_matches('*').trim());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Returns what stands above the entries of fields as it stands above those of parameters; nothing where no heading does.
fn heading(code: &Code, entries: usize) -> Vec<String> {
    const HEADINGS: &[&str] = &["Args:", "Arguments:", "Parameters:"];
    const FIELDS: &str = "Attributes";
    let mut above = code.text()[..entries].lines().rev().map(str::trim);
    let all = above.by_ref().find(|line| HEADINGS.contains(line) || line.starts_with("---") || line.is_empty());
    match all {
        Some(line) if HEADINGS.contains(&line) => vec![format!("{FIELDS}:")],
        Some(line) if line.starts_with("---") => vec![FIELDS.to_owned(), "-".repeat(FIELDS.len())],
        _ => Vec::new(),
    }
}

/// Returns the comment or the docstring that tells what a function does; of a constructor of Python that says nothing of its
/// parameters, that of its class.
pub(super) fn documentation(code: &Code, function: Node<'_>) -> Option<Span> {
    if code.family() == Family::Python {
        let own = docstring(function);
        let class = || function.ancestors().find(|outer| outer.is_any(&["class_definition", "function_definition"]));
        let is_constructor =
            function.child("name").is_some_and(|it| matches!(it.text(code.text()), "__init__" | "__new__"));
        return match own.is_some_and(|own| !entries(code, own).is_empty()) || !is_constructor {
            true => own,
            false => class().filter(|outer| outer.is("class_definition")).and_then(docstring).or(own),
        };
    }
    let around = std::iter::once(function).chain(function.ancestors());
    let is_outermost =
        |node: &Node<'_>| node.parent().is_some_and(|outer| is_block(outer) || outer.is_any(&["class_body", "object"]));
    let statement = around.into_iter().find(is_outermost)?;
    let start = comments_above(code, statement.start());
    let doc = Span::new(start, statement.start());
    doc.of(code.text()).filter(|text| text.starts_with("/**") && text.matches("/*").count() == 1).map(|_| doc)
}

/// Returns a docstring of Python, its quotes included.
fn docstring(definition: Node<'_>) -> Option<Span> {
    let first = definition.child("body")?.named_children().next().filter(|it| it.is("expression_statement"))?;
    first.named_children().next().filter(|it| it.is("string")).map(Node::span)
}

fn entries(code: &Code, doc: Span) -> Vec<Entry<'_>> {
    if code.family() == Family::Python { in_docstring(code, doc) } else { in_comment(code, doc) }
}

fn in_comment(code: &Code, doc: Span) -> Vec<Entry<'_>> {
    let text = code.text();
    let mut found: Vec<Entry<'_>> = Vec::new();
    let (mut at, mut is_open) = (code.line_start(doc.start), false);
    while at < doc.end {
        let end = code.next_line(at);
        let line = &text[at..end];
        let said = line.trim_start().trim_start_matches('*').trim_start();
        let is_end = said.starts_with('@') || said.trim_end().is_empty() || is_closing(said);
        match said.strip_prefix("@param ").and_then(|rest| Some((rest, name_in(rest)?))) {
            Some((rest, within)) => {
                let start = end - rest.len();
                let place = Span::new(start + within.start, start + within.end);
                let name = place.of(text).unwrap_or_default();
                // Empty lines between two belong to the first.
                let is_next = |it: &&mut Entry<'_>| text[it.lines.end..at].trim().is_empty();
                if let Some(last) = found.last_mut().filter(is_next) {
                    last.lines = Span::new(last.lines.start, at);
                }
                found.push(Entry { name, place, lines: Span::new(at, end) });
                is_open = true;
            }
            None if is_end => is_open = false,
            None if is_open => {
                if let Some(last) = found.last_mut() {
                    last.lines = Span::new(last.lines.start, end);
                }
            }
            None => {}
        }
        at = end;
    }
    found
}

/// Reads the entries of `Args:` and `Parameters`: each goes as far as what stands below it is indented further; and fields
/// (`:param name:`), each as far as the next one, or an empty line that no field follows.
fn in_docstring(code: &Code, doc: Span) -> Vec<Entry<'_>> {
    let text = code.text();
    let all = documented(text, doc).into_iter().filter(|one| one.what == Documents::Parameter);
    let named: Vec<Span> = all.map(|one| one.name).collect();
    let starts: Vec<usize> = named.iter().map(|span| code.line_start(span.start)).collect();
    let entry = |place: &Span| {
        let lines = Span::new(code.line_start(place.start), told_until(code, doc, (*place, &starts)));
        Entry { name: place.of(text).unwrap_or_default(), place: *place, lines }
    };
    named.iter().map(entry).collect()
}

/// Returns where the lines of an entry end: behind the empty ones before the next entry, and before the closing quotes.
fn told_until(code: &Code, doc: Span, (name, starts): (Span, &[usize])) -> usize {
    let (text, start) = (code.text(), code.line_start(name.start));
    let closing = doc.end - if text[..doc.end].ends_with(r#"""""#) || text[..doc.end].ends_with("'''") { 3 } else { 1 };
    let (is_field, indent) = (is_marked(&text[start..]), code.indent(start).len());
    let mut end = code.next_line(start);
    while end < closing {
        let empty = text[end..].len() - text[end..].trim_start().len();
        let next = code.line_start(end + empty).max(end);
        let is_apart = next > end;
        let is_more = match is_field {
            true => !is_apart && !is_marked(&text[next..]),
            false => code.indent(next).len() > indent,
        };
        let is_told = is_more && end + empty < closing;
        match () {
            () if starts.contains(&next) => return next,
            () if is_told => end = code.next_line(next),
            () => return end,
        }
    }
    closing
}

/// Tells whether a line begins with a field's mark.
pub(super) fn is_marked(line: &str) -> bool {
    line.trim_start().starts_with([':', '@'])
}

fn is_closing(said: &str) -> bool {
    said.starts_with('/') || said.starts_with("\"\"\"") || said.starts_with("'''")
}

/// Returns where the name is in what stands behind the mark: `{type} name`, `[name=1]`.
fn name_in(rest: &str) -> Option<Span> {
    let bare = rest.trim_start();
    let word = match bare.strip_prefix('{') {
        Some(of) => of.split_once("} ")?.1.trim_start(),
        None => bare,
    };
    let word = word.trim_start_matches('[');
    let start = rest.len() - word.len();
    let length = word.find(|it: char| it.is_whitespace() || it == '=' || it == ']').unwrap_or(word.len());
    (length > 0).then(|| Span::new(start, start + length))
}

/// Returns the parameter in `options.width`.
fn bare(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}
