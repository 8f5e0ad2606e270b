//! Remove Control Flag.
//!
//! ```python
//! found = False                        for person in people:
//! for person in people:                    if person == "Don":
//!     if not found:                            alert()
//!         if person == "Don":      →           break
//!             alert()
//!             found = True
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{is_alone, place};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::probed_types::is_whole;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, statement_of};
use crate::session::Session;
use crate::syntax::kinds::{Role, unwrapped};
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A flag that ends a loop.
struct Flag<'c> {
    code: &'c Code,
    /// The statement that gives it its first value, and the loop behind it.
    start: Node<'c>,
    looped: Node<'c>,
    body: Node<'c>,
    /// The value that it has until the loop is to end.
    going: bool,
    guard: Guard<'c>,
    /// The statements that end the loop.
    sets: Vec<Node<'c>>,
    /// `return flag` right behind the loop.
    answer: Option<Node<'c>>,
}

/// Where the flag is asked.
enum Guard<'c> {
    /// By an `if` that is all of the loop's body: its condition, the part that asks, what it holds.
    Body { statement: Node<'c>, condition: Node<'c>, part: Node<'c> },
    /// By the condition of the loop.
    Loop { condition: Node<'c>, part: Node<'c> },
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let flag = find(&code, &names, request)?;
    flag.check(&names)?;
    if let (Guard::Body { .. }, Some(source)) = (&flag.guard, flag.looped.child("right"))
        && !is_whole(session, (&code, &names), (flag.looped, source)).await?
    {
        let reason =
            "leaving the rest of what the loop goes through may be noticed: it is not known to be a collection";
        return Err(code.refuse(source.start(), reason));
    }
    let mut edits = vec![TextEdit::new(whole_lines(&code, flag.start), "")];
    match flag.guard {
        Guard::Loop { condition, part } => {
            edits.push(flag.without(condition, part, "true"));
            edits.extend(flag.sets.iter().map(|set| flag.left(*set)));
        }
        Guard::Body { statement, condition, part } if unwrapped(condition) == part => {
            let inner = statement.child("consequence").unwrap_or(statement);
            edits.push(flag.unwrapped(statement, inner)?);
        }
        Guard::Body { condition, part, .. } => {
            edits.push(flag.without(condition, part, "true"));
            edits.extend(flag.sets.iter().map(|set| flag.left(*set)));
        }
    }
    if let Some(answer) = flag.answer {
        let value = answer.named_children().next().unwrap_or(answer);
        edits.push(TextEdit::new(value.span(), flag.written(flag.going)));
    }
    code.plan(edits)
}

fn find<'c>(code: &'c Code, names: &ScopedNames<'_>, request: &Request) -> Result<Flag<'c>, Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no variable of `{}`", code.shown));
    let offset = place(code, &request.target).ok_or_else(unnamed)?;
    let node = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    let name = names.at(node).ok_or_else(unnamed)?;
    let all: Vec<Name> = names.of_meaning(name.meaning).collect();
    let places: Vec<Node<'c>> = all.iter().map(|one| code.covering(one.span)).collect();
    let first = places[0];
    let refuse = |at: Node<'_>, reason: &str| Err(code.refuse(at.start(), reason));
    let function = function_of(first);
    if function.is_none() || places.iter().any(|place| function_of(*place) != function) {
        return refuse(first, "it is not a variable of one function alone");
    }
    let start = statement_of(first).filter(|_| names.is_write(all[0]));
    let Some((start, going)) = start.and_then(|it| Some((it, constant(code, it, first)?))) else {
        return refuse(first, "it does not begin as true or false");
    };
    let block = start.parent().expect("a statement stands in a block");
    let behind =
        block.named_children().skip_while(|it| *it != start).skip(1).find(|it| it.span().contains(places[1].span()));
    let Some(looped) = behind.filter(|_| places.len() > 2).filter(|it| it.has(Role::Loop)) else {
        return refuse(first, "no loop behind it asks it and sets it");
    };
    let body = looped.child("body").filter(|body| body.is_any(&["block", "statement_block"]));
    let Some(body) = body else { return refuse(looped, "the loop has no block") };
    let mut flag = Flag {
        code,
        start,
        looped,
        body,
        going,
        guard: Guard::Loop { condition: looped, part: looped },
        sets: Vec::new(),
        answer: None,
    };
    let mut asked = Vec::new();
    for (place, one) in places.iter().zip(&all).skip(1) {
        let statement = statement_of(*place).unwrap_or(*place);
        if names.is_write(*one) && body.holds(*place) {
            match constant(code, statement, *place) {
                Some(value) if value != going => flag.sets.push(statement),
                _ => return refuse(*place, "it is set to something else than the end of the loop"),
            }
        } else if looped.holds(*place) {
            asked.push(*place);
        } else {
            flag.answer = Some(flag.answered(*place)?);
        }
    }
    let [asked] = asked.as_slice() else { return refuse(looped, "the loop does not ask it once, before all else") };
    flag.guard = flag.asks(*asked)?;
    if flag.sets.is_empty() { refuse(looped, "nothing in the loop sets it") } else { Ok(flag) }
}

