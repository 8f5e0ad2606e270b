//! Combine Functions into Class: what several functions take first becomes the class's field.
//!
//! ```python
//! def base(reading):                       class Reading:
//!     return reading.rate * 2                  def __init__(self, reading):
//!                                                  self.reading = reading
//! def taxed(reading, share):           →
//!     return base(reading) * share             def base(self):
//!                                                  return self.reading.rate * 2
//!
//!                                              def taxed(self, share):
//!                                                  return self.base() * share
//!
//! taxed(one, 3)                            Reading(one).taxed(3)
//! ```

mod methods;

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Passing, Signature};
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::idle_statements::is_idle;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::signatures::{Callee, is_literal};
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};
use methods::{Made, places};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    if code.root().named_children().filter_map(ModuleFunction::of).count() < 2 {
        return Err(Refusal::NotPossible(format!("`{}` has no two functions", code.shown)));
    }
    let class = request.params.text("name");
    let mut listed: Vec<&str> = request.params.needed_list("functions")?.iter().map(String::as_str).collect();
    // A function that is pointed at is meant, whether it is listed or not.
    let pointed = request.target.name.and_then(|name| name.of(code.text()));
    listed.extend(pointed.filter(|name| !listed.contains(name) && top_level(&code, name).is_ok()));
    if listed.len() < 2 {
        return Err(Refusal::NotPossible("give two `functions` at least".to_owned()));
    }
    let mut callees = Vec::new();
    for name in listed {
        let function = top_level(&code, name)?;
        callees.push(Callee::of(session, &code, function).await?);
    }
    let mut all = Vec::new();
    for callee in &callees {
        all.push(Passing::of(session, callee).await?);
    }
    all.sort_by_key(|one| one.signatures[0].function.start());
    let made = Made::of(&all, class)?;
    check_place(&made, &all).noted()?;
    let mut edits = Edits::default();
    for callee in &callees {
        edits.warn(callee.warnings.iter().cloned());
        if code.mentions(code.root(), "__all__")
            && callee.warnings.iter().any(|it| it.path.as_ref() == Some(&code.path))
        {
            return Err(Refusal::NotPossible(format!("`__all__` of `{}` names one of them", code.shown)));
        }
    }
    let users = users(&all);
    for (callee, _) in callees.iter().zip(&all) {
        callee.check_imports(|path| users.contains_key(path)).noted()?;
    }
    for (user, gone) in users.values() {
        check_unused(user, class).noted()?;
        let mut own = places(&made, &all, user)?;
        if user.path == made.code().path {
            own = made.moved(own)?;
        } else {
            see(session, made.code(), (user, gone), class, &mut edits)?;
        }
        edits.add(user, own);
    }
    if !users.contains_key(&made.code().path) {
        edits.add(made.code(), made.moved(Vec::new())?);
    }
    edits.plan()
}

/// Returns a function of the module that bears a name.
fn top_level<'c>(code: &'c Code, name: &str) -> Result<Node<'c>, Refusal> {
    let found = ModuleFunction::called(code, name).filter(|it| !it.statement.is("decorated_definition"));
    let missing = || Refusal::NotPossible(format!("`{}` has no plain function `{name}` at module level", code.shown));
    Ok(found.ok_or_else(missing)?.function)
}

/// Returns the files that call, with what they call.
fn users<'c>(all: &[Passing<'c>]) -> BTreeMap<&'c AbsPath, (&'c Code, Vec<Span>)> {
    let mut users: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for call in all.iter().flat_map(|one| &one.calls) {
        users.entry(&call.code.path).or_insert((call.code, Vec::new())).1.push(call.callee().span());
    }
    users
}

/// Imports the class where functions were imported.
fn see(
    session: &Session,
    code: &Code,
    (user, gone): (&Code, &[Span]),
    class: &str,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    required::check_apart_at(session, code, user, gone)?;
    let bare: Vec<Span> = gone.iter().copied().filter(|span| user.covering(*span).is_leaf()).collect();
    if !bare.is_empty() {
        edits.import(user, required::line(session, code, user, class));
    }
    required::lose(user, &bare, edits);
    Ok(())
}

/// Refuses a place for the class that comes too late, or too early for what its methods name at once.
fn check_place(made: &Made<'_>, all: &[Passing<'_>]) -> Result<(), Refusal> {
    let (code, place) = (made.code(), made.place());
    let names = ScopedNames::of(code);
    for passing in all {
        let signature = &passing.signatures[0];
        let Some(body) = signature.function.child("body") else { continue };
        let head = Span::new(signature.function.start(), body.start());
        let others = names.within(head).filter(|name| Some(name.span) != signature.name_node().map(Node::span));
        for name in others.filter(|_| code.family() == Family::Python) {
            let said = name.span.of(code.text()).unwrap_or_default();
            let is_late =
                |it: Name| it.is_binding && it.span.start > place && !signature.function.span().contains(it.span);
            let is_one = all.iter().any(|one| one.signatures[0].name() == said);
            if is_one || names.of_meaning(name.meaning).any(is_late) {
                return Err(
                    code.refuse(name.span.start, format!("`{said}` refers to something else where the class stands"))
                );
            }
        }
    }
    if code.family() == Family::Python {
        return Ok(());
    }
    // A function of a script is there before the first statement is carried out; a class is not.
    for statement in code.root().named_children().take_while(|it| it.end() <= place) {
        if !is_idle(&names, code, statement) {
            in_doubt(code, statement.span(), "this may call the functions before a class would be there")?;
        }
    }
    Ok(())
}
