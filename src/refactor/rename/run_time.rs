//! Where a Python program asks objects for names that it makes as it runs, or gives arguments in a dictionary, and what is
//! renamed may be among them: told.
//!
//! What stands there is asked for in the text as it is: a text that is laid over costs the server the types of the whole
//! program, so that is left for what nothing else tells.

use std::collections::BTreeSet;

use super::class_reflection::{self, Told};
use super::hierarchy::{CONSTRUCTORS, Hierarchy, LocatedClass};
use super::keyword_dictionaries::dictionary_of;
use super::probes::{self, Form, Meant};
use super::python_changes::{Renamed, Standpoints};
use super::server_edits::Gathered;
use super::{asked_as_bases, definition_queries, dynamic_attributes, escaping_callables};
use crate::lsp::{Feature, Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::Node;
use crate::text::{AbsPath, Span};

/// A place of a file, by what is done there.
struct Open {
    path: AbsPath,
    span: Span,
    form: Form,
    subject: Subject,
    /// The keys of the name that a function asks of its own `**options` before it hands them on: callers say these.
    keys: Option<Vec<Span>>,
}

/// The object that is asked, or the function that is called.
enum Subject {
    /// `self` or `cls`: the class around, by its definition.
    Own(Span),
    /// Where its name stands.
    Named(usize),
    /// The module itself.
    Module,
    Expression,
}

/// What an answer says of a place.
enum Sense {
    Renamed,
    Other,
    /// It is no class and no function, and may be of a type all the same.
    Open,
}

/// Tells where an object with a renamed member is asked for names that the program makes, and where a dictionary gives
/// the arguments of a function with a renamed parameter.
pub(super) async fn tell(hierarchy: &Hierarchy<'_>, renamed: &Renamed, gathered: &mut Gathered) -> Result<(), Refusal> {
    let mut told = class_reflection::asked(hierarchy, renamed, gathered).await?;
    let more = [
        asked_as_bases::listed(hierarchy, renamed).await?,
        escaping_callables::called(hierarchy, renamed, gathered).await?,
        class_reflection::made(hierarchy.session, renamed, hierarchy.name)?,
    ];
    for (at, spans) in more.into_iter().flatten() {
        told.entry(at).or_default().extend(spans);
    }
    let places = places(hierarchy, renamed, gathered)?;
    let mut handing = BTreeSet::new();
    for place in meant(hierarchy, (renamed, gathered), places).await? {
        match place.keys {
            Some(keys) => {
                handing.extend(handing_function(hierarchy.session, &place.path, place.span)?);
                gathered.asked.unknown.extend(keys.into_iter().map(|span| (place.path.clone(), span)));
            }
            None => drop(told.entry((place.path, place.form)).or_default().insert(place.span)),
        }
    }
    for (path, span) in handed_through(hierarchy, handing)? {
        told.entry((path, Form::TakenApart)).or_default().insert(span);
    }
    gathered.warnings.extend(warnings(hierarchy.session, hierarchy.name, told)?);
    Ok(())
}

pub(super) fn warnings(session: &Session, name: &str, told: Told) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for ((path, form), spans) in told {
        let spans: Vec<Span> = spans.into_iter().collect();
        let text = session.disk().read(&path)?;
        let message = if form == Form::Dynamic {
            format!("members are named as the program runs, and `{name}` may be one of them")
        } else {
            format!("a dictionary gives the arguments here, and `{name}` may be one of its keys")
        };
        warnings.push(Warning::at_lines(WarningKind::RunTime, message, path, (&text, &spans)));
    }
    Ok(warnings)
}

