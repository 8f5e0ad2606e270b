//! When an expression is evaluated, what it depends on and what it does, by the compiler's tree.

use super::ast::Item;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap};

const PERHAPS: &str = "it is evaluated only under a condition";
const OFTEN: &str = "it is evaluated repeatedly";
const ELSEWHERE: &str = "it is evaluated at another time than the statement around it";

/// Returns how far a piece of code reaches; giving a local variable a value is no act.
pub(super) fn reach(piece: Item<'_>) -> ExpressionReach {
    piece.all().map(reach_at).max().unwrap_or(ExpressionReach::Local)
}

/// Returns how far an expression reaches as a variable holds it: of what lies in the storage only the place.
pub(super) fn own_reach(expression: Item<'_>) -> ExpressionReach {
    let of = expression.type_said();
    let is_place = of.ends_with(" storage ref") || of.ends_with(" storage pointer") || of.starts_with("mapping(");
    let base = |field: &str| expression.child(field).map_or(ExpressionReach::Acts, own_reach);
    match expression.kind() {
        _ if !is_place => reach(expression),
        "Identifier" => ExpressionReach::Local,
        "MemberAccess" if expression.child("expression").is_some_and(is_in_storage) => base("expression"),
        "IndexAccess" => {
            // How long an array is can change.
            let is_mapping =
                expression.child("baseExpression").is_some_and(|it| it.type_said().starts_with("mapping("));
            let own = if is_mapping { ExpressionReach::Local } else { ExpressionReach::Reads };
            own.max(base("baseExpression"))
                .max(expression.child("indexExpression").map_or(ExpressionReach::Acts, reach))
        }
        _ => reach(expression),
    }
}

fn is_in_storage(item: Item<'_>) -> bool {
    item.type_said().contains(" storage ")
}

fn reach_at(item: Item<'_>) -> ExpressionReach {
    match item.kind() {
        "Assignment" if item.child("leftHandSide").is_some_and(is_local) => ExpressionReach::Local,
        "UnaryOperation" if item.child("subExpression").is_some_and(is_local) => ExpressionReach::Local,
        "UnaryOperation" if matches!(item.said("operator"), "++" | "--" | "delete") => ExpressionReach::Acts,
        "Assignment"
        | "EmitStatement"
        | "InlineAssembly"
        | "TryStatement"
        | "PlaceholderStatement"
        | "Return"
        | "Break"
        | "Continue"
        | "Throw" => ExpressionReach::Acts,
        "FunctionCall" => of_call(item),
        "Identifier" => of_name(item),
        "MemberAccess" | "IndexAccess" | "IndexRangeAccess" => of_access(item),
        _ => ExpressionReach::Local,
    }
}

/// Tells whether an expression is a variable of the function, or a tuple of such.
fn is_local(item: Item<'_>) -> bool {
    if item.is("TupleExpression") {
        return item.children().all(is_local);
    }
    item.is("Identifier")
        && item.meant().is_some_and(|meant| meant.is("VariableDeclaration") && !meant.flag("stateVariable"))
}

fn of_call(call: Item<'_>) -> ExpressionReach {
    if call.said("kind") != "functionCall" {
        return ExpressionReach::Local;
    }
    let Some(callee) = call.child("expression") else { return ExpressionReach::Acts };
    let of = callee.type_said();
    let (parameters, rest) = signature(of);
    let head = rest.split(" returns ").next().unwrap_or_default();
    let head = format!("{head} ");
    let is_built_in = callee.referenced().is_some_and(|id| id < 0)
        || callee.child("expression").is_some_and(|base| {
            base.type_said() == "abi"
                || base.is("ElementaryTypeNameExpression")
                || base.type_said().starts_with("type(") && callee.referenced().is_none()
        });
    let makes = callee.is("NewExpression");
    // A function that is given memory may write there, whatever it promises about the state.
    let takes_memory = parameters.iter().any(|one| one.ends_with(" memory"));
    match () {
        () if makes && !rest.contains("contract ") => ExpressionReach::Local,
        () if makes || takes_memory && !is_built_in => ExpressionReach::Acts,
        () if head.contains(" pure ") && call.children().any(refers) => ExpressionReach::Reads,
        () if head.contains(" pure ") => ExpressionReach::Local,
        () if head.contains(" view ") => ExpressionReach::Reads,
        () => ExpressionReach::Acts,
    }
}

/// Tells whether an argument refers to what can change under it.
fn refers(item: Item<'_>) -> bool {
    item.field() == "arguments" && (item.type_said().contains(" memory") || is_in_storage(item))
}

