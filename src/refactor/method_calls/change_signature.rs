//! Change Signature: parameters added, removed, reordered, renamed, given a type or a default, all as one.
//!
//! ```python
//! # --signature "items,rate->factor,*,log: bool = False"
//! def total(rate, items, note):        def total(items, factor, *, log: bool = False):
//!     return sum(items) * rate             return sum(items) * factor
//!                                  →
//! total(2, [1], "")                    total([1], 2)
//! ```

mod new_parameters;
mod passed_arguments;

use std::collections::BTreeMap;

use crate::plan::{Plan, Warning};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{
    ArgumentSource, Call, Parameter, Passing, Signature, called_at, is_constructor, items, list,
};
use crate::refactor::analysis::call_targets::of_called;
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::given_text;
use crate::refactor::analysis::indentation::changed;
use crate::refactor::analysis::parameter_docs::{Said, followed, type_of};
use crate::refactor::analysis::signatures::{Callee, UntypedCalls};
use crate::refactor::refusal::{both, each};
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};
use new_parameters::{Slot, Typing, Wanted};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let request = &of_called(session, request).await?;
    let code = Code::of(session, request)?;
    let function = called_at(&code, &request.target)?;
    if is_constructor(&code, function) {
        let makers = Makers::of_constructor(session, &code, function).await?;
        let passing = Passing::of_constructor_by_name_or_not((&code, function), &makers)?;
        let wanted = Wanted::of(request, &passing.signatures[0])?;
        each(wanted.slots.iter().map(|slot| makers.check_free(&code, function.start(), slot.name)))?;
        return planned(session, &wanted, &passing, &makers.warnings);
    }
    let own = Signature::bare((&code, function))?;
    let change = Wanted::of(request, &own)?;
    if let Some(added) = change.addition((&code, function)) {
        added.check(&code, function)?;
        return added.edits(session, (&code, function)).await?.plan();
    }
    let stays = |user: &Code, call: Node<'_>| change.leaves(&own, (user, call));
    let callee = Callee::changed(session, (&code, function), UntypedCalls::of(request), stays).await?;
    let passing = Passing::by_place(session, &callee, (&code, function), None).await?;
    passing.check_places()?;
    let wanted = Wanted::of(request, &passing.signatures[0])?;
    planned(session, &wanted, &passing, &callee.warnings)
}

fn planned(
    session: &Session,
    wanted: &Wanted<'_>,
    passing: &Passing<'_>,
    warnings: &[Warning],
) -> Result<Plan, Refusal> {
    let mut edits = Edits::default();
    edits.warn(warnings.iter().chain(&passing.warnings).cloned());
    let is_typed = passing.signatures.iter().any(Signature::is_typed);
    let first = &passing.signatures[0];
    let of = |it: &Signature<'_>| match it.is_typed() {
        false if is_typed => Typing::Left,
        _ if it.is_overload_beside(first) => Typing::OfNew,
        _ => Typing::Said,
    };
    let of_each = each(passing.signatures.iter().map(|it| Ok::<_, Refusal>((it, wanted.taken_by(it, first)?))))?;
    let signatures = each(of_each.iter().map(|(it, own)| Ok::<_, Refusal>((it.code, own.to_signature(it, of(it))?))));
    let calls = called(wanted, passing, signatures.as_ref().map_or(&[], Vec::as_slice));
    for (code, changed) in both(signatures, calls).map(|(_, all)| all)? {
        edits.add(code, changed);
    }
    let declared = of_each.iter().flat_map(|(it, own)| own.given(of(it)).map(move |one| (it.place(), one)));
    let passed = passing.calls.iter().flat_map(|it| wanted.passed().map(move |one| ((it.code, it.node), one)));
    let home = passing.signatures[0].code;
    let lines = declared.chain(passed).map(|(place, given)| {
        let is_inside = |it: &Signature<'_>| it.code.path == place.0.path && it.function.holds(place.1);
        let new = if passing.signatures.iter().any(is_inside) { wanted.names() } else { Vec::new() };
        Ok::<_, Refusal>((place.0, given_text::imports(session, home, place, (given, new.as_slice()))?))
    });
    for (code, lines) in each(lines)? {
        given_text::add(code, lines, &mut edits);
    }
    edits.plan()
}

/// Text edits of one file.
type Changed<'c> = (&'c Code, Vec<TextEdit>);

/// Writes the calls anew, one among the arguments of another as a part of that, and so is what the signatures change there.
fn called<'c>(
    wanted: &Wanted<'_>,
    passing: &'c Passing<'_>,
    signatures: &[Changed<'c>],
) -> Result<Vec<Changed<'c>>, Refusal> {
    let mut calls: Vec<&Call<'_>> = passing.calls.iter().collect();
    calls.sort_by_key(|it| it.node.span().len());
    let mut changed: BTreeMap<&AbsPath, (&Code, Vec<TextEdit>)> = BTreeMap::new();
    for (code, edits) in signatures {
        changed.entry(&code.path).or_insert_with(|| (code, Vec::new())).1.extend(edits.iter().cloned());
    }
    let mut outcomes = Vec::new();
    for call in calls {
        let (_, known) = changed.entry(&call.code.path).or_insert_with(|| (call.code, Vec::new()));
        let written = wanted.to_call(call, &passing.signatures[0], known);
        outcomes.push(written.map(|edits| {
            known.retain(|inner| !edits.iter().any(|edit| edit.span.contains(inner.span)));
            known.extend(edits);
        }));
    }
    each(outcomes)?;
    Ok(changed.into_values().collect())
}

