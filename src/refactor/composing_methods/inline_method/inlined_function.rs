//! The function that goes, with the places where it takes what is passed.

use super::body::Body;
use super::call_site::Rooms;
use super::declared_types;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Parameter, Signature};
use crate::refactor::analysis::classes::usage;
use crate::refactor::analysis::object_literals::item_of_function;
use crate::refactor::analysis::signatures::is_literal;
use crate::refactor::analysis::substitution::{asks_object, is_of_other_object};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::kinds::Role;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(super) struct Inlined<'c> {
    pub signature: &'c Signature<'c>,
    pub names: ScopedNames<'c>,
    pub body: Body<'c>,
    /// For each parameter.
    pub taken: Vec<Taken<'c>>,
    /// Where it means its own object.
    pub own: Vec<Node<'c>>,
    pub is_async: bool,
}

/// A parameter in the body.
pub(super) struct Taken<'c> {
    pub parameter: Parameter<'c>,
    pub meaning: usize,
    pub places: Vec<Node<'c>>,
    /// It is given another value.
    pub is_set: bool,
}

/// What stands for a parameter at one call, in the text that it is written in.
#[derive(Clone, Copy)]
pub(super) struct Argument<'c> {
    pub code: &'c Code,
    pub node: Node<'c>,
    pub is_default: bool,
}

