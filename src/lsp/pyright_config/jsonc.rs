//! JSON as `pyrightconfig.json` may be written: with comments and trailing commas.

use serde_json::Value;

/// Reads JSON with `//` and `/* */` comments and trailing commas; nothing where it is not that.
pub(super) fn parse(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(&strict(text)).ok()
}

/// Drops comments, and commas that only white space and comments part from a closing bracket.
fn strict(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut comma = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = token(rest, first);
        let is_space = first.is_whitespace() || taken.starts_with("//") || taken.starts_with("/*");
        match first {
            _ if is_space => out.push(' '),
            '}' | ']' => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
                out.push(first);
            }
            _ => {
                comma = (first == ',').then_some(out.len());
                out.push_str(taken);
            }
        }
        rest = &rest[taken.len()..];
    }
    out
}

/// Returns the string, the comment or the single character that `text` begins with.
fn token(text: &str, first: char) -> &str {
    let end = match first {
        '"' => string_end(text),
        '/' if text.starts_with("//") => text.find('\n'),
        '/' if text.starts_with("/*") => text.find("*/").map(|at| at + 2),
        _ => Some(first.len_utf8()),
    };
    &text[..end.unwrap_or(text.len())]
}

fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parse;

    #[test]
    fn comments_and_trailing_commas_are_dropped_outside_strings() {
        let text =
            "\u{feff}{ // one\n \"a\": [1, 2, /* , */ ], \"b\": \"// \\\" /* ,]\", /* x */\n \"c\": {\"d\": 1,},\n}\n";
        assert_eq!(parse(text), Some(json!({ "a": [1, 2], "b": "// \" /* ,]", "c": { "d": 1 } })));
        assert_eq!(parse("[1,,2]"), None);
        assert_eq!(parse("{\"a\": \"open"), None);
        assert_eq!(parse("{} // end"), Some(json!({})));
        assert_eq!(parse("{} /* open"), Some(json!({})));
    }
}
