//! Inline Temp, in Solidity.
//!
//! ```solidity
//! uint256 base = price * quantity;   →   return price * quantity + fee;
//! return base + fee;
//! ```

use super::ast::{Ast, Item};
use super::evaluation::{check_first, evaluated_once, is_changed_by, own_reach, reach, unchecked};
use super::explaining_variable::function_of;
use super::project::Ground;
use super::types::{bare, is_integer, is_same};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::ExpressionReach;
use crate::refactor::doubts::in_doubt;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

const OPERATIONS: &[&str] = &["BinaryOperation", "UnaryOperation", "Conditional", "Assignment"];
const LOOPS: &[&str] = &["ForStatement", "WhileStatement", "DoWhileStatement"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let ast = Ast::of(session, &ground, &code).await?;
    let declared = variable(&code, &ast, request)?;
    let refuse = |item: Item<'_>, reason: &str| code.refuse(item.start(), reason);
    let statement = declared.parent().filter(|parent| parent.is("VariableDeclarationStatement"));
    let statement = statement.ok_or_else(|| refuse(declared, "it is not a variable of a function"))?;
    let value = statement.child("initialValue").ok_or_else(|| refuse(declared, "it is declared without a value"))?;
    if statement.children().count() != 2 {
        return Err(refuse(declared, "it is declared together with others"));
    }
    if statement.field() != "statements" {
        return Err(refuse(declared, "it is declared in the head of a loop"));
    }
    let uses = uses(&code, declared)?;
    check(&code, (statement, value), &uses)?;
    let written = written(&code, declared, value).map_err(|reason| refuse(value, reason))?;
    let mut edits = vec![TextEdit::new(lines(&code, statement)?, "")];
    for one in uses {
        let text =
            if needs_parentheses(&written, value, one) { format!("({})", written.text) } else { written.text.clone() };
        edits.push(TextEdit::new(one.span(), text));
    }
    code.plan(edits)
}

fn variable<'a>(code: &Code, ast: &'a Ast, request: &Request) -> Result<Item<'a>, Refusal> {
    let place = request.target.place().or_else(|| request.target.lines.map(|lines| code.words(lines).start));
    let refuse = || Refusal::NotPossible("the target names no variable of a function".to_owned());
    let place = place.ok_or_else(refuse)?;
    let item = ast.around(place, &["VariableDeclaration", "Identifier", "VariableDeclarationStatement"]);
    let item = item.ok_or_else(refuse)?;
    let found = match item.kind() {
        "Identifier" => item.meant(),
        "VariableDeclarationStatement" => item.child("declarations"),
        _ => Some(item),
    };
    found.filter(|it| it.is("VariableDeclaration")).ok_or_else(refuse)
}

/// Returns where the variable is read; one that is given another value, or stands in assembly, is refused.
fn uses<'a>(code: &Code, declared: Item<'a>) -> Result<Vec<Item<'a>>, Refusal> {
    let function = function_of(declared).ok_or_else(|| code.refuse(declared.start(), "no function is around it"))?;
    let name = declared.said("name");
    let in_assembly =
        function.all().find(|item| item.is("YulIdentifier") && item.said("name").split('.').next() == Some(name));
    if let Some(item) = in_assembly {
        return Err(code.refuse(item.start(), format!("`{name}` is used in assembly")));
    }
    let uses: Vec<Item<'_>> = declared.id().into_iter().flat_map(|id| function.names_of(id)).collect();
    match uses.iter().find(|item| item.is_written()) {
        Some(item) => Err(code.refuse(item.start(), format!("`{name}` is reassigned here"))),
        None => Ok(uses),
    }
}

