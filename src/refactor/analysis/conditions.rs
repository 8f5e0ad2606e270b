//! Conditions: what they are put together of by `and` or `or`, and their opposites.

use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::Span;

/// How conditions hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    And,
    Or,
}

/// What binds less than `and` and `or`, and a type's assertion, which reads better so.
const LOOSE: &[&str] = &[
    "arrow_function",
    "as_expression",
    "assignment_expression",
    "augmented_assignment_expression",
    "conditional_expression",
    "lambda",
    "named_expression",
    "satisfies_expression",
    "sequence_expression",
    "ternary_expression",
    "yield",
    "yield_expression",
];

impl Joint {
    /// Returns how a language writes it.
    pub(crate) fn word(self, family: Family) -> &'static str {
        match (self, family) {
            (Self::And, Family::Python) => "and",
            (Self::Or, Family::Python) => "or",
            (Self::And, _) => "&&",
            (Self::Or, _) => "||",
        }
    }
}

/// Returns a condition without parentheses around all of it.
pub(crate) fn bare(condition: Node<'_>) -> Node<'_> {
    let inner = condition.named_children().next().filter(|_| condition.is("parenthesized_expression"));
    inner.map_or(condition, bare)
}

/// Returns the conditions that a chain of `and`, or of `or`, is put together of; any other one as it is.
pub(crate) fn operands<'c>(code: &Code, condition: Node<'c>, joint: Joint) -> Vec<Node<'c>> {
    match operator(code, condition) {
        Some(word) if word == joint.word(code.family()) => [condition.child("left"), condition.child("right")]
            .into_iter()
            .flatten()
            .flat_map(|side| operands(code, side, joint))
            .collect(),
        _ => vec![condition],
    }
}

/// Writes conditions as one, each in parentheses where it needs them.
pub(crate) fn joined<'c>(code: &Code, conditions: &[Node<'c>], joint: Joint) -> String {
    // A comment keeps the parentheses that its line ends in.
    let is_noted = |it: &Node<'c>| it.descendants().any(|one| one.is("comment"));
    let whole = |it: &Node<'c>| if is_noted(it) && !is_grouped(code, bare(*it), joint) { *it } else { bare(*it) };
    let parts: Vec<Node<'c>> =
        conditions.iter().map(whole).flat_map(|condition| operands(code, condition, joint)).collect();
    let parts: Vec<String> = parts.into_iter().map(|it| part(code, it, joint)).collect();
    parts.join(&format!(" {} ", joint.word(code.family())))
}

/// Tells whether a condition stands in a chain without parentheses.
fn is_grouped(code: &Code, condition: Node<'_>, joint: Joint) -> bool {
    let other = operator(code, condition).is_some_and(|word| word != joint.word(code.family()));
    !other && !condition.is_any(LOOSE)
}

fn part(code: &Code, condition: Node<'_>, joint: Joint) -> String {
    let said = on_one_line(code, condition);
    if is_grouped(code, condition, joint) { said } else { format!("({said})") }
}

/// Returns the word between two conditions: `and`, `||`, `??`.
fn operator<'c>(code: &'c Code, condition: Node<'c>) -> Option<&'c str> {
    let word = condition.child("operator")?.text(code.text());
    let is_one =
        condition.is("boolean_operator") || condition.is("binary_expression") && matches!(word, "&&" | "||" | "??");
    is_one.then_some(word)
}

/// Writes an expression without the line breaks that only the parentheses around it allowed.
pub(crate) fn on_one_line(code: &Code, expression: Node<'_>) -> String {
    let text = code.text();
    let is_bracketed = |at: usize| {
        let around = code.covering(Span::new(at, at + 1));
        let own = std::iter::once(around).chain(around.ancestors()).take_while(|it| expression.holds(*it));
        let is_within = |it: &Node<'_>| {
            it.is_any(&["string", "template_string", "regex"])
                || it.children().any(|one| matches!(one.kind(), "(" | "[" | "{") && one.end() <= at)
        };
        let itself = expression.children().any(|one| matches!(one.kind(), "(" | "[" | "{") && one.end() <= at);
        itself || own.into_iter().any(|it| is_within(&it))
    };
    let mut said = String::new();
    let mut at = expression.start();
    let breaks: Vec<usize> =
        expression.text(text).match_indices('\n').map(|(found, _)| expression.start() + found).collect();
    for found in breaks.into_iter().filter(|found| !is_bracketed(*found)) {
        said.push_str(text[at..found].trim_end());
        at = code.next_word(found);
        said.push_str(if text[at..].starts_with('.') { "" } else { " " });
    }
    said.push_str(&text[at..expression.end()]);
    said
}

pub(crate) fn without_brackets(condition: Node<'_>) -> Node<'_> {
    let bare = condition.named_children().next().filter(|_| condition.is("parenthesized_expression"));
    bare.unwrap_or(condition)
}

/// Writes the opposite of a condition; `<` is not turned round, for nothing compares with NaN.
pub(crate) fn negation((all, family): (&str, Family), condition: Node<'_>) -> String {
    let (whole, condition) = (condition, without_brackets(condition));
    let text = condition.text(all);
    let is_python = family == Family::Python;
    let argument = condition.child("argument");
    let is_not = condition.is("not_operator") || condition.is("unary_expression") && text.starts_with('!');
    if let Some(argument) = argument.filter(|_| is_not) {
        // Over several lines the brackets are needed.
        let is_long = is_python && argument.text(all).contains('\n');
        return if is_long { argument } else { without_brackets(argument) }.text(all).to_owned();
    }
    let turned = [
        ("==", "!="),
        ("!=", "=="),
        ("===", "!=="),
        ("!==", "==="),
        ("is not", "is"),
        ("is", "is not"),
        ("not in", "in"),
        ("in", "not in"),
    ];
    let operators: Vec<Node<'_>> =
        condition.children().filter(|node| !node.is_named() || node.field() == Some("operators")).collect();
    if let [operator] = operators.as_slice()
        && condition.is_any(&["comparison_operator", "binary_expression"])
        && let Some((_, other)) =
            turned.iter().find(|(it, _)| *it == operator.text(all) && (is_python || it.ends_with('=')))
    {
        let (before, after) =
            (Span::new(condition.start(), operator.start()), Span::new(operator.end(), condition.end()));
        return format!("{}{other}{}", before.of(all).unwrap_or_default(), after.of(all).unwrap_or_default());
    }
    let is_atom = condition.is_any(&[
        "identifier",
        "attribute",
        "call",
        "subscript",
        "call_expression",
        "member_expression",
        "subscript_expression",
    ]);
    match (is_python, is_atom) {
        (true, _) if whole != condition && whole.text(all).contains('\n') => format!("not {}", whole.text(all)),
        (true, true) => format!("not {text}"),
        (true, false) => format!("not ({text})"),
        (false, true) => format!("!{text}"),
        (false, false) => format!("!({text})"),
    }
}
