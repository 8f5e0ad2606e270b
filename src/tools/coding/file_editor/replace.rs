//! Text replaced and lines inserted, whatever the file's line ends: an agent writes `\n`, the file keeps its own.

/// A text with one stretch of it replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    pub(super) text: String,
    /// Where it begins, 1-based.
    pub(super) line: usize,
}

/// Why a text is not replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Empty,
    Same,
    Missing,
    /// The lines that it begins in, 1-based.
    Several(Vec<usize>),
}

/// Replaces `old`, which has to stand in the text once.
pub(super) fn replaced(text: &str, old: &str, new: &str) -> Result<Replaced, Refusal> {
    if old.is_empty() {
        return Err(Refusal::Empty);
    }
    if old == new {
        return Err(Refusal::Same);
    }
    let plain = Plain::of(text);
    let wanted = old.replace("\r\n", "\n");
    let places = places(&plain.text, &wanted);
    let line_of = |place: usize| plain.text[..place].matches('\n').count() + 1;
    match *places {
        [] => Err(Refusal::Missing),
        [place] => {
            let (start, end) = (plain.offset(place), plain.offset(place + wanted.len()));
            let new = with_breaks(new, breaks(&text[start..end]).or_else(|| breaks(text)));
            if text[start..end] == new {
                return Err(Refusal::Same);
            }
            Ok(Replaced { text: [&text[..start], &new, &text[end..]].concat(), line: line_of(place) })
        }
        _ => Err(Refusal::Several(places.into_iter().map(line_of).collect())),
    }
}

/// Inserts lines behind the `line`th one; nothing where there are fewer.
pub(super) fn inserted(text: &str, line: usize, content: &str) -> Option<String> {
    let mut ends = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    let at = if line == 0 { 0 } else { ends.nth(line - 1)? };
    let own = breaks(text);
    let content = with_breaks(content, own);
    let end = own.unwrap_or("\n");
    let before = if at > 0 && !text[..at].ends_with('\n') { end } else { "" };
    // A last line without an end stays one.
    let is_last = at == text.len() && !before.is_empty();
    let after = if content.ends_with('\n') || is_last { "" } else { end };
    Some([&text[..at], before, &content, after, &text[at..]].concat())
}

/// Finds every place, those that overlap, too.
fn places(text: &str, wanted: &str) -> Vec<usize> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = text[from..].find(wanted).map(|at| at + from) {
        found.push(at);
        from = text.ceil_char_boundary(at + 1);
    }
    found
}

/// Returns how most lines of a text end; nothing where it has one only.
fn breaks(text: &str) -> Option<&'static str> {
    let all = text.matches('\n').count();
    let carriage = text.matches("\r\n").count();
    (all > 0).then_some(if 2 * carriage > all { "\r\n" } else { "\n" })
}

fn with_breaks(text: &str, breaks: Option<&str>) -> String {
    match breaks {
        Some("\r\n") => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        _ => text.to_owned(),
    }
}

/// A text with `\n` at the end of every line.
struct Plain {
    text: String,
    /// Where a `\r` was left out, as offsets in the plain text, in order.
    left_out: Vec<usize>,
}

impl Plain {
    fn of(text: &str) -> Self {
        let mut plain = String::with_capacity(text.len());
        let mut left_out = Vec::new();
        for line in text.split_inclusive('\n') {
            match line.strip_suffix("\r\n") {
                Some(line) => {
                    plain.push_str(line);
                    left_out.push(plain.len());
                    plain.push('\n');
                }
                None => plain.push_str(line),
            }
        }
        Self { text: plain, left_out }
    }

    /// Returns where an offset of the plain text lies in the text that it was made of.
    fn offset(&self, plain: usize) -> usize {
        plain + self.left_out.partition_point(|left_out| *left_out < plain)
    }
}

#[cfg(test)]
mod tests {
    use super::{Refusal, inserted, replaced};

    fn text(text: &str, old: &str, new: &str) -> String {
        replaced(text, old, new).unwrap().text
    }

    #[test]
    fn what_stands_once_is_replaced_and_line_ends_stay() {
        assert_eq!(text("a\nb\nc\n", "b\nc", "x\ny\nz"), "a\nx\ny\nz\n");
        assert_eq!(text("a\r\nb\r\nc\r\n", "b\nc", "x\ny"), "a\r\nx\r\ny\r\n");
        assert_eq!(text("a\r\nb\r\n", "a\r\nb", "x\r\ny"), "x\r\ny\r\n");
        assert_eq!(text("a\r\nb\r\n", "b", "x\ny"), "a\r\nx\r\ny\r\n");
        assert_eq!(text("a\nb\r\nc\n", "b\nc", "x\ny\nz"), "a\nx\r\ny\r\nz\n", "as in the stretch that is replaced");
        assert_eq!(text("é = 1\n", "é", "ü"), "ü = 1\n");
        assert_eq!(text("a\n", "a\n", ""), "");
        assert_eq!(replaced("a\nb\nc\n", "c", "d").unwrap().line, 3);
    }

    #[test]
    fn what_is_not_there_or_several_times_is_refused() {
        assert_eq!(replaced("a\nb\na\n", "a", "x"), Err(Refusal::Several(vec![1, 3])));
        assert_eq!(replaced("aaa", "aa", "x"), Err(Refusal::Several(vec![1, 1])), "which two is not known");
        assert_eq!(replaced("a", "b", "x"), Err(Refusal::Missing));
        assert_eq!(replaced("a", "", "x"), Err(Refusal::Empty));
        assert_eq!(replaced("a", "a", "a"), Err(Refusal::Same));
        assert_eq!(replaced("a\r\nb", "a\nb", "a\r\nb"), Err(Refusal::Same));
    }

    #[test]
    fn lines_are_inserted_as_lines() {
        assert_eq!(inserted("a\nb\n", 0, "x").unwrap(), "x\na\nb\n");
        assert_eq!(inserted("a\nb\n", 1, "x\n").unwrap(), "a\nx\nb\n");
        assert_eq!(inserted("a\nb\n", 2, "x\ny").unwrap(), "a\nb\nx\ny\n");
        assert_eq!(inserted("a\nb", 2, "x").unwrap(), "a\nb\nx");
        assert_eq!(inserted("a\r\nb\r\n", 1, "x\ny").unwrap(), "a\r\nx\r\ny\r\nb\r\n");
        assert_eq!(inserted("", 0, "x").unwrap(), "x\n");
        assert_eq!(inserted("a\n", 2, "x"), None);
    }
}
