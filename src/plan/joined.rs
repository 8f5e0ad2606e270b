//! Two changes of one text, made apart.

use super::difference;
use crate::text::{TextEdit, TextEdits};

/// Returns the text with both changes; nothing where they touch the same lines, or lines next to each other.
pub fn joined(base: &str, one: &str, other: &str) -> Option<String> {
    let (own, theirs) = (difference(base, one), difference(base, other));
    let is_apart = |edit: &TextEdit| {
        theirs.iter().all(|it| it == edit || it.span.end < edit.span.start || edit.span.end < it.span.start)
    };
    if !own.iter().all(is_apart) {
        return None;
    }
    Some(TextEdits::new(own.into_iter().chain(theirs).collect()).ok()?.apply(base))
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn changes_of_other_lines_are_joined() {
        let base = "a\nb\nc\nd\n";
        assert_eq!(joined(base, "x\nb\nc\nd\n", "a\nb\nc\ny\n").as_deref(), Some("x\nb\nc\ny\n"));
        assert_eq!(joined(base, "x\nb\nc\nd\n", "x\nb\nc\nd\n").as_deref(), Some("x\nb\nc\nd\n"));
        assert_eq!(joined(base, "x\nb\nc\nd\n", "y\nb\nc\nd\n"), None);
        assert_eq!(joined(base, "x\nb\nc\nd\n", "a\ny\nc\nd\n"), None);
    }
}
