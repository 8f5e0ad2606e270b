//! Decompose Conditional.
//!
//! ```python
//! if date < start or date > end:       if is_winter(date):
//!     charge = count * rate + fee          charge = winter_charge(count)
//! else:                            →   else:
//!     charge = count * summer              charge = summer_charge(count)
//! ```

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::place;
use crate::refactor::analysis::extracted_expression::{Idle, Query};
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at};
use crate::session::Session;
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let tree = conditional(&code, request)?;
    let is_chosen = PARAMS.iter().any(|param| request.params.given(param).is_some());
    let parts = parts(&code, tree, |param| !is_chosen || request.params.given(param).is_some());
    // The condition by itself may become one.
    let parts = parts.map_err(|refusal| match parts_of_condition(&code, tree, is_chosen) {
        true => Refusal::Missing { param: "condition", reason: refusal.to_string() },
        false => refusal,
    })?;
    let mut named: Vec<(Node<'_>, String)> = Vec::new();
    for (part, param, made) in parts {
        let name = request.params.given(param).map_or_else(|| made_name(&code, tree, made), str::to_owned);
        if named.iter().any(|(_, other)| *other == name) {
            return Err(Refusal::NotPossible(format!("`{name}` is given to two functions")));
        }
        named.push((part, name));
    }
    let mut queries = Vec::new();
    for (part, name) in &named {
        queries.push(Query::of(session, (&code, &names), (*part, Idle::InClass), name).await?);
    }
    let calls =
        named.iter().zip(&queries).map(|((part, _), query)| TextEdit::new(replaced(&code, *part), query.call()));
    let edits = calls.chain(Query::definitions(&queries)).collect();
    let narrows = named.iter().any(|(part, _)| part.field() == Some("condition") && narrows(&code, *part))
        || named.first().is_some_and(|(part, _)| narrows(&code, *part));
    let doubt = "the branches no longer know what the condition says of types: only a check can tell";
    let doubt = narrows.then(|| Warning::of_plan(WarningKind::Unproven, doubt));
    Ok(code.plan(edits)?.with_warnings(doubt.into_iter().collect()))
}

/// Returns what a call takes the place of: a part alone in parentheses with the blanks around it, in Python with these.
fn replaced(code: &Code, part: Node<'_>) -> Span {
    let outer = part.parent().filter(|it| it.is("parenthesized_expression"));
    let alone = outer.filter(|it| it.text(code.text())[1..it.span().len() - 1].trim() == part.text(code.text()));
    match alone {
        Some(outer) if code.family() == Family::Python => outer.span(),
        Some(outer) => Span::new(outer.start() + 1, outer.end() - 1),
        None => part.span(),
    }
}

/// Finds the `if` that the target is, or lies in, or the only one of the lines or the function that it names.
pub(super) fn conditional<'c>(code: &'c Code, request: &Request) -> Result<Node<'c>, Refusal> {
    let target = &request.target;
    let is_if = |node: &Node<'_>| node.is_any(&["if_statement", "conditional_expression", "ternary_expression"]);
    if target.lines.is_some() {
        let extent = code.extent(target);
        let is_within = |node: Node<'_>| is_if(&node) && extent.contains(node.span());
        let mut within = code.root().walk_until(is_within).filter(|it| is_within(*it));
        if let (Some(only), None) = (within.next(), within.next()) {
            return Ok(only);
        }
    }
    if target.name.is_none()
        && let Some(offset) = place(code, target)
    {
        let here = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
        let around = std::iter::once(here).chain(here.ancestors()).take_while(|node| !is_any_function(*node));
        let found = around.into_iter().find(is_if);
        return found.ok_or_else(|| code.refuse(offset, "no conditional stands here"));
    }
    let function = function_at(code, target)?;
    let own = function.walk_until(|node| is_any_function(node) && node != function);
    let all: Vec<Node<'c>> =
        own.filter(|node| node.is("if_statement") && !crate::syntax::kinds::is_else_if(*node)).collect();
    match all.as_slice() {
        [only] => Ok(*only),
        [] => Err(code.refuse(function.start(), "the function has no conditional")),
        several => {
            let lines: Vec<String> = several.iter().map(|it| code.line(it.start()).to_string()).collect();
            let message = format!(
                "the function has {} conditionals (lines {}): name one by its line",
                several.len(),
                lines.join(", ")
            );
            Err(code.refuse(function.start(), message))
        }
    }
}

/// Tells whether nothing but the branches stands in the way.
fn parts_of_condition(code: &Code, tree: Node<'_>, is_chosen: bool) -> bool {
    !is_chosen && parts(code, tree, |param| param == "condition").is_ok()
}

