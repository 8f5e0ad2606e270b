//! Code as a row shows it: on one line, without its comments.

use crate::syntax::Node;

/// Writes a stretch of code on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes what a node holds on one line; comments would take in all that follows them there.
pub(super) fn code_of(node: Node<'_>, text: &str) -> String {
    let mut code = String::new();
    let mut from = node.start();
    for comment in node.descendants().filter(|inner| inner.is_any(&["comment", "line_comment", "block_comment"])) {
        code.push_str(text.get(from..comment.start()).unwrap_or_default());
        from = comment.end().max(from);
    }
    code.push_str(text.get(from..node.end()).unwrap_or_default());
    one_line(&code)
}
