//! A call, with what its caller does about the code.

use super::special::{Answers, nothing};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::conditions::bare;
use crate::refactor::analysis::definite_assignment::{completes, is_read_behind};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, EVALUATING, function_of, is_block};
use crate::syntax::{Family, Node, is_any_function, is_test, whole_words};

pub(super) struct Site<'c> {
    pub code: &'c Code,
    /// The call, with what waits for it.
    pub call: Node<'c>,
    /// What is changed: one statement, or one with the test behind it.
    pub first: Node<'c>,
    pub last: Node<'c>,
    pub form: Form<'c>,
}

/// What a caller does about the code.
pub(super) enum Form<'c> {
    /// Nothing: `f()`.
    Ignored,
    /// It hands it on: `return f()`.
    Returned,
    /// It keeps it: `x = f()`.
    Kept { target: Node<'c> },
    /// It asks for it right behind: `x = f()`, `if x is None: …`.
    Asked { target: Node<'c>, ways: Ways<'c> },
    /// It asks at once: `if f() is None: …`.
    Tested { ways: Ways<'c> },
    /// A test expects it: `assert f() is None`.
    Expected(Expecting<'c>),
    /// A test expects something else.
    Unlike,
}

/// What is done where the code came, and where it did not.
pub(super) struct Ways<'c> {
    pub failed: Option<Node<'c>>,
    pub done: Option<Node<'c>>,
}

/// How a test says what it expects.
#[derive(Clone, Copy)]
pub(super) enum Expecting<'c> {
    Pytest,
    Unittest,
    /// `expect(…)`, with the whole expression.
    Expect(Node<'c>),
}

impl<'c> Site<'c> {
    pub(super) fn of((code, call): (&'c Code, Node<'c>), answers: &Answers<'_>, error: &str) -> Result<Self, Refusal> {
        let call = waited(code, call, answers)?;
        let parent = call.parent().unwrap_or(call);
        let site = |first: Node<'c>, last: Node<'c>, form: Form<'c>| Ok(Self { code, call, first, last, form });
        let is_statement = |it: Node<'_>| it.parent().is_some_and(is_block);
        if let Some((statement, form)) = expected(code, call, error) {
            return site(statement, statement, form);
        }
        match parent.kind() {
            "expression_statement" if is_statement(parent) => return site(parent, parent, Form::Ignored),
            "return_statement" if is_statement(parent) => return site(parent, parent, Form::Returned),
            _ => {}
        }
        if let Some((statement, target)) = assigned(parent, call).filter(|(it, _)| is_statement(*it)) {
            if let Some((test, ways)) = asked(code, (statement, target), error) {
                let is_kept = is_asked_elsewhere(code, target, (statement, test));
                return site(
                    statement,
                    test,
                    if is_kept { Form::Asked { target, ways } } else { Form::Tested { ways } },
                );
            }
            // A test that takes the answer for more than the code fails with the exception as it did without.
            let is_needed = is_test(&code.shown) && is_taken((code, target), statement, error);
            return site(statement, statement, if is_needed { Form::Unlike } else { Form::Kept { target } });
        }
        let is_false = answers.is_all_true();
        if let Some((test, ways)) = tested(code, call, (error, is_false)).filter(|(it, _)| is_statement(*it)) {
            return site(test, test, Form::Tested { ways });
        }
        let reason =
            "what it answers is a part of something else here: `introduce-explaining-variable` gives it a name";
        Err(code.refuse(call.start(), reason))
    }

    /// Tells whether nothing changes here.
    pub(super) fn is_kept(&self) -> bool {
        matches!(self.form, Form::Unlike)
    }

    /// Tells what goes by silently, as before.
    pub(super) fn told(&self, exception: &str) -> Option<Warning> {
        let range = self.code.parsed().text.range(self.call.span());
        let message = format!("what the call answers is ignored here: so is the `{exception}` from now on");
        matches!(self.form, Form::Ignored)
            .then(|| Warning::at(WarningKind::FollowUp, message, self.code.path.clone(), range))
    }

    /// Returns the module that a changed test needs.
    pub(super) fn needs(&self) -> Option<&'static str> {
        let is_bare = || !["pytest", "raises"].iter().any(|it| self.knows(it));
        (matches!(self.form, Form::Expected(Expecting::Pytest)) && is_bare()).then_some("import pytest")
    }

    /// Tells whether the module knows a name.
    pub(super) fn knows(&self, name: &str) -> bool {
        ScopedNames::of(self.code).named(name).any(|it| it.is_binding)
    }
}

