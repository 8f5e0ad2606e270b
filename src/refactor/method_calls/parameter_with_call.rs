//! Replace Parameter with Method Call.
//!
//! ```python
//! def price(self, count, rate):        def price(self, count):
//!     return count * rate          →       rate = self.rate()
//!                                          return count * rate
//! order.price(2, order.rate())         order.price(2)
//! ```
//! The function asks once, before it does anything else: its object, something of the module, or another argument
//! (`pay(order, order.rate())`).

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, indent, is_alone};
use crate::refactor::analysis::call_sites::{Call, Passing, Signature, check_takes};
use crate::refactor::analysis::call_targets::declared;
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap, reach};
use crate::refactor::analysis::expressions::is_path;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::{MovedPieces, home};
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::parameters::said_by_target;
use crate::refactor::analysis::signatures::{Callee, is_literal};
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What one call passes.
struct Asked<'c> {
    value: Node<'c>,
    /// The name that it begins with, the object that the function itself is called on, or another argument.
    root: Node<'c>,
    source: Source,
    /// The name that it asks for at last.
    last: Node<'c>,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The object that the function is called on.
    Object,
    /// What is passed for another parameter.
    Argument(usize),
    /// What the module knows.
    Module,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let request = &said_by_target(&code, request, "parameter");
    let function = function_at(&code, &request.target)?;
    check_takes(&code, function, 1)?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::of(session, &callee).await?;
    let at = passing.at(request.params.needed("parameter")?)?;
    let asked: Vec<Asked<'_>> =
        passing.calls.iter().map(|call| Asked::of(call, at, &passing)).collect::<Result<_, _>>()?;
    let (Some(first), Some(call)) = (asked.first(), passing.calls.first()) else {
        return Err(code.refuse(function.start(), "the function is never called"));
    };
    check_same(session, &passing, &asked).await.noted()?;
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    for signature in &passing.signatures {
        let has_body = signature.function.child("body").is_some();
        if has_body && first.source == Source::Object {
            check_known(session, signature, (call, first)).await.noted()?;
        } else if has_body && first.source == Source::Module {
            check_seen(signature, (call, first)).noted()?;
            if !is_imported(session, call, first, signature) {
                let pieces = [first.value.span()];
                let carried = MovedPieces { from: call.code, pieces: &pieces, to: signature.code, given: &[] };
                required::carry(session, &carried, &mut edits)?;
            }
        }
        edits.add(signature.code, asking(signature, at, (call, first))?);
    }
    let mut users: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for (call, asked) in passing.calls.iter().zip(&asked) {
        edits.add(call.code, call.without(&call.arguments(&[at]), None)?);
        let left = users.entry(&call.code.path).or_insert((call.code, Vec::new()));
        left.1.push(asked.value.span());
    }
    for (user, spans) in users.into_values() {
        if passing.signatures.iter().all(|it| it.code.path != user.path) {
            required::leave(session, user, &spans, &mut edits);
        }
    }
    edits.plan()
}

impl<'c> Asked<'c> {
    fn of(call: &Call<'c>, at: usize, passing: &Passing<'c>) -> Result<Self, Refusal> {
        let code = call.code;
        let names = ScopedNames::of(code);
        let value = call.value(at).ok_or_else(|| call.refuse("the call does not pass it"))?;
        let refuse = |reason: &str| code.refuse(value.start(), reason);
        let no_call = || refuse("it passes neither an attribute nor a call without arguments");
        let is_call = value.is_any(&["call", "call_expression"]);
        let is_bare = value.child("arguments").is_none_or(|list| list.named_children().next().is_none());
        let head = if is_call { value.child("function").filter(|_| is_bare) } else { Some(value) };
        let head = head.ok_or_else(no_call)?;
        let last = head.child("attribute").or_else(|| head.child("property")).unwrap_or(head);
        let own = own_object(call, passing, head).map(|object| (object, Source::Object));
        let own = own.or_else(|| other_argument(call, at, head));
        let known = own.or_else(|| chain(head).last().map(|it| (it, Source::Module)));
        let (root, source) = known.ok_or_else(no_call)?;
        let is_optional = head.descendants().any(|node| node.is("optional_chain"));
        if is_optional || !is_call && root == head || !chain(head).take_while(|it| *it != root).all(is_member) {
            return Err(no_call());
        }
        if own.is_none() && (!root.is("identifier") || !is_of_module(code, &names, root)) {
            return Err(refuse("what it is asked of is known here alone"));
        }
        let later = call.list.iter().filter(|other| other.start() > value.end());
        let is_kept = |other: &&Node<'c>| can_swap(reach(&names, code, value), reach(&names, code, **other));
        match later.into_iter().find(|other| !is_kept(other)) {
            Some(other) => Err(code.refuse(other.start(), "this would come to be evaluated before it is asked")),
            None => Ok(Self { value, root, source, last }),
        }
    }

