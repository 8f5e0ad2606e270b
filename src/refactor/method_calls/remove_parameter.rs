//! Remove Parameter.
//!
//! ```ts
//! price(count: number, rate: number)       price(count: number)
//! order.price(2, 1);                   →   order.price(2);
//! ```
//! One for which every call passes the same literal, or none passes any, is that, or its default, wherever the body reads it; so is
//! one for which a value is given.

mod decided_conditions;
mod idle_arguments;

use self::decided_conditions::{NOTHING, decided};
use self::idle_arguments::{idle_arguments, without_arguments};
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_arity::passed;
use crate::refactor::analysis::call_sites::{
    Call, Parameter, Passing, Signature, called_at, check_takes, is_constructor,
};
use crate::refactor::analysis::call_targets::of_called;
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required::Departures;
use crate::refactor::analysis::literal_types::type_of_given;
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::parameters::said_by_target;
use crate::refactor::analysis::signatures::{Callee, UntypedCalls, is_literal};
use crate::refactor::analysis::substitution::{in_place, put};
use crate::refactor::doubts::{doubt, in_doubt};
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node, is_parameter_property};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let request = &of_called(session, request).await?;
    let code = Code::of(session, request)?;
    let request = &said_by_target(&code, request, "name");
    let function = called_at(&code, &request.target)?;
    check_takes(&code, function, 1)?;
    let name = request.params.needed("name")?;
    if is_constructor(&code, function) {
        let makers = Makers::of_constructor(session, &code, function).await?;
        let passing = Passing::of_constructor_by_name_or_not((&code, function), &makers)?;
        return without(session, &passing, request, &makers.warnings).await;
    }
    let own = Signature::bare((&code, function))?;
    let at = own.parameters.iter().position(|it| it.bound().text(code.text()) == name).unwrap_or_default();
    let stays = |user: &Code, call: Node<'_>| {
        passed(user, call).is_some_and(|(count, names)| count <= at && !names.contains(&name))
    };
    let callee = Callee::changed(session, (&code, function), UntypedCalls::of(request), stays).await?;
    let passing = Passing::by_place(session, &callee, (&code, function), Some(at)).await?;
    if code.family() == Family::Python {
        // Calls may pass it by its name.
        passing.check_names_to(passing.at(name)?)?;
    }
    without(session, &passing, request, &callee.warnings).await
}

/// Takes the parameter out everywhere, with the imports that it alone needed.
async fn without(
    session: &Session,
    passing: &Passing<'_>,
    request: &Request,
    warnings: &[Warning],
) -> Result<Plan, Refusal> {
    let at = passing.at(request.params.needed("name")?)?;
    let mut edits = Edits::default();
    edits.warn(warnings.iter().chain(&passing.warnings).cloned());
    let given = match request.params.given("value") {
        Some(written) => ConstantValue::given(passing, at, written, &mut edits)?,
        None => ConstantValue::of(passing, at),
    };
    let idle = match &given {
        Some(given) => idle_arguments(session, passing, (at, given.written)).await,
        None => Vec::new(),
    };
    let told = |given: &ConstantValue<'_>| passing.signatures.iter().find_map(|it| given.told(it, at));
    edits.warn(given.iter().filter_map(told));
    let passed = passing.calls.iter().filter_map(|it| Some((&it.code.path, it.value(at)?.span()))).collect();
    let going = Going { at, passed, idle };
    let signatures = passing.signatures.iter();
    let signatures = signatures.map(|it| Ok::<_, Refusal>((it.code, from_signature(it, &going, given.as_ref())?)));
    let calls = passing.calls.iter().map(|it| Ok((it.code, from_call(it, at)?)));
    let mut departures = Departures::default();
    for (code, changed) in each(signatures.chain(calls))? {
        departures.add(code, changed.iter().filter(|edit| edit.new_text.is_empty()).map(|edit| edit.span));
        edits.add(code, changed);
    }
    departures.leave(session, &mut edits);
    edits.plan()
}

/// Takes what is passed for it out of a call.
fn from_call(call: &Call<'_>, at: usize) -> Result<Vec<TextEdit>, Refusal> {
    if let Some(argument) = call.value(at).filter(|argument| !is_idle(*argument)) {
        in_doubt(call.code, argument.span(), "the argument may have side effects")?;
    }
    call.without(&call.arguments(&[at]), None)
}

/// A parameter that goes, by its number, with arguments.
struct Going<'c> {
    at: usize,
    /// Those that calls pass for it.
    passed: Vec<(&'c AbsPath, Span)>,
    /// Those that hand it on to what has the same default.
    idle: Vec<(&'c AbsPath, Span)>,
}

/// What a parameter is for every call: a literal, or `undefined`.
struct ConstantValue<'c> {
    written: &'c str,
    literal: Option<Node<'c>>,
    source: ValueSource,
}

/// Who says what a parameter is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueSource {
    Calls,
    Default,
    Request,
}

