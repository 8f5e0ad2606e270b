//! Add Parameter.
//!
//! ```ts
//! price(count: number)             price(count: number, rate: number)
//! order.price(2);              →   order.price(2, 1);
//! ```

mod calls;
mod passed_types;
mod values;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_arity::passed;
use crate::refactor::analysis::call_sites::{
    ArgumentSource, Signature, call_forms, called_at, called_on, is_constructor, items, list, listed, takes_anything,
};
use crate::refactor::analysis::call_targets::of_called;
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::given_text::{self, TextPurpose, check_value};
use crate::refactor::analysis::inferred_types::is_typed;
use crate::refactor::analysis::literal_types::type_of_given;
use crate::refactor::analysis::parameter_docs::{type_of, with_added};
use crate::refactor::analysis::parameters::put_before;
use crate::refactor::analysis::signatures::{CallForm, Callee, ListOwner, Places, UntypedCalls, appended};
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::{both, each};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, definition, is_class};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;
pub(super) use values::Values;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What is added.
pub(super) struct Added<'r> {
    pub(super) name: &'r str,
    pub(super) of: Option<&'r str>,
    pub(super) default: Option<&'r str>,
    pub(super) passed: Values<'r>,
    pub(super) untyped: UntypedCalls,
}

/// Says what a call passes for the value that is added; refuses a call that cannot pass it.
type Meant<'m> = &'m (dyn Fn(ListOwner<'_>, CallForm, &str) -> Result<String, Refusal> + Sync);

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let request = &of_called(session, request).await?;
    let code = Code::of(session, request)?;
    let function = called_at(&code, &request.target)?;
    let params = &request.params;
    let is_told = code.family() == Family::Python && is_typed(function);
    let known = |given: &str| type_of_given(code.parsed().tree.language(), given);
    let literal = params.given("default").or_else(|| params.given("value"));
    let guessed = literal.filter(|_| is_told).and_then(known);
    let (of, passed) = (params.given("param_type").or(guessed), Values::of(params)?);
    let is_asked = of.is_none() && params.given("default").is_none() && !passed.is_none();
    let shown = match is_asked && (is_told || takes_types(&code, function)) {
        true => passed_types::of_passed(session, (&code, function), &passed).await?,
        false => None,
    };
    let added = Added {
        name: params.text("name"),
        of: of.or(shown.as_deref()),
        default: params.given("default"),
        passed,
        untyped: UntypedCalls::of(request),
    };
    added.check(&code, function)?;
    added.edits(session, (&code, function)).await?.plan()
}

/// Tells whether a parameter of a function has a type, which nothing but a default says by itself: in TypeScript, unless none of
/// those that it has says any.
fn takes_types(code: &Code, function: Node<'_>) -> bool {
    let mut all = listed(function).peekable();
    code.is_typed_script() && (all.peek().is_none() || all.any(|it| it.child("type").is_some()))
}

/// Leaves those aside that take fewer parameters in a script: whatever is passed there beyond these goes by.
fn of_as_many<'c>((code, function): ListOwner<'_>, all: Vec<Signature<'c>>) -> Result<Vec<Signature<'c>>, Refusal> {
    let is_asked = |it: &Signature<'_>| it.code.path == code.path && it.function.span() == function.span();
    let asked = all.iter().find(|it| is_asked(it)).filter(|_| code.family() == Family::Script);
    let Some(count) = asked.map(|it| it.parameters.len()) else { return Ok(all) };
    if let Some(longer) = all.iter().find(|it| it.parameters.len() > count) {
        let reason = "another signature takes more parameters: name that one";
        return Err(longer.code.refuse(longer.function.start(), reason));
    }
    let is_open = |it: &Signature<'_>| it.parameters.iter().any(|it| it.way == ArgumentSource::Rest);
    Ok(all.into_iter().filter(|it| it.parameters.len() == count || is_open(it)).collect())
}

impl Added<'_> {
    /// Adds it to a function, to what overrides it, and to its calls, which pass the value as it is said.
    pub(super) async fn edits(&self, session: &Session, place: ListOwner<'_>) -> Result<Edits, Refusal> {
        self.edits_as_meant(session, place, &|_, _, value| Ok(value.to_owned())).await
    }

    /// Adds it to a function, to what overrides it, and to its calls.
    pub(super) async fn edits_as_meant(
        &self,
        session: &Session,
        (code, function): ListOwner<'_>,
        meant: Meant<'_>,
    ) -> Result<Edits, Refusal> {
        if is_constructor(code, function) {
            return self.to_constructor(session, (code, function), meant).await;
        }
        let mut callee = match self.default {
            Some(_) => Callee::extended(session, code, function).await?,
            None => Callee::known(session, code, function).await?,
        };
        if self.passed.is_none() {
            let own = Signature::bare((code, function))?;
            let taken = own.parameters.iter().take_while(|it| it.way == ArgumentSource::Plain).count();
            let stays = |(count, names): (usize, Vec<&str>)| count <= taken && !names.contains(&self.name);
            callee.leave(session, |user, call| passed(user, call).is_some_and(stays))?;
        }
        let taken = if self.passed.is_none() { Vec::new() } else { callee.take(session, self.untyped).await? };
        if !self.passed.is_none() || code.family() != Family::Python || takes_anything(code, function) {
            callee.be_certain(session, code, function).await?;
        }
        if !self.passed.is_none() {
            callee.be_apart(session).await?;
        }
        let places = callee.places_and_handed()?;
        let mocked = places.told_mocks(callee.name());
        let Places { signatures, calls, handed, .. } = places;
        let signatures = of_as_many((code, function), Signature::with_overloads(signatures)?)?;
        let (handed, through) = called_on(session, &signatures[0], handed).await?;
        let mut edits = Edits::default();
        edits.warn(callee.warnings.iter().cloned().chain(taken));
        edits.warn(mocked);
        edits.warn(self.handed(&callee, &handed)?);
        edits.warn(self.decorated(&signatures)?);
        edits.warn(
            signatures
                .iter()
                .filter(|it| it.function.span() != function.span())
                .filter_map(|it| self.asked_of_others(it)),
        );
        let mut forms = vec![CallForm::Bound; calls.len()];
        if !self.passed.is_none() {
            forms = each(call_forms(session, &signatures[0], &calls).await?)?;
        }
        let calls: Vec<(ListOwner<'_>, CallForm)> = calls.into_iter().zip(forms).chain(through).collect();
        self.to_all(session, &signatures, (&calls, meant), &mut edits)?;
        Ok(edits)
    }

    pub(super) fn check(&self, code: &Code, function: Node<'_>) -> Result<(), Refusal> {
        let refuse = |reason: String| Err(Refusal::NotPossible(reason));
        if self.default.is_none() && self.passed.is_none() {
            let reason = "its callers have nothing to pass: give `default`, or the `value` that they shall pass";
            return Err(Refusal::Missing { param: "default", reason: reason.to_owned() });
        }
        if self.passed.leaves() && self.default.is_none() {
            return refuse("calls that are left alone need a `default`".to_owned());
        }
        for said in self.default.into_iter().chain(self.passed.all()) {
            check_value(code, said)?;
        }
        let is_untyped = self.of.is_none() && self.default.is_none();
        match self.of {
            None if takes_types(code, function) && is_untyped => {
                refuse("its type does not show from what calls pass: give a `param_type`, or a `default`".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Refuses a type that nothing says: in JavaScript a declaration file may, or JSDoc.
    fn check_typed(&self, signatures: &[Signature<'_>]) -> Result<(), Refusal> {
        let says = |it: &Signature<'_>| {
            it.code.family() == Family::Python
                || it.code.is_typed_script()
                || !with_added(it, (self.name, self.of)).is_empty()
        };
        match self.of.is_none() || signatures.iter().any(says) {
            true => Ok(()),
            false => Err(Refusal::NotPossible("JavaScript has no types".to_owned())),
        }
    }

    /// Nobody has to pass a constructor what has a default; a value is passed by all who call it.
    async fn to_constructor(
        &self,
        session: &Session,
        place: ListOwner<'_>,
        meant: Meant<'_>,
    ) -> Result<Edits, Refusal> {
        let (code, function) = place;
        let signatures = Signature::constructors(place)?;
        let class =
            signatures[0].class.ok_or_else(|| code.refuse(function.start(), "it is the constructor of no class"))?;
        let mut edits = Edits::default();
        self.check_typed(&signatures)?;
        if self.passed.is_none() && !takes_anything(code, function) {
            for signature in &signatures {
                edits.add(code, [self.to_signature(signature, self.typed(signature, &signatures))?.0]);
            }
            return Ok(edits);
        }
        let makers = Makers::of(session, &class).await?;
        edits.warn(makers.warnings.iter().cloned());
        makers.check_free(code, function.start(), self.name)?;
        let calls = makers.calls()?;
        self.to_all(session, &signatures, (&calls, meant), &mut edits)?;
        Ok(edits)
    }

    /// Adds it to the signatures, and what is passed for it to the calls.
    fn to_all(
        &self,
        session: &Session,
        signatures: &[Signature<'_>],
        (calls, meant): (&[(ListOwner<'_>, CallForm)], Meant<'_>),
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        self.check_typed(signatures)?;
        let written = each(signatures.iter().map(|it| self.to_signature(it, self.typed(it, signatures))));
        let checked = each(calls.iter().map(|(place, _)| self.check_call(signatures, *place)));
        let mut slots = Vec::new();
        for (signature, (edit, slot)) in signatures.iter().zip(both(written, checked)?.0) {
            let known = self.of.or_else(|| self.default.or_else(|| self.passed.all().next()).and_then(type_of));
            edits.add(signature.code, with_added(signature, (self.name, known)));
            edits.add(signature.code, [edit]);
            slots.push(slot);
        }
        let slot = slots.iter().all(|it| it.is_some() && *it == slots[0]).then_some(slots[0]).flatten();
        let passing = calls.iter().filter_map(|(place, form)| {
            let value = match self.is_handed_on(signatures, *place) {
                true => Ok(self.name.to_owned()),
                false => meant(*place, *form, self.passed.at(session, place.0)?),
            };
            Some(value.map(|value| (*place, *form, value)))
        });
        let passing: Vec<(ListOwner<'_>, CallForm, String)> = each(passing)?;
        let passed = passing.iter().map(|(place, form, value)| {
            let slot = slot.map(|at| at + form.arguments_ahead());
            Ok::<_, Refusal>((place.0, self.to_call(*place, (&signatures[0], slot), value)?))
        });
        for (code, edit) in each(passed)? {
            edits.add(code, edit);
        }
        let passing = Vec::from_iter(passing.iter().map(|(place, _, value)| (*place, value.as_str())));
        self.import(session, signatures, &passing, edits)
    }

    /// Imports what its type and its default need where it is declared, and its value where that is passed.
    fn import(
        &self,
        session: &Session,
        signatures: &[Signature<'_>],
        calls: &[(ListOwner<'_>, &str)],
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let declared = signatures.iter().flat_map(|it| {
            let given = self
                .typed(it, signatures)
                .map(TextPurpose::Type)
                .into_iter()
                .chain(self.default.map(TextPurpose::Value));
            given.map(move |given| ((it.code, definition(it.function)), given))
        });
        let passed = calls.iter().map(|(place, value)| (*place, TextPurpose::Value(value)));
        let home = signatures[0].code;
        let lines = declared.chain(passed).map(|(place, given)| {
            let is_inside = |it: &Signature<'_>| it.code.path == place.0.path && it.function.holds(place.1);
            let new: &[&str] = if signatures.iter().any(is_inside) { &[self.name] } else { &[] };
            Ok::<_, Refusal>((place.0, given_text::imports(session, home, place, (given, new))?))
        });
        for (code, lines) in each(lines)? {
            given_text::add(code, lines, edits);
        }
        Ok(())
    }

    /// Returns its type for one of several signatures: none for one that says no types, where others do.
    fn typed(&self, signature: &Signature<'_>, all: &[Signature<'_>]) -> Option<&str> {
        self.of.filter(|_| signature.is_typed() || !all.iter().any(Signature::is_typed))
    }

    /// Adds it to one signature, and says at which place calls pass it; at none where they pass it by its name alone.
    fn to_signature(&self, signature: &Signature<'_>, of: Option<&str>) -> Result<(TextEdit, Option<usize>), Refusal> {
        signature.check_free(self.name)?;
        match signature.code.family() {
            Family::Python => self.to_python(signature, of),
            _ => Ok((self.to_script(signature)?, Some(signature.parameters.len()))),
        }
    }

    fn to_python(&self, signature: &Signature<'_>, typed: Option<&str>) -> Result<(TextEdit, Option<usize>), Refusal> {
        let (code, function) = (signature.code, signature.function);
        let of = typed.map(|of| format!(": {of}")).unwrap_or_default();
        let written = match (self.default, typed) {
            (Some(default), Some(_)) => format!("{}{of} = {default}", self.name),
            (Some(default), None) => format!("{}={default}", self.name),
            (None, _) => format!("{}{of}", self.name),
        };
        let list = function.child("parameters");
        let list = list.ok_or_else(|| code.refuse(function.start(), "the function takes nothing"))?;
        let all: Vec<Node<'_>> = items(list).collect();
        let is_open = |it: &Node<'_>| it.is_any(&["default_parameter", "typed_default_parameter"]);
        let is_starred = |it: &Node<'_>| {
            it.is_any(&["list_splat_pattern", "dictionary_splat_pattern", "keyword_separator"])
                || it.named_children().next().is_some_and(|it| it.kind().ends_with("splat_pattern"))
        };
        let is_last = |it: &Node<'_>| it.text(code.text()).starts_with("**");
        let next = all.iter().position(|it| match self.default {
            Some(_) => is_last(it),
            None => is_open(it) || is_starred(it),
        });
        let edit = match next.map(|at| all[at]) {
            Some(next) => put_before(code, next, &written),
            None => appended(code, list, &written),
        };
        let ahead = &all[..next.unwrap_or(all.len())];
        let place = signature.parameters.iter().filter(|it| ahead.contains(&it.node)).count();
        Ok((edit, (!ahead.iter().any(is_starred)).then_some(place)))
    }

    fn to_script(&self, signature: &Signature<'_>) -> Result<TextEdit, Refusal> {
        let (code, function) = (signature.code, signature.function);
        if let Some(rest) = signature.parameters.iter().find(|parameter| parameter.way == ArgumentSource::Rest) {
            return Err(code.refuse(rest.node.start(), "what follows in `...` would take the parameter's place"));
        }
        if let Some(open) = signature.parameters.iter().find(|it| it.is_open()).filter(|_| self.default.is_none()) {
            let reason = "a parameter that may be left out stands before it: give a `default`";
            return Err(code.refuse(open.node.start(), reason));
        }
        let has_body = function.child("body").is_some();
        let known = || self.default.or_else(|| self.passed.all().next()).and_then(type_of);
        // A declaration file has to say a type; that of what is passed may be none that can be read off.
        let is_declared = !has_body && code.path.as_str().contains(".d.");
        let of = self.of.or_else(|| known().filter(|_| !has_body)).or(is_declared.then_some("any"));
        let of = of.filter(|_| code.is_typed_script());
        if of.is_none() && !has_body && self.default.is_some() {
            return Err(code.refuse(function.start(), "a signature without a body needs the parameter's type"));
        }
        let of = of.map(|of| format!(": {of}")).unwrap_or_default();
        let written = match self.default {
            Some(default) if has_body => format!("{}{of} = {default}", self.name),
            Some(_) => format!("{}?{of}", self.name),
            None => format!("{}{of}", self.name),
        };
        let list = list(function).ok_or_else(|| code.refuse(function.start(), "the function takes nothing"))?;
        Ok(appended(code, list, &written))
    }

    /// Tells of decorators: what calls pass through them may not come to the function. Where no call changes, none is lost.
    fn decorated(&self, signatures: &[Signature<'_>]) -> Result<Vec<Warning>, Refusal> {
        if !self.passed.is_none() {
            return each(signatures.iter().flat_map(Signature::decorated));
        }
        let marks = signatures.iter().flat_map(|it| it.opaque_marks().map(move |mark| (it, mark)));
        let told = marks.map(|(it, mark)| {
            let range = it.code.parsed().text.range(mark.span());
            Warning::at(WarningKind::Unproven, it.reason(mark), it.code.path.clone(), range)
        });
        Ok(told.collect())
    }

    /// Tells of an interface that others may implement, from which they are asked to take the parameter, too.
    fn asked_of_others(&self, signature: &Signature<'_>) -> Option<Warning> {
        let code = signature.code;
        let named = interface_of(signature)?.child("name")?.text(code.text());
        let message = format!(
            "`{named}` asks for a `{}` with `{}` now: what else implements it has to follow",
            signature.name(),
            self.name
        );
        let range = code.parsed().text.range(signature.function.span());
        Some(Warning::at(WarningKind::FollowUp, message, code.path.clone(), range))
    }

    /// Tells of places that hand the function on: whoever calls it from there passes nothing for the parameter.
    fn handed(&self, callee: &Callee, handed: &[(&Code, Node<'_>)]) -> Result<Vec<Warning>, Refusal> {
        let Some((code, node)) = handed.first() else { return Ok(Vec::new()) };
        if self.default.is_none() || code.family() != Family::Python {
            return callee.places().map(|_| Vec::new());
        }
        let message = format!("it is passed on here as a value: its callers pass no `{}`", self.name);
        if !self.passed.is_none() {
            return handed.iter().map(|(code, node)| doubt(code, node.span(), &message)).collect();
        }
        let range = code.parsed().text.range(node.span());
        Ok(vec![Warning::at(WarningKind::Unproven, message, code.path.clone(), range)])
    }
}

/// Returns the interface that declares a method, where files of others may name it: an exported one, a public protocol.
fn interface_of<'c>(signature: &Signature<'c>) -> Option<Node<'c>> {
    let text = signature.code.text();
    let class = signature.function.ancestors().find(|it| is_class(*it) || it.is("interface_declaration"))?;
    let is_open = match signature.code.family() {
        Family::Python => {
            let bases = class.child("superclasses").into_iter().flat_map(Node::named_children);
            let is_protocol = |it: Node<'_>| it.child("value").unwrap_or(it).text(text).ends_with("Protocol");
            let is_private = class.child("name").is_some_and(|it| it.text(text).starts_with('_'));
            bases.into_iter().any(is_protocol) && !is_private
        }
        _ => class.is("interface_declaration") && class.parent().is_some_and(|it| it.is("export_statement")),
    };
    is_open.then_some(class)
}
