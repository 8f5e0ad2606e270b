//! Preserve Whole Object.
//!
//! ```python
//! def within(low, high):                       def within(span):
//!     return low < LIMIT < high            →       return span.low < LIMIT < span.high
//!
//! within(span.low, span.high)                  within(span)
//! ```
//! A body that does anything takes the values out of the object first: they could be others later.

mod passed_type;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, indent};
use crate::refactor::analysis::call_sites::{Call, Passing, Signature, check_takes};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach, reach_of};
use crate::refactor::analysis::parameter_docs::{replaced_docs, told_of};
use crate::refactor::analysis::signatures::Callee;
use crate::refactor::analysis::substitution::put;
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at};
use crate::session::Session;
use crate::syntax::{Family, Node, check_name};
use crate::text::{Span, TextEdit};
use passed_type::TakenParameters;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    check_takes(&code, function, 2)?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::of(session, &callee).await?;
    let taken = taken(&passing, request.params.list("parameters"))?;
    let name = name(request, &passing, &taken)?;
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    let at = taken.at();
    let of = passed_type::annotation(session, &passing, &taken, &mut edits).await?;
    for (signature, of) in passing.signatures.iter().zip(&of) {
        signature.check_free(&name).noted()?;
        check_order(signature, &at).noted()?;
        edits.add(signature.code, signature.without(&at, Some(&format!("{name}{of}")))?);
        edits.add(signature.code, replaced_docs(signature, &at, Some((&name, &told_of(signature, &at)))));
        edits.add(signature.code, body(signature, &taken, &name)?);
    }
    for (call, object) in passing.calls.iter().zip(&taken.objects) {
        check_call(call, &passing, (&at, *object)).noted()?;
        let gone = call.arguments(&at);
        let is_named = call.passed[at[0]].is_some_and(|it| it.is("keyword_argument"));
        let said = object.text(call.code.text());
        let new = if is_named { format!("{name}={said}") } else { said.to_owned() };
        edits.add(call.code, call.without(&gone, Some(&new))?);
    }
    edits.plan()
}

/// Finds the parameters, those that are `wished` for where any are.
fn taken<'c>(passing: &Passing<'c>, wished: &[String]) -> Result<TakenParameters<'c>, Refusal> {
    let wished: Vec<usize> = wished.iter().map(|name| passing.at(name)).collect::<Result<_, _>>()?;
    let first = &passing.signatures[0];
    let refuse = |reason: &str| Err(first.code.refuse(first.function.start(), reason));
    let Some(call) = passing.calls.first() else { return refuse("the function is never called") };
    let mut groups: Vec<Vec<(usize, &'c str, Node<'c>)>> = Vec::new();
    for at in 0..first.parameters.len() {
        let is_meant = wished.is_empty() || wished.contains(&at);
        let Some((object, attribute)) = parts(call, at).filter(|_| is_meant) else { continue };
        let text = call.code.text();
        match groups.iter_mut().find(|group| group[0].2.text(text) == object.text(text)) {
            Some(group) => group.push((at, attribute, object)),
            None => groups.push(vec![(at, attribute, object)]),
        }
    }
    let mut found: Vec<TakenParameters<'c>> =
        groups.into_iter().filter_map(|group| everywhere(passing, group)).collect();
    found.retain(|taken| wished.iter().all(|at| taken.parameters.iter().any(|(it, _)| it == at)));
    match (found.pop(), found.is_empty()) {
        (Some(taken), true) => Ok(taken),
        (Some(_), false) => refuse("its values come from more than one object: `parameters` says which are meant"),
        (None, _) => refuse("not every call takes two of its values out of one object, the same ones each time"),
    }
}

/// Keeps the parameters that every call takes out of one object.
fn everywhere<'c>(passing: &Passing<'c>, group: Vec<(usize, &'c str, Node<'c>)>) -> Option<TakenParameters<'c>> {
    let mut parameters: Vec<(usize, &'c str)> = group.into_iter().map(|(at, attribute, _)| (at, attribute)).collect();
    let mut objects = Vec::new();
    for call in &passing.calls {
        let text = call.code.text();
        let same = |at: usize, attribute: &str| parts(call, at).filter(|(_, other)| *other == attribute);
        let object = parameters.iter().find_map(|(at, attribute)| same(*at, attribute))?.0;
        parameters.retain(|(at, attribute)| {
            same(*at, attribute).is_some_and(|(other, _)| other.text(text) == object.text(text))
        });
        objects.push(object);
    }
    (parameters.len() > 1).then_some(TakenParameters { parameters, objects })
}

