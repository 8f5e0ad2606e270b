//! Replace Error Code with Exception.
//!
//! ```python
//! def withdraw(self, amount):               def withdraw(self, amount):
//!     if amount > self.balance:                 if amount > self.balance:
//!         return -1                                 raise BalanceError()
//!     self.balance -= amount                    self.balance -= amount
//!     return 0                                  return 0
//!                                       →
//! if account.withdraw(5) == -1:             try:
//!     overdrawn()                               account.withdraw(5)
//!                                           except BalanceError:
//!                                               overdrawn()
//! ```
//! Whoever does not ask for the code goes on to have it: the exception is caught there, and the code put in its place.

mod caller;
mod raised;
mod special;
mod written;

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::imports::required::{self, ImportReader};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::signatures::Callee;
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, function_at};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};
use raised::Raised;
use special::Answers;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let answers = Answers::of(&code, function, request.params.given("code"))?;
    let raised = Raised {
        code: answers.code,
        name: request.params.needed("exception")?.trim(),
        message: request.params.text("message").trim(),
    };
    let is_new = is_new(&code, raised.name)?;
    answers.check(session).await?;
    if !is_new {
        check_own(&code, function, raised.name)?;
    }
    let callee = Callee::of(session, &code, function).await?;
    let places = callee.places()?;
    if let Some((other, one)) =
        places.signatures.iter().find(|(other, one)| other.path != code.path || *one != function)
    {
        return Err(other.refuse(one.start(), "it overrides a method of the same name, or is overridden by one"));
    }
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    edits.add(&code, answers.raised(&raised));
    if let Some(gone) = answers.gone() {
        required::leave(session, &code, &[gone], &mut edits);
    }
    let found = places.calls.iter().map(|(user, call)| {
        let site = caller::Site::of((user, *call), &answers, raised.code)?;
        Ok::<_, Refusal>((*user, site))
    });
    let mut users: BTreeMap<&AbsPath, &Code> = BTreeMap::new();
    for (user, site) in each(found)? {
        if site.is_kept() {
            continue;
        }
        edits.warn(site.told(raised.name));
        edits.add(user, written::changed(session, (&answers, &raised), &site).await?);
        edits.import(user, site.needs().map(str::to_owned));
        if user.path != code.path {
            users.insert(&user.path, user);
        }
    }
    let is_shared = !users.is_empty();
    for user in users.into_values() {
        introduce(session, (&code, user), (raised.name, is_new), &mut edits).noted()?;
    }
    if is_new {
        edits.add(&code, [declared(&code, function, raised.name, is_shared)]);
        edits.add(&code, required::handed_out(&code, raised.name, function.start()).filter(|_| is_shared));
    }
    edits.plan()
}

/// Tells whether the exception has to be declared; refuses a name of something else.
fn is_new(code: &Code, name: &str) -> Result<bool, Refusal> {
    const PYTHON: &[&str] = &[
        "ArithmeticError",
        "AttributeError",
        "Exception",
        "IndexError",
        "KeyError",
        "LookupError",
        "OSError",
        "OverflowError",
        "RuntimeError",
        "TypeError",
        "ValueError",
        "ZeroDivisionError",
        "FileNotFoundError",
    ];
    const SCRIPT: &[&str] = &["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError"];
    let built_in = if code.family() == Family::Python { PYTHON } else { SCRIPT };
    let names = ScopedNames::of(code);
    let is_module = |it: &crate::syntax::scopes::Name| it.is_binding && required::home(code, *it).is_none();
    if names.named(name).any(|it| is_module(&it)) || built_in.contains(&name) {
        return Ok(false);
    }
    crate::syntax::check_name(code.parsed().tree.language(), name).map_err(|bad| Refusal::BadName(bad.to_string()))?;
    check_unused(code, name).map(|()| true)
}

/// Doubts an exception that the function may raise for other reasons: it would be caught for them, too.
fn check_own(code: &Code, function: Node<'_>, name: &str) -> Result<(), Refusal> {
    let body = function.child("body").unwrap_or(function);
    let names = ScopedNames::of(code);
    let is_raised = |it: &Node<'_>| it.is_any(&["raise_statement", "throw_statement"]);
    let acts = body.named_children().any(|it| reach(&names, code, it) == ExpressionReach::Acts);
    if acts || body.descendants().any(|it| is_raised(&it)) {
        let reason = format!("a `{name}` may come out of it for other reasons, and would be caught: name a new class");
        in_doubt(code, function.span(), reason)?;
    }
    Ok(())
}

/// Lets another file know the exception.
fn introduce(
    session: &Session,
    (code, user): (&Code, &Code),
    (name, is_new): (&str, bool),
    edits: &mut Edits,
) -> Result<(), Refusal> {
    if is_new {
        check_unused(user, name)?;
        required::check_apart(session, code, user)?;
        edits.import(user, required::line(session, code, user, name));
        return Ok(());
    }
    let is_known = ScopedNames::of(user).named(name).any(|it| it.is_binding);
    if !is_known && let Some((line, _)) = required::of_module(session, (code, user), name, ImportReader::Run)? {
        edits.import(user, [line]);
    }
    Ok(())
}

/// Declares the exception above the function.
fn declared(code: &Code, function: Node<'_>, name: &str, is_shared: bool) -> TextEdit {
    let (end, step) = (code.newline(), crate::refactor::analysis::indentation::Layout::of(code).step().to_owned());
    let outer = std::iter::once(function).chain(function.ancestors()).find(|it| it.is("export_statement"));
    let export = if is_shared || outer.is_some() { required::export_word(code) } else { "" };
    let text = match code.family() {
        Family::Python => format!("class {name}(Exception):{end}{step}pass{end}{end}{end}"),
        _ => format!("{export}class {name} extends Error {{}}{end}{end}"),
    };
    TextEdit::new(Span::at(above(code, function)), text)
}
