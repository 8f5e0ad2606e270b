//! One change of a document: a value set, an item inserted or removed. Nothing else moves.

use serde_json::Value;

use super::layout::{Layout, Style, indent, line_start, starts_line};
use super::{Dialect, Document, Items, Node, Step};
use crate::text::{Span, TextEdit, TextEdits};

/// What is put into a container.
pub(super) struct Item<'a> {
    /// Of a member.
    pub(super) name: Option<&'a str>,
    pub(super) value: &'a Value,
}

/// Sets the value behind some steps.
pub(super) fn set(document: &Document<'_>, node: &Node, value: &Value) -> String {
    let (text, layout) = (document.text, Layout::of(document));
    let style = match is_inline(text, node) {
        Some(true) => Style::Inline,
        Some(false) => Style::Spread,
        None if layout.is_spread => Style::Spread,
        None => Style::Inline,
    };
    let written = layout.written(value, indent(text, node.span.start), style);
    applied(text, vec![TextEdit::new(node.span, written)])
}

/// Inserts an item before the one at `at`, or as the last one.
pub(super) fn insert(document: &Document<'_>, container: &Node, at: usize, item: &Item<'_>) -> String {
    let (text, layout) = (document.text, Layout::of(document));
    let spans = container.spans();
    if document.dialect == Dialect::Lines && container.span == document.root.span {
        return insert_line(text, &layout, &spans, (at, item));
    }
    let Some(neighbour) = spans.get(at).or(spans.last()) else {
        return applied(text, vec![into_empty(text, &layout, container, item)]);
    };
    let is_own_line = starts_line(text, neighbour.start);
    let margin = indent(text, neighbour.start);
    let sibling = container.nodes().get(at.min(spans.len() - 1)).and_then(|node| is_inline(text, node));
    let style = if sibling.unwrap_or(!is_own_line) { Style::Inline } else { Style::Spread };
    let written = item.written(&layout, margin, style);
    let line = [layout.newline, margin, &written].concat();
    let comma = comma_between(text, &spans).unwrap_or_else(|| layout.comma());
    let edits = match (at < spans.len(), is_own_line) {
        (true, true) => {
            let anchor = match at.checked_sub(1).and_then(|before| comma_after(text, spans[before].end)) {
                Some(comma) => comma + 1,
                None => container.span.start + 1,
            };
            match tail(text, anchor) {
                Some(end) => vec![TextEdit::new(Span::new(end, end), line + ",")],
                None => vec![at_start(neighbour, [&written, ",", layout.newline, margin].concat())],
            }
        }
        (true, false) => vec![at_start(neighbour, written + comma)],
        (false, _) => at_end(text, (*neighbour, is_own_line), comma, (written, line)),
    };
    applied(text, edits)
}

/// Returns what stands between the first two items, in one line.
fn comma_between(text: &str, spans: &[Span]) -> Option<&'static str> {
    let [first, second, ..] = spans else { return None };
    match &text[first.end..second.start] {
        "," => Some(","),
        ", " => Some(", "),
        _ => None,
    }
}

fn at_start(span: &Span, new: String) -> TextEdit {
    TextEdit::new(Span::new(span.start, span.start), new)
}

/// Inserts behind the last item: with a comma before it, and one behind it where that is the custom.
fn at_end(
    text: &str,
    (last, is_own_line): (Span, bool),
    separator: &str,
    (written, line): (String, String),
) -> Vec<TextEdit> {
    let at = |offset: usize, new: String| TextEdit::new(Span::new(offset, offset), new);
    let comma = comma_after(text, last.end);
    let anchor = comma.map_or(last.end, |comma| comma + 1);
    let end = tail(text, anchor).unwrap_or(anchor);
    match (is_own_line, comma) {
        (true, Some(_)) => vec![at(end, line + ",")],
        (true, None) if end == last.end => vec![at(end, [",", &line].concat())],
        (true, None) => vec![at(last.end, ",".to_owned()), at(end, line)],
        (false, Some(_)) => vec![at(anchor, [&separator[1..], &written, ","].concat())],
        (false, None) => vec![at(last.end, [separator, &written].concat())],
    }
}

/// Fills brackets that hold no item, but perhaps a comment.
fn into_empty(text: &str, layout: &Layout, container: &Node, item: &Item<'_>) -> TextEdit {
    let inner = Span::new(container.span.start + 1, container.span.end - 1);
    let held = &text[inner.start..inner.end];
    let margin = indent(text, container.span.start);
    let deeper = layout.deeper(margin);
    let start = inner.start + held.trim_end().len();
    if !layout.is_spread && held.trim().is_empty() {
        return TextEdit::new(inner, item.written(layout, margin, Style::Inline));
    }
    let written = item.written(layout, &deeper, Style::Spread);
    TextEdit::new(Span::new(start, inner.end), [layout.newline, &deeper, &written, layout.newline, margin].concat())
}

