//! Where the bodies of functions stand: what is inside of one, nobody outside sees.

use super::{TokenKind, tokens};
use crate::text::Span;

/// What the head of something with a body begins with.
const HEADS: [&str; 5] = ["function", "constructor", "modifier", "fallback", "receive"];

/// Returns the bodies of all functions and modifiers, their braces included, in order.
pub fn bodies(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut is_head = false;
    // How deep inside of a body, and where it began.
    let (mut depth, mut start) = (0_usize, 0);
    for token in tokens(text) {
        match token.kind {
            TokenKind::Sign(b'{') if depth > 0 => depth += 1,
            TokenKind::Sign(b'{') if is_head => (depth, start) = (1, token.span.start),
            TokenKind::Sign(b'}') if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.push(Span::new(start, token.span.end));
                    is_head = false;
                }
            }
            TokenKind::Sign(b'{' | b'}' | b';') if depth == 0 => is_head = false,
            TokenKind::Word if depth == 0 => is_head |= HEADS.contains(&token.of(text)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::bodies;

    #[test]
    fn what_nobody_outside_sees() {
        let text = "contract C { struct S { uint a; } function() external f; \
                    function g() public { if (true) { x(); } } modifier m() { _; } receive() external payable {} uint y; } \
                    function free() pure {}";
        let found: Vec<&str> = bodies(text).into_iter().filter_map(|span| span.of(text)).collect();
        assert_eq!(found, ["{ if (true) { x(); } }", "{ _; }", "{}", "{}"]);
    }
}
