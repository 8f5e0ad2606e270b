//! Functions and classes of Python that are handed on as values, or named by strings, and then called by somebody of whom no
//! server knows whom it calls: `kinds[kind](**values)`, `getattr(module, name)(**options)`.

use std::collections::{BTreeMap, BTreeSet};

use super::class_reflection::{Told, handing_on};
use super::definition_queries::locations;
use super::hierarchy::Hierarchy;
use super::probes::{self, Form};
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::{is_class_of_object, is_target, qualified};
use crate::syntax::target::last_name;
use crate::syntax::{Family, Language, Node, whole_words};
use crate::text::{AbsPath, Span};

/// Functions that look at a class, and do not call it.
const LOOKING: [&str; 5] = ["isinstance", "issubclass", "super", "cast", "raises"];

/// What makes objects that have an attribute for each argument.
const HOLDING: [&str; 5] = ["MagicMock", "Mock", "Namespace", "SimpleNamespace", "patch"];

/// Where Python's own stubs declare the types of what may be any function or class.
const OF_ANY: [&str; 3] = ["typing.pyi", "builtins.pyi", "types.pyi"];

/// A call that takes a dictionary apart.
struct Call {
    path: AbsPath,
    splat: Span,
    /// Where the name of what is called stands; nothing where that is an expression.
    callee: Option<usize>,
    /// The name that an object is asked for what is called.
    method: Option<String>,
    /// The class of some object is called: `made = type(node)`, `node.__class__(**values)`.
    makes_own: bool,
}

/// Finds the calls that may give a renamed parameter its value, for all that is known of what they call.
pub(super) async fn called(hierarchy: &Hierarchy<'_>, renamed: &Renamed, gathered: &Gathered) -> Result<Told, Refusal> {
    let (session, server, mut told) = (hierarchy.session, hierarchy.server, Told::new());
    let is_open = !renamed.functions.is_empty() && is_said(session, hierarchy.name, gathered)?;
    if !is_open || !escapes(session, &renamed.owners)? {
        return Ok(told);
    }
    let mut calls = calls(session, hierarchy.name)?;
    calls.retain(|call| !(call.makes_own && renamed.built.is_empty()));
    let files: BTreeSet<AbsPath> = calls.iter().map(|call| call.path.clone()).collect();
    session.cover(server, &Vec::from_iter(files)).await?;
    let place = |call: &Call| call.callee.map(|offset| Place { path: call.path.clone(), offset });
    let places: Vec<Place> = calls.iter().filter_map(place).collect();
    let declared = locations(server, Feature::Definition, places.clone()).await?;
    let types = match server.offers(Feature::TypeDefinition) {
        true => locations(server, Feature::TypeDefinition, places).await?,
        false => vec![Vec::new(); declared.len()],
    };
    let mut answers = declared.into_iter().zip(types);
    let mut set = renamed.function_names(session)?.into_iter().map(|name| (name, true)).collect();
    for call in calls {
        let known = call.callee.and_then(|_| answers.next());
        let is_known = match known {
            Some((declared, types)) => leads_to_class(hierarchy, &types)? || leads_to_callable(session, &declared)?,
            None => false,
        };
        if !is_known && may_lead_on(session, &call, &mut set)? {
            told.entry((call.path, Form::TakenApart)).or_default().insert(call.splat);
        }
    }
    Ok(told)
}

