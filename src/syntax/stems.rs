//! The ends of names that a program puts together as it runs: `"visit_" + kind`, `f"visit_{kind}"`, `"visit_%s"`,
//! `f"{kind}_handler"`, `f"on_{kind}_event"`.

use crate::syntax::whole_words;
use crate::text::Span;

/// Shorter words than this would fit any name.
const SHORTEST: usize = 3;
/// What stands shortly before a string that a member is asked for by (Python's built-in functions, and its `operator`).
const ASKING: [&str; 2] = ["attr(", "methodcaller("];
/// So far before it, in bytes.
const NEAR: usize = 120;

/// What is known of a name that is put together: how it begins and how it ends, one of which may be empty, and what stands
/// between the parts that are not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stem {
    pub begins: String,
    pub between: Vec<String>,
    pub ends: String,
}

impl Stem {
    /// Tells whether a name may be put together so.
    pub fn fits(&self, name: &str) -> bool {
        let Some(mut rest) = self.inside(name).filter(|rest| !rest.is_empty()) else { return false };
        self.between.iter().all(|part| {
            let found = rest.find(part.as_str());
            rest = found.map_or("", |at| &rest[at + part.len()..]);
            found.is_some()
        })
    }

    /// Tells whether nothing marks the ends as parts of a name (`"visit" + kind`): only where a member is asked for is one meant.
    pub fn is_loose(&self) -> bool {
        !self.begins.ends_with('_') && !self.ends.starts_with('_')
    }

    /// Tells whether it says too little to be a part of a name by itself: `"_" + name`.
    pub fn is_short(&self) -> bool {
        self.begins.len().max(self.ends.len()) < SHORTEST
    }

    fn inside<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(self.begins.as_str())?.strip_suffix(self.ends.as_str())
    }

    /// Returns what a name has where nothing is known; none where that is in several places.
    pub fn middle<'n>(&self, name: &'n str) -> Option<&'n str> {
        self.inside(name).filter(|_| self.between.is_empty())
    }

    /// Returns the name that has `middle` where nothing is known; none where that is in several places.
    pub fn around(&self, middle: &str) -> Option<String> {
        self.between.is_empty().then(|| format!("{}{middle}{}", self.begins, self.ends))
    }
}

/// Finds the words that a string begins with, that end in `_`, and that go on with what is not known yet, and the words
/// by which a string ends behind that, which begin with `_`; each with the place of its first word. Where a member is asked
/// for by the string, or it becomes a variable, the words need no `_` (`getattr(self, "visit" + kind)`). What has anything in it
/// that no name has is a sentence. Read without a grammar: a quote that ends a string is followed by no such word.
pub fn stems(text: &str) -> Vec<(Stem, Span)> {
    let bytes = text.as_bytes();
    let quotes = bytes.iter().enumerate().filter(|(_, byte)| is_quote(**byte)).map(|(at, _)| at + 1);
    quotes.filter_map(|start| begun(text, start).or_else(|| ended(text, start))).collect()
}

/// What asks for attributes and globals by names that a program makes (Python's built-in functions, and its `operator`), with the
/// place of the name among the arguments; nothing for what gives all.
pub const ATTRIBUTE_ACCESS: [(&str, Option<usize>); 7] = [
    ("getattr", Some(1)),
    ("setattr", Some(1)),
    ("hasattr", Some(1)),
    ("delattr", Some(1)),
    ("attrgetter", Some(0)),
    ("methodcaller", Some(0)),
    ("globals", None),
];

/// Tells whether a text asks for an attribute by anything but a name that is written out: `getattr(local, "conn", None)` is all
/// known. Read without a grammar, so that what is not surely written out counts as made.
pub fn asks_by_made_name(text: &str) -> bool {
    ATTRIBUTE_ACCESS.iter().any(|(word, place)| {
        let mut found = whole_words(text, word).into_iter();
        found.any(|span| !is_imported(text, span) && !place.is_some_and(|place| is_written_out(text, span.end, place)))
    })
}

fn is_imported(text: &str, word: Span) -> bool {
    let line = text[..word.start].rfind('\n').map_or(0, |at| at + 1);
    text[line..].starts_with("from ")
}

/// Tells whether the argument at a place of the call that begins behind a name is one string, as it stands.
fn is_written_out(text: &str, name_end: usize, place: usize) -> bool {
    let Some(mut rest) = text[name_end..].strip_prefix('(') else { return false };
    for _ in 0..place {
        if is_lone_string(rest) {
            // `monkeypatch.delattr("os.symlink")`: the name ends what is written out.
            return true;
        }
        let Some(comma) = comma(rest) else { return false };
        rest = &rest[comma + 1..];
    }
    is_lone_string(rest)
}