    /// Returns what is written behind the root.
    fn rest(&self, code: &'c Code) -> &'c str {
        &code.text()[self.root.end()..self.value.end()]
    }

    fn said(&self, code: &'c Code) -> (Source, &'c str, &'c str) {
        let root = if self.source == Source::Module { self.root.text(code.text()) } else { "" };
        (self.source, root, self.rest(code))
    }
}

/// Returns an expression and the objects of it, one inside the other.
fn chain(expression: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(expression), |node| node.child("object").filter(|_| is_member(*node)))
}

fn is_member(node: Node<'_>) -> bool {
    node.is_any(&["attribute", "member_expression"])
}

/// Returns the object of an expression that is the one the function is called on.
fn own_object<'c>(call: &Call<'c>, passing: &Passing<'c>, head: Node<'c>) -> Option<Node<'c>> {
    let is_of_class = |it: &Signature<'_>| it.is_marked("static") || it.is_marked("classmethod");
    let mut bodied = passing.signatures.iter().filter(|it| it.function.child("body").is_some());
    let is_method = bodied.all(|it| it.receiver().is_some() && !is_of_class(it));
    let object = call.callee().child("object").filter(|_| is_method)?;
    let text = call.code.text();
    chain(head).skip(1).find(|it| it.text(text) == object.text(text)).filter(|_| is_path(object))
}

/// Returns the object of an expression that a call passes for another parameter, too, and which one that is.
fn other_argument<'c>(call: &Call<'c>, at: usize, head: Node<'c>) -> Option<(Node<'c>, Source)> {
    let text = call.code.text();
    chain(head).skip(1).find_map(|object| {
        let is_it = |other: &usize| {
            let value = call.value(*other).filter(|_| *other != at);
            value.is_some_and(|value| is_path(value) && value.text(text) == object.text(text))
        };
        (0..call.passed.len()).find(is_it).map(|other| (object, Source::Argument(other)))
    })
}

/// Tells whether a name means the same everywhere in its module.
fn is_of_module(code: &Code, names: &ScopedNames<'_>, root: Node<'_>) -> bool {
    let Some(name) = names.at(root) else { return false };
    name.is_free || names.of_meaning(name.meaning).filter(|it| it.is_binding).all(|it| home(code, it).is_none())
}

/// Refuses calls that do not all ask for the same.
async fn check_same(session: &Session, passing: &Passing<'_>, asked: &[Asked<'_>]) -> Result<(), Refusal> {
    let (first, own) = (&asked[0], &passing.calls[0]);
    for (call, one) in passing.calls.iter().zip(asked) {
        if one.said(call.code) != first.said(own.code) {
            let other = first.value.text(own.code.text());
            return Err(call.code.refuse(one.value.start(), format!("another call passes `{other}`")));
        }
    }
    if first.source != Source::Module {
        return Ok(());
    }
    let known = declared(session, own.code, first.last.start()).await?;
    for (call, one) in passing.calls.iter().zip(asked) {
        if known.is_empty() || declared(session, call.code, one.last.start()).await? != known {
            in_doubt(call.code, one.value.span(), "it may be another value at each call")?;
        }
    }
    Ok(())
}

/// Refuses a class that does not know itself what its objects are asked for.
async fn check_known(
    session: &Session,
    signature: &Signature<'_>,
    (call, asked): (&Call<'_>, &Asked<'_>),
) -> Result<(), Refusal> {
    let Some(class) = signature.class else { return Ok(()) };
    let rest = asked.rest(call.code).trim_start_matches('.');
    let name = rest.split(['.', '(']).next().unwrap_or(rest).trim();
    let kin = ClassHierarchy::new(session, signature.code.parsed().tree.language()).await?;
    let (above, _) = kin.ancestors(&class).await?;
    let is_private = name.starts_with("__") || name.starts_with('#');
    let is_known = class.has(name) || above.iter().any(|one| one.class().has(name));
    match is_known && !is_private {
        true => Ok(()),
        false => Err(class.code.refuse(class.name.start(), format!("`{}` has no `{name}` to ask for", class.name()))),
    }
}