/// Tells whether anything says the name that is not renamed with it: a dictionary has it as a key from somewhere.
fn is_said(session: &Session, name: &str, gathered: &Gathered) -> Result<bool, Refusal> {
    for path in session.disk().files_mentioning(name) {
        let text = session.disk().read(&path)?;
        if whole_words(text.as_str(), name).into_iter().any(|span| !gathered.has(&path, span)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether one of the owners is handed on as a value, or named by a string or in data.
fn escapes(session: &Session, owners: &BTreeSet<String>) -> Result<bool, Refusal> {
    for owner in owners {
        for path in session.disk().files_mentioning(owner) {
            let family = Language::of_path(&path).map(Language::family);
            let is_out = match family {
                Some(Family::Python) => session
                    .parsed(&path)?
                    .is_some_and(|parsed| is_handed_on(&parsed, owner) || is_spelled(&parsed, owner)),
                Some(Family::Data) => is_named(session.disk().read(&path)?.as_str(), owner),
                _ => false,
            };
            if is_out {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

pub(super) fn is_handed_on(parsed: &Parsed, owner: &str) -> bool {
    let text = parsed.text.as_str();
    parsed.tree.identifiers_named(text, owner).into_iter().any(|span| {
        let node = parsed.tree.nodes().covering(span);
        let whole = qualified(node);
        let is_looked_at = |list: Node<'_>| {
            let called = list.parent().and_then(|call| call.child("function")).map_or("", |called| called.text(text));
            LOOKING.contains(&called.rsplit('.').next().unwrap_or_default())
        };
        whole.parent().is_some_and(|outer| {
            let lists = [Some(outer), outer.parent()].into_iter().flatten();
            holds(outer, whole) && !lists.filter(|list| list.is("argument_list")).any(is_looked_at)
        })
    })
}

fn is_spelled(parsed: &Parsed, owner: &str) -> bool {
    let text = parsed.text.as_str();
    parsed.tree.nodes().iter().any(|node| node.is("string_content") && is_named(node.text(text), owner))
}

/// Tells whether a text names something by its path: `shop.pools:Pool`, `shop.pools.Pool`.
fn is_named(text: &str, owner: &str) -> bool {
    whole_words(text, owner).into_iter().any(|span| text[..span.start].ends_with([':', '.']))
}

/// The calls of the project that take a dictionary apart whose keys nobody reads off the text.
fn calls(session: &Session, name: &str) -> Result<Vec<Call>, Refusal> {
    let mut found = Vec::new();
    let files = session.disk().files();
    for path in files.iter().map(|file| &file.path).filter(|path| path.extension() == "py") {
        // One that is not UTF-8 has no place that a plan could name.
        if !session.disk().read(path).is_ok_and(|text| text.as_str().contains("**")) {
            continue;
        }
        let Some(parsed) = session.parsed(path)? else { continue };
        let text = parsed.text.as_str();
        for splat in parsed.tree.nodes().iter().filter(|node| node.is("dictionary_splat")) {
            if probes::taken_apart(splat, text, name).is_none() || handing_on(splat, text).is_some() {
                continue;
            }
            let called = splat.parent().and_then(Node::parent).and_then(|call| call.child("function"));
            let own =
                called.and_then(|called| if called.is("attribute") { called.child("attribute") } else { Some(called) });
            let callee = own.filter(|own| own.is("identifier"));
            let method = callee.filter(|own| own.parent() == called).map(|own| own.text(text).to_owned());
            let makes_own = called.is_some_and(|called| is_own_class(called, text));
            let callee = callee.map(Node::start);
            found.push(Call { path: path.clone(), splat: splat.span(), callee, method, makes_own });
        }
    }
    Ok(found)
}

/// Tells whether a call may be of a function that is not called so; `set` keeps what is known of attributes.
fn may_lead_on(session: &Session, call: &Call, set: &mut BTreeMap<String, bool>) -> Result<bool, Refusal> {
    let Some(method) = &call.method else { return Ok(true) };
    if !set.contains_key(method) {
        set.insert(method.clone(), is_set(session, method)?);
    }
    Ok(set[method])
}

/// Tells whether something gives an attribute of a name its value, so that whoever asks an object for it may get a function of
/// another name.
fn is_set(session: &Session, name: &str) -> Result<bool, Refusal> {
    for path in session.disk().files_mentioning(name).into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let is_spelled =
            |node: Node<'_>| node.is("string_content") && node.text(text) == name && !is_asked_for(node, text);
        let mut spans = parsed.tree.identifiers_named(text, name).into_iter();
        if spans.any(|span| gets_value(parsed.tree.nodes().covering(span), text))
            || parsed.tree.nodes().iter().any(is_spelled)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a string names the attribute that an object is asked for.
fn is_asked_for(content: Node<'_>, text: &str) -> bool {
    let call = content.parent().and_then(Node::parent).and_then(Node::parent);
    let called = call.and_then(|call| call.child("function")).map_or("", |it| it.text(text));
    matches!(called, "getattr" | "hasattr")
}

/// Tells whether a name, or the attribute that it is of an object, gets a value where it stands.
fn gets_value(name: Node<'_>, text: &str) -> bool {
    let Some(outer) = name.parent() else { return false };
    match (outer.kind(), name.field()) {
        ("attribute", Some("attribute")) => is_target(outer),
        ("named_expression", Some("name")) | ("aliased_import", Some("alias")) => true,
        ("keyword_argument", Some("name")) => {
            let called = outer.parent().and_then(Node::parent).and_then(|call| call.child("function"));
            called.is_some_and(|it| HOLDING.contains(&last_name(it.text(text))))
        }
        _ => is_target(name),
    }
}

/// Tells whether what is called is the class of an object, or a variable that nothing else is assigned to in its function.
fn is_own_class(called: Node<'_>, text: &str) -> bool {
    if !called.is("identifier") {
        return is_class_of_object(called, text);
    }
    let Some(function) = called.ancestors().find(|outer| outer.is("function_definition")) else { return false };
    let is_same = |it: &Node<'_>| it.is("identifier") && it.text(text) == called.text(text);
    let is_given =
        |it: &Node<'_>| gets_value(*it, text) || it.parent().is_some_and(|outer| outer.kind().contains("parameter"));
    let mut given = function.descendants().filter(is_same).filter(is_given).peekable();
    given.peek().is_some()
        && given.all(|it| {
            let assignment = it.parent().filter(|outer| outer.is("assignment"));
            assignment.and_then(|outer| outer.child("right")).is_some_and(|right| is_class_of_object(right, text))
        })
}

/// Tells whether what a server names as a type says what is called: `Any`, `Callable` and `type` do not, and of what it does
/// not know, a server names the place itself.
fn leads_to_class(hierarchy: &Hierarchy<'_>, types: &[Location]) -> Result<bool, Refusal> {
    for of in types.iter().filter(|of| !OF_ANY.contains(&of.path.file_name())) {
        if hierarchy.class_at(of)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a server leads to functions and classes, by their names or in libraries.
fn leads_to_callable(session: &Session, declared: &[Location]) -> Result<bool, Refusal> {
    for location in declared.iter().filter(|location| location.path.is_below(session.root())) {
        let Some(parsed) = session.parsed(&location.path)? else { return Ok(false) };
        let name = parsed.tree.nodes().covering(Span::new(location.span.start, location.span.start + 1));
        let is_definition = |outer: Node<'_>| outer.is_any(&["function_definition", "class_definition"]);
        if !name.parent().is_some_and(|outer| is_definition(outer) && outer.child("name") == Some(name)) {
            return Ok(false);
        }
    }
    Ok(!declared.is_empty())
}

/// Tells whether something is handed on as a value: in a list, a dictionary, or as an argument.
pub(super) fn holds(around: Node<'_>, value: Node<'_>) -> bool {
    match around.kind() {
        "list" | "tuple" | "set" | "argument_list" => true,
        "pair" | "keyword_argument" => around.child("value") == Some(value),
        _ => false,
    }
}
