//! Methods that come from a static accessor: tsserver (6.0) leaves the word `static` out, and calls them on the class all the
//! same.

use crate::syntax::Node;
use crate::text::TextEdit;

/// Makes the new method static where the member that it comes from is.
pub(super) fn marked(statements: &[Node<'_>], name: &str, mut changes: Vec<TextEdit>) -> Vec<TextEdit> {
    let member = statements[0].ancestors().find(|it| it.parent().is_some_and(|outer| outer.is("class_body")));
    let is_static = member.is_some_and(|it| it.is("class_static_block") || it.child_of_kind("static").is_some());
    for change in changes.iter_mut().filter(|_| is_static) {
        if let Some(at) = unmarked(&change.new_text, name) {
            change.new_text.insert_str(at, "static ");
        }
    }
    changes
}

/// Returns where the word belongs in a text that declares the method without it.
fn unmarked(text: &str, name: &str) -> Option<usize> {
    const FIRST: &str = "private ";
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let said = &line[indent..];
        let modifiers = said.split_once(name).filter(|(_, rest)| rest.starts_with(['(', '<'])).map(|(ahead, _)| ahead);
        let is_it =
            modifiers.is_some_and(|it| it.split_whitespace().all(|word| ["private", "async", "*"].contains(&word)));
        if is_it && line.trim_end().ends_with('{') {
            return Some(start + indent + if said.starts_with(FIRST) { FIRST.len() } else { 0 });
        }
        start += line.len();
    }
    None
}