/// Refuses a function in which the name means something else.
fn check_seen(signature: &Signature<'_>, (call, asked): (&Call<'_>, &Asked<'_>)) -> Result<(), Refusal> {
    let code = signature.code;
    let names = ScopedNames::of(code);
    let root = asked.root.text(call.code.text());
    let other = names.named(root).find(|it| it.is_binding && home(code, *it).is_some());
    match other {
        Some(other) => Err(code.refuse(other.span.start, format!("`{root}` refers to something else here"))),
        None => Ok(()),
    }
}

/// Tells whether the function's file declares what the call's file imports from there, or is the same file.
fn is_imported(session: &Session, call: &Call<'_>, asked: &Asked<'_>, signature: &Signature<'_>) -> bool {
    let names = ScopedNames::of(call.code);
    let Some(name) = names.at(asked.root) else { return false };
    let mut bindings = names.of_meaning(name.meaning).filter(|it| it.is_binding);
    call.code.path == signature.code.path
        || bindings.all(|it| required::imports(session, call.code, it, signature.code)) && !name.is_free
}

/// Lets one signature do without the parameter: its body asks for it first.
fn asking(
    signature: &Signature<'_>,
    at: usize,
    (call, asked): (&Call<'_>, &Asked<'_>),
) -> Result<Vec<TextEdit>, Refusal> {
    let (code, function, own) = (signature.code, signature.function, &signature.parameters[at]);
    let refuse = |offset: usize, reason: &str| Err(code.refuse(offset, reason));
    let mut edits = signature.without(&[at], None)?;
    edits.extend(without_docs(signature, &[at]));
    let Some(body) = function.child("body") else { return Ok(edits) };
    signature.check_seen()?;
    signature.check_passed(at)?;
    if !signature.runs_at_once() {
        in_doubt(code, function.span(), "its body may run later than the call")?;
    }
    let others = signature.parameters.iter().filter(|it| it.node != own.node);
    let is_early = |it: &crate::refactor::analysis::call_sites::Parameter<'_>| {
        !it.name.is("identifier") || it.default.is_some_and(|it| !is_literal(it))
    };
    if code.family() == Family::Script
        && let Some(other) = others.into_iter().find(|it| is_early(it) && !it.name.is("rest_pattern"))
    {
        return refuse(other.node.start(), "the parameter may have side effects before the body begins");
    }
    let names = ScopedNames::of(code);
    let Some(meaning) = names.at(own.name).map(|it| it.meaning).filter(|_| own.name.is("identifier")) else {
        return refuse(own.name.start(), "it is not an ordinary parameter");
    };
    let root = match asked.source {
        Source::Object => signature.receiver().unwrap_or("this"),
        Source::Argument(other) => signature.parameters[other].name.text(code.text()),
        Source::Module => asked.root.text(call.code.text()),
    };
    let value = format!("{root}{}", asked.rest(call.code));
    let name = own.name.text(code.text());
    let is_used = names.of_meaning(meaning).count() > 1;
    let writes = names.writes(meaning).count();
    let line = match (is_used, code.family()) {
        (false, _) if reach(&ScopedNames::of(call.code), call.code, asked.value) != ExpressionReach::Acts => {
            return Ok(edits);
        }
        (false, Family::Python) => value,
        (false, _) => format!("{value};"),
        (true, Family::Python) => format!("{name} = {value}"),
        (true, _) if names.of_meaning(meaning).filter(|it| it.is_binding).count() > 1 => {
            return refuse(own.name.start(), "the function declares it once more");
        }
        (true, _) if writes > 1 => {
            let of = own.of.map(|of| of.text(code.text())).unwrap_or_default();
            format!("let {name}{of} = {value};")
        }
        (true, _) => format!("const {name} = {value};"),
    };
    let Some(statement) =
        first_statement(body).filter(|it| it.parent() == Some(body) && body.kind().ends_with("block"))
    else {
        return refuse(body.start(), "its body has no statement to ask before");
    };
    let indent = indent(code, statement)?;
    if code.family() == Family::Script && !is_alone(code, statement) {
        return refuse(statement.start(), "more than a statement is on its line");
    }
    edits.push(TextEdit::new(Span::at(statement.start()), format!("{line}{}{indent}", code.newline())));
    Ok(edits)
}
