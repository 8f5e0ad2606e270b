//! Statements taken out of their blocks.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::source_file::{Code, is_lone_string};
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Takes statements out, as edits of [`super::edits::Edits`]. A block of Python that loses all that it has gets `pass`.
///
/// # Errors
/// Where one of them shares its lines with something else.
pub(crate) fn without_statements(code: &Code, gone: &[Node<'_>]) -> Result<Vec<TextEdit>, Refusal> {
    let mut edits = Vec::new();
    for statement in gone {
        let beside = || statement.parent().into_iter().flat_map(Node::named_children);
        let is_block = statement.parent().is_some_and(|it| it.is("block") && code.family() == Family::Python);
        let is_emptied = is_block && beside().all(|it| gone.contains(&it));
        edits.push(match is_emptied && beside().next() == Some(*statement) {
            true => TextEdit::new(statement.span(), "pass"),
            false => TextEdit::new(whole_lines(code, *statement)?, ""),
        });
    }
    Ok(edits)
}

/// Returns the lines of a statement that has them for itself, with the comment above them that is about nothing else, and with an
/// empty one behind them where nothing that is done stands before them.
fn whole_lines(code: &Code, statement: Node<'_>) -> Result<Span, Refusal> {
    let (start, end) = (code.line_start(statement.start()), code.next_line(statement.end()));
    let around = [&code.text()[start..statement.start()], &code.text()[statement.end()..end]];
    if around.iter().any(|rest| !rest.trim().trim_end_matches(';').is_empty()) {
        return Err(code.refuse(statement.start(), "the declaration shares its line with something else"));
    }
    let lines = with_comment(code, Span::new(start, end));
    let is_empty = |from: usize, to: usize| from < to && code.text()[from..to].trim().is_empty();
    let before = lines.start.checked_sub(1).map(|before| code.line_start(before));
    let behind = code.next_line(end);
    let is_apart = before.is_some_and(|before| is_empty(before, lines.start));
    // Where one stands before them, too, the edits of the file leave no more of them than the side that has more.
    let is_spare = !is_apart && begins(statement) && is_empty(end, behind);
    Ok(Span::new(lines.start, if is_spare { behind } else { end }))
}

/// Tells whether a statement is the first that its block does: a docstring may stand before it.
fn begins(statement: Node<'_>) -> bool {
    let block = statement.parent().filter(|it| it.parent().is_some());
    block.is_some_and(|it| {
        let mut before = it.children().take_while(|it| *it != statement);
        before.all(|it| it.kind() == "{" || is_lone_string(it))
    })
}

/// Adds the comment right above lines that stand between empty ones: it is about nothing else.
pub(crate) fn with_comment(code: &Code, lines: Span) -> Span {
    let text = code.text();
    let is_empty = |at: usize| text[at..code.line_end(at)].trim().is_empty();
    let above = code.line_start(comments_above(code, lines.start));
    let is_apart = above < lines.start && above > 0 && is_empty(code.line_start(above - 1)) && is_empty(lines.end);
    if is_apart { Span::new(above, lines.end) } else { lines }
}
