//! The expression that a refactoring is asked for, and all that read like it.

use crate::refactor::Refusal;
use crate::refactor::request::Request;
use crate::refactor::source_file::{Code, function_of, squeezed};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

const EXPRESSIONS: &[&str] = &[
    "array",
    "as_expression",
    "attribute",
    "await",
    "await_expression",
    "binary_expression",
    "binary_operator",
    "boolean_operator",
    "call",
    "call_expression",
    "comparison_operator",
    "concatenated_string",
    "conditional_expression",
    "dictionary",
    "false",
    "float",
    "identifier",
    "integer",
    "list",
    "list_comprehension",
    "member_expression",
    "new_expression",
    "non_null_expression",
    "not_operator",
    "number",
    "object",
    "parenthesized_expression",
    "regex",
    "set",
    "string",
    "subscript",
    "subscript_expression",
    "template_string",
    "ternary_expression",
    "true",
    "tuple",
    "unary_expression",
    "unary_operator",
];

/// What does another thing when it is called by another name.
const BY_NAME: &[&str] = &["eval", "require", "super"];

/// Finds the expression, and all that read like it, of which the caller has to say that they are meant.
pub(crate) fn candidates<'c>(code: &'c Code, request: &Request) -> Result<Vec<Node<'c>>, Refusal> {
    candidates_among(code, request, is_value)
}

/// As [`candidates`], with tuples of Python that are written without parentheses: `return low, high`.
pub(crate) fn candidates_and_tuples<'c>(code: &'c Code, request: &Request) -> Result<Vec<Node<'c>>, Refusal> {
    let is_bare_tuple = |node: Node<'_>| {
        let is_given = |it: Node<'_>| it.is("return_statement") || it.is("assignment") && node.field() == Some("right");
        node.is("expression_list") && node.parent().is_some_and(is_given)
    };
    candidates_among(code, request, |node| is_value(node) || is_bare_tuple(node))
}

fn candidates_among<'c>(
    code: &'c Code,
    request: &Request,
    is_value: impl Fn(Node<'_>) -> bool,
) -> Result<Vec<Node<'c>>, Refusal> {
    let all = alike_among(code, request, is_value)?;
    if all.len() > 1 && request.target.offset.is_none() && !request.params.flag("replace_all") {
        let lines: Vec<String> = all.iter().map(|node| code.line(node.start()).to_string()).collect();
        let (wanted, lines) = (squeezed(all[0].text(code.text())), lines.join(", "));
        let reason = format!("`{wanted}` stands in lines {lines}: name one of them, or give `replace_all`");
        return Err(Refusal::NotPossible(reason));
    }
    Ok(all)
}

/// Finds the expression, and all that read like it.
pub(crate) fn alike<'c>(code: &'c Code, request: &Request) -> Result<Vec<Node<'c>>, Refusal> {
    alike_among(code, request, is_value)
}

fn alike_among<'c>(
    code: &'c Code,
    request: &Request,
    is_value: impl Fn(Node<'_>) -> bool,
) -> Result<Vec<Node<'c>>, Refusal> {
    let extent = scope(code, request)?;
    let wanted = match (request.params.given("expression"), request.target.offset) {
        (Some(text), _) => squeezed(text),
        (None, Some(offset)) => squeezed(at(code, offset)?.text(code.text())),
        (None, None) => {
            let reason = "name the `expression`, or aim at its first character (`path:line:column`)";
            return Err(Refusal::Missing { param: "expression", reason: reason.to_owned() });
        }
    };
    let is_bound = |node: &Node<'_>| node.field() == Some("function") && BY_NAME.contains(&node.text(code.text()));
    let reads_like = |node: &Node<'_>| is_value(*node) && !is_bound(node) && squeezed(node.text(code.text())) == wanted;
    let all: Vec<Node<'_>> = code.root().descendants().filter(|node| extent.contains(node.span())).collect();
    let mut all: Vec<Node<'_>> = all.into_iter().filter(reads_like).collect();
    // Of a node and its only child the outer one counts.
    all.dedup_by(|inner, outer| outer.span().contains(inner.span()));
    if let Some(offset) = request.target.offset {
        all.retain(|node| node.start() >= offset);
    }
    match all.is_empty() {
        true => Err(Refusal::NotPossible(format!("no expression `{wanted}` stands in what the target names"))),
        false => Ok(all),
    }
}