/// Returns the truth that a statement gives a variable, and does nothing else.
fn constant(code: &Code, statement: Node<'_>, target: Node<'_>) -> Option<bool> {
    let mut parts = statement.named_children();
    let only = parts.next().filter(|_| parts.next().is_none() && is_alone(code, statement))?;
    let value = only.child("right").or_else(|| only.child("value"))?;
    (target.parent() == Some(only)).then_some(())?;
    match value.text(code.text()) {
        "True" | "true" => Some(true),
        "False" | "false" => Some(false),
        _ => None,
    }
}

impl<'c> Flag<'c> {
    /// Finds the guard around the place that asks.
    fn asks(&self, place: Node<'c>) -> Result<Guard<'c>, Refusal> {
        let refuse = |reason: &str| Err(self.code.refuse(place.start(), reason));
        let outer = place.parent().unwrap_or(place);
        let is_not =
            outer.is("not_operator") || outer.is("unary_expression") && outer.text(self.code.text()).starts_with('!');
        let part = if is_not { outer } else { place };
        if is_not == self.going {
            return refuse("it is asked whether the loop is over, not whether it goes on");
        }
        let mut asked = part;
        while let Some(outer) = asked.parent().filter(|it| is_and(*it)) {
            asked = outer;
        }
        let condition = asked.parent().filter(|it| it.is("parenthesized_expression")).unwrap_or(asked);
        let Some(statement) = condition.parent().filter(|_| condition.field() == Some("condition")) else {
            return refuse("it is asked in another way than by the guard of the loop");
        };
        if statement == self.looped {
            return Ok(Guard::Loop { condition, part });
        }
        let mut all = self.body.children().filter(|it| it.is_named());
        let is_all = all.next() == Some(statement) && all.next().is_none();
        if !is_all || !statement.is("if_statement") || statement.child("alternative").is_some() {
            return refuse("the loop does more than what the flag guards");
        }
        Ok(Guard::Body { statement, condition, part })
    }

    /// Takes `return flag`, if nothing stands between it and the loop.
    fn answered(&self, place: Node<'c>) -> Result<Node<'c>, Refusal> {
        let block = self.looped.parent().unwrap_or(self.looped);
        let next = block.named_children().skip_while(|it| *it != self.looped).nth(1);
        let answer = next.filter(|it| it.is("return_statement") && it.named_children().next() == Some(place));
        answer.ok_or_else(|| {
            self.code.refuse(place.start(), "it is used behind the loop, so it is more than what ends the loop")
        })
    }

    /// Refuses where leaving the loop is not the same as going through the rest of it without doing anything.
    fn check(&self, names: &ScopedNames<'_>) -> Result<(), Refusal> {
        let refuse = |at: Node<'_>, reason: &str| Err(self.code.refuse(at.start(), reason));
        if let Some(other) = self.looped.children().find(|it| it.is("else_clause")) {
            return refuse(other, "the `else` of the loop would no longer be reached");
        }
        for set in &self.sets {
            if !self.is_last(*set) {
                return refuse(*set, "more is done in the loop after it is set");
            }
        }
        self.check_rest(names)
    }

    /// Looks at what the loop does between two turns, which it will no longer do after the last one.
    fn check_rest(&self, names: &ScopedNames<'_>) -> Result<(), Refusal> {
        let refuse = |at: Node<'_>, reason: &str| Err(self.code.refuse(at.start(), reason));
        if let Guard::Loop { condition, part } = self.guard {
            let before = condition.descendants().filter(|it| it.start() < part.start() && it.is_named());
            let acts =
                before.filter(|it| !it.holds(part)).any(|it| reach(names, self.code, it) == ExpressionReach::Acts);
            return if acts {
                refuse(condition, "the condition has side effects before it reads the flag")
            } else {
                Ok(())
            };
        }
        let left = self.looped.child("left");
        let own: Vec<Name> = left.into_iter().flat_map(|left| names.within(left.span())).collect();
        let is_outside = |one: &Name| !self.looped.span().contains(one.span) && !names.is_write(*one);
        if let Some(name) = own.iter().find(|it| names.of_meaning(it.meaning).any(|one| is_outside(&one))) {
            return Err(self.code.refuse(name.span.start, "the last value that it takes is used outside the loop"));
        }
        if self.looped.child("right").is_some() {
            return Ok(());
        }
        let steps: Vec<Node<'c>> =
            ["condition", "increment"].into_iter().filter_map(|field| self.looped.child(field)).collect();
        let declared = self.looped.child("initializer").is_some_and(|it| it.is("lexical_declaration"));
        let acts = |step: Node<'_>| {
            step.descendants()
                .chain([step])
                .any(|it| it.is_any(&["call_expression", "await_expression", "yield_expression"]))
        };
        match steps.into_iter().find(|step| !declared || acts(*step)) {
            Some(step) => refuse(step, "the loop does more between two turns than to count"),
            None => Ok(()),
        }
    }

    /// Tells whether nothing is done after a statement until the loop goes on.
    fn is_last(&self, statement: Node<'c>) -> bool {
        let mut child = statement;
        for parent in statement.ancestors() {
            if parent == self.looped {
                return true;
            }
            let goes_on = match parent.kind() {
                "block" | "statement_block" => parent.named_children().last() == Some(child),
                "if_statement" | "elif_clause" | "else_clause" => true,
                _ => false,
            };
            if !goes_on || is_any_function(parent) {
                return false;
            }
            child = parent;
        }
        false
    }

    /// Writes what comes in the place of setting the flag.
    fn left(&self, set: Node<'_>) -> TextEdit {
        let semicolon = if self.code.family() == Family::Python { "" } else { ";" };
        let left = match self.answer {
            Some(_) => format!("return {}{semicolon}", self.written(!self.going)),
            None => format!("break{semicolon}"),
        };
        TextEdit::new(set.span(), left)
    }

    fn written(&self, truth: bool) -> &'static str {
        match (self.code.family(), truth) {
            (Family::Python, true) => "True",
            (Family::Python, false) => "False",
            (_, true) => "true",
            (_, false) => "false",
        }
    }

