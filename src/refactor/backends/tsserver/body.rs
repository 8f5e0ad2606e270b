//! The statements of a function that tsserver made, as they stood where they were taken from: it prints them anew, with lines
//! and commas of its own.

use crate::refactor::analysis::indentation::Layout;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Writes those statements of a made function that say the same as before as they were written.
pub(super) fn rewritten((code, statements): (&Code, &[Node<'_>]), made: &Code, function: Node<'_>) -> Vec<TextEdit> {
    let Some(body) = function.child("body") else { return Vec::new() };
    let old = statements.iter().copied().filter(|it| !it.is("comment"));
    let mut new = body.named_children();
    if let ([only], Some(returned)) = (statements, new.next()) {
        let value = declared(*only).zip(returned.named_children().next().filter(|_| returned.is("return_statement")));
        if let Some((old, new)) = value.filter(|(old, new)| words(code, *old) == words(made, *new)) {
            let indent = made.indent(returned.start());
            return vec![TextEdit::new(new.span(), Layout::of(code).moved(old.span(), indent))];
        }
    }
    let new = body.named_children();
    let pairs: Vec<(Node<'_>, Node<'_>)> =
        old.zip(new).take_while(|(old, new)| words(code, *old) == words(made, *new)).collect();
    let (Some((old, new)), Some((last_old, last_new))) = (pairs.first(), pairs.last()) else { return Vec::new() };
    let before = Span::new(old.start(), last_old.end());
    // A comment that tsserver put elsewhere would be there twice.
    let after = Span::new(new.start(), last_new.end());
    if comments(code, before) < comments(made, after) {
        return Vec::new();
    }
    let indent = made.indent(new.start());
    vec![TextEdit::new(after, Layout::of(code).moved(before, indent))]
}

/// Returns the value of the only variable that a statement declares.
fn declared(statement: Node<'_>) -> Option<Node<'_>> {
    let mut declarators = statement.named_children().filter(|it| it.is("variable_declarator"));
    let only = declarators.next().filter(|_| statement.is("lexical_declaration"));
    only.filter(|_| declarators.next().is_none()).and_then(|it| it.child("value"))
}

/// Returns what a statement says, without what printing it anew may change.
fn words<'c>(code: &'c Code, statement: Node<'c>) -> Vec<&'c str> {
    let is_said = |node: &Node<'_>| node.is_leaf() && !node.is("comment") && !matches!(node.kind(), "," | ";");
    let words = std::iter::once(statement).chain(statement.descendants()).filter(is_said);
    words.map(|it| it.text(code.text()).trim()).filter(|it| !it.is_empty()).collect()
}

fn comments(code: &Code, span: Span) -> usize {
    code.root().descendants().filter(|it| it.is("comment") && span.contains(it.span())).count()
}
