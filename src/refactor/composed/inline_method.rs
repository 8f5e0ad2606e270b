//! Inline Method, in scripts: the one expression that a function returns goes into its calls.
//!
//! ```ts
//! rating(): number {                       rating(): number {
//!     return this.isLate() ? 2 : 1;            return (this.late > 5) ? 2 : 1;
//! }                                    →   }
//! isLate(): boolean {
//!     return this.late > 5;
//! }
//! ```

use std::collections::BTreeMap;

use super::classes::{Class, comments_above, usage};
use super::code::{Code, function_at, function_of, is_block};
use super::edits::Edits;
use super::inline_temp::needs_none;
use super::layout::{changed, without_lines};
use super::names::Names;
use super::needs::{self, Carried, home};
use super::order::{Reach, can_swap, evaluated_once, reach, reach_before};
use super::passing::{Call, Passing, Signature};
use super::signature::{Callee, is_literal};
use super::whole_object::check_callee;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The function, whose value goes into the calls.
struct Inlined<'c> {
    signature: &'c Signature<'c>,
    names: Names<'c>,
    value: Node<'c>,
    /// Where each parameter is read.
    reads: Vec<Vec<Node<'c>>>,
    /// Where it means its own object.
    own: Vec<Node<'c>>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::of(session, &callee).await?;
    let [signature] = passing.signatures.as_slice() else {
        return Err(code.refuse(function.start(), "it stands for others of its name, or others for it"));
    };
    let inlined = Inlined::of(signature)?;
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    let mut users: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for call in &passing.calls {
        let mut others = passing.calls.iter().filter(|it| it.code.path == call.code.path && it.node != call.node);
        let is_own = call.code.path == signature.code.path && signature.function.holds(call.node);
        if is_own || others.any(|it| it.node.holds(call.node)) {
            return Err(call.refuse("it is called inside itself, or inside another of its calls"));
        }
        edits.add(call.code, [TextEdit::new(call.node.span(), inlined.put_into(call)?)]);
        users.entry(&call.code.path).or_insert((call.code, Vec::new())).1.push(call.callee().span());
    }
    if users.is_empty() {
        return Err(code.refuse(function.start(), "nobody calls it"));
    }
    callee.check_imports(|path| users.contains_key(path))?;
    for (user, spans) in users.into_values().filter(|(user, _)| user.path != signature.code.path) {
        inlined.check_seen(user, &spans)?;
        let texts: Vec<&str> = signature.parameters.iter().map(|it| it.name.text(signature.code.text())).collect();
        let pieces = [inlined.value.span()];
        let carried = Carried { from: signature.code, pieces: &pieces, to: user, given: &texts };
        needs::carry(session, &carried, &mut edits)?;
        needs::leave(session, user, &spans, &mut edits);
    }
    if passing.calls.iter().all(|call| call.code.path != signature.code.path) {
        needs::leave(session, signature.code, &[signature.function.span()], &mut edits);
    }
    edits.add(signature.code, inlined.removed()?);
    edits.plan()
}