impl Wanted<'_> {
    /// Writes the parameters of one signature anew, and their names in its body.
    fn to_signature(&self, signature: &Signature<'_>, typing: Typing) -> Result<Vec<TextEdit>, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let list = list(function).ok_or_else(|| code.refuse(function.start(), "the function takes nothing"))?;
        if let Some(mark) = list.children().find(|it| it.is("positional_separator")) {
            return Err(code.refuse(mark.start(), "what stands before `/` is passed by its place alone"));
        }
        let names = ScopedNames::of(code);
        let mut edits = Vec::new();
        for (at, parameter) in signature.parameters.iter().enumerate() {
            match self.slots.iter().find(|slot| slot.of == Some(at)) {
                None => edits.extend(unused(signature, &names, parameter)?),
                Some(slot) => edits.extend(renamed(signature, &names, parameter, slot)?),
            }
        }
        for slot in self.slots.iter().filter(|slot| slot.of.is_none()) {
            signature.check_free(slot.name)?;
        }
        let is_moved = |(at, slot): (usize, &Slot<'_>)| slot.of != Some(at);
        if code.family() == Family::Script && self.slots.iter().enumerate().any(is_moved) {
            signature.check_seen()?;
        }
        let own = |node: &Node<'_>| signature.parameters.iter().any(|it| it.node == *node);
        let receiver = items(list).find(|it| !own(it) && !it.is("keyword_separator"));
        let mut said: Vec<String> = receiver.iter().map(|it| it.text(code.text()).to_owned()).collect();
        for (number, slot) in self.slots.iter().enumerate() {
            if self.keyword == Some(number) {
                said.push("*".to_owned());
            }
            let is_kept = typing == Typing::OfNew && slot.of.is_some();
            let typed = slot.typed.filter(|_| typing != Typing::Left && !is_kept);
            let default = slot.default.filter(|_| !is_kept);
            said.push(self.written(signature, &Slot { typed, default, ..*slot }, &edits)?);
        }
        check_order(code, function, &said)?;
        edits.retain(|edit| !list.span().contains(edit.span));
        let written = relisted(code, list, &said);
        let comment = list.children().find(|it| it.kind().ends_with("comment")).filter(|_| !written.is_empty());
        if let Some(comment) = comment {
            return Err(code.refuse(comment.start(), "the comment would be lost"));
        }
        edits.extend(written);
        edits.extend(self.documented(signature));
        Ok(edits)
    }

    /// Lets what comments say of the parameters follow.
    fn documented(&self, signature: &Signature<'_>) -> Vec<TextEdit> {
        let (code, function) = (signature.code, signature.function);
        let known: Vec<&str> = signature.parameters.iter().map(|it| it.name.text(code.text())).collect();
        let order = self.slots.iter().map(|slot| Said {
            old: slot.of.and_then(|at| known.get(at).copied()),
            new: slot.name.trim_start_matches(['*', '.']),
            of: slot.typed.or_else(|| slot.default.or(slot.value).and_then(type_of)),
            about: None,
        });
        followed(code, function, &known, &order.collect::<Vec<_>>())
    }

    /// Writes one parameter.
    fn written(&self, signature: &Signature<'_>, slot: &Slot<'_>, edits: &[TextEdit]) -> Result<String, Refusal> {
        let code = signature.code;
        let old = slot.of.map(|at| signature.parameters[at]);
        let is_new_mark = slot.is_optional && code.is_typed_script() && !old.is_some_and(|it| it.is_open());
        if let Some(old) = old.filter(|_| slot.typed.is_none() && slot.default.is_none() && !is_new_mark) {
            let inside: Vec<TextEdit> =
                edits.iter().filter(|edit| old.node.span().contains(edit.span)).cloned().collect();
            return Ok(changed(code.text(), old.node.span(), &inside));
        }
        if let Some(pattern) = old.filter(|old| !old.name.is("identifier")) {
            return Err(code.refuse(pattern.node.start(), "the parameter is a pattern"));
        }
        let text = |node: Node<'_>| node.text(code.text()).trim_start_matches(':').trim().to_owned();
        let typed = slot.typed.filter(|_| code.family() != Family::Script || code.is_typed_script());
        let of = typed.map(str::to_owned).or_else(|| old.and_then(|it| it.of).map(text));
        let default = slot.default.map(str::to_owned).or_else(|| old.and_then(|it| it.default).map(text));
        let has_body = signature.function.child("body").is_some();
        let is_marked = slot.is_optional && code.is_typed_script() && default.is_none();
        let is_marked = is_marked || code.family() == Family::Script && !has_body && default.is_some();
        let mark = if is_marked { "?" } else { "" };
        let of = of.map_or_else(|| mark.to_owned(), |of| format!("{mark}: {of}"));
        Ok(match default {
            Some(default) if of.is_empty() && code.family() == Family::Python => format!("{}={default}", slot.name),
            Some(default) if mark.is_empty() => format!("{}{of} = {default}", slot.name),
            _ => format!("{}{of}", slot.name),
        })
    }
}