/// Tells whether what begins here is an argument that is one string of names, parted by dots at most.
fn is_lone_string(rest: &str) -> bool {
    let rest = rest.trim_ascii_start();
    let Some(quote) = rest.chars().next().filter(|it| matches!(it, '"' | '\'')) else { return false };
    let name = rest[1..].find(|it: char| !it.is_alphanumeric() && !matches!(it, '_' | '.')).unwrap_or(rest.len() - 1);
    let behind = rest[1 + name..].strip_prefix(quote).map(str::trim_ascii_start);
    behind.is_some_and(|behind| behind.starts_with([',', ')']))
}

/// Returns where the first argument ends, at its comma; nothing where it is the last one, or holds a string.
fn comma(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b',' if depth == 0 => return Some(at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' | b'#' => return None,
            _ => {}
        }
    }
    None
}

/// A string that begins with the beginning of a name.
fn begun(text: &str, start: usize) -> Option<(Stem, Span)> {
    let bytes = text.as_bytes();
    let span = word(bytes, start);
    let begins = span.of(text)?;
    let goes_on = bytes.get(span.end).is_some_and(|byte| is_quote(*byte) || is_filled(*byte));
    let is_marked = span.len() >= SHORTEST && begins.ends_with('_');
    if !goes_on || begins.starts_with("__") || begins.ends_with("__") || !is_marked && !is_loose(text, span) {
        return None;
    }
    let (between, ends) = rest(text, span.end)?;
    let ends = if is_end(ends, text) { ends.of(text)? } else { "" };
    Some((Stem { begins: begins.to_owned(), between, ends: ends.to_owned() }, span))
}

/// Tells whether a word at the beginning of a string is one of a name that a member is asked for by, or that becomes a variable.
fn is_loose(text: &str, word: Span) -> bool {
    let bytes = text.as_bytes();
    let is_closed = bytes.get(word.end).is_some_and(|byte| is_quote(*byte));
    let goes_on = !is_closed || text[word.end + 1..].trim_start_matches(' ').starts_with(['+', '%']);
    let line = text[..word.start].rfind('\n').map_or(0, |at| at + 1);
    let from =
        (line..=word.start).find(|at| word.start - at <= NEAR && text.is_char_boundary(*at)).unwrap_or(word.start);
    let before = text[from..word.start].trim_end_matches(['"', '\'', 'f', 'r', '(']).trim_end();
    let is_asked = ASKING.iter().any(|asking| before.contains(asking)) && before.ends_with(',');
    let is_assigned = before.strip_suffix('=').is_some_and(|left| left.ends_with(' ') && !left.contains(['"', '\'']));
    !word.is_empty() && goes_on && (is_asked || is_assigned)
}

/// A string of which only the end of a name is known: `f"{kind}_handler"`, `kind + "_handler"`.
fn ended(text: &str, start: usize) -> Option<(Stem, Span)> {
    let bytes = text.as_bytes();
    let (between, span) = match is_filled(*bytes.get(start)?) {
        true => rest(text, start)?,
        false => (Vec::new(), Some(word(bytes, start)).filter(|_| is_added(&bytes[..start - 1]))?),
    };
    let closes = bytes.get(span.end).is_some_and(|byte| is_quote(*byte));
    let ends = span.of(text)?.to_owned();
    (closes && is_end(span, text)).then(|| (Stem { begins: String::new(), between, ends }, span))
}

/// Tells whether a word may be how a name ends.
fn is_end(span: Span, text: &str) -> bool {
    span.of(text).is_some_and(|word| word.len() >= SHORTEST && word.starts_with('_') && !word.ends_with('_'))
}

/// Tells whether a string is added to what stands before it: `+`, then the letters that Python puts before a quote.
fn is_added(before: &[u8]) -> bool {
    let rest = before.trim_ascii_end();
    let letters = rest.iter().rev().take_while(|byte| matches!(byte, b'f' | b'r' | b'F' | b'R')).count();
    rest[..rest.len() - letters].trim_ascii_end().ends_with(b"+")
}