impl<'c> ConstantValue<'c> {
    /// Returns it where all calls pass the same, or none does and all functions that may be called have the same default.
    fn of(passing: &Passing<'c>, at: usize) -> Option<Self> {
        let with_body = passing.signatures.iter().filter(|it| it.function.child("body").is_some());
        let own = with_body.filter_map(|it| Some(Self::default_of(it.code, it.parameters.get(at)?)));
        // A function that hands its own on to itself, or to those that it overrides, says nothing new.
        let calls: Vec<&Call<'c>> = passing.calls.iter().filter(|it| !is_handed_on(passing, it, at)).collect();
        let passed = calls.iter().filter(|it| it.passed.get(at).is_some_and(Option::is_some));
        let passed: Vec<Option<Self>> =
            passed.map(|it| Self::literal(it.code, it.value(at)?, ValueSource::Calls)).collect();
        let is_default = passed.len() < calls.len();
        let mut all = passed.into_iter().chain(own.filter(|_| is_default));
        let first = all.next()??;
        let is_same = all.all(|other| other.is_some_and(|other| other.written == first.written));
        // What the only call passes may be any value.
        let is_known = if first.source == ValueSource::Calls { calls.len() > 1 } else { !calls.is_empty() };
        (is_same && is_known).then_some(first)
    }

    /// Takes a value that was given. Calls for which the parameter is another one are doubts, unless nobody asks for it.
    fn given(passing: &Passing<'c>, at: usize, written: &'c str, edits: &mut Edits) -> Result<Option<Self>, Refusal> {
        let first = &passing.signatures[0];
        let is_plain =
            NOTHING.contains(&written) || type_of_given(first.code.parsed().tree.language(), written).is_some();
        if !is_plain {
            return Err(Refusal::NotPossible(format!(
                "`{written}` is no literal: only one can stand wherever it is read"
            )));
        }
        if !passing.signatures.iter().any(|it| it.asks_for(at)) {
            return Ok(None);
        }
        let default = first.parameters.get(at).and_then(|own| Self::default_of(first.code, own));
        let others = passing.calls.iter().filter(|it| !is_handed_on(passing, it, at)).filter_map(|call| {
            let passed = call.value(at);
            let said = passed.map(|it| it.text(call.code.text())).or(default.as_ref().map(|it| it.written))?;
            let reason = format!("`{said}` is passed here, and not `{written}`");
            (said != written).then(|| doubt(call.code, passed.unwrap_or(call.node).span(), reason))
        });
        edits.warn(each(others)?);
        Ok(Some(Self { written, literal: None, source: ValueSource::Request }))
    }

    fn default_of(code: &'c Code, parameter: &Parameter<'c>) -> Option<Self> {
        match parameter.default {
            Some(literal) => Self::literal(code, literal, ValueSource::Default),
            None => {
                let is_plain = code.family() == Family::Script && !code.is_typed_script();
                let is_free = parameter.node.is("optional_parameter") || is_plain && parameter.node.is("identifier");
                is_free.then_some(Self { written: "undefined", literal: None, source: ValueSource::Default })
            }
        }
    }

    fn literal(code: &'c Code, node: Node<'c>, source: ValueSource) -> Option<Self> {
        let is_plain = is_literal(node) && !node.is_any(&["array", "object", "regex"]);
        is_plain.then(|| Self { written: node.text(code.text()), literal: Some(node), source })
    }

    /// Says that it stands in the body.
    fn told(&self, signature: &Signature<'c>, at: usize) -> Option<Warning> {
        let (code, name) = (signature.code, signature.parameters.get(at)?.name);
        let (name, written) = (name.text(code.text()), self.written);
        let said = match self.source {
            ValueSource::Calls => format!("every call passes `{written}` for `{name}`: it stands in its place"),
            ValueSource::Default => format!("no call passes `{name}`: `{written}` stands in its place"),
            ValueSource::Request => format!("`{written}` stands in the place of `{name}`"),
        };
        let range = code.parsed().text.range(signature.parameters[at].name.span());
        signature.asks_for(at).then(|| Warning::at(WarningKind::FollowUp, said, code.path.clone(), range))
    }

