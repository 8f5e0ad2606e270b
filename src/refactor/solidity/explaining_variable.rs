//! Introduce Explaining Variable, in Solidity.
//!
//! ```solidity
//! return price * quantity + fee;   →   uint256 base = price * quantity;
//!                                      return base + fee;
//! ```
//! The compiler tells the type. Which of two failures comes first is not regarded.

use super::ast::{Ast, Item};
use super::evaluation::{check_first, evaluated_once, is_changed_by, own_reach, statement_of, unchecked};
use super::project::Ground;
use super::types;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::ExpressionReach;
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, squeezed};
use crate::session::Session;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// More variables than this, and the machine's stack may not hold another one.
const MANY: usize = 11;

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let ast = Ast::of(session, &ground, &code).await?;
    let found = candidates(&code, &ast, request)?;
    let (first, rest) = found.split_first().expect("there is at least one candidate");
    let refuse = |item: Item<'_>, reason: &str| code.refuse(item.start(), reason);
    let of = types::declared(first.type_said()).map_err(|reason| refuse(*first, reason))?;
    if let Some(name) = types::unseen(&ground, &Ground::id(&code.path), &of) {
        return Err(refuse(*first, &format!("its type is `{name}`, which the file does not name")));
    }
    let statement = place(&code, *first)?;
    check_first(statement, *first).map_err(|reason| refuse(*first, reason))?;
    let function = function_of(*first).ok_or_else(|| refuse(*first, "no function is around it"))?;
    let name = request.params.text("name");
    if ground.mention(&Ground::id(&code.path), function.span(), name).is_some() {
        return Err(refuse(function, &format!("`{name}` is already in use here")));
    }
    let (indent, end) = (code.indent(statement.start()), code.newline());
    let line = format!("{of} {name} = {};{end}{indent}", bare(*first).text(&code));
    let mut edits = vec![TextEdit::new(Span::at(statement.start()), line), replaced(*first, name)];
    if request.params.flag("replace_all") {
        for other in rest {
            check_same(&code, (statement, *first), *other).noted()?;
            edits.push(replaced(*other, name));
        }
    }
    Ok(code.plan(edits)?.with_warnings(crowded(function).into_iter().collect()))
}

/// Says that the stack could be too small, which only the generator of code can tell.
pub(super) fn crowded(function: Item<'_>) -> Option<Warning> {
    let count = function.all().filter(|item| item.is("VariableDeclaration")).count();
    let doubt = "whether the stack holds one more variable: a check at level `project` generates the code".to_owned();
    (count > MANY).then(|| Warning::of_plan(WarningKind::Unproven, doubt))
}

/// Finds the expression, and all that read like it.
fn candidates<'a>(code: &Code, ast: &'a Ast, request: &Request) -> Result<Vec<Item<'a>>, Refusal> {
    let refuse = |reason: String| Err(Refusal::NotPossible(reason));
    let (offset, extent) = (request.target.offset, scope(code, ast, request)?);
    let wanted = match (request.params.given("expression"), offset) {
        (Some(text), _) => squeezed(text),
        (None, Some(offset)) => {
            let beginning = ast.iter().find(|item| item.start() == offset && is_value(*item));
            let item = beginning.ok_or_else(|| code.refuse(offset, "no expression begins there"))?;
            squeezed(item.text(code))
        }
        (None, None) => {
            let reason = "name the `expression`, or aim at its first character (`path:line:column`)".to_owned();
            return Err(Refusal::Missing { param: "expression", reason });
        }
    };
    let reads_like =
        |item: &Item<'_>| extent.contains(item.span()) && is_value(*item) && squeezed(item.text(code)) == wanted;
    let mut all: Vec<Item<'_>> = ast.iter().filter(reads_like).collect();
    all.retain(|item| offset.is_none_or(|offset| item.start() >= offset));
    let is_several = all.len() > 1 && offset.is_none() && !request.params.flag("replace_all");
    match all.first() {
        None => refuse(format!("no expression `{wanted}` stands in what the target names")),
        Some(_) if is_several => {
            let lines: Vec<String> = all.iter().map(|item| code.line(item.start()).to_string()).collect();
            refuse(format!("`{wanted}` stands in lines {}: name one of them, or give `replace_all`", lines.join(", ")))
        }
        Some(_) => Ok(all),
    }
}

