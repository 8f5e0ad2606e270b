//! Variance annotations of TypeScript's type parameters (`in T`, `out T`), which its grammar here does not know.

use std::ops::Range;

use super::Language;
use super::words::changed;

/// Returns a text of the same length with blanks for what may be an annotation; none where there is nothing of the kind.
/// It looks at words alone, so that strings and comments may lose such a word, too: a tree says only where they are.
pub(super) fn blanked(language: Language, text: &str) -> Option<String> {
    if !language.is_typed_script() {
        return None;
    }
    let mut blank = text.as_bytes().to_vec();
    for annotation in annotations(text) {
        blank[annotation].fill(b' ');
    }
    changed(text, blank)
}

/// Returns a list of type parameters without annotations.
pub fn without_variance(list: &str) -> String {
    let mut bare = list.to_owned();
    for annotation in annotations(list).into_iter().rev() {
        let gap = list[annotation.end..].len() - list[annotation.end..].trim_start().len();
        bare.replace_range(annotation.start..annotation.end + gap, "");
    }
    bare
}

/// Returns the words that may be annotations.
fn annotations(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut before, mut at) = (Vec::new(), b' ', 0);
    while at < bytes.len() {
        if let Some(comment) = comment_length(&bytes[at..]) {
            at += comment;
            continue;
        }
        let word = bytes[at..].iter().take_while(|byte| is_of_word(**byte)).count();
        let is_annotation = matches!(&bytes[at..at + word], b"in" | b"out")
            && matches!(before, b'<' | b',')
            && is_before_a_word(&bytes[at + word..]);
        if is_annotation {
            found.push(at..at + word);
        } else if word > 0 || !bytes[at].is_ascii_whitespace() {
            before = bytes[at];
        }
        at += word.max(1);
    }
    found
}

/// Returns how long a comment is that begins a text.
fn comment_length(text: &[u8]) -> Option<usize> {
    let (begin, end): (&[u8], &[u8]) = match text {
        [b'/', b'*', ..] => (b"/*", b"*/"),
        [b'/', b'/', ..] => (b"//", b"\n"),
        _ => return None,
    };
    let inner = &text[begin.len()..];
    let found = inner.windows(end.len()).position(|window| window == end);
    Some(found.map_or(text.len(), |at| begin.len() + at + end.len()))
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Tells whether white space and then a word follow.
fn is_before_a_word(rest: &[u8]) -> bool {
    let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    blanks > 0 && rest.get(blanks).is_some_and(|byte| is_of_word(*byte))
}
