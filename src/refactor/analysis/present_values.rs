//! What lines return, and whether that is always something: never `None`, never `undefined`.

use super::probed_types::{ProbeSide, Question, answers};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node, is_any_function};

/// A name that no program has.
const VALUE: &str = "__lspwright_value";

/// Returns the statements by which lines leave their function.
pub(crate) fn returns<'c>(statements: &[Node<'c>]) -> impl Iterator<Item = Node<'c>> {
    statements.iter().flat_map(|it| it.walk_until(is_any_function)).filter(|it| it.is("return_statement"))
}

/// Tells whether all that lines return is nothing at all: `return`.
pub(crate) fn answer_nothing(statements: &[Node<'_>]) -> bool {
    returns(statements).all(|it| it.named_children().next().is_none())
}

/// Tells whether all that lines return is the same thing, written out.
pub(crate) fn returns_one_value(code: &Code, statements: &[Node<'_>]) -> bool {
    const WRITTEN_OUT: &[&str] = &["false", "float", "integer", "none", "null", "number", "true", "undefined"];
    let mut all = returns(statements).map(|it| it.named_children().next());
    let Some(first) = all.next() else { return false };
    // In Python a bare `return` is one of `None`.
    let bare = if code.family() == Family::Python { Some("None") } else { None };
    let text = |it: Option<Node<'_>>| it.map(|it| it.text(code.text()).to_owned()).or(bare.map(str::to_owned));
    first.is_none_or(|it| it.is_any(WRITTEN_OUT)) && all.all(|it| text(it) == text(first))
}

/// Refuses lines that return what may be nothing, as far as anybody knows, where that would say that they went on. `wait` is what
/// stands in front of a value that is waited for.
pub(crate) async fn check_present(
    session: &Session,
    code: &Code,
    returns: &[Node<'_>],
    wait: &str,
) -> Result<(), Refusal> {
    let Some(open) = maybe_absent(session, code, returns, wait).await? else { return Ok(()) };
    let nothing = if code.family() == Family::Python { "None" } else { "undefined" };
    let value = open.named_children().next().map(|it| it.text(code.text()).lines().next().unwrap_or_default());
    let reason = match value {
        Some(value) if value != nothing => {
            format!(
                "the lines return here, or go on behind, and `{value}` may be `{nothing}`, as far as is known: nothing would tell which it was"
            )
        }
        _ => format!(
            "the lines return `{nothing}` here, other values elsewhere, or go on behind: nothing would tell which it was"
        ),
    };
    Err(code.refuse(open.start(), reason))
}

/// Returns the first `return` whose value may be nothing.
async fn maybe_absent<'c>(
    session: &Session,
    code: &Code,
    returns: &[Node<'c>],
    wait: &str,
) -> Result<Option<Node<'c>>, Refusal> {
    let value = |it: &Node<'c>| it.named_children().find(|it| !it.is("comment"));
    if let Some(bare) = returns.iter().find(|it| value(it).is_none_or(is_nothing)) {
        return Ok(Some(*bare));
    }
    let open: Vec<(Node<'c>, String)> = returns
        .iter()
        .filter_map(|it| Some((*it, value(it)?)))
        .filter(|(_, value)| !is_something(*value, code.text()))
        .map(|(it, value)| (it, narrowed(code, &format!("{wait}({})", value.text(code.text())))))
        .collect();
    let questions: Vec<Question<'_>> = open
        .iter()
        .map(|(statement, expression)| Question { statement: *statement, side: ProbeSide::Before, expression })
        .collect();
    let known = answers(session, code, &questions).await?;
    let is_open = |known: &Option<String>| !known.as_deref().is_some_and(|it| left(code).contains(&it));
    Ok(open.iter().zip(&known).find(|(_, known)| is_open(known)).map(|((it, _), _)| *it))
}

/// Writes an expression whose type is that of the other branch alone where a value cannot be nothing.
fn narrowed(code: &Code, value: &str) -> String {
    match code.family() {
        Family::Python => format!("{VALUE} if ({VALUE} := {value}) is None else 0"),
        _ => format!("(({VALUE}) => {VALUE} === undefined ? {VALUE} : {{ lspwright: 1 }})({value})"),
    }
}

/// What servers call the type of the other branch.
fn left(code: &Code) -> &'static [&'static str] {
    match code.family() {
        Family::Python => &["int", "Literal[0]"],
        _ => &["{ lspwright: number }"],
    }
}

fn is_nothing(value: Node<'_>) -> bool {
    value.is_any(&["none", "undefined"])
}

/// Tells whether a value is something by the way it is written.
fn is_something(value: Node<'_>, text: &str) -> bool {
    #[rustfmt::skip]
    const WRITTEN: &[&str] = &[
        "array", "arrow_function", "concatenated_string", "dictionary", "dictionary_comprehension", "expression_list", "false", "float",
        "function_expression", "generator_expression", "integer", "lambda", "list", "list_comprehension", "not_operator", "null",
        "number", "object", "regex", "set", "set_comprehension", "string", "template_string", "true", "tuple",
    ];
    match value.kind() {
        "parenthesized_expression" => value.named_children().all(|it| is_something(it, text)),
        "binary_expression" => !value.child("operator").is_some_and(|it| ["&&", "||", "??"].contains(&it.text(text))),
        kind => WRITTEN.contains(&kind),
    }
}