/// Returns the call with the `await` around it; refuses one that nobody waits for.
fn waited<'c>(code: &Code, call: Node<'c>, answers: &Answers<'_>) -> Result<Node<'c>, Refusal> {
    let waiting = call.parent().filter(|it| it.is_any(&["await", "await_expression"]));
    match waiting {
        Some(waiting) => Ok(waiting),
        None if answers.is_late() => Err(code.refuse(call.start(), "nobody waits here for what it answers")),
        None => Ok(call),
    }
}

/// Returns the statement that gives one variable what is called, with the variable.
fn assigned<'c>(parent: Node<'c>, call: Node<'c>) -> Option<(Node<'c>, Node<'c>)> {
    let statement = parent.parent()?;
    let is_value = parent.child("right").or_else(|| parent.child("value")) == Some(call);
    let is_one = statement.named_children().count() == 1 && statement.is_any(EVALUATING);
    let target = parent.child("left").or_else(|| parent.child("name"))?;
    let kinds = &["assignment", "assignment_expression", "variable_declarator"];
    let is_plain = parent.is_any(kinds) && target.is_any(&["identifier", "attribute", "member_expression"]);
    (is_value && is_one && is_plain).then_some((statement, target))
}

/// Tells whether anything but an assignment and the condition behind it needs the variable.
fn is_asked_elsewhere(code: &Code, target: Node<'_>, (statement, test): (Node<'_>, Node<'_>)) -> bool {
    let names = ScopedNames::of(code);
    let Some(name) = names.at(target).filter(|_| function_of(statement).is_some()) else { return true };
    let condition = test.child("condition").map(Node::span);
    let is_there = |span| statement.span().contains(span) || condition.is_some_and(|it| it.contains(span));
    names.of_meaning(name.meaning).any(|it| !is_there(it.span))
}

/// Returns the test right behind an assignment, where nothing but the test needs the code in the variable.
fn asked<'c>(code: &'c Code, (statement, target): (Node<'c>, Node<'c>), error: &str) -> Option<(Node<'c>, Ways<'c>)> {
    let mut behind = statement.parent()?.children().filter(|it| it.is_named() && it.start() >= statement.end());
    let test = behind.next().filter(|it| it.is("if_statement"))?;
    let ways = ways(code, test, (target.text(code.text()), error, false))?;
    let names = ScopedNames::of(code);
    let meaning = names.at(target)?.meaning;
    let function = function_of(statement)?;
    let is_local = names.function_of_meaning(meaning) == Some(function);
    let failed = ways.failed;
    let leaves = failed.is_some_and(|it| !completes(&names, &statements(it)));
    let is_read = failed.is_some_and(|it| names.of_meaning(meaning).any(|one| it.span().contains(one.span)))
        || !leaves && is_read_behind(&names, meaning, function, test);
    let is_behind = code.family() == Family::Script && ways.done.is_some() && !leaves;
    (is_local && !is_read && !is_behind).then_some((test, ways))
}

/// Tells whether what stands behind an assignment uses the variable, and nowhere asks for the code.
fn is_taken((code, target): (&Code, Node<'_>), statement: Node<'_>, error: &str) -> bool {
    let said = target.text(code.text());
    let block = statement.parent().into_iter().flat_map(Node::named_children);
    let behind: Vec<&str> = block.filter(|it| it.start() >= statement.end()).map(|it| it.text(code.text())).collect();
    let asks = |it: &&str| [error, &format!("not {said}"), &format!("!{said}")].iter().any(|word| it.contains(*word));
    behind.iter().any(|it| !whole_words(it, said).is_empty()) && !behind.iter().any(asks)
}

/// Returns the conditional that a call is tested in.
fn tested<'c>(code: &'c Code, call: Node<'c>, (error, is_false): (&str, bool)) -> Option<(Node<'c>, Ways<'c>)> {
    let test = call.ancestors().take_while(|it| !is_any_function(*it)).find(|it| it.is("if_statement"))?;
    let is_condition = test.child("condition").is_some_and(|it| it == call || it.holds(call));
    let ways = ways(code, test, (call.text(code.text()), error, is_false)).filter(|_| is_condition)?;
    let names = ScopedNames::of(code);
    let leaves = ways.failed.is_some_and(|it| !completes(&names, &statements(it)));
    (code.family() == Family::Python || ways.done.is_none() || leaves).then_some((test, ways))
}