/// Finds the places in the files that name what has a renamed member or parameter.
fn places(hierarchy: &Hierarchy<'_>, renamed: &Renamed, gathered: &Gathered) -> Result<Vec<Open>, Refusal> {
    let session = hierarchy.session;
    let has_members = !renamed.classes.is_empty();
    let has_arguments = !renamed.functions.is_empty() || !renamed.built.is_empty();
    let has_globals = !renamed.modules.is_empty();
    let asking = renamed.owners.iter().flat_map(|owner| session.disk().files_mentioning(owner));
    let mut files: BTreeSet<AbsPath> = asking.chain(gathered.paths().cloned()).collect();
    for module in renamed.module_names() {
        let asking = dynamic_attributes::WORDS.map(|word| session.disk().files_mentioning(&format!("{module} {word}")));
        files.extend(asking.into_iter().flatten());
    }
    let inherited = dynamic_attributes::inherited(|library| !session.disk().files_mentioning(library).is_empty());
    let mut found = Vec::new();
    for path in files.into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        for node in parsed.tree.nodes().iter() {
            let of_inherited = || {
                let object = dynamic_attributes::listed_by(node, parsed.text.as_str(), &inherited)?;
                Some(dynamic((&path, &parsed), node, object)).filter(|_| has_members)
            };
            let of_member = || of_member((&path, &parsed), node, hierarchy.name).filter(|_| has_members || has_globals);
            let of_member = || of_member().or_else(of_inherited);
            let of_listed =
                || of_listed((&path, &parsed), node, (renamed, hierarchy.name)).filter(|_| renamed.is_enumerated);
            let of_argument = || of_argument((&path, &parsed), node, hierarchy.name).filter(|_| has_arguments);
            found.extend(of_member().or_else(of_listed).or_else(of_argument));
        }
    }
    Ok(found)
}

/// An object that is asked for members of any name.
fn of_member((path, parsed): (&AbsPath, &Parsed), node: Node<'_>, name: &str) -> Option<Open> {
    let text = parsed.text.as_str();
    if dynamic_attributes::asks_itself(node, text, name) {
        let (path, span) = (path.clone(), node.span());
        return Some(Open { path, span, form: Form::Dynamic, subject: Subject::Module, keys: None });
    }
    let object = dynamic_attributes::object(node, text, name)?;
    Some(dynamic((path, parsed), node, object))
}

fn dynamic((path, parsed): (&AbsPath, &Parsed), node: Node<'_>, object: Node<'_>) -> Open {
    let subject = of_object(object, parsed.text.as_str());
    Open { path: path.clone(), span: node.span(), form: Form::Dynamic, subject, keys: None }
}

/// A member of an enumeration that is asked for its own name.
fn of_listed((path, parsed): (&AbsPath, &Parsed), node: Node<'_>, (renamed, name): (&Renamed, &str)) -> Option<Open> {
    let text = parsed.text.as_str();
    let object = dynamic_attributes::asked_for_name(node, text)?;
    let last = |node: Node<'_>| node.text(text).rsplit('.').next().unwrap_or_default().to_owned();
    let is_member = object.child("object").is_some_and(|holder| renamed.owners.contains(&last(holder)));
    if is_member && last(object) != name {
        // `Color.BLUE.name`
        return None;
    }
    let subject = of_object(object, text);
    Some(Open { path: path.clone(), span: node.span(), form: Form::Dynamic, subject, keys: None })
}

fn of_object(object: Node<'_>, text: &str) -> Subject {
    match own_class(object, text) {
        Some(class) => Subject::Own(class.span()),
        None => named(object),
    }
}

/// The class around `self`, `cls` or `super()`.
fn own_class<'t>(object: Node<'t>, text: &str) -> Option<Node<'t>> {
    let is_own = dynamic_attributes::is_own(object, text);
    object.ancestors().find(|outer| outer.is("class_definition")).filter(|_| is_own)
}

/// A call that gets the arguments of any name from a dictionary.
fn of_argument((path, parsed): (&AbsPath, &Parsed), node: Node<'_>, name: &str) -> Option<Open> {
    let text = parsed.text.as_str();
    probes::taken_apart(node, text, name)?;
    let called = node.parent()?.parent().filter(|call| call.is("call"))?.child("function")?;
    let (span, subject) = (node.span(), named(called));
    Some(Open { path: path.clone(), span, form: Form::TakenApart, subject, keys: keys(node, text, name) })
}

/// Returns the name of the function that hands its own `**options` on at a place.
fn handing_function(session: &Session, path: &AbsPath, splat: Span) -> Result<Option<String>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(None) };
    let text = parsed.text.as_str();
    let node = parsed.tree.nodes().covering(splat);
    let splat = std::iter::once(node).chain(node.ancestors()).find(|one| one.is("dictionary_splat"));
    Ok(splat.and_then(|splat| handing_name(splat, text)))
}

fn handing_name(splat: Node<'_>, text: &str) -> Option<String> {
    Some(class_reflection::handing_on(splat, text)?.child("name")?.text(text).to_owned())
}

