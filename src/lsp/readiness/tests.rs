//! The patterns by which a server's words are known.

use super::matches;

#[test]
fn patterns_match_anywhere_in_order() {
    assert!(matches("Found * source file", "12:00 Found 3 source files."));
    assert!(matches("", "anything"));
    assert!(matches("Indexing", "rustAnalyzer/Indexing"));
    assert!(!matches("Found * source file", "source file Found 3"));
    assert!(!matches("a*a", "a"));
}