impl<'c> Inlined<'c> {
    fn of(signature: &'c Signature<'c>) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let refuse = |node: Node<'_>, reason: &str| code.refuse(node.start(), reason);
        let body = function.child("body").ok_or_else(|| refuse(function, "it has no body"))?;
        let returned = || {
            let mut statements = body.named_children().filter(|it| !it.kind().ends_with("comment"));
            let only = statements.next().filter(|it| it.is("return_statement"))?;
            only.named_children().find(|it| !it.kind().ends_with("comment")).filter(|_| statements.next().is_none())
        };
        let value = if is_block(body) { returned() } else { Some(body) };
        let value = value.ok_or_else(|| refuse(body, "its body is more than one `return`"))?;
        let is_guard = function
            .child("return_type")
            .is_some_and(|it| it.is_any(&["type_predicate_annotation", "asserts_annotation"]));
        if !signature.runs_at_once() || function.child("type_parameters").is_some() || is_guard {
            return Err(refuse(function, "what its calls give is more than the value of its expression"));
        }
        signature.check_seen()?;
        if let Some(one) = signature.parameters.iter().find(|it| it.is_open()) {
            return Err(refuse(one.node, "calls can do without this parameter"));
        }
        let names = Names::of(code);
        let reads =
            (0..signature.parameters.len()).map(|at| signature.reads(&names, at)).collect::<Result<Vec<_>, _>>()?;
        let used = usage(code, value);
        if let Some(bound) = used.bound.first() {
            return Err(refuse(*bound, "this means something else elsewhere"));
        }
        let objects = used.members.iter().filter_map(|it| it.parent()?.child("object"));
        let own: Vec<Node<'c>> = objects.chain(used.whole.iter().copied()).collect();
        if let Some(this) = own.first().filter(|_| signature.class.is_none()) {
            return Err(refuse(*this, "what `this` is, no call tells"));
        }
        Ok(Self { signature, names, value, reads, own })
    }

    /// Writes the value as it comes in the place of a call.
    fn put_into(&self, call: &Call<'_>) -> Result<String, Refusal> {
        let (code, text) = (self.signature.code, self.signature.code.text());
        self.check_object(call)?;
        self.check_arguments(call)?;
        if call.code.path == code.path {
            let hidden = self.names.within(self.value.span()).find(|name| {
                let is_parameter = self.reads.iter().flatten().any(|it| it.span() == name.span);
                !is_parameter && self.names.is_hidden(*name, call.node) && !self.is_inner(*name)
            });
            if let Some(name) = hidden {
                let said = name.span.of(text).unwrap_or_default();
                return Err(call.refuse(format!("`{said}` means something else here")));
            }
        }
        let object = call.callee().child("object").map(|it| it.text(call.code.text())).unwrap_or("this");
        let mut edits: Vec<TextEdit> = self.own.iter().map(|it| TextEdit::new(it.span(), object)).collect();
        for (at, reads) in self.reads.iter().enumerate() {
            let Some(argument) = call.value(at) else { return Err(call.refuse("it does not pass all that is taken")) };
            for one in reads {
                if argument.is_any(&[
                    "member_expression",
                    "non_null_expression",
                    "parenthesized_expression",
                    "subscript_expression",
                ]) {
                    check_callee(code, *one)?;
                }
                let said = argument.text(call.code.text());
                let is_bare = needs_none(argument, *one, one.parent().unwrap_or(*one));
                let said = if is_bare { said.to_owned() } else { format!("({said})") };
                let is_short = one.is("shorthand_property_identifier");
                let said = if is_short { format!("{}: {said}", one.text(text)) } else { said };
                edits.push(TextEdit::new(one.span(), said));
            }
        }
        let said = changed(code, self.value.span(), &edits);
        let parent = call.node.parent().unwrap_or(call.node);
        if parent.is("expression_statement") && !said.starts_with(|it: char| it.is_alphabetic()) {
            return Err(call.refuse("what it gives is not used here, and can be no statement"));
        }
        let is_bare = needs_none(self.value, call.node, parent) || parent.is("expression_statement");
        Ok(if is_bare { said } else { format!("({said})") })
    }

    /// Tells whether the value itself binds a name.
    fn is_inner(&self, name: Name) -> bool {
        self.names.of_meaning(name.meaning).any(|it| it.is_binding && self.value.span().contains(it.span))
    }

    /// Refuses a call on an object that cannot stand in the place of `this`, or from where it may not be looked into.
    fn check_object(&self, call: &Call<'_>) -> Result<(), Refusal> {
        let Some(class) = self.signature.class else { return Ok(()) };
        let code = self.signature.code;
        let object = call.callee().child("object").ok_or_else(|| call.refuse("it is called on nothing"))?;
        if !object.is_any(&["identifier", "this"]) {
            return Err(call.refuse("the object is no plain name: it would come to be evaluated at another time"));
        }
        if self.own.iter().any(|it| function_of(*it) != function_of(self.value)) {
            return Err(call.refuse("a function inside it keeps the object"));
        }
        let is_inside = call.code.path == code.path && class.node.holds(call.node);
        let used = usage(code, self.value);
        let is_open = |it: &Node<'_>| {
            let members = class.members_named(it.text(code.text()));
            let is_marked = |word: &str| members.iter().any(|member| member.is_marked(code, word));
            !members.is_empty() && !is_marked("private") && !is_marked("protected")
        };
        match used.members.iter().find(|it| !is_open(it)).or(used.private.first()).filter(|_| !is_inside) {
            Some(hidden) => {
                let reason = format!("`{}` may not be known outside its class", hidden.text(code.text()));
                Err(call.refuse(reason))
            }
            None => Ok(()),
        }
    }

    /// Refuses arguments that would not be evaluated once, in their order, and before all else.
    fn check_arguments(&self, call: &Call<'_>) -> Result<(), Refusal> {
        let code = self.signature.code;
        let names = Names::of(call.code);
        let far = |it: Node<'_>| reach(&names, call.code, it);
        if call.list.len() != self.reads.len() {
            return Err(call.refuse("it does not pass what is taken"));
        }
        let mut last = 0;
        for (at, argument) in call.list.iter().enumerate() {
            let refuse = |reason: &str| Err(call.code.refuse(argument.start(), reason));
            let is_inner = |it: &&Node<'_>| function_of(**it) != function_of(self.value);
            if is_literal(*argument) && !argument.is_any(&["array", "object", "regex"]) {
                continue;
            }
            let name = names.at(*argument).filter(|_| argument.is("identifier"));
            let is_set = |name: Name| names.writes(name.meaning).any(|it| call.node.span().contains(it.span));
            let is_local = |name: Name| names.is_local(name, function_of(call.node)) && !is_set(name);
            let is_steady = argument.is("this") || name.is_some_and(|name| names.is_fixed(name) || is_local(name));
            let reads = &self.reads[at];
            match reads.as_slice() {
                all if all.iter().any(|it| is_inner(&it)) => {
                    return refuse("a function inside it would keep what is passed");
                }
                _ if is_steady => continue,
                [] if far(*argument) != Reach::Acts => continue,
                [one] if *one == self.value => {}
                [one] => {
                    if let Err(reason) = evaluated_once(code, self.value, *one) {
                        return refuse(reason);
                    }
                    let before = reach_before(&self.names, code, self.value, *one);
                    if one.start() < last || !can_swap(before, far(*argument)) {
                        return refuse("it would come to be evaluated after what can change it");
                    }
                    last = one.start();
                }
                _ => return refuse("it would not be evaluated once"),
            }
        }
        Ok(())
    }

    /// Refuses a file in which names of the value mean something else where it is called.
    fn check_seen(&self, user: &Code, calls: &[Span]) -> Result<(), Refusal> {
        let theirs = Names::of(user);
        for name in self.names.within(self.value.span()).filter(|name| !self.is_inner(*name)) {
            if self.reads.iter().flatten().any(|it| it.span() == name.span) {
                continue;
            }
            let said = name.span.of(self.signature.code.text()).unwrap_or_default();
            for binding in theirs.named(said).filter(|it| it.is_binding) {
                let is_around = |outer: Node<'_>| calls.iter().any(|call| outer.span().contains(*call));
                if home(user, binding).is_some_and(is_around) {
                    return Err(user.refuse(binding.span.start, format!("`{said}` means something else here")));
                }
            }
        }
        Ok(())
    }

    /// Takes the declaration away.
    fn removed(&self) -> Result<Vec<TextEdit>, Refusal> {
        let (code, function) = (self.signature.code, self.signature.function);
        if let Some(class) = self.signature.class {
            return class.without(&members(&class, function)?);
        }
        let holder =
            function.parent().filter(|it| it.is("variable_declarator")).and_then(Node::parent).unwrap_or(function);
        let statement = holder.parent().filter(|it| it.is("export_statement")).unwrap_or(holder);
        let declared = holder.named_children().filter(|it| it.is("variable_declarator")).count();
        let is_alone = statement.parent().is_some_and(is_block) && declared < 2;
        if !is_alone || !super::blocks::is_alone(code, statement) {
            return Err(code.refuse(statement.start(), "its declaration shares its place with something else"));
        }
        let start = comments_above(code, statement.start());
        Ok(vec![without_lines(code, Span::new(start, statement.end()))])
    }
}

/// Returns the member that a function is, where nothing else hangs on it.
fn members<'c>(class: &Class<'c>, function: Node<'c>) -> Result<Vec<super::classes::Member<'c>>, Refusal> {
    let all: Vec<_> =
        class.members().into_iter().filter(|it| it.node == function || it.function() == Some(function)).collect();
    match all.as_slice() {
        [one] if one.decorators().next().is_none() && is_any_function(function) => Ok(all),
        _ => Err(class.code.refuse(function.start(), "something decorates it")),
    }
}
