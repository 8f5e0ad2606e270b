//! A variable whose value can stand where it is used.

use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::{
    ExpressionReach, can_swap, evaluated_once, reach, reach_before, reach_of, repeats,
};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::removed_statements::without_statements;
use crate::refactor::analysis::substitution::{check_object, fitted, in_place};
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::each;
use crate::refactor::request::Request;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, statement_of};
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// A variable that is given its value once.
pub(crate) struct Temp<'c> {
    pub name: Name,
    pub value: Node<'c>,
    statement: Node<'c>,
    pub uses: Vec<Node<'c>>,
    /// Doubts that the caller goes on in spite of.
    pub warnings: Vec<Warning>,
}

impl<'c> Temp<'c> {
    /// Finds the variable, whose value has to be the same one at each use if it is evaluated there.
    pub(crate) fn checked(code: &'c Code, names: &ScopedNames<'_>, request: &Request) -> Result<Self, Refusal> {
        let mut temp = find(code, names, request)?;
        let acts = reach(names, code, temp.value) == ExpressionReach::Acts;
        let doubts = match temp.uses.as_slice() {
            [] if temp.is_of_module() => Vec::new(),
            [] => return Err(code.refuse(temp.name.span.start, "nothing uses the variable")),
            [only] if acts => vec![check_next(code, names, &temp, *only)?],
            [only] if !makes(temp.value) || !temp.is_repeated(*only) => vec![check_same(code, names, &temp, *only)?],
            _ if makes(temp.value) => {
                let reason = "its value is made once and used more than once: each use would make its own";
                return Err(code.refuse(temp.name.span.start, reason));
            }
            uses if acts => {
                let reason = "its value may have side effects, which would happen at each use";
                each(uses.iter().map(|one| doubt(code, one.span(), reason).map(Some)))?
            }
            uses => each(uses.iter().map(|one| check_same(code, names, &temp, *one)))?,
        };
        temp.warnings.extend(doubts.into_iter().flatten());
        let check_seen = |one: &Node<'_>| {
            let hidden = names.within(temp.value.span()).find(|name| names.is_hidden(*name, *one));
            match hidden.map(|name| name.span.of(code.text()).unwrap_or_default()) {
                Some(text) => Err(code.refuse(one.start(), format!("`{text}` refers to something else here"))),
                None => check_object(code, temp.value, *one),
            }
        };
        each(temp.uses.iter().map(check_seen))?;
        Ok(temp)
    }

    pub(crate) fn is_of_module(&self) -> bool {
        function_of(self.statement).is_none()
    }

    /// Tells whether a use may be carried out several times, or later.
    fn is_repeated(&self, one: Node<'c>) -> bool {
        let mut around = one.ancestors().take_while(|outer| Some(*outer) != self.statement.parent());
        function_of(one) != function_of(self.statement) || around.any(|outer| repeats(outer, one))
    }

    /// Returns the type that the declaration says.
    pub(crate) fn said_type(&self) -> Option<Span> {
        self.value.parent().and_then(|it| it.child("type")).map(Node::span)
    }

    /// Takes the declaration away.
    pub(crate) fn removed(&self, code: &Code) -> Result<Vec<TextEdit>, Refusal> {
        without_statements(code, &[self.statement])
    }
}

fn find<'c>(code: &'c Code, names: &ScopedNames<'_>, request: &Request) -> Result<Temp<'c>, Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no variable of `{}`", code.shown));
    let offset = request.target.place().ok_or_else(unnamed)?;
    let node = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    let name = names.at(node).ok_or_else(unnamed)?;
    let writes: Vec<Name> = names.writes(name.meaning).collect();
    let [write] = writes.as_slice() else {
        let reason = format!("`{}` is assigned {} times", node.text(code.text()), writes.len());
        return Err(code.refuse(node.start(), reason));
    };
    let target = code.covering(write.span);
    let assignment = target.parent().filter(|parent| {
        let (kind, field) = match code.family() {
            Family::Python => ("assignment", "left"),
            _ => ("variable_declarator", "name"),
        };
        parent.is(kind) && parent.child(field) == Some(target)
    });
    let assignment =
        assignment.ok_or_else(|| code.refuse(target.start(), "it is not a variable that an assignment declares"))?;
    let value = assignment.child("right").or_else(|| assignment.child("value"));
    let value = value.ok_or_else(|| code.refuse(target.start(), "it is declared without a value"))?;
    let statement = statement_of(assignment).ok_or_else(|| code.refuse(target.start(), "it stands in no block"))?;
    let is_exported = statement.is("export_statement");
    let declaration = statement.child("declaration").filter(|_| is_exported).unwrap_or(statement);
    let is_alone = assignment.parent() == Some(declaration) && declaration.named_children().count() == 1;
    if !is_alone || value.is_any(&["assignment", "assignment_expression", "yield", "yield_expression"]) {
        return Err(code.refuse(target.start(), "the statement declares more than this variable"));
    }
    let is_of_module = function_of(statement).is_none() && names.function_of_meaning(write.meaning).is_none();
    if !is_of_module && !names.is_local(*write, function_of(statement))
        || statement.parent().and_then(|block| block.parent()).is_some_and(crate::refactor::source_file::is_class)
    {
        return Err(code.refuse(target.start(), "it is a field of a class, or another function's, too"));
    }
    let uses = names.of_meaning(write.meaning).filter(|one| one.span != write.span);
    let uses: Vec<Node<'_>> = uses.map(|one| code.covering(one.span)).collect();
    let warnings = match is_exported {
        true => vec![doubt(code, write.span, "it is exported, and may be used outside the project")?],
        false => Vec::new(),
    };
    Ok(Temp { name: *write, value, statement, uses, warnings })
}