fn insert_line(text: &str, layout: &Layout, spans: &[Span], (at, item): (usize, &Item<'_>)) -> String {
    let written = item.written(layout, "", Style::Inline);
    match spans.get(at) {
        Some(span) => {
            let start = line_start(text, span.start);
            [&text[..start], &written, layout.newline, &text[start..]].concat()
        }
        None if text.is_empty() || text.ends_with('\n') => [text, &written, layout.newline].concat(),
        None => [text, layout.newline, &written].concat(),
    }
}

/// Removes the item at `at`.
pub(super) fn remove(document: &Document<'_>, container: &Node, at: usize) -> String {
    let (text, spans) = (document.text, container.spans());
    let own = spans[at];
    if document.dialect == Dialect::Lines && container.span == document.root.span {
        return applied(text, vec![deletion(line_start(text, own.start), next_line(text, own.end))]);
    }
    let comma = comma_after(text, own.end);
    let end = comma.map_or(own.end, |comma| comma + 1);
    let line = tail(text, end).filter(|_| starts_line(text, own.start));
    let before = at.checked_sub(1).and_then(|before| comma_after(text, spans[before].end));
    let is_last = at + 1 == spans.len();
    if spans.len() == 1 {
        let inner = Span::new(container.span.start + 1, container.span.end - 1);
        let rest = [&text[inner.start..own.start], &text[end..inner.end]].concat();
        if rest.trim().is_empty() {
            return applied(text, vec![TextEdit::new(inner, "")]);
        }
    }
    let edits = match (line, before) {
        (Some(line), before) => {
            let lost = before.filter(|_| is_last && comma.is_none()).map(|comma| deletion(comma, comma + 1));
            lost.into_iter().chain([deletion(line_start(text, own.start), next_line(text, line))]).collect()
        }
        (None, Some(before)) if is_last && comma.is_none() => vec![deletion(before, own.end)],
        (None, Some(before)) if !starts_line(text, own.start) => vec![deletion(before + 1, end)],
        // What follows in the line takes its place.
        (None, _) => {
            vec![deletion(own.start, end + text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len())]
        }
    };
    applied(text, edits)
}

/// Tells where in its container an item stands that a step leads to.
pub(super) fn position(container: &Node, step: &Step) -> Option<usize> {
    match (&container.items, step) {
        (Items::Array(nodes), Step::Index(index)) => Some(*index).filter(|index| *index < nodes.len()),
        (Items::Object(members), Step::Name(name)) => members.iter().rposition(|member| member.name == *name),
        _ => None,
    }
}

impl Item<'_> {
    fn written(&self, layout: &Layout, indent: &str, style: Style) -> String {
        match self.name {
            Some(name) => layout.member(name, self.value, indent, style),
            None => layout.written(self.value, indent, style),
        }
    }
}

/// Tells whether a container that holds something stands in one line; nothing of other values.
fn is_inline(text: &str, node: &Node) -> Option<bool> {
    let held = !node.spans().is_empty();
    held.then(|| !text[node.span.start..node.span.end].contains('\n'))
}

fn deletion(start: usize, end: usize) -> TextEdit {
    TextEdit::new(Span::new(start, end), "")
}

fn applied(text: &str, edits: Vec<TextEdit>) -> String {
    TextEdits::new(edits).expect("the edits of one change are disjoint").apply(text)
}

fn next_line(text: &str, offset: usize) -> usize {
    text[offset..].find('\n').map_or(text.len(), |end| offset + end + 1)
}

/// Returns where the comma behind an item stands; comments may stand between them.
fn comma_after(text: &str, end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
        } else if let Some(length) = comment(rest) {
            at += length;
        } else {
            return rest.starts_with(',').then_some(at);
        }
    }
}

/// Returns the length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.strip_prefix("/*").map(|inside| inside.find("*/").map_or(text.len(), |end| end + 4))
}

/// Returns where the comments end that follow in the same line, if nothing else does.
fn tail(text: &str, from: usize) -> Option<usize> {
    let (mut at, mut end) = (from, from);
    loop {
        let rest = &text[at..];
        if let Some(length) = comment(rest) {
            if rest[..length].contains('\n') {
                return None;
            }
            at += length;
            end = at - usize::from(rest[..length].ends_with('\r'));
        } else if rest.starts_with([' ', '\t', '\r']) {
            at += 1;
        } else {
            return rest.starts_with('\n').then_some(end);
        }
    }
}
