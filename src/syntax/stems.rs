//! The ends of names that a program puts together as it runs: `"visit_" + kind`, `f"visit_{kind}"`, `"visit_%s"`,
//! `f"{kind}_handler"`, `f"on_{kind}_event"`.

use crate::text::Span;

/// Shorter words than this would fit any name.
const SHORTEST: usize = 3;

/// What is known of a name that is put together: how it begins and how it ends, one of which may be empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stem {
    pub begins: String,
    pub ends: String,
}

impl Stem {
    /// Tells whether a name may be put together so.
    pub fn fits(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.begins.as_str()).and_then(|rest| rest.strip_suffix(self.ends.as_str()));
        rest.is_some_and(|rest| !rest.is_empty())
    }

    /// Returns the name that has `middle` where nothing is known.
    pub fn around(&self, middle: &str) -> String {
        format!("{}{middle}{}", self.begins, self.ends)
    }
}

/// Finds the words that a string begins with, that end in `_`, and that go on with what is not known yet, and the words
/// by which a string ends behind that, which begin with `_`; each with the place of its first word. Read without a
/// grammar: a quote that ends a string is followed by no such word.
pub fn stems(text: &str) -> Vec<(Stem, Span)> {
    let bytes = text.as_bytes();
    let quotes = bytes.iter().enumerate().filter(|(_, byte)| is_quote(**byte)).map(|(at, _)| at + 1);
    quotes.filter_map(|start| begun(text, start).or_else(|| ended(text, start))).collect()
}

/// A string that begins with the beginning of a name.
fn begun(text: &str, start: usize) -> Option<(Stem, Span)> {
    let bytes = text.as_bytes();
    let span = word(bytes, start);
    let begins = span.of(text)?;
    let goes_on = bytes.get(span.end).is_some_and(|byte| is_quote(*byte) || matches!(byte, b'{' | b'%' | b'$'));
    if !goes_on || span.len() < SHORTEST || !begins.ends_with('_') || begins.starts_with("__") || begins.ends_with("__")
    {
        return None;
    }
    let ends = end(text, span.end).and_then(|span| span.of(text)).unwrap_or_default();
    Some((Stem { begins: begins.to_owned(), ends: ends.to_owned() }, span))
}

/// A string of which only the end of a name is known: `f"{kind}_handler"`, `kind + "_handler"`.
fn ended(text: &str, start: usize) -> Option<(Stem, Span)> {
    let bytes = text.as_bytes();
    let span = end(text, start).or_else(|| Some(word(bytes, start)).filter(|_| is_added(&bytes[..start - 1])))?;
    let ends = span.of(text)?;
    let is_end = bytes.get(span.end).is_some_and(|byte| is_quote(*byte));
    let is_long = is_end && span.len() >= SHORTEST && ends.starts_with('_') && !ends.ends_with('_');
    is_long.then(|| (Stem { begins: String::new(), ends: ends.to_owned() }, span))
}

/// Tells whether a string is added to what stands before it: `+`, then the letters that Python puts before a quote.
fn is_added(before: &[u8]) -> bool {
    let rest = before.trim_ascii_end();
    let letters = rest.iter().rev().take_while(|byte| matches!(byte, b'f' | b'r' | b'F' | b'R')).count();
    rest[..rest.len() - letters].trim_ascii_end().ends_with(b"+")
}

/// The word behind what is filled in, one or more times, up to the end of the string.
fn end(text: &str, start: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let mut at = filled(bytes, start)?;
    loop {
        let span = word(bytes, at);
        if bytes.get(span.end).is_some_and(|byte| is_quote(*byte)) {
            let is_end = span.len() >= SHORTEST && bytes[span.start] == b'_' && bytes[span.end - 1] != b'_';
            return is_end.then_some(span);
        }
        at = filled(bytes, span.end)?;
    }
}

/// Returns where that ends which is filled in at a place: `{kind}`, `${kind}`, `%s`.
fn filled(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    let opened = match rest {
        [b'%', b's', ..] => return Some(start + 2),
        [b'$', b'{', ..] => 2,
        [b'{', ..] => 1,
        _ => return None,
    };
    let end = rest[opened..].iter().position(|byte| matches!(byte, b'{' | b'}' | b'\n'))?;
    (rest[opened + end] == b'}').then_some(start + opened + end + 1)
}

fn word(bytes: &[u8], start: usize) -> Span {
    let rest = &bytes[start..];
    let is_word = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
    Span::new(start, start + rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len()))
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String)> {
        stems(text).into_iter().map(|(stem, _)| (stem.begins, stem.ends)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(begins, ends)| ((*begins).to_owned(), (*ends).to_owned())).collect()
    }

    #[test]
    fn a_stem_goes_on_with_what_is_not_known() {
        let text = "f\"visit_{kind}\" + 'on_' + x; \"get_%s\"; `_print_${k}`; \"done\"; \"a_ b\"; '__init__'; \"é_\"";
        assert_eq!(found(text), pairs(&[("visit_", ""), ("on_", ""), ("get_", ""), ("_print_", "")]));
    }

    #[test]
    fn a_stem_may_be_the_end() {
        let text =
            "f\"{kind}_handler\"; x + '_event'; x + f\"_%s\"; \"%s_of\"; `${k}_done`; '_alone'; f\"{a}_{b}_last\"";
        assert_eq!(found(text), pairs(&[("", "_handler"), ("", "_event"), ("", "_of"), ("", "_done"), ("", "_last")]));
        let text = "f\"on_{kind}_event\"; f\"{kind}_handler failed\"; f\"on_{kind}: {x}\"; \"\" + y";
        assert_eq!(found(text), pairs(&[("on_", "_event"), ("on_", "")]));
    }

    #[test]
    fn a_name_has_something_between_its_ends() {
        let stem = Stem { begins: "on_".to_owned(), ends: "_event".to_owned() };
        assert!(stem.fits("on_close_event") && !stem.fits("on_event") && !stem.fits("on__event"));
        assert_eq!(stem.around("close"), "on_close_event");
    }
}
