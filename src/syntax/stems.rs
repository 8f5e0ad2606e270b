//! The beginnings of names that a program puts together as it runs: `"visit_" + kind`, `f"visit_{kind}"`, `"visit_%s"`.

use crate::text::Span;

/// Shorter beginnings than this would fit any name.
const SHORTEST: usize = 3;

/// Finds the words that a string begins with, that end in `_`, and that go on with what is not known yet. Read without
/// a grammar: a quote that ends a string is followed by no such word.
pub fn stems(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let quotes = bytes.iter().enumerate().filter(|(_, byte)| is_quote(byte)).map(|(at, _)| at + 1);
    quotes.filter_map(|start| stem(bytes, start)).collect()
}

fn stem(bytes: &[u8], start: usize) -> Option<Span> {
    let rest = &bytes[start..];
    let is_word = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
    let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(length);
    let goes_on = matches!(behind.first(), Some(b'{' | b'%' | b'$' | b'"' | b'\'' | b'`'));
    let is_dunder = word.starts_with(b"__") || word.ends_with(b"__");
    (goes_on && length >= SHORTEST && word.ends_with(b"_") && !is_dunder).then(|| Span::new(start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_goes_on_with_what_is_not_known() {
        let text = "f\"visit_{kind}\" + 'on_' + x; \"get_%s\"; `_print_${k}`; \"done\"; \"a_ b\"; '__init__'; \"é_\"";
        let found: Vec<&str> = stems(text).into_iter().filter_map(|span| span.of(text)).collect();
        assert_eq!(found, ["visit_", "on_", "get_", "_print_"]);
    }
}
