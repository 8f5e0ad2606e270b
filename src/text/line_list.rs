//! The lines of stretches, as a message names them.

use super::{Span, Text};

/// At most so many lines are named.
const LINES: usize = 8;

/// Names the lines in which stretches begin, 1-based: `line 3`, `lines 3, 5 and 2 more`.
pub fn line_list(text: &Text, spans: &[Span]) -> String {
    let mut lines: Vec<u32> = spans.iter().filter_map(|span| text.position(span.start)).map(|at| at.line + 1).collect();
    lines.dedup();
    let shown: Vec<String> = lines.iter().take(LINES).map(u32::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let rest = lines.len().saturating_sub(LINES);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{word} {}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_lines_are_named_each_once() {
        let text = Text::new("a a\n".repeat(12));
        let at = |start: usize| Span::new(start, start + 1);
        assert_eq!(line_list(&text, &[at(4), at(6)]), "line 2");
        let all: Vec<Span> = (0..12).map(|line| at(line * 4)).collect();
        assert_eq!(line_list(&text, &all), "lines 1, 2, 3, 4, 5, 6, 7, 8 and 4 more");
    }
}
