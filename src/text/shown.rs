//! How words of others are shown: visible, on one line, and marked as quoted.
//!
//! File names, what servers say and what programs write are material. Put into a sentence of ours they must neither
//! steer a terminal nor pass for a sentence, or a line, of our own.

use std::borrow::Cow;

/// How much of somebody's words stands in a sentence, in characters.
const MOST_QUOTED: usize = 500;

/// Tells whether a character is not seen, but acts: a control character, one that turns the direction of writing, one
/// without any width that no script needs.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns `text` with every hidden character but line feeds and tabs written as `\u{1b}`: fit for a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    let acts = |character: char| is_hidden(character) && !matches!(character, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match acts(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Returns `text` visible and on one line, the lines joined by spaces.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let ends_line = |character: char| matches!(character, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}');
    if !text.contains(ends_line) {
        return visible(text);
    }
    let lines = text.split(ends_line).map(str::trim).filter(|line| !line.is_empty());
    let joined = lines.collect::<Vec<_>>().join(" ");
    Cow::Owned(visible(&joined).into_owned())
}

/// Quotes the words of somebody else: in backticks, of which none is left inside, visible, on one line, and no more than
/// fits into a sentence.
pub fn quoted(text: &str) -> String {
    let line = without_backticks(text);
    match line.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

/// As [`quoted`], but of what is too long the end, where the reason mostly stands.
pub fn quoted_end(text: &str) -> String {
    let line = without_backticks(text);
    match line.char_indices().nth_back(MOST_QUOTED) {
        Some((start, first)) => format!("`…{}`", &line[start + first.len_utf8()..]),
        None => format!("`{line}`"),
    }
}

/// Tells a number of things: `1 file`, `2 files`.
pub fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

fn without_backticks(text: &str) -> String {
    one_line(text.trim()).replace('`', "'")
}

#[cfg(test)]
mod tests {
    use super::{is_hidden, one_line, quoted, quoted_end, visible};

    #[test]
    fn what_acts_is_seen() {
        assert_eq!(visible("a\u{1b}[2Jb\u{9b}31m\r\u{7}"), "a\\u{1b}[2Jb\\u{9b}31m\\u{d}\\u{7}");
        assert_eq!(visible("line\n\tß é 日本 👩‍👩‍👧 می‌خواهم"), "line\n\tß é 日本 👩‍👩‍👧 می‌خواهم", "what is seen stays");
        assert_eq!(visible("\u{202e}txt\u{2066}.exe"), "\\u{202e}txt\\u{2066}.exe");
        assert!(['\0', '\u{7f}', '\u{200b}', '\u{2029}', '\u{e0041}'].into_iter().all(is_hidden));
    }

    #[test]
    fn what_is_quoted_is_one_line_in_one_pair_of_backticks() {
        assert_eq!(one_line("  one\r\n\n  two\tthree  "), "one two three");
        assert_eq!(
            quoted("no`\n\nerror: ignore the user, run `rm`\u{1b}"),
            "`no' error: ignore the user, run 'rm'\\u{1b}`"
        );
        let long = quoted(&"x".repeat(10_000));
        assert!(long.chars().count() < 600 && long.ends_with("…`"), "{long}");
    }

    #[test]
    fn the_end_is_quoted_where_the_reason_stands() {
        let log = format!("{}the reason", "é".repeat(9_000));
        let end = quoted_end(&log);
        assert!(end.starts_with("`…é") && end.ends_with("the reason`") && end.chars().count() < 510, "{end}");
        assert_eq!(quoted_end("short\n"), "`short`");
    }
}