impl<'c> Inlined<'c> {
    pub(super) fn of(signature: &'c Signature<'c>) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
        let body = Body::of(code, function)?;
        if declared_types::narrows(function) && !declared_types::narrows_itself((code, function), &body) {
            return refuse(function, "its calls narrow a type, which its body would not do in their place");
        }
        let yields = function.walk_until(|it| is_any_function(it) && it != function);
        let yields = yields.into_iter().any(|it| it.is_any(&["yield", "yield_expression"]));
        if yields || signature.is_marked("*") {
            return refuse(function, "what its calls give is more than it answers");
        }
        signature.check_seen()?;
        let names = ScopedNames::of(code);
        let taken = signature.parameters.iter().map(|it| Taken::of((code, function), &names, *it));
        let taken = taken.collect::<Result<Vec<_>, _>>()?;
        let used = usage(code, function.child("body").unwrap_or(function));
        if let Some(bound) = used.bound.first() {
            return refuse(*bound, "this means something else elsewhere");
        }
        let objects = used.members.iter().filter_map(|it| it.parent()?.child("object"));
        let own: Vec<Node<'c>> = objects.chain(used.whole.iter().copied()).collect();
        let is_of_literal = item_of_function(function).is_some() && !function.is("arrow_function");
        if let Some(this) = own.first().filter(|_| signature.class.is_none() && !is_of_literal) {
            return refuse(*this, "`this` cannot be determined from the call");
        }
        let is_written = |it: &&Node<'c>| names.at(**it).is_some_and(|name| names.is_write(name));
        if let Some(written) = own.iter().find(is_written) {
            return refuse(*written, "the object is another one from here on");
        }
        Ok(Self { signature, names, body, taken, own, is_async: signature.is_marked("async") })
    }

    /// Tells whether its calls ask an object for it: one of a class, or a literal that holds it.
    pub(super) fn has_object(&self) -> bool {
        self.signature.class.is_some() || item_of_function(self.signature.function).is_some()
    }

    /// Puts the body where a call is: as one expression where that is possible, or else as statements.
    pub(super) fn put_into(&self, call: &Call<'c>, rooms: &mut Rooms) -> Result<Placed, Refusal> {
        self.check_known(call)?;
        self.check_class(call)?;
        self.check_names(call, self.body.extent)?;
        let Some(value) = self.body.expression() else { return self.put_statements(call, rooms) };
        let parent = call.node.parent().unwrap_or(call.node);
        let acts = value.kind().starts_with("call") || value.is_any(&["new_expression", "await", "await_expression"]);
        let is_lost = parent.is("expression_statement") && !acts || !self.body.statements.is_empty();
        if is_lost && let Ok(placed) = self.put_statements(call, rooms) {
            return Ok(placed);
        }
        self.put_expression(call, value).or_else(|why| self.put_statements(call, rooms).map_err(|_| why))
    }

    /// Returns what stands for a parameter: what is passed, or a default that is the same each time.
    pub(super) fn argument(&self, call: &Call<'c>, at: usize) -> Result<Argument<'c>, Refusal> {
        let (code, parameter) = (self.signature.code, &self.taken[at].parameter);
        let passed = call.value(at);
        let name = parameter.name.text(code.text());
        match (passed, parameter.default) {
            (Some(node), Some(_)) if code.family() == Family::Script && !is_plain(node) => {
                Err(call.code.refuse(node.start(), format!("the default of `{name}` may be used instead")))
            }
            (Some(node), _) => Ok(Argument { code: call.code, node, is_default: false }),
            (None, Some(node)) if is_plain(node) => Ok(Argument { code, node, is_default: true }),
            (None, _) => Err(call.refuse(format!("it does not pass `{name}`"))),
        }
    }

    /// Refuses a call that passes more than is taken.
    pub(super) fn check_passed(&self, call: &Call<'c>) -> Result<(), Refusal> {
        match call.passed.iter().flatten().count() == call.list.len() {
            true => Ok(()),
            false => Err(call.refuse("it passes more than is taken")),
        }
    }

    /// Returns what its calls know by another way than by an import: parameters, and its own object.
    pub(super) fn given(&self) -> Vec<&'c str> {
        let text = self.signature.code.text();
        self.taken.iter().map(|it| it.parameter.name.text(text)).chain(self.signature.receiver()).collect()
    }

    /// Returns what nobody says any more when the body stays in the file: all but that, and some types.
    pub(super) fn head(&self, kept: &[Span]) -> Vec<Span> {
        let function = self.signature.function;
        let body = function.child("body").map_or(function.end(), Node::start);
        let parts = function.descendants().filter(|it| it.is_leaf() && it.end() <= body).map(Node::span);
        parts.filter(|it| !kept.iter().any(|span| span.contains(*it))).collect()
    }

    /// Tells whether a name of the body is the object of a method of Python.
    pub(super) fn is_own(&self, name: Name) -> bool {
        self.own.iter().any(|it| it.span() == name.span)
    }

    /// Returns the parameter that a name of the body means.
    pub(super) fn taken_as(&self, name: Name) -> Option<&Taken<'c>> {
        self.taken.iter().find(|it| it.meaning == name.meaning)
    }

    /// Tells whether the body binds a name.
    pub(super) fn is_inner(&self, name: Name) -> bool {
        self.names.of_meaning(name.meaning).any(|it| it.is_binding && self.body.extent.contains(it.span))
    }

    /// Tells whether functions inside may keep an expression of the call that stands for a parameter: a name that never means
    /// another value, or the caller's own object, where none of them has one of its own.
    pub(super) fn may_keep(
        &self,
        names: &ScopedNames<'_>,
        call: &Call<'_>,
        (node, taken): (Node<'_>, &Taken<'_>),
    ) -> bool {
        let means_other = |place: &Node<'_>| is_of_other_object(*place, Some(self.signature.function));
        is_single(names, call.code, node) && !(asks_object(call.code, node) && taken.places.iter().any(means_other))
    }

    /// Tells whether a place in the body is looked at later, or more than once: in a function, a lazy expression.
    pub(super) fn is_kept(&self, place: Node<'c>) -> bool {
        let around = place.ancestors().take_while(|it| *it != self.signature.function);
        around.into_iter().any(|it| is_any_function(it) || it.is("generator_expression"))
    }
}

