//! Makes a broken source readable as far as it goes: what cannot be parsed is blanked, byte by byte.

use slang_solidity::parser::{ParseError, ParseOutput, Parser};

use super::model::Problem;
use crate::syntax::{Language, Node, Tree};
use crate::text::Span;

/// Blanks of growing reach are tried so often before the whole text is given up.
const MOST_TRIES: usize = 12;

/// A text that parses, as long as the one that it was made from, with what was wrong there.
pub(super) struct Repaired {
    /// Nothing where the text is good as it is.
    pub(super) text: Option<String>,
    pub(super) problems: Vec<Problem>,
}

/// Parses a text, and blanks what is broken until the rest parses; at the worst nothing is left.
pub(super) fn repair(parser: &Parser, text: &str) -> Repaired {
    let mut output = parser.parse_file_contents(text);
    if is_sound(&output) {
        return Repaired { text: None, problems: Vec::new() };
    }
    let problems = output.errors().iter().map(problem).collect();
    let mut left = text.to_owned();
    for reach in 0..MOST_TRIES {
        let stretches: Vec<Span> = output.errors().iter().map(|error| stretch(&left, span(error), reach)).collect();
        for stretch in stretches {
            blank(&mut left, stretch);
        }
        output = parser.parse_file_contents(&left);
        if is_sound(&output) {
            return Repaired { text: Some(left), problems };
        }
    }
    let all = Span::new(0, left.len());
    blank(&mut left, all);
    Repaired { text: Some(left), problems }
}

/// Blanks the members of contracts that another grammar finds broken: for texts that slang's parser does not survive
/// (1.3.7 panics where it recovers from `function f( external {}`).
pub(super) fn without_broken(text: &str) -> Repaired {
    let tree = Tree::parse(Language::Solidity, text);
    let mut left = text.to_owned();
    let mut problems: Vec<Problem> = Vec::new();
    for node in tree.nodes().iter().filter(|node| node.is_error()) {
        let around = [node].into_iter().chain(node.ancestors()).find(|it| is_member(*it)).unwrap_or(node);
        if problems.iter().all(|known| known.span != around.span()) {
            problems.push(Problem { span: around.span(), message: "syntax error".to_owned() });
        }
        blank(&mut left, around.span());
    }
    Repaired { text: Some(left), problems }
}

fn is_member(node: Node<'_>) -> bool {
    const MEMBERS: &[&str] = &[
        "function_definition",
        "modifier_definition",
        "constructor_definition",
        "fallback_receive_definition",
        "state_variable_declaration",
        "struct_declaration",
        "enum_declaration",
        "event_definition",
        "error_declaration",
        "using_directive",
        "import_directive",
    ];
    node.is_any(MEMBERS)
}

fn is_sound(output: &ParseOutput) -> bool {
    output.is_valid() && output.errors().is_empty()
}

pub(super) fn problem(error: &ParseError) -> Problem {
    Problem { span: span(error), message: error.message() }
}

fn span(error: &ParseError) -> Span {
    let range = error.text_range();
    Span::new(range.start.utf8, range.end.utf8)
}

/// Widens an error to the statement around it; with each further try by one more statement or pair of braces.
fn stretch(text: &str, error: Span, reach: usize) -> Span {
    let bytes = text.as_bytes();
    let is_end = |at: usize| matches!(bytes[at], b';' | b'{' | b'}');
    let mut start = error.start.min(bytes.len());
    for _ in 0..=reach {
        start = start.saturating_sub(1);
        while start > 0 && !is_end(start - 1) {
            start -= 1;
        }
    }
    let mut end = error.end.max(start);
    let mut depth = 0_isize;
    while end < bytes.len() {
        match bytes[end] {
            b'{' => depth += 1,
            b'}' if depth <= 0 => break,
            b'}' => depth -= 1,
            b';' if depth <= 0 => {
                end += 1;
                break;
            }
            _ => {}
        }
        end += 1;
    }
    // What was opened on the way has to be closed with it.
    let opened = bytes[start..error.start.max(start)].iter().fold(0_isize, |depth, byte| match byte {
        b'{' => depth + 1,
        b'}' => depth - 1,
        _ => depth,
    });
    for _ in 0..opened.max(0) {
        let rest = bytes[end..].iter().position(|byte| *byte == b'}');
        end = rest.map_or(bytes.len(), |at| end + at + 1);
    }
    Span::new(start, end)
}

/// Writes spaces over a stretch; line ends stay.
fn blank(text: &mut String, stretch: Span) {
    let start = (0..=stretch.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = (stretch.end.min(text.len())..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let spaces: String = text[start..end]
        .bytes()
        .map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' })
        .collect();
    text.replace_range(start..end, &spaces);
}
