//! What a program said, as much of it as there is room for.

use std::borrow::Cow;

use crate::lsp::CapturedOutput;

/// Shows the beginning and the end of an output, and tells whether something between them is left out. What is no text is
/// not shown.
pub(super) fn shown(said: &CapturedOutput, (head, tail): (usize, usize)) -> (String, bool) {
    let (first, between, last) = said.ends(head, tail);
    if first.contains(&0) || last.contains(&0) {
        let bytes = first.len() + between + last.len();
        return (
            format!("[lspwright: {bytes} bytes that are no text are left out; `| xxd | head` shows some]\n"),
            true,
        );
    }
    if between == 0 {
        return (text(&first).into_owned(), false);
    }
    // Whole lines, where there are any.
    let first_end = memchr::memrchr(b'\n', &first).map_or(first.len(), |end| end + 1);
    let last_start = memchr::memchr(b'\n', &last).map_or(0, |start| start + 1);
    let last_start = if last_start == last.len() { 0 } else { last_start };
    let left_out = between + first.len() - first_end + last_start;
    let (first, last) = (text(&first[..first_end]), text(&last[last_start..]));
    let gap = if first.ends_with('\n') { "" } else { "\n" };
    (format!("{first}{gap}[lspwright: {left_out} bytes are left out here]\n{last}"), true)
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
