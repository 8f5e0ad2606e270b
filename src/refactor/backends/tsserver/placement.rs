//! Where a function that tsserver made comes to stand: not behind what a module ends with, and with no indentation, which
//! tsserver gives it there (seen with TypeScript 5.4 and 6.0).

use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Puts a function that would stand behind the last export of a module below the statement that its lines come from.
pub(super) fn beside(
    (code, statements): (&Code, &[Node<'_>]),
    name: &str,
    mut changes: Vec<TextEdit>,
) -> Vec<TextEdit> {
    let is_top = |it: &Node<'_>| it.parent().is_some_and(|outer| outer.parent().is_none());
    let around = statements[0].ancestors().find(is_top);
    let last = code.root().named_children().filter(|it| !it.is("comment")).last();
    for change in changes.iter_mut().filter(|it| it.span.is_empty()) {
        let Some(lines) = at_margin(&change.new_text, name) else { continue };
        let is_behind = last.is_some_and(|it| change.span.start >= it.end() && hands_out(code, it));
        match around.filter(|_| is_behind) {
            Some(around) => {
                let gap = code.newline().repeat(2);
                *change = TextEdit::new(Span::at(around.end()), format!("{gap}{}", lines.trim()));
            }
            None => change.new_text = lines,
        }
    }
    changes
}

/// Takes the indentation of a function from the lines of a text; nothing where the text holds no such function.
fn at_margin(text: &str, name: &str) -> Option<String> {
    let begins = |line: &&str| {
        let said = line.trim_start();
        let said = said.strip_prefix("async ").unwrap_or(said).strip_prefix("function").unwrap_or_default();
        said.trim_start_matches(['*', ' ']).strip_prefix(name).is_some_and(|it| it.starts_with(['(', '<']))
    };
    let first = text.lines().find(begins)?;
    let indent = &first[..first.len() - first.trim_start().len()];
    Some(text.split_inclusive('\n').map(|line| line.strip_prefix(indent).unwrap_or(line)).collect())
}

/// Tells whether a statement does nothing but to hand out what stands above it.
fn hands_out(code: &Code, statement: Node<'_>) -> bool {
    let is_list = statement.child_of_kind("export_clause").is_some() && statement.child("source").is_none();
    let is_value = statement.is("export_statement") && statement.child("value").is_some_and(|it| it.is("identifier"));
    is_list || is_value || statement.is("expression_statement") && code.hands_out().is_some()
}