/// Refuses to take away what the body uses, or what does something.
fn unused(
    signature: &Signature<'_>,
    names: &ScopedNames<'_>,
    parameter: &Parameter<'_>,
) -> Result<Vec<TextEdit>, Refusal> {
    let (code, name) = (signature.code, parameter.name);
    if parameter.way == ArgumentSource::Rest {
        return Err(code.refuse(parameter.node.start(), "it takes all that is left: list it, too"));
    }
    let bound = names.within(parameter.node.span()).filter(|it| it.is_binding);
    let mut uses = bound.flat_map(|it| names.of_meaning(it.meaning));
    match uses.find(|one| !parameter.node.span().contains(one.span)) {
        Some(used) => {
            let own = name.text(code.text());
            let used_as = used.span.of(code.text()).unwrap_or_default();
            let reason = match name.is("identifier") {
                true => format!("the parameter `{own}` is used here: keep it, or rename it by `{own}->NAME`"),
                false => format!("`{used_as}`, which the parameter takes out, is used here: keep it"),
            };
            Err(code.refuse(used.span.start, reason))
        }
        None => signature.check_seen().map(|()| Vec::new()),
    }
}

/// Gives a parameter its new name wherever it stands.
fn renamed(
    signature: &Signature<'_>,
    names: &ScopedNames<'_>,
    parameter: &Parameter<'_>,
    slot: &Slot<'_>,
) -> Result<Vec<TextEdit>, Refusal> {
    let (code, name) = (signature.code, parameter.name);
    let old = name.text(code.text());
    if parameter.way == ArgumentSource::Rest || !name.is("identifier") || old == slot.name {
        return Ok(Vec::new());
    }
    signature.check_free(slot.name)?;
    signature.check_seen()?;
    let meaning = names.at(name).map(|it| it.meaning);
    let meaning = meaning.ok_or_else(|| code.refuse(name.start(), "the parameter is a pattern"))?;
    let places = names.of_meaning(meaning).map(|one| {
        let node = code.covering(one.span);
        let is_short = node.kind().starts_with("shorthand_property_identifier");
        TextEdit::new(one.span, if is_short { format!("{old}: {}", slot.name) } else { slot.name.to_owned() })
    });
    Ok(places.collect())
}

/// Refuses parameters that have to be passed behind such that need not.
fn check_order(code: &Code, function: Node<'_>, said: &[String]) -> Result<(), Refusal> {
    let is_python = code.family() == Family::Python;
    let plain = said.iter().take_while(|it| !is_python || !it.starts_with('*'));
    let is_open = |it: &&String| {
        new_parameters::parted(it).2.is_some() || it.split(':').next().is_some_and(|it| it.ends_with('?'))
    };
    let needed = plain.skip_while(|it| !is_open(it)).find(|it| !is_open(it) && !it.starts_with("..."));
    match needed {
        Some(needed) => {
            Err(code.refuse(function.start(), format!("`{needed}` has no default, and stands behind one that has")))
        }
        None => Ok(()),
    }
}

/// Writes the items of a list in parentheses anew, each on a line of its own where they were.
fn relisted(code: &Code, list: Node<'_>, said: &[String]) -> Vec<TextEdit> {
    let is_bare = list.is("identifier");
    let all: Vec<Node<'_>> = if is_bare { vec![list] } else { items(list).collect() };
    let old: Vec<&str> = all.iter().map(|it| it.text(code.text())).collect();
    if old == said {
        return Vec::new();
    }
    if is_bare {
        return vec![TextEdit::new(list.span(), format!("({})", said.join(", ")))];
    }
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return vec![TextEdit::new(Span::at(list.start() + 1), said.join(", "))];
    };
    if said.is_empty() {
        return vec![TextEdit::new(Span::new(list.start() + 1, list.end() - 1), "")];
    }
    let begins = code.text()[code.line_start(first.start())..first.start()].trim().is_empty();
    // All of them may have a line together.
    let is_packed = all.len() > 1 && code.line(first.start()) == code.line(last.end());
    let is_alone = begins && !is_packed;
    let gap = if is_alone { format!(",{}{}", code.newline(), code.indent(first.start())) } else { ", ".to_owned() };
    vec![TextEdit::new(Span::new(first.start(), last.end()), said.join(&gap))]
}