/// Takes `function (a,b) view returns (c)` apart: the parameters' types, and what stands behind them.
pub(super) fn signature(of: &str) -> (Vec<&str>, &str) {
    let Some(open) = of.find('(').filter(|_| of.starts_with("function ")) else { return (Vec::new(), "") };
    let (mut depth, mut from, mut all) = (0, open + 1, Vec::new());
    for (at, character) in of.char_indices().skip(open) {
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => {
                all.extend(Some(&of[from..at]).filter(|one| !one.is_empty()));
                return (all, &of[at + 1..]);
            }
            ')' => depth -= 1,
            ',' if depth == 1 => {
                all.push(&of[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    (Vec::new(), "")
}

fn of_name(name: Item<'_>) -> ExpressionReach {
    let of = name.type_said();
    let is_fixed = of.starts_with("function ")
        || of.starts_with("type(")
        || of.starts_with("contract ") && name.referenced() < Some(0);
    if is_fixed || name.referenced().is_some_and(|id| id < 0) {
        return ExpressionReach::Local;
    }
    match name.meant() {
        Some(meant) if meant.flag("stateVariable") && meant.said("mutability") == "mutable" => ExpressionReach::Reads,
        Some(meant) if meant.is("VariableDeclaration") => ExpressionReach::Local,
        _ => ExpressionReach::Reads,
    }
}

fn of_access(item: Item<'_>) -> ExpressionReach {
    let base = item.child("expression").or_else(|| item.child("baseExpression"));
    let of = base.map(Item::type_said).unwrap_or_default();
    let is_fixed =
        ["type(", "msg", "tx", "block", "abi", "function ", "module "].iter().any(|word| of.starts_with(word));
    let is_method = item.type_said().starts_with("function ");
    if is_fixed || is_method || of.contains(" calldata") { ExpressionReach::Local } else { ExpressionReach::Reads }
}

/// Returns the statement around an expression that has a block to itself.
pub(super) fn statement_of(item: Item<'_>) -> Option<Item<'_>> {
    std::iter::once(item).chain(item.ancestors()).find(|item| is_block(item.parent()) && item.field() == "statements")
}

fn is_block(item: Option<Item<'_>>) -> bool {
    item.is_some_and(|item| item.is_any(&["Block", "UncheckedBlock"]))
}

/// Returns the nearest `unchecked` around.
pub(super) fn unchecked(item: Item<'_>) -> Option<Item<'_>> {
    item.ancestors().find(|outer| outer.is("UncheckedBlock"))
}

/// Fails where `inner` is not evaluated exactly once, and always, when `statement` is carried out.
pub(super) fn evaluated_once(statement: Item<'_>, inner: Item<'_>) -> Result<(), &'static str> {
    let mut child = inner;
    for parent in inner.ancestors() {
        if child == statement {
            break;
        }
        let reason = match (parent.kind(), child.field()) {
            ("Conditional", "trueExpression" | "falseExpression") | ("IfStatement", "trueBody" | "falseBody") => {
                PERHAPS
            }
            ("BinaryOperation", "rightExpression") if matches!(parent.said("operator"), "&&" | "||") => PERHAPS,
            ("ForStatement" | "WhileStatement" | "DoWhileStatement", _) => OFTEN,
            ("TryStatement", "clauses") => PERHAPS,
            ("Assignment", "leftHandSide") | ("VariableDeclaration", _) => ELSEWHERE,
            _ => {
                child = parent;
                continue;
            }
        };
        return Err(reason);
    }
    Ok(())
}

/// Fails where something that the statement does before `inner` could change it, or be changed by it.
pub(super) fn check_first(statement: Item<'_>, inner: Item<'_>) -> Result<(), &'static str> {
    const REASON: &str = "what is evaluated before it could change it, or be changed by it";
    let own = own_reach(inner);
    let mut child = inner;
    for parent in inner.ancestors() {
        if child == statement {
            break;
        }
        // The compiler evaluates what is assigned before the place that it is assigned to.
        let earlier =
            parent.children().filter(|item| item.span().end <= child.start() && item.field() != "leftHandSide");
        if earlier.into_iter().any(|item| !can_swap(reach(item), own)) {
            return Err(REASON);
        }
        child = parent;
    }
    // The statement's own end is where a variable gets its value; before that it would still have the old one.
    let given = |item: Item<'_>| item.is("Identifier") && item.is_written() && !inner.holds(item);
    let is_last = |item: Item<'_>| item.field() == "leftHandSide" && item.parent().is_some_and(|it| it.holds(inner));
    let written = statement.all().filter(|item| given(*item)).filter(|item| !is_last(*item));
    if written.into_iter().any(|item| uses(inner, item)) { Err(REASON) } else { Ok(()) }
}

fn uses(piece: Item<'_>, name: Item<'_>) -> bool {
    name.referenced().is_some_and(|id| piece.names_of(id).next().is_some())
}

/// Tells whether statements in between could give the expression another value.
pub(super) fn is_changed_by(expression: Item<'_>, between: &[Item<'_>]) -> bool {
    let written = between.iter().flat_map(|item| item.all()).filter(|item| item.is("Identifier") && item.is_written());
    let assembly = between.iter().flat_map(|item| item.all()).any(|item| item.is("InlineAssembly"));
    let acts = between.iter().map(|item| reach(*item)).max() == Some(ExpressionReach::Acts);
    assembly
        || written.into_iter().any(|item| uses(expression, item))
        || acts && own_reach(expression) == ExpressionReach::Reads
}
