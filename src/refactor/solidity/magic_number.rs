//! Replace Magic Number with Symbolic Constant, in Solidity.
//!
//! ```solidity
//! contract Fees {                              contract Fees {
//!                                                  uint256 private constant RATE = 30;
//!                                          →
//!     … = amount * 30 / 10_000;                    … = amount * RATE / 10_000;
//! ```
//! A number takes the type of what it meets, a constant has its own: it has to be the same one everywhere.

use super::ast::{Ast, Item};
use super::evaluation::signature;
use super::project::Ground;
use super::types::{bare, is_integer};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::DefinitionKind;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let extent = code.extent(&request.target);
    if !code.covering(extent).descendants().any(|it| it.is("number_literal") && extent.contains(it.span())) {
        return Err(Refusal::NotPossible("no number stands in what the target names".to_owned()));
    }
    let (name, value) = (request.params.text("name"), request.params.needed("value")?.trim());
    if !request.params.list("files").is_empty() {
        return Err(Refusal::NotPossible("a constant of a contract is not imported by other files".to_owned()));
    }
    let ground = Ground::of(session).await?;
    let ast = Ast::of(session, &ground, &code).await?;
    let is_number = |item: &Item<'_>| item.is("Literal") && item.said("kind") == "number";
    let numbers = ast.iter().filter(|item| is_number(item) && extent.contains(item.span()));
    let found: Vec<Item<'_>> = numbers.filter(|item| item.text(&code) == value).collect();
    let Some(first) = found.first() else {
        return Err(Refusal::NotPossible(format!("no number `{value}` stands in what the target names")));
    };
    let contract = contract_of(&code, *first)?;
    let existing = contract.children().find(|item| is_constant(*item, name, value, &code));
    let mut found = found.clone();
    found.retain(|item| existing.is_none_or(|existing| !existing.holds(*item)));
    let of = common(&code, contract, &found)?;
    let mut edits: Vec<TextEdit> = found.iter().map(|item| TextEdit::new(item.span(), name)).collect();
    match existing {
        Some(existing) if of.as_ref().is_none_or(|of| existing.type_said() == of) => {}
        Some(existing) => return Err(code.refuse(existing.start(), format!("`{name}` has another type"))),
        None => {
            let file = Ground::id(&code.path);
            let in_model = ground.model.around(&file, first.start(), |one| {
                matches!(one.kind, DefinitionKind::Contract | DefinitionKind::Library)
            });
            let in_model = in_model.ok_or_else(|| code.refuse(first.start(), "the contract around it is not known"))?;
            ground.check_member(session, in_model, name).noted()?;
            if let Some(at) = ground.mention(&file, Span::new(0, code.text().len()), name) {
                return Err(code.refuse(at, format!("`{name}` is already in use here")));
            }
            edits.push(definition(&code, contract, (of.as_deref().unwrap_or("uint256"), name, value))?);
        }
    }
    code.plan(edits)
}

fn contract_of<'a>(code: &Code, item: Item<'a>) -> Result<Item<'a>, Refusal> {
    let contract = item.ancestors().find(|outer| outer.is("ContractDefinition"));
    contract.ok_or_else(|| code.refuse(item.start(), "the number stands outside contracts"))
}

fn is_constant(item: Item<'_>, name: &str, value: &str, code: &Code) -> bool {
    let is_value = |given: Item<'_>| given.is("Literal") && given.text(code) == value;
    item.is("VariableDeclaration")
        && item.said("name") == name
        && item.said("mutability") == "constant"
        && item.child("value").is_some_and(is_value)
}

/// Returns the one type that the constant has to have; nothing where any does.
fn common(code: &Code, contract: Item<'_>, found: &[Item<'_>]) -> Result<Option<String>, Refusal> {
    let mut common: Option<String> = None;
    for number in found {
        let refuse = |reason: String| Err(code.refuse(number.start(), reason));
        if !contract.holds(*number) {
            return refuse("the number also stands in another contract: name one of them".to_owned());
        }
        let of = match wanted(*number) {
            Ok(Some(of)) => of,
            Ok(None) => continue,
            Err(reason) => return refuse(reason.to_owned()),
        };
        match &common {
            Some(other) if *other != of => {
                return refuse(format!("here the number is of type `{of}`, elsewhere of `{other}`"));
            }
            _ => common = Some(of),
        }
    }
    Ok(common)
}

