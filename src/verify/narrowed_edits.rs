//! Edits without what they leave as it is.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::plan::difference;
use crate::text::{Span, TextEdit, TextEdits};

/// A stretch of more words than this is taken as a whole: to compare it word by word takes too long.
const MOST_WORDS: usize = 4_000;

/// Returns edits that lead to the same text and replace whole words only where these differ. The edits that are not
/// `wanted` stay as they are.
pub(super) fn narrowed(text: &str, edits: &TextEdits, is_wanted: impl Fn(&TextEdit) -> bool) -> TextEdits {
    let mut found = Vec::with_capacity(edits.len());
    for edit in edits {
        match edit.span.of(text) {
            Some(old) if is_wanted(edit) && !old.is_empty() => {
                found.extend(pieces(edit.span.start, old, &edit.new_text));
            }
            _ => found.push(edit.clone()),
        }
    }
    TextEdits::new(found).unwrap_or_else(|_| edits.clone())
}

/// Compares by lines, then each stretch of lines by words.
fn pieces(start: usize, old: &str, new: &str) -> Vec<TextEdit> {
    let mut found: Vec<TextEdit> = Vec::new();
    for hunk in difference(old, new) {
        let lines = hunk.span.of(old).unwrap_or_default();
        let (from, to): (Vec<&str>, Vec<&str>) = (words(lines).collect(), words(&hunk.new_text).collect());
        if lines.is_empty() || from.len() + to.len() > MOST_WORDS {
            found.push(TextEdit::new(Span::new(start + hunk.span.start, start + hunk.span.end), hunk.new_text));
            continue;
        }
        let at = |word: usize| start + hunk.span.start + from[..word].iter().map(|word| word.len()).sum::<usize>();
        for change in capture_diff_slices(Algorithm::Myers, &from, &to) {
            if !matches!(change, DiffOp::Equal { .. }) {
                let (gone, come) = (change.old_range(), change.new_range());
                found.push(TextEdit::new(Span::new(at(gone.start), at(gone.end)), to[come].concat()));
            }
        }
    }
    found
}

/// Cuts a text into names and numbers, white space, and every other character by itself.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '$') => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = kind(rest.chars().next()?);
        let is_end = |(at, c): &(usize, char)| *at > 0 && (first == 2 || kind(*c) != first);
        let end = rest.char_indices().find(is_end).map_or(rest.len(), |(at, _)| at);
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(old: &str, new: &str) -> Vec<(String, String)> {
        let edits = TextEdits::new(vec![TextEdit::new(Span::new(0, old.len()), new)]).unwrap();
        let edits = narrowed(old, &edits, |_| true);
        assert_eq!(edits.apply(old), new);
        edits.iter().map(|edit| (edit.span.of(old).unwrap().to_owned(), edit.new_text.clone())).collect()
    }

    #[test]
    fn an_edit_is_as_narrow_as_the_words_that_differ() {
        let own = |old: &str, new: &str| vec![(old.to_owned(), new.to_owned())];
        assert_eq!(cut("def f(a):\n    return a\n", "def f(a, b):\n    return a\n"), own("", ", b"));
        assert_eq!(cut("x = one\ny = 2\n", "x = once\ny = 2\n"), own("one", "once"));
        assert_eq!(cut("a\nb\n", "a\nc\nb\n"), own("", "c\n"));
        assert!(cut("same", "same").is_empty());
    }
}