/// Finds the calls of functions that hand their options on, by their names alone, where a dictionary gives these.
fn handed_through(hierarchy: &Hierarchy<'_>, handing: BTreeSet<String>) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let session = hierarchy.session;
    let (mut found, mut seen) = (Vec::new(), handing.clone());
    let mut next = Vec::from_iter(handing);
    while let Some(function) = next.pop() {
        // What all classes have hands on what is said at the class.
        if function.starts_with("__") {
            continue;
        }
        for path in session.disk().files_mentioning(&function).into_iter().filter(|path| path.extension() == "py") {
            let Some(parsed) = session.parsed(&path)? else { continue };
            let text = parsed.text.as_str();
            let is_called = |splat: &Node<'_>| {
                let call = splat.parent().and_then(Node::parent).filter(|call| call.is("call"));
                let called = call.and_then(|call| call.child("function")).map(|it| it.text(text));
                probes::taken_apart(*splat, text, hierarchy.name).is_some()
                    && called.and_then(|it| it.rsplit('.').next()) == Some(function.as_str())
            };
            for splat in parsed.tree.nodes().iter().filter(is_called) {
                match handing_name(splat, text) {
                    Some(outer) => next.extend(Some(outer).filter(|it| seen.insert(it.clone()))),
                    None => found.push((path.clone(), splat.span())),
                }
            }
        }
    }
    Ok(found)
}

fn named(node: Node<'_>) -> Subject {
    let name = if node.is("attribute") { node.child("attribute") } else { Some(node) };
    name.filter(|name| name.is("identifier")).map_or(Subject::Expression, |name| Subject::Named(name.start()))
}

/// The keys of this name that a function asks of its own `**options`, where it hands these on; nothing where a call takes
/// another dictionary apart.
fn keys(splat: Node<'_>, text: &str, name: &str) -> Option<Vec<Span>> {
    let taken = splat.named_children().next()?;
    let function = class_reflection::handing_on(splat, text)?;
    let is_key = |content: &Node<'_>| {
        content.is("string_content")
            && content.text(text) == name
            && dictionary_of(*content).is_some_and(|one| one.text(text) == taken.text(text))
    };
    Some(function.descendants().filter(is_key).map(Node::span).collect())
}

/// Keeps the places where something renamed is asked or called.
async fn meant(
    hierarchy: &Hierarchy<'_>,
    (renamed, gathered): (&Renamed, &Gathered),
    places: Vec<Open>,
) -> Result<Vec<Open>, Refusal> {
    let (mut kept, mut open) = (Vec::new(), Vec::new());
    for place in of_modules(hierarchy, renamed, places, &mut kept).await? {
        let sense = match place.subject {
            Subject::Module => Sense::Other,
            Subject::Own(span) => own(hierarchy, renamed, (&place.path, span)).await?,
            Subject::Named(_) | Subject::Expression => Sense::Open,
        };
        match sense {
            Sense::Renamed => kept.push(place),
            Sense::Other => {}
            Sense::Open => open.push(place),
        }
    }
    let calls = open.extract_if(.., |place| place.form == Form::TakenApart).collect();
    let calls = sorted_out(hierarchy, renamed, (calls, Feature::Definition), &mut kept).await?;
    open.extend(calls);
    let open = sorted_out(hierarchy, renamed, (open, Feature::TypeDefinition), &mut kept).await?;
    kept.extend(by_probes(hierarchy, gathered, open).await?);
    Ok(kept)
}