/// Returns the type that a number has where it stands; nothing where a constant of any type does.
fn wanted(number: Item<'_>) -> Result<Option<String>, &'static str> {
    let mut inner = number;
    while let Some(tuple) = inner.parent().filter(|it| it.is("TupleExpression") && it.children().count() == 1) {
        inner = tuple;
    }
    let parent = inner.parent().ok_or("the number stands alone")?;
    let typed = |of: &str| if is_integer(of) { Ok(Some(of.to_owned())) } else { Err("only a number can stand here") };
    match parent.kind() {
        "BinaryOperation" => of_operand(parent, inner),
        "Assignment" if inner.field() == "rightHandSide" => of_assigned(parent),
        "VariableDeclarationStatement" => {
            let mut declared = parent.children().filter(|item| item.field() == "declarations");
            declared.next().map_or(Err("only a number can stand here"), |item| typed(item.type_said()))
        }
        "VariableDeclaration" if inner.field() == "value" => typed(parent.type_said()),
        "Return" => {
            let function = parent.ancestors().find(|outer| outer.is("FunctionDefinition"));
            let returned = function.and_then(|function| function.child("returnParameters"));
            let mut returned = returned.into_iter().flat_map(Item::children);
            returned.next().map_or(Err("only a number can stand here"), |item| typed(item.type_said()))
        }
        "FunctionCall" => of_argument(parent, inner),
        "IndexAccess" if inner.field() == "indexExpression" => of_index(parent),
        "ArrayTypeName" => Ok(None),
        _ => Err("only a number can stand here"),
    }
}

fn of_operand(operation: Item<'_>, number: Item<'_>) -> Result<Option<String>, &'static str> {
    let operator = operation.said("operator");
    let other = operation.children().find(|item| *item != number).map(Item::type_said).unwrap_or_default();
    if other.starts_with("int_const") || other.starts_with("rational_const") {
        return Err("the number is computed with another one before it has a type: name the result");
    }
    let is_right = number.field() == "rightExpression";
    let of = match operator {
        "<<" | ">>" | "**" if is_right => return Ok(None),
        "<<" | ">>" | "**" => operation.type_said(),
        "==" | "!=" | "<" | ">" | "<=" | ">=" => operation.common_type(),
        _ => operation.type_said(),
    };
    if is_integer(of) && (of == other || matches!(operator, "<<" | "**")) {
        return Ok(Some(of.to_owned()));
    }
    Err("the number widens the type of what it is computed with")
}

fn of_assigned(assignment: Item<'_>) -> Result<Option<String>, &'static str> {
    let of = assignment.type_said();
    match assignment.said("operator") {
        "<<=" | ">>=" => Ok(None),
        _ if is_integer(of) => Ok(Some(of.to_owned())),
        _ => Err("only a number can stand here"),
    }
}

fn of_argument(call: Item<'_>, argument: Item<'_>) -> Result<Option<String>, &'static str> {
    const OPEN: &str = "what is called takes any type: the number's own would change";
    if call.said("kind") == "typeConversion" {
        return if is_integer(call.type_said()) { Ok(Some(call.type_said().to_owned())) } else { Err(OPEN) };
    }
    let callee = call.child("expression").ok_or(OPEN)?;
    let (parameters, _) = signature(callee.type_said());
    let mut arguments: Vec<Item<'_>> = call.children().filter(|item| item.field() == "arguments").collect();
    arguments.sort_by_key(|item| item.start());
    let at = arguments.iter().position(|item| *item == argument).ok_or(OPEN)?;
    // Behind a dot a function of a library has its first argument before it; names can come in any order.
    let before = parameters.len().checked_sub(arguments.len()).ok_or(OPEN)?;
    let is_attached = before == 1 && callee.is("MemberAccess");
    let is_plain = (before == 0 || is_attached) && call.said("kind") == "functionCall" && !call.is_named_call();
    match parameters.get(at + before).filter(|_| is_plain) {
        Some(of) if is_integer(of) => Ok(Some((*of).to_owned())),
        _ => Err(OPEN),
    }
}

fn of_index(access: Item<'_>) -> Result<Option<String>, &'static str> {
    let base = access.child("baseExpression").map(|base| bare(base.type_said())).unwrap_or_default();
    match base.strip_prefix("mapping(").and_then(|rest| rest.split(" => ").next()) {
        Some(key) if is_integer(key) => Ok(Some(key.to_owned())),
        Some(_) => Err("only a number can stand here"),
        None if base.ends_with("[]") || base == "bytes" => Ok(Some("uint256".to_owned())),
        None => Err("the compiler checks this index, which it knows: it would not know the constant's"),
    }
}

/// Puts the constant before the contract's first member.
fn definition(code: &Code, contract: Item<'_>, (of, name, value): (&str, &str, &str)) -> Result<TextEdit, Refusal> {
    let members = contract.children().filter(|item| item.field() == "nodes");
    let first = members.into_iter().find(|item| !item.is("UsingForDirective"));
    let first = first.ok_or_else(|| code.refuse(contract.start(), "the contract has no members"))?;
    let documented = first.child("documentation").map_or(first.start(), |docs| docs.start().min(first.start()));
    let at = code.line_start(documented);
    let (indent, end) = (code.indent(documented), code.newline());
    let indent = if indent.is_empty() { Layout::of(code).step().to_owned() } else { indent.to_owned() };
    if !code.text()[at..documented].trim().is_empty() {
        return Err(code.refuse(documented, "the contract's first member does not begin its line"));
    }
    let gap = if first.is("VariableDeclaration") { "" } else { end };
    Ok(TextEdit::new(Span::at(at), format!("{indent}{of} private constant {name} = {value};{end}{gap}")))
}