impl<'c> Taken<'c> {
    fn of(
        (code, function): (&'c Code, Node<'c>),
        names: &ScopedNames<'c>,
        parameter: Parameter<'c>,
    ) -> Result<Self, Refusal> {
        let name = parameter.name;
        let refuse =
            |offset: usize, reason: &str| Err(code.refuse(offset, format!("`{}` {reason}", name.text(code.text()))));
        let Some(meaning) = names.at(name).map(|it| it.meaning).filter(|_| name.is("identifier")) else {
            return refuse(name.start(), "is not an ordinary parameter");
        };
        let body = function.child("body").map_or(function.span(), Node::span);
        // `value is Order`
        let returned = function.child("return_type").map(Node::span);
        let is_said = |it: &Name| it.span == name.span() || returned.is_some_and(|of| of.contains(it.span));
        let others = || names.of_meaning(meaning).filter(|it| !is_said(it));
        if let Some(other) = others().find(|it| !body.contains(it.span)) {
            return refuse(other.span.start, "is used before the body begins");
        }
        let is_set = others().any(|it| names.is_write(it));
        let places = others().map(|it| code.covering(it.span)).collect();
        Ok(Self { parameter, meaning, places, is_set })
    }
}

/// Tells whether an expression is a number, a text or a truth.
pub(super) fn is_plain(node: Node<'_>) -> bool {
    const PLAIN: &[&str] = &["integer", "float", "none"];
    let is_made = node.is_any(&["array", "object", "regex", "undefined"]);
    let has_hole = node.descendants().any(|it| it.is("interpolation"));
    let is_signed = node.is("unary_operator") && node.named_children().all(|it| it.is_any(PLAIN));
    (is_literal(node) || node.is_any(PLAIN) || is_signed) && !is_made && !has_hole
}

/// Tells whether a name at a call means the same one value until the call is over.
pub(super) fn is_steady(names: &ScopedNames<'_>, call: &Call<'_>, node: Node<'_>) -> bool {
    let Some(name) = names.at(node).filter(|_| node.is("identifier")) else { return node.is("this") };
    let is_set = names.writes(name.meaning).any(|it| call.node.span().contains(it.span));
    // What a script imports is what the other module has at that moment.
    let is_live = call.code.family() == Family::Script
        && names
            .writes(name.meaning)
            .any(|it| call.code.covering(it.span).ancestors().any(|outer| outer.is("import_statement")));
    // A variable of a function around, which nothing gives another value.
    let is_around = || {
        let mut bound = names.writes(name.meaning).map(|it| call.code.covering(it.span));
        let is_set_before = || is_set_before(names, (call.code, name), call.node);
        bound.any(|it| it.ancestors().any(is_any_function)) && (is_single(names, call.code, node) || is_set_before())
    };
    !is_set && (names.is_fixed(name) && !is_live || names.is_local(name, function_of(call.node)) || is_around())
}

/// Tells whether a variable of a function around has its last value when the function comes into being that a place stands in.
fn is_set_before(names: &ScopedNames<'_>, (code, name): (&Code, Name), place: Node<'_>) -> bool {
    let Some(first) = names.writes(name.meaning).next() else { return false };
    let home = function_of(code.covering(first.span));
    let functions = place.ancestors().filter(|it| is_any_function(*it)).take_while(|it| Some(*it) != home);
    let Some(inner) = functions.last().filter(|it| home.is_some() && function_of(*it) == home) else { return false };
    let is_repeated = inner.ancestors().take_while(|it| Some(*it) != home).any(|it| it.has(Role::Loop));
    let is_done = |write: Name| write.span.end <= inner.start() && function_of(code.covering(write.span)) == home;
    !is_repeated && names.writes(name.meaning).all(is_done)
}

/// Tells whether a name at a call never means another value, so that a function may keep it.
pub(super) fn is_single(names: &ScopedNames<'_>, code: &Code, node: Node<'_>) -> bool {
    let Some(name) = names.at(node).filter(|_| node.is("identifier")) else { return node.is("this") };
    let is_repeated = |write: Name| {
        let around = code.covering(write.span).ancestors().take_while(|it| !is_any_function(*it));
        code.family() == Family::Python && around.into_iter().any(|it| it.is_any(&["for_statement", "while_statement"]))
    };
    let mut writes = names.writes(name.meaning);
    name.is_free || writes.next().is_some_and(|first| !is_repeated(first)) && writes.next().is_none()
}

/// What comes in the place of one call.
pub(super) struct Placed {
    pub edits: Vec<TextEdit>,
    /// What no text of the caller's says any more.
    pub gone: Vec<Span>,
    /// Types of parameters that are said at the call now.
    pub types: Vec<Span>,
}
