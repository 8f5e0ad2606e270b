//! Whole words in a text, without a grammar.

use crate::text::Span;

/// Finds every place where `word` stands as a whole word: letters and digits of any script, combining
/// marks, `_` and `$` are parts of words.
pub fn whole_words(text: &str, word: &str) -> Vec<Span> {
    if word.is_empty() {
        return Vec::new();
    }
    memchr::memmem::find_iter(text.as_bytes(), word.as_bytes())
        .map(|start| Span::new(start, start + word.len()))
        .filter(|span| is_whole(text, *span))
        .collect()
}

/// Returns what a text has become by its bytes; none where it is the same.
pub(super) fn changed(text: &str, bytes: Vec<u8>) -> Option<String> {
    (bytes != text.as_bytes()).then(|| String::from_utf8(bytes).ok()).flatten()
}

fn is_whole(text: &str, span: Span) -> bool {
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    let word = &text[span.start..span.end];
    // A word that begins with a sigil (`#name`) needs no boundary on that side.
    let opens = word.chars().next().is_none_or(|first| !is_word(first)) || before.is_none_or(|c| !is_word(c));
    let closes = word.chars().next_back().is_none_or(|last| !is_word(last)) || after.is_none_or(|c| !is_word(c));
    opens && closes
}

/// Tells whether a character can be inside a word.
pub(super) fn is_word(character: char) -> bool {
    character == '_' || character == '$' || character.is_alphanumeric() || is_mark(character)
}

/// Combining marks and joiners continue an identifier (Unicode Annex 31) though they are no letters.
fn is_mark(character: char) -> bool {
    matches!(character,
        '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0487}' | '\u{0591}'..='\u{05BD}' | '\u{064B}'..='\u{065F}'
        | '\u{093A}'..='\u{094F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{200C}' | '\u{200D}'
        | '\u{20D0}'..='\u{20F0}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}')
}
