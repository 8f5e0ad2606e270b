//! The names that tsserver adds to an import: it tells them in several steps, and on the line of the last name.

use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Joins what is inserted at one place, in the order that it is told in, and gives a name its line where all have one.
pub(super) fn in_order(code: &Code, changes: Vec<TextEdit>) -> Vec<TextEdit> {
    let mut joined: Vec<TextEdit> = Vec::with_capacity(changes.len());
    for change in changes {
        match joined.iter_mut().find(|other| other.span.is_empty() && other.span == change.span) {
            Some(other) => other.new_text.push_str(&change.new_text),
            None => joined.push(change),
        }
    }
    for change in &mut joined {
        if let Some(text) = on_own_line(code, change) {
            change.new_text = text;
        }
    }
    joined
}

/// Writes names that come behind the last one of a list as the list has its own, where these stand on lines of their own.
fn on_own_line(code: &Code, change: &TextEdit) -> Option<String> {
    let is_around = |it: &Node<'_>| it.is("named_imports") && it.span().contains(change.span);
    let list = code.root().descendants().find(is_around).filter(|_| change.span.is_empty())?;
    let last = list.named_children().filter(|it| it.is("import_specifier") && it.end() <= change.span.start).last()?;
    let line = Span::new(code.line_start(last.start()), last.start());
    let is_alone = line.start > list.start() && line.of(code.text())?.trim().is_empty();
    let names = change.new_text.trim_start().strip_prefix(',')?.trim();
    let gap = format!("{}{}", code.newline(), code.indent(last.start()));
    is_alone.then(|| format!(",{gap}{names}"))
}