/// Tells whether evaluating an expression makes something of its own, which two uses would not share.
pub(super) fn makes(value: Node<'_>) -> bool {
    const MAKES: &[&str] = &[
        "list",
        "dictionary",
        "set",
        "array",
        "object",
        "lambda",
        "arrow_function",
        "function_expression",
        "class",
        "regex",
    ];
    value.walk_until(|node| node.is_any(MAKES)).any(|node| node.is_any(MAKES))
}

/// Refuses where a value that acts would act later than now, or not once.
fn check_next(
    code: &Code,
    names: &ScopedNames<'_>,
    temp: &Temp<'_>,
    only: Node<'_>,
) -> Result<Option<Warning>, Refusal> {
    // What a call does is seldom known: who knows may go on.
    let refuse = |reason: &str| doubt(code, only.span(), reason).map(Some);
    let block = temp.statement.parent().expect("a statement stands in a block");
    let next = block.named_children().skip_while(|child| *child != temp.statement).nth(1);
    let Some(next) = next.filter(|next| next.span().contains(only.span())) else {
        return refuse("its value may have side effects, and it is not used in the very next statement");
    };
    if statement_of(only) != Some(next) || function_of(only) != function_of(temp.statement) {
        return refuse("its value may have side effects, which would happen under a condition, or again");
    }
    if let Err(reason) = evaluated_once(code, next, only) {
        return refuse(reason);
    }
    if !can_swap(reach_before(names, code, next, only), reach(names, code, temp.value)) {
        return refuse("what is evaluated before the use could be changed by it, or change it");
    }
    Ok(None)
}

/// Refuses a use where the value could be another one by then.
fn check_same(
    code: &Code,
    names: &ScopedNames<'_>,
    temp: &Temp<'_>,
    one: Node<'_>,
) -> Result<Option<Warning>, Refusal> {
    let refuse = |reason: &str| Err(code.refuse(one.start(), reason));
    let block = temp.statement.parent().expect("a statement stands in a block");
    let last =
        block.children().find(|child| child.start() >= temp.statement.end() && child.span().contains(one.span()));
    let Some(last) = last else { return refuse("the use is not reached through the assignment") };
    let is_inner = function_of(one) != function_of(temp.statement);
    let is_again = is_inner || std::iter::once(last).chain(inside(last, one)).any(|outer| repeats(outer, one));
    let until = match () {
        () if is_inner => function_of(temp.statement).map_or(last.end(), Node::end),
        () if is_again => last.end(),
        () => one.start(),
    };
    let between = Span::new(temp.statement.end(), until);
    // What a statement sets, it sets when it has its value.
    let is_late = |write: &Name| {
        let target =
            code.covering(write.span).ancestors().find(|it| it.is_any(&["assignment", "assignment_expression"]));
        !is_again
            && target.is_some_and(|it| {
                it.child("left").is_some_and(|left| left.span().contains(write.span))
                    && it.child("right").is_some_and(|right| right == one || right.holds(one))
            })
    };
    let is_changed = names
        .within(temp.value.span())
        .any(|name| names.writes(name.meaning).any(|write| between.contains(write.span) && !is_late(&write)));
    if is_changed {
        return refuse("a variable of its value is reassigned before this use");
    }
    let in_loop =
        temp.statement.ancestors().any(|outer| outer.is_any(&["for_statement", "for_in_statement", "while_statement"]));
    let is_stable = |name: Name| name.is_free || !in_loop && names.writes(name.meaning).count() == 1;
    let perhaps = |reason: &str| doubt(code, one.span(), reason).map(Some);
    if is_inner && !names.within(temp.value.span()).all(is_stable) {
        return perhaps("the use is in a function that may run when what it is made of has another value");
    }
    match reach(names, code, temp.value) {
        ExpressionReach::Local => Ok(None),
        _ if is_inner => perhaps("the use is in a function that may run when what it reads has changed"),
        _ if reach_of(names, code, block, between) == ExpressionReach::Acts
            || !is_again && reach_before(names, code, last, one) == ExpressionReach::Acts =>
        {
            perhaps("what its value reads could change before this use")
        }
        _ => Ok(None),
    }
}

/// Returns what stands around a node inside of another one.
fn inside<'c>(outer: Node<'c>, node: Node<'c>) -> impl Iterator<Item = Node<'c>> {
    node.ancestors().take_while(move |it| *it != outer)
}

/// Puts the value where a use is, in parentheses unless it needs none. Its other lines are indented as the use is.
pub(super) fn put((code, value): (&Code, Node<'_>), (user, one): (&Code, Node<'_>)) -> Result<TextEdit, Refusal> {
    let column = user.text()[user.line_start(one.start())..one.start()].chars().count();
    let said = Layout::of(code).beside(value.span(), user.indent(one.start()), column);
    let text = fitted(user, &said, one)?;
    if one.is("shorthand_property_identifier") {
        return Ok(TextEdit::new(one.span(), format!("{}: {text}", one.text(user.text()))));
    }
    Ok(TextEdit::new(one.span(), in_place(user, value, text, one)))
}
