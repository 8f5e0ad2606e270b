//! The imports that tsserver adds: it tells their names in several steps, on the line of the last one, and takes a class that is
//! only a type as a value.

use crate::refactor::analysis::script_style::imports_types;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, TextEdit, TextEdits};

/// Lets new statements import as types what is nothing else, where the file does so.
pub(super) fn as_types(session: &Session, code: &Code, mut changes: Vec<TextEdit>) -> Vec<TextEdit> {
    const PLAIN: &str = "import {";
    let after = TextEdits::new(changes.clone()).ok().map(|edits| edits.apply(code.text()));
    let after = after.filter(|_| imports_types(code));
    let Some(after) = after.and_then(|text| code.with_text(session, text)) else { return changes };
    let names = ScopedNames::of(&after);
    let is_type = |name: &str| {
        let mut uses = names.named(name).filter(|it| !it.is_binding).peekable();
        uses.peek().is_some() && uses.all(|it| after.covering(it.span).is("type_identifier"))
    };
    for change in &mut changes {
        let Some(list) = change.new_text.trim_start().strip_prefix(PLAIN) else { continue };
        let mut items = list.split('}').next().unwrap_or_default().split(',').map(str::trim);
        if !list.contains("import") && items.all(|it| !it.starts_with("type ") && is_type(it)) {
            change.new_text = change.new_text.replacen("import ", "import type ", 1);
        }
    }
    changes
}

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
