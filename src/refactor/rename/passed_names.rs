//! Names that a function of Python makes of a string that it is passed (`def stored(name): … getattr(obj, "_" + name)`): where
//! every call says which, the others are none of them.

use super::dynamic_attributes::is_own;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::python::{argument, is_target, may_add_up_to, qualified};
use crate::syntax::{Node, Stem};

/// A parameter that is all which is not known of a name.
struct Passed<'t> {
    function: &'t str,
    parameter: &'t str,
    /// Behind the object that a method is called on.
    at: usize,
    default: Option<Node<'t>>,
}

/// Tells whether what is put together at a place cannot be `member`: no call passes what it would be made of.
pub(super) fn passes_others(
    session: &Session,
    (node, text): (Node<'_>, &str),
    (stem, member): (&Stem, &str),
) -> Result<bool, Refusal> {
    let Some((passed, rest)) = Passed::of(node, text).zip(stem.middle(member)) else { return Ok(false) };
    let mut is_called = false;
    for path in
        session.disk().files_mentioning(passed.function).into_iter().filter(|it| it.extension().starts_with("py"))
    {
        let Some(parsed) = session.parsed(&path)? else { return Ok(false) };
        let own = parsed.text.as_str();
        let places = parsed.tree.identifiers_named(own, passed.function).into_iter();
        let places = places.map(|span| parsed.tree.nodes().covering(span)).filter(|it| !is_only_named(*it));
        for place in places {
            if !passed.is_other((place, own), (text, rest)) {
                return Ok(false);
            }
            is_called = true;
        }
    }
    // What nobody calls here is called by others, or by the language.
    Ok(is_called)
}

impl<'t> Passed<'t> {
    fn of(node: Node<'t>, text: &'t str) -> Option<Self> {
        let inner = || node.walk_until(|_| false).filter(|it| it.is("identifier"));
        let parameter = inner().next()?.text(text);
        let is_alone = inner().all(|it| it.text(text) == parameter);
        let taken = |function: Node<'t>| {
            let all: Vec<Node<'t>> = function.child("parameters")?.named_children().collect();
            let at = all.iter().position(|it| name(*it).is_some_and(|it| it.text(text) == parameter))?;
            Some((function, all, at))
        };
        let functions = node.ancestors().filter(|it| it.is_any(&["function_definition", "lambda"]));
        let (function, all, at) = functions.into_iter().find_map(taken)?;
        let is_set = |it: &Node<'_>| it.is("identifier") && it.text(text) == parameter && is_target(*it);
        let is_steady = !function.child("body")?.descendants().any(|it| is_set(&it));
        let is_plain = !all[..=at].iter().any(|it| it.is_any(&["list_splat_pattern", "dictionary_splat_pattern"]));
        let is_method = all.first().is_some_and(|it| is_own(*it, text));
        let function = function.child("name")?.text(text);
        let default = all[at].child("value");
        (is_alone && is_steady && is_plain).then(|| Self {
            function,
            parameter,
            at: at - usize::from(is_method && at > 0),
            default,
        })
    }

    /// Tells whether a place calls the function, and passes something else.
    fn is_other(&self, (place, own): (Node<'_>, &str), (text, rest): (&str, &str)) -> bool {
        let callee = qualified(place);
        let Some(call) = callee.parent().filter(|it| it.is("call") && it.child("function") == Some(callee)) else {
            return false;
        };
        let mut all = call.child("arguments").into_iter().flat_map(Node::named_children);
        if all.any(|it| it.is_any(&["list_splat", "dictionary_splat"])) {
            return false;
        }
        match argument(call, self.at, &[self.parameter], own) {
            Some(passed) => !may_add_up_to(passed, own, rest),
            None => self.default.is_some_and(|it| !may_add_up_to(it, text, rest)),
        }
    }
}

/// Returns what a parameter is called.
fn name(parameter: Node<'_>) -> Option<Node<'_>> {
    let inner = parameter.child("name").or_else(|| parameter.walk_until(|_| false).find(|it| it.is("identifier")));
    if parameter.is("identifier") { Some(parameter) } else { inner }
}

/// Tells whether a place only declares a function of the name, imports it, or takes it away.
fn is_only_named(place: Node<'_>) -> bool {
    let is_declared = place.parent().is_some_and(|it| it.is("function_definition") && it.child("name") == Some(place));
    let around = || place.ancestors();
    let is_aliased = around().any(|it| it.is("aliased_import"));
    let is_deleted = place.parent().is_some_and(|it| it.is("delete_statement"));
    is_declared
        || is_deleted
        || !is_aliased && around().any(|it| it.is_any(&["import_from_statement", "import_statement"]))
}
