//! Long texts, cut to what an agent can read, with a word on what is missing.

/// About five thousand tokens, in bytes: what an answer may cost.
pub(super) const MOST: usize = 16_000;

/// Cuts a text behind the last line that fits into `most` bytes; `rest` says what to do about the others, of which it is
/// told how many there are.
pub(super) fn lines(text: &str, most: usize, rest: impl FnOnce(usize) -> String) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most);
    let end = text[..end].rfind('\n').map_or(end, |end| end + 1);
    let left = text[end..].lines().count();
    let (kept, gap) = (&text[..end], if text[..end].ends_with('\n') { "" } else { "\n" });
    format!("{kept}{gap}[{}]\n", rest(left))
}

/// Cuts a line that is too long to be read.
pub(super) fn line(line: &str, most: usize) -> String {
    if line.len() <= most {
        return line.to_owned();
    }
    let end = line.floor_char_boundary(most);
    format!("{}… [{} more bytes in this line]", &line[..end], line.len() - end)
}

/// Lists at most so many of several things, and counts the others.
pub(super) fn first(all: &[impl ToString], most: usize) -> String {
    let named = all.iter().take(most).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = all.len().saturating_sub(most);
    if more > 0 { format!("{named} and {more} more") } else { named }
}

#[cfg(test)]
mod tests {
    use super::{first, line, lines};

    #[test]
    fn the_first_are_named_and_the_others_counted() {
        assert_eq!(first(&["a", "b"], 2), "a, b");
        assert_eq!(first(&[7, 8, 9], 2), "7, 8 and 1 more");
    }

    #[test]
    fn what_is_cut_is_told() {
        let rest = |left: usize| format!("{left} more lines");
        assert_eq!(lines("a\nb\n", 4, rest), "a\nb\n");
        assert_eq!(lines("a\nb\nc\n", 4, rest), "a\nb\n[1 more lines]\n");
        assert_eq!(lines("ééé", 3, rest), "é\n[1 more lines]\n");
        assert_eq!(line("ééé", 3), "é… [4 more bytes in this line]");
    }
}