    /// Puts it in the place of every use.
    fn put<'s>(
        &self,
        (signature, names): (&Signature<'s>, &ScopedNames<'s>),
        going: &Going<'_>,
    ) -> Result<Vec<TextEdit>, Refusal> {
        let code = signature.code;
        let uses = signature.reads(names, going.at)?.into_iter().filter(|one| !going.is_passed(code, one.span()));
        let said = |one: Node<'_>| match self.literal {
            Some(literal) => in_place(code, literal, self.written.to_owned(), one),
            None => self.written.to_owned(),
        };
        let uses: Vec<Node<'s>> = uses.collect();
        // Of one in another the outer one counts; in what goes no call changes.
        let mut edits: Vec<TextEdit> = Vec::new();
        for edit in uses.iter().filter_map(|one| decided((code, names), (*one, self.written), &uses)) {
            let has_call = going.passed.iter().any(|(path, span)| **path == code.path && edit.span.contains(*span));
            let is_inner = edits.iter().any(|other| other.span.contains(edit.span));
            edits.extend((!has_call && !is_inner).then_some(edit));
        }
        edits.extend(without_arguments((code, &uses), &going.idle, &edits));
        let is_open = |one: &&Node<'s>| !edits.iter().any(|edit| edit.span.contains(one.span()));
        let edit = |one: &Node<'s>| self.needless(code, *one).map_or_else(|| put(code, *one, &said(*one)), Ok);
        let others: Vec<TextEdit> = uses.iter().filter(is_open).map(edit).collect::<Result<_, _>>()?;
        edits.extend(others);
        Ok(edits)
    }

    /// Takes a use out that decides nothing any more: `true && ready`.
    fn needless(&self, code: &Code, one: Node<'_>) -> Option<TextEdit> {
        let outer = one.parent().filter(|it| it.is_any(&["binary_expression", "boolean_operator"]))?;
        let (left, right) = (outer.child("left")?, outer.child("right")?);
        let operator = code.text()[left.end()..right.start()].trim();
        let is_idle =
            matches!((self.written, operator), ("true", "&&") | ("True", "and") | ("false", "||") | ("False", "or"));
        (is_idle && left == one).then(|| TextEdit::new(Span::new(left.start(), right.start()), ""))
    }
}

/// Tells whether a call passes what the function around it is passed for the same parameter: `super().price(count, rate)`.
fn is_handed_on(passing: &Passing<'_>, call: &Call<'_>, at: usize) -> bool {
    let Some(value) = call.value(at).filter(|it| it.is("identifier")) else { return false };
    let mut around = passing
        .signatures
        .iter()
        .filter(|it| it.code.path == call.code.path && it.function.span().contains(value.span()));
    around.any(|it| {
        let names = ScopedNames::of(it.code);
        let meaning = |node: Node<'_>| names.at(node).map(|it| it.meaning);
        let own = it.parameters.get(at).and_then(|own| meaning(own.name));
        own.is_some() && own == meaning(value)
    })
}

impl Going<'_> {
    /// Tells whether a place is passed for the parameter itself.
    fn is_passed(&self, code: &Code, place: Span) -> bool {
        self.passed.iter().any(|(path, span)| **path == code.path && span.contains(place))
    }
}

/// Takes the parameter out of one signature; one that takes fewer has none. What goes with the calls' arguments is no use.
fn from_signature(
    signature: &Signature<'_>,
    going: &Going<'_>,
    given: Option<&ConstantValue<'_>>,
) -> Result<Vec<TextEdit>, Refusal> {
    let (code, at) = (signature.code, going.at);
    let Some(parameter) = signature.parameters.get(at) else { return Ok(Vec::new()) };
    if is_parameter_property(parameter.node) {
        return Err(code.refuse(parameter.node.start(), "the parameter is a field, too"));
    }
    let names = ScopedNames::of(code);
    let name = parameter.name;
    let meaning = names.at(name).filter(|_| name.is("identifier")).map(|it| it.meaning);
    let meaning = meaning.ok_or_else(|| code.refuse(parameter.node.start(), "the parameter is a pattern"))?;
    let used = names.of_meaning(meaning).filter(|one| one.span != name.span() && !going.is_passed(code, one.span));
    let said = format!("the parameter `{}` is used here", name.text(code.text()));
    let used = used.filter(|_| given.is_none()).map(|one| Err(code.refuse(one.span.start, said.clone())));
    let does = parameter.default.filter(|default| !is_literal(*default) && !default.is("identifier"));
    let does = does.map(|default| in_doubt(code, default.span(), "the parameter's default may have side effects"));
    each(used.chain(does).chain([signature.check_seen()]))?;
    let mut edits = signature.without(&[at], None)?;
    edits.extend(without_docs(signature, &[at]));
    if let Some(given) = given.filter(|_| signature.function.child("body").is_some()) {
        edits.extend(given.put((signature, &names), going)?);
    }
    Ok(edits)
}

/// Tells whether an argument that is not evaluated is not missed.
pub(super) fn is_idle(argument: Node<'_>) -> bool {
    const IDLE: &[&str] =
        &["identifier", "shorthand_property_identifier", "this", "arrow_function", "function_expression", "lambda"];
    // What is put together of such is none more: a key that is computed is.
    const PLAIN_KEYS: &[&str] = &["property_identifier", "string", "number"];
    let is_part = |part: Node<'_>| match part.is("pair") {
        true => part.child("key").is_some_and(|it| it.is_any(PLAIN_KEYS)) && part.child("value").is_some_and(is_idle),
        false => is_idle(part),
    };
    is_literal(argument)
        || argument.is_any(IDLE)
        || argument.is_any(&["array", "list", "object", "tuple"]) && argument.named_children().all(is_part)
}
