//! Introduce Explaining Variable.
//!
//! ```python
//! return price * quantity + fee   →   base = price * quantity
//!                                     return base + fee
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::{
    ExpressionReach, PERHAPS, can_swap, evaluated_once, reach, reach_before, reach_of, repeats,
};
use crate::refactor::analysis::expressions::{bare, candidates, replaced};
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, statement_of};
use crate::session::Session;
use crate::syntax::python::needs_brackets;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let found = candidates(&code, request)?;
    let (first, rest) = found.split_first().expect("there is at least one candidate");
    let statement = place(&code, *first)?;
    let name = request.params.text("name");
    let around = function_of(*first).unwrap_or_else(|| code.root());
    if names.named(name).any(|one| around.span().contains(one.span)) {
        return Err(code.refuse(around.start(), format!("`{name}` is already in use here")));
    }
    check_order(&code, &names, statement, *first).noted()?;
    let mut edits = vec![declaration(&code, statement, *first, name), replaced(&code, *first, name)];
    if request.params.flag("replace_all") {
        for other in rest {
            check_same(&code, &names, (statement, *first), *other).noted()?;
            edits.push(replaced(&code, *other, name));
        }
    }
    code.plan(edits)
}

/// Returns the statement before which the variable comes to stand.
fn place<'c>(code: &'c Code, expression: Node<'c>) -> Result<Node<'c>, Refusal> {
    let statement =
        statement_of(expression).ok_or_else(|| code.refuse(expression.start(), "no statement is around it"))?;
    match evaluated_once(code, statement, expression) {
        // That it may fail, or take long, where it was not evaluated so far, who asks may know better.
        Err(PERHAPS) => in_doubt(code, expression.span(), PERHAPS)?,
        Err(reason) => return Err(code.refuse(expression.start(), reason)),
        Ok(()) => {}
    }
    if !code.text()[code.line_start(statement.start())..statement.start()].trim().is_empty() {
        return Err(code.refuse(statement.start(), "the statement shares its line with another one"));
    }
    if function_of(statement) != function_of(expression)
        || statement.ancestors().take(2).any(crate::refactor::source_file::is_class)
    {
        return Err(code.refuse(statement.start(), "the variable would become a member of the class"));
    }
    Ok(statement)
}

/// Refuses where evaluating the expression first could give another value, or change another one.
fn check_order(code: &Code, names: &ScopedNames<'_>, statement: Node<'_>, expression: Node<'_>) -> Result<(), Refusal> {
    let before = reach_before(names, code, statement, expression);
    let own = reach(names, code, expression);
    if !can_swap(before, own) {
        in_doubt(code, expression.span(), "what is evaluated before it could change it, or be changed by it")?;
    }
    let declared = names.within(Span::new(statement.start(), expression.start())).filter(|name| name.is_binding);
    let declared: Vec<usize> = declared.map(|name| name.meaning).collect();
    let needs = |meaning| names.within(expression.span()).any(|name| name.meaning == meaning);
    let is_early = code.family() != Family::Python && declared.into_iter().any(needs);
    // A parameter of a function inside it, or the variable of a comprehension, goes along with all its uses.
    let is_own = |name: &Name| {
        let is_assigned = code.covering(name.span).parent().is_some_and(|it| it.is("named_expression"));
        !is_assigned && names.of_meaning(name.meaning).all(|one| expression.span().contains(one.span))
    };
    match names.within(expression.span()).find(|name| names.is_write(*name) && !is_own(name)) {
        Some(write) => Err(code.refuse(write.span.start, "it gives a variable its value itself")),
        None if is_early => Err(code.refuse(expression.start(), "the statement itself declares what it uses")),
        None => Ok(()),
    }
}

/// Refuses another place where the expression could have another value than at the first.
fn check_same(
    code: &Code,
    names: &ScopedNames<'_>,
    (statement, first): (Node<'_>, Node<'_>),
    other: Node<'_>,
) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(code.refuse(other.start(), reason));
    if function_of(other) != function_of(first) {
        return refuse("the other place is in another function");
    }
    let block = statement.parent().expect("a statement stands in a block");
    let Some(last) = block.children().find(|child| child.span().contains(other.span())) else {
        return refuse("the other place is not reached through the first one");
    };
    let inner = other.ancestors().take_while(|outer| *outer != last);
    let is_again = last == statement || inner.chain([last]).any(|outer| repeats(outer, other));
    let until = if is_again { last.end() } else { other.start() };
    let between = Span::new(statement.start(), until);
    let is_changed =
        names.within(first.span()).any(|name| names.writes(name.meaning).any(|write| between.contains(write.span)));
    let acts = reach_of(names, code, block, between) == ExpressionReach::Acts
        || !is_again && reach_before(names, code, last, other) == ExpressionReach::Acts;
    match reach(names, code, first) {
        _ if is_changed => refuse("a variable of the expression is reassigned in between"),
        ExpressionReach::Acts => refuse("evaluated once, it does not do what it does twice"),
        ExpressionReach::Reads if acts => {
            in_doubt(code, other.span(), "what the expression reads could change in between")
        }
        _ => Ok(()),
    }
}

/// The loops of scripts.
const LOOPS: &[&str] = &["do_statement", "for_in_statement", "for_statement", "while_statement"];

fn declaration(code: &Code, statement: Node<'_>, expression: Node<'_>, name: &str) -> TextEdit {
    let (indent, end) = (code.indent(statement.start()), code.newline());
    let value = bare(expression).text(code.text());
    let value = match code.family() {
        Family::Python if needs_brackets(value) => format!("({value})"),
        _ => value.to_owned(),
    };
    let line = match code.family() {
        Family::Python => format!("{name} = {value}"),
        _ => {
            // A function that a loop makes sees the value of its own turn in a constant alone.
            let is_looped = statement.ancestors().take_while(|it| !is_any_function(*it)).any(|it| it.is_any(LOOPS));
            let word = if is_looped { "const" } else { code.constant_word() };
            format!("{word} {name} = {value}{}", code.semicolon())
        }
    };
    TextEdit::new(Span::at(statement.start()), format!("{line}{end}{indent}"))
}