/// What names the functions; where any is given, no other part becomes one.
const PARAMS: [&str; 3] = ["condition", "then", "otherwise"];

/// Returns those of the wanted parts that are worth a function, with the parameter that names each.
fn parts<'c>(
    code: &'c Code,
    tree: Node<'c>,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<(Node<'c>, &'static str, &'static str)>, Refusal> {
    let mut expressions = tree.named_children();
    let (condition, then, other) = match tree.kind() {
        "conditional_expression" => {
            let (then, condition) = (expressions.next(), expressions.next());
            (condition, then, expressions.next())
        }
        "ternary_expression" => (tree.child("condition"), tree.child("consequence"), tree.child("alternative")),
        _ => {
            let other = tree.child("alternative").filter(|it| it.is("else_clause"));
            let other = other.and_then(|it| it.child("body").or_else(|| it.named_children().last()));
            let other = match other.filter(|it| !it.is("if_statement") && is_wanted("otherwise")) {
                Some(other) => valued(code, other)?,
                None => None,
            };
            let then = tree.child("consequence").filter(|_| is_wanted("then"));
            let then = then.map(|it| valued(code, it)).transpose()?.flatten();
            (tree.child("condition"), then, other)
        }
    };
    let all = [(condition, "condition", "condition"), (then, "then", "then"), (other, "otherwise", "otherwise")];
    let worth = all.into_iter().filter_map(|(part, param, made)| Some((unwrapped(part?), param, made)));
    let worth: Vec<_> = worth.filter(|(part, param, _)| is_wanted(param) && !is_said(*part)).collect();
    if worth.is_empty() {
        return Err(code.refuse(tree.start(), "the condition and its branches are names and calls already"));
    }
    Ok(worth)
}

const ASSIGNMENTS: &[&str] =
    &["assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression"];

/// Returns the expression that a branch of one statement computes; nothing where it computes none.
fn valued<'c>(code: &'c Code, branch: Node<'c>) -> Result<Option<Node<'c>>, Refusal> {
    let statements: Vec<Node<'c>> = match branch.is_any(&["block", "statement_block"]) {
        true => branch.named_children().collect(),
        false => vec![branch],
    };
    let [only] = statements.as_slice() else {
        let second = statements.get(1).map_or(branch.start(), |it| it.start());
        let reason = "the branch does more than one thing: `extract-function` first, or name the `condition` alone";
        return Err(code.refuse(second, reason));
    };
    let inner = only.named_children().next();
    Ok(match only.kind() {
        "return_statement" => inner,
        "expression_statement" => match inner.filter(|it| it.is_any(ASSIGNMENTS)) {
            Some(assignment) => assignment.child("right"),
            None => inner,
        },
        "lexical_declaration" => inner.and_then(|it| it.child("value")),
        _ => None,
    })
}

/// Tells whether an expression says already what it means: a name, a constant, a call with such arguments.
fn is_said(expression: Node<'_>) -> bool {
    const SAID: &[&str] = &[
        "attribute",
        "false",
        "float",
        "identifier",
        "integer",
        "member_expression",
        "none",
        "null",
        "number",
        "string",
        "this",
        "true",
        "undefined",
    ];
    let said = |node: Node<'_>| {
        node.is_leaf()
            || node.is_any(SAID)
                && node.descendants().all(|it| !it.is_any(&["call", "call_expression", "interpolation"]))
    };
    let plain = |node: Node<'_>| said(node.child("value").filter(|_| node.is("keyword_argument")).unwrap_or(node));
    let is_call = expression.is_any(&["call", "call_expression", "new_expression", "raise_statement"]);
    let arguments = expression.child("arguments").into_iter().flat_map(Node::named_children);
    said(expression) || is_call && arguments.into_iter().all(plain) && expression.child("function").is_none_or(said)
}

/// Makes a name of the function's: `price_condition`, `priceCondition`.
fn made_name(code: &Code, tree: Node<'_>, what: &str) -> String {
    let function = tree.ancestors().filter(|outer| is_any_function(*outer)).find_map(|it| it.child("name"));
    let function = function.map_or("it", |name| name.text(code.text())).trim_matches(['_', '#']);
    match code.family() {
        Family::Python => format!("_{function}_{what}"),
        _ => format!("{function}{}{}", what[..1].to_uppercase(), &what[1..]),
    }
}

/// Tells whether a condition says something of types that its branches may rely on.
fn narrows(code: &Code, condition: Node<'_>) -> bool {
    let text = condition.text(code.text());
    let words =
        ["isinstance", "callable", "is None", "is not None", "typeof", "instanceof", "null", "undefined", " in "];
    words.iter().any(|word| text.contains(word))
}
