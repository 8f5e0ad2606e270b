//! What a text of the project is in a page or a picture: never markup.

use crate::text::visible;

/// Adds to a page.
pub(super) fn put(page: &mut String, text: &str) {
    page.push_str(text);
}

/// Writes what a browser shows as this text, whatever stands in it.
pub(super) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            '\'' => written.push_str("&#39;"),
            other => written.push(other),
        }
    }
    written
}
