//! Blank lines that a server leaves where it takes a declaration out, of which no formatter leaves two.

use crate::plan::Plan;
use crate::text::{Span, TextEdit};

/// Takes the blank lines away that stood before or behind what a plan deletes, so that no more are left than stood there.
pub(super) fn closed_up(plan: Plan) -> Plan {
    let mut parts = plan.clone().into_parts();
    for (text, edits) in parts.edits.values_mut() {
        edits.sort();
        let starts: Vec<usize> = edits.iter().skip(1).map(|it| it.span.start).chain([usize::MAX]).collect();
        for (edit, next) in edits.iter_mut().zip(starts) {
            let span = widened(text.as_str(), edit);
            if span.end <= next {
                edit.span = span;
            }
        }
    }
    Plan::new(parts).unwrap_or(plan)
}

/// Returns the stretch of a deletion of whole lines that leaves no more blank lines than stood on one of its sides.
fn widened(text: &str, edit: &TextEdit) -> Span {
    let Span { start, end } = edit.span;
    let (before, behind) = (&text[..start], &text[end..]);
    let space_before = &before[before.trim_end().len()..];
    let space_behind = &behind[..behind.len() - behind.trim_start().len()];
    let lines = |space: &str| space.matches('\n').count();
    if !edit.new_text.trim().is_empty() || lines(space_before) == 0 || lines(space_behind) == 0 {
        return edit.span;
    }
    let (above, below) = (lines(space_before), lines(space_behind));
    let is_opening = before.trim_end().ends_with(['{', '(', '[', ':']);
    let is_closing = behind.trim_start().starts_with(['}', ')', ']']);
    // What goes with the end of its line leaves that of the line before it.
    let below_it = below + usize::from(text[start..end].ends_with('\n'));
    let wanted = if is_opening || is_closing { 1 } else { above.max(below_it) };
    let surplus = (above + lines(&edit.new_text) + below).saturating_sub(wanted).min(below);
    let Some(last) = surplus.checked_sub(1) else { return edit.span };
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Span::new(line_start, end + space_behind.match_indices('\n').nth(last).map_or(0, |(at, _)| at + 1))
}

#[cfg(test)]
mod tests {
    use super::widened;
    use crate::text::{Span, TextEdit};

    fn without(text: &str, piece: &str) -> String {
        let start = text.find(piece).unwrap();
        let span = widened(text, &TextEdit::new(Span::new(start, start + piece.len()), ""));
        format!("{}{}", &text[..span.start], &text[span.end..])
    }

    #[test]
    fn one_blank_line_is_left_of_two() {
        assert_eq!(without("{\n  a() {}\n\n  b() {}\n\n  c() {}\n}\n", "b() {}"), "{\n  a() {}\n\n  c() {}\n}\n");
        assert_eq!(without("{\n  a() {}\n\n  b() {}\n\n  c() {}\n}\n", "  b() {}\n"), "{\n  a() {}\n\n  c() {}\n}\n");
        assert_eq!(without("{\n  b() {}\n\n  c() {}\n}\n", "  b() {}\n"), "{\n  c() {}\n}\n");
        assert_eq!(without("let a = 1, b = 2;\n", ", b = 2"), "let a = 1;\n");
        assert_eq!(without("import a;\nimport b;\n\nrun();\n", "import b;\n"), "import a;\n\nrun();\n");
    }
}