/// Reads on from what is filled in, to the end of the string: the words between, and the last one, which may be empty.
/// Nothing where the string holds anything else.
fn rest(text: &str, start: usize) -> Option<(Vec<String>, Span)> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut last = Span::new(start, start);
    loop {
        match bytes.get(last.end) {
            Some(byte) if is_quote(*byte) => break,
            Some(byte) if is_filled(*byte) => {}
            _ => return None,
        }
        // What cannot be read may be anything.
        let Some(at) = filled(bytes, last.end) else { return Some((words, Span::new(last.end, last.end))) };
        if last.end > start {
            words.push(last.of(text)?.to_owned());
        }
        last = word(bytes, at);
    }
    Some((words, last))
}

fn is_filled(byte: u8) -> bool {
    matches!(byte, b'{' | b'%' | b'$')
}

/// Returns where that ends which is filled in at a place: `{kind}`, `${kind}`, `%s`, `%(kind)s`, `%02d`.
fn filled(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    let to = |from: usize, end: &dyn Fn(&u8) -> bool| rest[from..].iter().position(end).map(|at| from + at);
    let opened = match rest {
        [b'%', b'(', ..] => to(2, &|byte| matches!(byte, b')' | b'\n')).filter(|at| rest[*at] == b')')? + 1,
        [b'%', ..] => 1,
        [b'$', b'{', ..] | [b'{', ..] => {
            let opened = if rest[0] == b'$' { 2 } else { 1 };
            let end = to(opened, &|byte| matches!(byte, b'{' | b'}' | b'\n'))?;
            return (rest[end] == b'}').then_some(start + end + 1);
        }
        _ => return None,
    };
    let letter = to(opened, &|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'#' | b'.'))?;
    rest[letter].is_ascii_alphabetic().then_some(start + letter + 1)
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
    fn a_stem_needs_no_mark_where_a_member_is_asked_for() {
        let text =
            "getattr(self, 'visit' + kind); name = f\"on{kind}\"\nlog('done' + x); at = 'here'; getattr(a, 'b', 'c')";
        assert_eq!(found(text), pairs(&[("visit", "")]));
        assert_eq!(found("name = f\"on{kind}\""), pairs(&[("on", "")]));
    }

    #[test]
    fn a_stem_may_be_the_end() {
        let text =
            "f\"{kind}_handler\"; x + '_event'; x + f\"_%s\"; \"%s_of\"; `${k}_done`; '_alone'; f\"{a}_{b}_last\"";
        assert_eq!(found(text), pairs(&[("", "_handler"), ("", "_event"), ("", "_of"), ("", "_done"), ("", "_last")]));
        let text = "f\"on_{kind}_event\"; f\"{kind}_handler failed\"; f\"on_{kind}: {x}\"; \"\" + y; \"on_%(kind)s\"; 'at_%02d_x'";
        assert_eq!(found(text), pairs(&[("on_", "_event"), ("on_", ""), ("at_", "")]));
    }

    #[test]
    fn a_name_has_something_between_its_ends() {
        let stem = Stem { begins: "on_".to_owned(), between: Vec::new(), ends: "_event".to_owned() };
        assert!(stem.fits("on_close_event") && !stem.fits("on_event") && !stem.fits("on__event"));
        assert_eq!(stem.around("close").as_deref(), Some("on_close_event"));
    }

    #[test]
    fn a_name_has_what_stands_between_its_unknown_parts() {
        let [(stem, _)] = stems("\"test_%s_in_%s\" % (kind, place)").try_into().unwrap();
        assert_eq!((&*stem.begins, &*stem.between, &*stem.ends), ("test_", &["_in_".to_owned()][..], ""));
        assert!(stem.fits("test_order_in_shop") && !stem.fits("test_order") && stem.around("order").is_none());
        let [(stem, _)] = stems("f\"{a}_{b}_last\"").try_into().unwrap();
        assert!(stem.fits("one_two_last") && !stem.fits("two_last"));
    }

    #[test]
    fn a_name_that_is_written_out_is_not_made() {
        for known in [
            "getattr(local, 'conn', None)",
            "getattr(make(1, [2]), \"conn\")",
            "from operator import attrgetter\nattrgetter('a')",
            "hasattr( x , 'y' )",
            "monkeypatch.delattr(\"os.O_NOFOLLOW\")",
            "monkeypatch.setattr('os.path', name)",
        ] {
            assert!(!asks_by_made_name(known), "{known}");
        }
        for made in [
            "getattr(self, name)",
            "getattr(self, 'visit_' + kind)",
            "setattr(self, f'a_{b}', 1)",
            "map(getattr, all)",
            "globals()[name]",
            "getattr(d['a'], 'b')",
        ] {
            assert!(asks_by_made_name(made), "{made}");
        }
    }
}
