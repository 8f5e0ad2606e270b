//! How a text is damaged.

use crate::random::Random;

/// Words and signs that mean much to a parser.
const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ".",
    "=",
    "=>",
    "?",
    ":",
    "\"",
    "'",
    "//",
    "/*",
    "*/",
    "\\",
    "#",
    "@",
    "`",
    "contract A is A {",
    "contract",
    "library",
    "interface",
    "function f(",
    "modifier m() { _; }",
    "_;",
    "assembly {",
    "unchecked {",
    "mapping(",
    "struct S { S s; }",
    "enum E {}",
    "using A for *;",
    "import '",
    "import {A as B} from './",
    "is ",
    "override(",
    "super.f()",
    "this.f()",
    "new A()",
    "try this.f() {",
    "catch {",
    "emit E(",
    "revert E(",
    "return",
    "delete x",
    "x.slot := ",
    "sstore(",
    "let x := ",
    "pragma solidity ^0.4.11;",
    "pragma solidity >=0.9;",
    "type T is uint;",
    "event E(",
    "error E(",
    "receive() external payable {}",
    "fallback",
    "constructor(",
    "super()",
    "var x =",
    "throw;",
    "def f(",
    "class A(A):",
    "lambda x:",
    "async ",
    "export default ",
    "<T>",
    "=> {",
    "yield ",
    "\u{feff}",
    "\u{2028}",
    "\u{1F980}",
    "\r",
    "\t",
    "\0",
    "e\u{301}",
    "0x",
    "1e999999",
    "hex\"",
    "unicode\"",
];

/// Damages a text in one way; `other` is where foreign pieces come from.
pub fn damage(text: &str, other: &str, random: &mut Random) -> String {
    let (from, to) = stretch(text, random, 200);
    match random.below(9) {
        0 => text[..from].to_owned(),
        1 => format!("{}{}", &text[..from], &text[to..]),
        2 => format!("{}{}{}", &text[..to], &text[from..to], &text[to..]),
        3 | 4 => format!("{}{}{}", &text[..from], word(random), &text[from..]),
        5 => format!("{}{}{}", &text[..from], word(random).repeat(1 + random.below(300)), &text[from..]),
        6 => {
            let (begin, end) = stretch(other, random, 400);
            format!("{}{}{}", &text[..from], &other[begin..end], &text[to..])
        }
        7 => swapped(text, random),
        _ => renamed(text, random),
    }
}

fn word(random: &mut Random) -> &'static str {
    random.pick(WORDS).copied().unwrap_or_default()
}

/// Chooses a stretch between two characters.
fn stretch(text: &str, random: &mut Random, longest: usize) -> (usize, usize) {
    let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let from = boundary(random.below(text.len() + 1));
    (from, boundary(from + random.below(longest)).max(from))
}

/// Exchanges two lines.
fn swapped(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() > 1 {
        let (one, other) = (random.below(lines.len()), random.below(lines.len()));
        lines.swap(one, other);
    }
    lines.concat()
}

/// Gives one name to what another has, everywhere: what was told apart is not any more.
fn renamed(text: &str, random: &mut Random) -> String {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let names: Vec<&str> = text.split(|character| !is_name(character)).filter(|name| name.len() > 2).collect();
    match (random.pick(&names), random.pick(&names)) {
        (Some(old), Some(new)) => text.replace(*old, new),
        _ => text.to_owned(),
    }
}