    /// Takes the question out of a condition.
    fn without(&self, condition: Node<'c>, part: Node<'c>, always: &str) -> TextEdit {
        let Some(both) = part.parent().filter(|it| is_and(*it)) else {
            let always = if self.code.family() == Family::Python { "True" } else { always };
            return TextEdit::new(unwrapped(condition).span(), always);
        };
        let other = both.named_children().find(|it| *it != part).unwrap_or(part);
        TextEdit::new(both.span(), other.text(self.code.text()))
    }

    /// Puts what the guard holds in the guard's place, one step further out, its sets replaced.
    fn unwrapped(&self, guard: Node<'c>, inner: Node<'c>) -> Result<TextEdit, Refusal> {
        let code = self.code;
        let comments = guard.descendants().filter(|it| it.kind().ends_with("comment") && !inner.holds(*it));
        if let Some(comment) = comments.into_iter().next() {
            return Err(code.refuse(comment.start(), "the comment would be lost"));
        }
        let held: Vec<Node<'c>> = inner.children().filter(|it| it.is_named()).collect();
        let (Some(first), Some(last)) = (held.first(), held.last()) else {
            return Err(code.refuse(guard.start(), "the guard holds nothing"));
        };
        let span = Span::new(first.start(), last.end());
        let moved = Layout::of(code).moved(span, code.indent(guard.start()));
        let set = self.sets[0].text(code.text());
        let left = self.left(self.sets[0]).new_text;
        if self.sets.iter().any(|it| it.text(code.text()) != set) || moved.matches(set).count() != self.sets.len() {
            return Err(code.refuse(self.sets[0].start(), "it is set in more than one way"));
        }
        Ok(TextEdit::new(guard.span(), moved.replace(set, &left)))
    }
}

/// `a and b`, `a && b`.
fn is_and(node: Node<'_>) -> bool {
    node.children().any(|it| matches!(it.kind(), "and" | "&&"))
}

fn whole_lines(code: &Code, statement: Node<'_>) -> Span {
    Span::new(code.line_start(statement.start()), code.next_line(statement.end()))
}