/// Keeps the places where a module with a renamed name is asked; returns those where something else may be.
async fn of_modules(
    hierarchy: &Hierarchy<'_>,
    renamed: &Renamed,
    mut places: Vec<Open>,
    kept: &mut Vec<Open>,
) -> Result<Vec<Open>, Refusal> {
    if renamed.modules.is_empty() {
        return Ok(places);
    }
    let is_own = |place: &mut Open| matches!(place.subject, Subject::Module) && renamed.modules.contains(&place.path);
    kept.extend(places.extract_if(.., is_own));
    let is_asked = |place: &Open| match place.subject {
        Subject::Named(offset) if place.form == Form::Dynamic => Some(Place { path: place.path.clone(), offset }),
        _ => None,
    };
    let at: Vec<Place> = places.iter().filter_map(is_asked).collect();
    let files: BTreeSet<AbsPath> = at.iter().map(|place| place.path.clone()).collect();
    hierarchy.session.cover(hierarchy.server, &Vec::from_iter(files)).await?;
    let answers = definition_queries::locations(hierarchy.server, Feature::Definition, at).await?;
    // A module is led to as the beginning of its file.
    let is_module = |location: &&Location| location.span.end == 0;
    let led: BTreeSet<AbsPath> = answers.iter().flatten().filter(is_module).map(|one| one.path.clone()).collect();
    let names = renamed.module_names();
    let mut meant = renamed.modules.clone();
    for path in led {
        if hands_on(hierarchy.session, &names, &path)? {
            meant.insert(path);
        }
    }
    let mut answers = answers.into_iter();
    let mut others = Vec::new();
    for place in places {
        let leads = is_asked(&place).and_then(|_| answers.next()).unwrap_or_default();
        if leads.iter().filter(is_module).any(|module| meant.contains(&module.path)) {
            kept.push(place);
        } else if !renamed.classes.is_empty() || place.form != Form::Dynamic {
            others.push(place);
        }
    }
    Ok(others)
}

/// Tells whether a module has all that one of these modules has: `from .books import *`.
pub(super) fn hands_on(session: &Session, names: &BTreeSet<String>, path: &AbsPath) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(false) };
    let text = parsed.text.as_str();
    let wild = parsed.tree.nodes().iter().filter(|node| node.is("wildcard_import")).filter_map(Node::parent);
    let mut from = wild.filter_map(|statement| statement.child("module_name")).map(|module| module.text(text));
    Ok(from.any(|module| module.rsplit('.').next().is_some_and(|last| names.contains(last))))
}

/// Asks the server what stands at the places that have a name; returns those of which it does not tell.
async fn sorted_out(
    hierarchy: &Hierarchy<'_>,
    renamed: &Renamed,
    (places, feature): (Vec<Open>, Feature),
    kept: &mut Vec<Open>,
) -> Result<Vec<Open>, Refusal> {
    let server = hierarchy.server;
    if !server.offers(feature) {
        return Ok(places);
    }
    let files: BTreeSet<AbsPath> = places.iter().map(|place| place.path.clone()).collect();
    hierarchy.session.cover(server, &Vec::from_iter(files)).await?;
    let is_named = |place: &mut Open| matches!(place.subject, Subject::Named(_));
    let mut open = places;
    let asked: Vec<Open> = open.extract_if(.., is_named).collect();
    let at = asked.iter().filter_map(|place| match place.subject {
        Subject::Named(offset) => Some(Place { path: place.path.clone(), offset }),
        Subject::Own(_) | Subject::Module | Subject::Expression => None,
    });
    let answers = definition_queries::locations(server, feature, at.collect()).await?;
    for (place, answer) in asked.into_iter().zip(answers) {
        match sense(hierarchy, renamed, (place.form, &answer)).await? {
            Sense::Renamed => kept.push(place),
            Sense::Other if renamed.is_field && is_unknown(hierarchy, (&place, &answer))? => kept.push(place),
            Sense::Other => {}
            Sense::Open => open.push(place),
        }
    }
    Ok(open)
}