/// Takes `object.attribute` apart, where a call passes that.
fn parts<'c>(call: &Call<'c>, at: usize) -> Option<(Node<'c>, &'c str)> {
    let value = call.value(at)?;
    let object = value.child("object")?;
    let attribute = value.child("attribute").or_else(|| value.child("property"))?;
    let is_member = |it: &Node<'c>| it.is_any(&["attribute", "member_expression"]);
    let chain = std::iter::successors(Some(object), |it| it.child("object").filter(|_| is_member(it)));
    let is_plain = chain.into_iter().all(|it| is_member(&it) || it.is_any(&["identifier", "this"]));
    let text = attribute.text(call.code.text());
    let is_private = text.starts_with("__") && !text.ends_with("__") || text.starts_with('#');
    let is_sure = !value.descendants().any(|it| it.is("optional_chain"));
    (is_member(&value) && is_plain && !is_private && is_sure).then_some((object, text))
}

/// Returns the new parameter's name: the wished one, or the one that the object has at every call.
fn name(request: &Request, passing: &Passing<'_>, taken: &TakenParameters<'_>) -> Result<String, Refusal> {
    if let Some(name) = request.params.given("name") {
        return Ok(name.to_owned());
    }
    let last = |(call, object): (&Call<'_>, &Node<'_>)| {
        let name = object.child("attribute").or_else(|| object.child("property")).unwrap_or(*object);
        name.text(call.code.text()).to_owned()
    };
    let mut names: Vec<String> = passing.calls.iter().zip(&taken.objects).map(last).collect();
    names.dedup();
    let language = request.target.language;
    match names.as_slice() {
        [name] if name != "self" && name != "cls" && check_name(language, name).is_ok() => Ok(name.clone()),
        _ => Err(Refusal::NotPossible("the object has no one name at all calls: give `name`".to_owned())),
    }
}

/// Refuses a list in which what has to be passed would come behind what can be left out.
pub(crate) fn check_order(signature: &Signature<'_>, at: &[usize]) -> Result<(), Refusal> {
    let before = signature.parameters[..at[0]].iter().find(|it| it.is_open());
    match before.filter(|_| !signature.parameters[at[0]].is_named()) {
        Some(open) => Err(signature.code.refuse(open.node.start(), "what can be left out would stand before it")),
        None => Ok(()),
    }
}

/// Refuses a call that evaluates something in between that could change the object, or that is called on it.
fn check_call(call: &Call<'_>, passing: &Passing<'_>, (at, object): (&[usize], Node<'_>)) -> Result<(), Refusal> {
    let (code, names) = (call.code, ScopedNames::of(call.code));
    let first = call.arguments(at)[0].start();
    let acts = |it: &&Node<'_>| it.start() > first && reach(&names, code, **it) == ExpressionReach::Acts;
    if let Some(acting) = call.list.iter().find(acts) {
        in_doubt(code, acting.span(), "this could change the object before it is looked into")?;
    }
    let own = call.callee().child("object").filter(|_| passing.signatures[0].receiver().is_some());
    match own.filter(|own| own.text(code.text()) == object.text(code.text())) {
        Some(own) => Err(code.refuse(own.start(), "it would be passed what it is called on")),
        None => Ok(()),
    }
}

/// Lets a body take the values out of the object: where it needs them, or first of all where it acts.
fn body(signature: &Signature<'_>, taken: &TakenParameters<'_>, object: &str) -> Result<Vec<TextEdit>, Refusal> {
    let (code, names) = (signature.code, ScopedNames::of(signature.code));
    let Some(body) = signature.function.child("body") else { return Ok(Vec::new()) };
    let is_block = body.kind().ends_with("block");
    let far = if is_block { reach_of(&names, code, body, body.span()) } else { reach(&names, code, body) };
    let is_calm = far != ExpressionReach::Acts && signature.runs_at_once();
    let is_inner = |it: Node<'_>| crate::refactor::source_file::function_of(it) != Some(signature.function);
    let mut edits = Vec::new();
    let mut lines = String::new();
    let is_python = code.family() == Family::Python;
    for (at, attribute) in &taken.parameters {
        signature.check_passed(*at)?;
        let reads = signature.reads(&names, *at)?;
        let said = format!("{object}.{attribute}");
        let name = signature.parameters[*at].name.text(code.text());
        if reads.is_empty() {
            continue;
        }
        if is_calm && !reads.iter().any(|it| is_inner(*it)) {
            edits.extend(reads.iter().map(|one| put(code, *one, &said)).collect::<Result<Vec<_>, _>>()?);
            continue;
        }
        let (word, end) = if is_python { ("", "") } else { ("const ", ";") };
        lines.push_str(&format!("{word}{name} = {said}{end}\n"));
    }
    if lines.is_empty() {
        return Ok(edits);
    }
    if !signature.runs_at_once() {
        in_doubt(code, signature.function.span(), "its body may run later than the call")?;
    }
    let statement = first_statement(body).filter(|it| it.parent() == Some(body) && is_block);
    let statement = statement.ok_or_else(|| code.refuse(body.start(), "its body has no statement to begin before"))?;
    let indent = indent(code, statement)?;
    let text = lines.replace('\n', &format!("{}{indent}", code.newline()));
    edits.push(TextEdit::new(Span::at(statement.start()), text));
    Ok(edits)
}