/// Refuses uses where the value would be another one, or be evaluated otherwise.
fn check(code: &Code, (statement, value): (Item<'_>, Item<'_>), uses: &[Item<'_>]) -> Result<(), Refusal> {
    let own = own_reach(value);
    if own == ExpressionReach::Acts && uses.len() != 1 {
        return Err(code.refuse(value.start(), "it has side effects, which would not happen exactly once"));
    }
    let block = statement.parent().expect("a statement stands in a block");
    let later = |item: &Item<'_>| item.start() > statement.start();
    for one in uses {
        let refuse = |reason: &str| Err(code.refuse(one.start(), reason));
        if unchecked(*one) != unchecked(value) {
            return refuse("only one of the places is `unchecked`");
        }
        if value.all().any(|item| item.is("Identifier") && shadowed(block, item)) {
            return refuse("a name in the value is declared anew in the same block");
        }
        let between: Vec<Item<'_>> =
            block.children().filter(|item| later(item) && item.span().end <= one.start()).collect();
        let around = block.children().find(|item| item.holds(*one)).expect("the variable is seen in its block only");
        let looping = std::iter::once(around).chain(around.all()).find(|item| item.is_any(LOOPS) && item.holds(*one));
        let mut before = between.clone();
        before.extend(looping);
        before.extend(earlier(around, *one));
        if is_changed_by(value, &before) || is_written_before(around, *one, value) {
            in_doubt(code, one.span(), "what the value is made of could change before this")?;
        }
        if own == ExpressionReach::Acts {
            let is_next = between.is_empty() && evaluated_once(around, *one).is_ok();
            if !is_next || around.is_any(LOOPS) || around.is("IfStatement") && check_first(around, *one).is_err() {
                return refuse("the value has side effects, which would happen at another time");
            }
        }
        if own != ExpressionReach::Local && check_order(around, *one, own).is_err() {
            in_doubt(code, one.span(), "what is evaluated before it could change it, or be changed by it")?;
        }
    }
    Ok(())
}

/// Returns the statements around a use that are carried out before it, below the one that the block holds.
fn earlier<'a>(around: Item<'a>, one: Item<'a>) -> Vec<Item<'a>> {
    let is_statement = |item: &Item<'_>| item.field() == "statements" && item.span().end <= one.start();
    around.all().filter(is_statement).collect()
}

/// Tells whether the statement gives what the value is made of another value before the use: `i++ + base`.
fn is_written_before(around: Item<'_>, one: Item<'_>, value: Item<'_>) -> bool {
    let written = around.all().filter(|item| item.is("Identifier") && item.start() < one.start() && item.is_written());
    // The place that the use is assigned to gets its value behind it.
    let is_late = |item: Item<'_>| item.field() == "leftHandSide" && item.parent().is_some_and(|it| it.holds(one));
    let mut early = written.filter(|item| !is_late(*item)).filter_map(Item::referenced);
    early.any(|id| value.names_of(id).next().is_some())
}

/// Refuses where the statement does something before the use that does not go with the value.
fn check_order(around: Item<'_>, one: Item<'_>, own: ExpressionReach) -> Result<(), ()> {
    let mut child = one;
    for parent in one.ancestors() {
        if child == around {
            break;
        }
        let earlier =
            parent.children().filter(|item| item.span().end <= child.start() && item.field() != "leftHandSide");
        if earlier.into_iter().any(|item| !crate::refactor::analysis::evaluation_order::can_swap(own, reach(item))) {
            return Err(());
        }
        child = parent;
    }
    Ok(())
}

fn shadowed(block: Item<'_>, name: Item<'_>) -> bool {
    let is_namesake = |item: &Item<'_>| {
        item.is("VariableDeclaration") && item.said("name") == name.said("name") && item.id() != name.referenced()
    };
    block.all().any(|item| is_namesake(&item))
}

/// The value as it is written where the variable was.
struct Written {
    text: String,
    is_converted: bool,
}

/// Writes the value so that it has the variable's type.
fn written(code: &Code, declared: Item<'_>, value: Item<'_>) -> Result<Written, &'static str> {
    let (of, given) = (variable_type(declared), value.type_said());
    let text = value.text(code).to_owned();
    let plain = |said: &str| bare(said);
    if is_same(&of, given) {
        return Ok(Written { text, is_converted: false });
    }
    let is_alike = plain(&of) == plain(given) || given.starts_with("literal_string");
    if is_integer(&of) {
        return Ok(Written { text: format!("{of}({text})"), is_converted: true });
    }
    if is_alike && of.contains(" memory") {
        return Err("the variable holds a copy, which the value is not");
    }
    Err("the value has another type than the variable")
}

/// Returns the type of a declared variable as the compiler says it of an expression.
fn variable_type(declared: Item<'_>) -> String {
    let of = declared.type_said();
    let is_plain = declared.said("storageLocation") == "default";
    match declared.said("storageLocation") {
        _ if is_plain || of.ends_with(" memory") || of.contains(" storage") || of.ends_with(" calldata") => {
            of.to_owned()
        }
        "storage" if !of.starts_with("mapping(") => format!("{of} storage ref"),
        "storage" => of.to_owned(),
        location => format!("{of} {location}"),
    }
}

fn needs_parentheses(written: &Written, value: Item<'_>, one: Item<'_>) -> bool {
    let Some(parent) = one.parent() else { return false };
    let is_inner =
        parent.is_any(&["BinaryOperation", "UnaryOperation", "Conditional", "MemberAccess", "IndexRangeAccess"])
            || parent.is("IndexAccess") && one.field() == "baseExpression"
            || parent.is_any(&["FunctionCall", "FunctionCallOptions"]) && one.field() == "expression";
    !written.is_converted && value.is_any(OPERATIONS) && is_inner
}

/// Returns the lines of a statement that has them for itself.
fn lines(code: &Code, statement: Item<'_>) -> Result<Span, Refusal> {
    let (start, end) = (code.line_start(statement.start()), code.next_line(statement.span().end));
    let around = [&code.text()[start..statement.start()], &code.text()[statement.span().end..end]];
    if around.iter().all(|rest| rest.trim().trim_end_matches(';').is_empty()) {
        return Ok(Span::new(start, end));
    }
    Err(code.refuse(statement.start(), "the declaration shares its line with something else"))
}