/// Reads a conditional that asks whether something is the code, and nothing else.
fn ways<'c>(code: &'c Code, test: Node<'c>, (subject, error, is_false): (&str, &str, bool)) -> Option<Ways<'c>> {
    let condition = bare(test.child("condition")?);
    let is_error = says_code(code, condition, (subject, error)).or_else(|| {
        let denied = condition.child("argument").filter(|it| it.text(code.text()) == subject);
        let is_denied = denied.is_some() && condition.is_any(&["not_operator", "unary_expression"]);
        let is_bare = condition.text(code.text()) == subject;
        (is_false && (is_denied || is_bare)).then_some(is_denied)
    })?;
    let then = test.child("consequence").filter(|it| is_block(*it))?;
    let others: Vec<Node<'c>> = test.children_in("alternative").collect();
    let other = match others.as_slice() {
        [] => None,
        [one] if one.is("else_clause") => {
            let body = one.child("body").or_else(|| one.named_children().last());
            Some(body.filter(|it| is_block(*it))?)
        }
        _ => return None,
    };
    let has_comment = condition.descendants().any(|it| it.kind().ends_with("comment"));
    let (failed, done) = if is_error { (Some(then), other) } else { (other, Some(then)) };
    (!has_comment).then_some(Ways { failed, done })
}

/// Tells whether a comparison holds for the code, or for all else.
fn says_code(code: &Code, condition: Node<'_>, (subject, error): (&str, &str)) -> Option<bool> {
    let text = code.text();
    if !condition.is_any(&["comparison_operator", "binary_expression"]) {
        return None;
    }
    let sides: Vec<&str> = condition.named_children().map(|it| it.text(text)).collect();
    let [one, other] = sides.as_slice() else { return None };
    let operator =
        condition.child("operator").or_else(|| condition.children().find(|it| it.field() == Some("operators")));
    let operator = operator.map(|it| it.text(text))?;
    let is_loose = matches!(operator, "==" | "!=") && code.family() == Family::Script;
    let is_it = |said: &str| said == error || is_loose && matches!((said, error), ("null", "undefined"));
    let fits = *one == subject && is_it(other) || *other == subject && is_it(one);
    match operator {
        "==" | "===" | "is" if fits => Some(true),
        "!=" | "!==" | "is not" if fits => Some(false),
        _ => None,
    }
}

pub(super) fn statements(block: Node<'_>) -> Vec<Node<'_>> {
    block.named_children().collect()
}

/// Returns the statement of a test that says what a call is to answer.
fn expected<'c>(code: &'c Code, call: Node<'c>, error: &str) -> Option<(Node<'c>, Form<'c>)> {
    let text = code.text();
    let is_python = code.family() == Family::Python;
    let statement = call.ancestors().find(|it| it.parent().is_some_and(is_block))?;
    let inner = statement.named_children().next()?;
    if statement.is("assert_statement") {
        let is_code = says_code(code, inner, (call.text(text), error)) == Some(true)
            || matches!(error, "False" | "None") && inner.is("not_operator") && inner.child("argument") == Some(call);
        return Some((statement, if is_code { Form::Expected(Expecting::Pytest) } else { Form::Unlike }));
    }
    let listed = |it: Node<'c>| it.child("arguments").into_iter().flat_map(Node::named_children).collect::<Vec<_>>();
    if is_python {
        let called =
            inner.child("function").map(|it| it.text(text)).filter(|_| statement.is("expression_statement"))?;
        let word = called.strip_prefix("self.assert")?;
        let given = listed(inner);
        let is_code = match word {
            "IsNone" => error == "None" && given.first() == Some(&call),
            "False" => error == "False" && given.first() == Some(&call),
            "Equal" | "Equals" | "Is" => given.contains(&call) && given.iter().any(|it| it.text(text) == error),
            _ => false,
        };
        return Some((statement, if is_code { Form::Expected(Expecting::Unittest) } else { Form::Unlike }));
    }
    let expect =
        call.parent()?.parent().filter(|it| it.child("function").is_some_and(|it| it.text(text) == "expect"))?;
    let matcher = expect.parent().filter(|it| it.is("member_expression"))?;
    let whole = matcher.parent().filter(|it| it.is("call_expression"))?;
    let given = listed(whole);
    let is_given = given.iter().any(|it| it.text(text) == error);
    let is_code = match matcher.child("property").map(|it| it.text(text))? {
        "toBeNull" => error == "null",
        "toBeUndefined" => error == nothing(code),
        "toBe" | "toEqual" | "toStrictEqual" => is_given,
        "toBeFalsy" => true,
        _ => false,
    };
    let is_plain = whole.parent() == Some(statement) && !call.is("await_expression");
    match is_code {
        true if is_plain => Some((statement, Form::Expected(Expecting::Expect(whole)))),
        true => None,
        false => Some((statement, Form::Unlike)),
    }
}