/// Returns the stretch that is looked through: what the target names, or the function that `in_` does.
fn scope(code: &Code, request: &Request) -> Result<Span, Refusal> {
    let Some(name) = request.params.given("in_") else {
        return Ok(match request.target.offset {
            Some(offset) => {
                let here = code.covering(Span::new(offset, offset + 1));
                function_of(here).unwrap_or_else(|| code.root()).span()
            }
            None => code.extent(&request.target),
        });
    };
    let outer = code.extent(&request.target);
    let is_named = |node: &Node<'_>| {
        // Overloads are declared without a body.
        is_any_function(*node)
            && node.child("body").is_some()
            && outer.contains(node.span())
            && node.child("name").is_some_and(|it| it.text(code.text()) == name)
    };
    let found: Vec<Node<'_>> = code.root().descendants().filter(is_named).collect();
    match found.as_slice() {
        [only] => Ok(only.span()),
        all => Err(Refusal::NotPossible(format!("{} functions in `{}` are called `{name}`", all.len(), code.shown))),
    }
}

/// Returns the largest expression that begins at a place.
fn at(code: &Code, offset: usize) -> Result<Node<'_>, Refusal> {
    let here = code.covering(Span::new(offset, offset + 1));
    let chain = std::iter::once(here).chain(here.ancestors());
    let beginning = chain.take_while(|node| node.start() == offset).filter(|node| is_value(*node));
    beginning.last().ok_or_else(|| code.refuse(offset, "no expression begins there"))
}

/// Tells whether a node is an expression whose value is used.
pub(crate) fn is_value(node: Node<'_>) -> bool {
    if !node.is_any(EXPRESSIONS) {
        return false;
    }
    let Some(parent) = node.parent() else { return false };
    let is_target = matches!(
        (parent.kind(), node.field()),
        (
            "assignment" | "augmented_assignment" | "assignment_expression" | "augmented_assignment_expression",
            Some("left")
        ) | ("for_statement" | "for_in_statement", Some("left"))
            | ("keyword_argument" | "pair" | "variable_declarator" | "default_parameter", Some("name" | "key"))
            | ("member_expression" | "attribute", Some("property" | "attribute"))
    );
    let is_whole = parent.is("expression_statement")
        || parent.is_any(&["dotted_name", "update_expression", "import_from_statement"]);
    !is_target && !is_whole && !is_deleted(parent) && (node.field() != Some("function") || is_callable_elsewhere(node))
}

/// Tells whether what is called can be called by another name: a method of JavaScript loses its object then.
fn is_callable_elsewhere(function: Node<'_>) -> bool {
    function.is_any(&["attribute", "call", "call_expression", "identifier", "subscript"])
}

fn is_deleted(parent: Node<'_>) -> bool {
    parent.is("delete_statement")
        || parent.is("unary_expression") && parent.children().any(|it| matches!(it.kind(), "delete" | "typeof"))
}

/// Puts the name in the expression's place, and in that of parentheses that were only around it.
pub(crate) fn replaced(code: &Code, expression: Node<'_>, name: &str) -> TextEdit {
    let outer = expression.parent().filter(|parent| {
        // `return(1)` needs no blank between the two; a name would.
        let is_apart = !code.text()[..parent.start()].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let is_head = matches!(parent.field(), Some("condition" | "value" | "body")) && code.family() != Family::Python;
        parent.is("parenthesized_expression")
            && is_apart
            && !is_head
            && parent.parent().is_some_and(|it| !it.is_any(&["call", "expression_statement"]))
    });
    let short = expression.parent().filter(|parent| parent.is("shorthand_property_identifier"));
    TextEdit::new(short.or(outer).unwrap_or(expression).span(), name)
}

/// Returns what stands in parentheses that are only there for the order.
pub(crate) fn bare(expression: Node<'_>) -> Node<'_> {
    let mut inner = expression.named_children().filter(|_| expression.is("parenthesized_expression"));
    match (inner.next(), inner.next()) {
        (Some(only), None) if !only.is_any(&["comment", "named_expression", "yield"]) => only,
        _ => expression,
    }
}

/// Tells whether an expression is a name, or asks what a name means for members alone: `order`, `self.order`.
pub(crate) fn is_path(expression: Node<'_>) -> bool {
    let objects = std::iter::successors(Some(expression), |it| it.child("object"));
    objects.into_iter().all(|it| it.is_any(&["attribute", "identifier", "member_expression", "this"]))
}

/// Reads a call of one plain argument: the name of what is called, and the argument.
pub(crate) fn call_of<'c>(code: &'c Code, node: Node<'c>) -> Option<(&'c str, Node<'c>)> {
    let function = node.child("function").filter(|it| node.is("call") && it.is("identifier"))?;
    let mut given = node.child("arguments")?.named_children();
    let only = given
        .next()
        .filter(|it| !it.is_any(&["keyword_argument", "list_splat", "dictionary_splat", "generator_expression"]))?;
    given.next().is_none().then(|| (function.text(code.text()), only))
}