/// Returns the stretch that is looked through: what the target names, or the function that `in_` does.
fn scope(code: &Code, ast: &Ast, request: &Request) -> Result<Span, Refusal> {
    let outer = match request.target.offset {
        Some(offset) => ast.around(offset, FUNCTIONS).unwrap_or_else(|| ast.root()).span(),
        None => code.extent(&request.target),
    };
    let Some(name) = request.params.given("in_") else { return Ok(outer) };
    let is_named = |item: &Item<'_>| item.is_any(FUNCTIONS) && item.said("name") == name && outer.contains(item.span());
    let found: Vec<Item<'_>> = ast.iter().filter(is_named).collect();
    match found.as_slice() {
        [only] => Ok(only.span()),
        all => Err(Refusal::NotPossible(format!("{} functions in `{}` are called `{name}`", all.len(), code.shown))),
    }
}

const FUNCTIONS: &[&str] = &["FunctionDefinition", "ModifierDefinition"];

/// Returns the function or modifier around.
pub(super) fn function_of(item: Item<'_>) -> Option<Item<'_>> {
    item.ancestors().find(|outer| outer.is_any(FUNCTIONS))
}

/// Tells whether an item is an expression whose value is used.
fn is_value(item: Item<'_>) -> bool {
    let Some(parent) = item.parent() else { return false };
    let is_whole = parent.is_any(&["ExpressionStatement", "EmitStatement", "RevertStatement", "NewExpression"])
        || parent.is("TryStatement") && item.field() == "externalCall"
        || parent.is_any(&["FunctionCall", "FunctionCallOptions"]) && item.field() == "expression";
    item.is_expression() && !is_whole && !item.flag("lValueRequested")
}

/// Returns the statement before which the variable comes to stand.
fn place<'a>(code: &Code, expression: Item<'a>) -> Result<Item<'a>, Refusal> {
    let statement =
        statement_of(expression).ok_or_else(|| code.refuse(expression.start(), "no statement is around it"))?;
    evaluated_once(statement, expression).map_err(|reason| code.refuse(expression.start(), reason))?;
    if !code.text()[code.line_start(statement.start())..statement.start()].trim().is_empty() {
        return Err(code.refuse(statement.start(), "the statement shares its line with another one"));
    }
    Ok(statement)
}

/// Refuses another place where the expression could have another value than at the first.
fn check_same(code: &Code, (statement, first): (Item<'_>, Item<'_>), other: Item<'_>) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(code.refuse(other.start(), reason));
    let block = statement.parent().expect("a statement stands in a block");
    let Some(last) = block.children().find(|child| child.holds(other)) else {
        return refuse("the other place is not reached through the first one");
    };
    let between: Vec<Item<'_>> =
        block.children().filter(|item| statement.start() <= item.start() && item.start() <= last.start()).collect();
    match own_reach(first) {
        _ if unchecked(other) != unchecked(first) => refuse("only one of the places is `unchecked`"),
        ExpressionReach::Acts => refuse("evaluated once, it does not do what it does twice"),
        _ if is_changed_by(first, &between) => {
            in_doubt(code, other.span(), "what the expression uses could change in between")
        }
        _ => Ok(()),
    }
}

/// Returns what stands in parentheses that are only there for the order.
fn bare(expression: Item<'_>) -> Item<'_> {
    let mut inside = expression.children();
    let inner = inside.next().filter(|_| expression.is("TupleExpression"));
    inner.filter(|_| inside.next().is_none()).unwrap_or(expression)
}

/// Puts the name in the expression's place, and in that of parentheses that were only around it.
fn replaced(expression: Item<'_>, name: &str) -> TextEdit {
    let outer = expression.parent().filter(|parent| parent.is("TupleExpression") && bare(*parent) == expression);
    TextEdit::new(outer.unwrap_or(expression).span(), name)
}