/// Tells whether a place gives away the fields of an object of which nobody knows anything: a parameter without a type.
fn is_unknown(hierarchy: &Hierarchy<'_>, (place, answer): (&Open, &[Location])) -> Result<bool, Refusal> {
    let gives = |parsed: &Parsed, span: Span| {
        dynamic_attributes::gives_fields(parsed.tree.nodes().covering(span), parsed.text.as_str())
    };
    if place.form != Form::Dynamic || !hierarchy.session.parsed(&place.path)?.is_some_and(|it| gives(&it, place.span)) {
        return Ok(false);
    }
    for location in answer {
        let Some(parsed) = hierarchy.session.parsed(&location.path)? else { return Ok(false) };
        let name = parsed.tree.nodes().covering(Span::new(location.span.start, location.span.start + 1));
        let is_parameter =
            name.is("identifier") && name.parent().is_some_and(|it| it.is_any(&["parameters", "lambda_parameters"]));
        if !is_parameter {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is renamed is asked for at the rest with texts laid over.
async fn by_probes(hierarchy: &Hierarchy<'_>, gathered: &Gathered, open: Vec<Open>) -> Result<Vec<Open>, Refusal> {
    let places: BTreeSet<(AbsPath, Span)> = open.iter().map(|place| (place.path.clone(), place.span)).collect();
    let (session, name) = (hierarchy.session, hierarchy.name);
    let mut renamed = Standpoints::new();
    for meant in probes::at_run_time(session, hierarchy.server, name, &places).await? {
        let is_renamed = |place: &Place| gathered.has(&place.path, Span::new(place.offset, place.offset + name.len()));
        let may_be = meant.declared.is_empty() && hands_on_open(session, &meant)?;
        if may_be || probes::declarations(session, &meant, name).iter().any(is_renamed) {
            renamed.insert((meant.path, meant.span));
        }
    }
    Ok(open.into_iter().filter(|place| renamed.contains(&(place.path.clone(), place.span))).collect())
}

/// Tells whether an object of which nothing is known is asked for all that another one has not.
fn hands_on_open(session: &Session, meant: &Meant) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&meant.path)? else { return Ok(false) };
    Ok(dynamic_attributes::hands_on(parsed.tree.nodes().covering(meant.span), parsed.text.as_str()))
}

/// Tells it of an object's own class.
async fn own(hierarchy: &Hierarchy<'_>, renamed: &Renamed, (path, span): (&AbsPath, Span)) -> Result<Sense, Refusal> {
    let Some(class) = hierarchy.class_of((path, span))? else { return Ok(Sense::Open) };
    of_class(hierarchy, renamed, (Form::Dynamic, class)).await
}

/// Tells it of what a server names.
async fn sense(
    hierarchy: &Hierarchy<'_>,
    renamed: &Renamed,
    (form, answer): (Form, &[Location]),
) -> Result<Sense, Refusal> {
    let mut is_open = false;
    // What a library declares has no bases in the project.
    for location in answer.iter().filter(|location| location.path.is_below(hierarchy.session.root())) {
        let Some(parsed) = hierarchy.session.parsed(&location.path)? else { continue };
        // Of a parameter the whole is named, its annotation included.
        let start = location.span.start;
        let node = parsed.tree.nodes().covering(Span::new(start, start + 1));
        let is_name_of = |outer: &Node<'_>| outer.is("function_definition") && outer.child("name") == Some(node);
        if let Some(class) = hierarchy.class_at(location)? {
            if matches!(of_class(hierarchy, renamed, (form, class)).await?, Sense::Renamed) {
                return Ok(Sense::Renamed);
            }
        } else if let Some(function) = node.parent().filter(is_name_of) {
            if renamed.functions.contains(&(location.path.clone(), function.span())) {
                return Ok(Sense::Renamed);
            }
        } else {
            is_open |= may_be_typed(node);
        }
    }
    Ok(if is_open { Sense::Open } else { Sense::Other })
}

/// Tells whether a name that a server leads to itself may have a type: it is annotated, a loop gives it its values, or
/// another name is assigned to it.
/// Of any other the server would have said so.
fn may_be_typed(name: Node<'_>) -> bool {
    name.parent().is_some_and(|outer| match outer.kind() {
        "typed_parameter" | "typed_default_parameter" | "for_statement" | "for_in_clause" => true,
        "assignment" => {
            let is_name = outer.child("right").is_some_and(|right| right.is_any(&["identifier", "attribute"]));
            is_name || outer.child("type").is_some()
        }
        _ => false,
    })
}

/// An object has what its class has and inherits; a call gives the arguments of the nearest constructor.
async fn of_class(
    hierarchy: &Hierarchy<'_>,
    renamed: &Renamed,
    (form, class): (Form, LocatedClass),
) -> Result<Sense, Refusal> {
    let wanted = if form == Form::Dynamic { &renamed.classes } else { &renamed.built };
    let above = hierarchy.ancestors(&class).await?;
    for one in [class].into_iter().chain(above) {
        if wanted.contains(&(one.path, one.class.full_span)) {
            return Ok(Sense::Renamed);
        }
        let constructs = one.class.methods.iter().any(|method| CONSTRUCTORS.contains(&method.name.as_str()));
        if form == Form::TakenApart && constructs {
            return Ok(Sense::Other);
        }
    }
    Ok(Sense::Other)
}
