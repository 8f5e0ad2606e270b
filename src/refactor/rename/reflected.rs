//! What a Python program does with names as it runs, where the renamed one is concerned: strings that say it, options of a
//! command line, objects and calls that are handed names from elsewhere. What is certain is renamed, the rest is told.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fixtures::function_of_parameter;
use super::gathered::Gathered;
use super::inherited::{self, Told};
use super::probes::{self, Form, Meant};
use super::subject::Subject;
use super::{RenameRequest, mentions, options};
use crate::lsp::{Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::{AttributeKind, Spoken, classes, spoken, words_in};
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{AbsPath, Span, TextEdit};

/// Bases of what command lines are read into (Python's `argparse` and `optparse`).
const READ_INTO: [&str; 2] = ["Namespace", "Values"];
const CONSTRUCTORS: [&str; 2] = ["__init__", "__new__"];
/// Decorators that hand a function to somebody who gives its arguments by their names (FastAPI, Typer, MCP's SDK).
const REGISTERING: [&str; 10] =
    [".command", ".callback", ".get", ".post", ".put", ".patch", ".delete", ".websocket", ".tool", ".prompt"];

/// What is renamed, as far as it matters to a program that runs.
#[derive(Debug, Default)]
struct Renamed {
    /// Functions with a renamed parameter.
    functions: BTreeSet<(AbsPath, Span)>,
    /// Classes with a renamed member.
    classes: BTreeSet<(AbsPath, Span)>,
    /// Those of which a field or a parameter of the constructor is renamed.
    built: BTreeSet<(AbsPath, Span)>,
    /// The names of all, by which others ask for them.
    owners: BTreeSet<String>,
    /// Command lines are read into one of the classes.
    is_read_into: bool,
    /// Something at the top of a module.
    is_global: bool,
}

impl Renamed {
    fn of(session: &Session, gathered: &Gathered) -> Result<Self, Refusal> {
        let mut renamed = Self::default();
        for path in gathered.paths() {
            let Some(parsed) = session.parsed(path)? else { continue };
            let edited: BTreeSet<Span> = gathered.edits_of(path).into_iter().map(|edit| edit.span).collect();
            for span in &edited {
                renamed.declared(path, &parsed, *span);
            }
            renamed.members(path, &parsed, &edited);
        }
        Ok(renamed)
    }

    fn declared(&mut self, path: &AbsPath, parsed: &Parsed, span: Span) {
        let text = parsed.text.as_str();
        let Site::Declaration(kind) = site(&parsed.tree, text, span) else { return };
        let node = parsed.tree.nodes().covering(span);
        let around = |kind: &str| node.ancestors().find(|outer| outer.is(kind));
        let Some(function) = function_of_parameter(node).filter(|_| kind == DeclarationKind::Parameter) else {
            let is_inside = around("class_definition").or_else(|| around("function_definition"));
            self.is_global |= is_inside.is_none_or(|outer| outer.child("name").is_some_and(|own| own.span() == span));
            return;
        };
        self.functions.insert((path.clone(), function.span()));
        let named = |node: Node<'_>| node.child("name").map(|own| own.text(text).to_owned());
        let own = named(function).filter(|own| !CONSTRUCTORS.contains(&own.as_str()));
        let class = function.ancestors().find(|outer| outer.is("class_definition")).filter(|_| own.is_none());
        self.built.extend(class.map(|class| (path.clone(), class.span())));
        self.owners.extend(own.or_else(|| named(class?)));
    }

    fn members(&mut self, path: &AbsPath, parsed: &Parsed, edited: &BTreeSet<Span>) {
        for class in classes(&parsed.tree, parsed.text.as_str()) {
            let places = || class.attributes.iter().flat_map(|attribute| &attribute.places);
            let is_written = class.methods.iter().any(|method| CONSTRUCTORS.contains(&method.name.as_str()));
            let is_field =
                |(kind, span): &(AttributeKind, Span)| *kind == AttributeKind::Class && edited.contains(span);
            if !is_written && places().any(is_field) {
                self.built.insert((path.clone(), class.full_span));
            }
            let spans = places().map(|(_, span)| *span);
            if spans.chain(class.methods.iter().map(|method| method.name_span)).any(|span| edited.contains(&span)) {
                let last = |base: &str| base.rsplit('.').next().unwrap_or_default().to_owned();
                self.is_read_into |= class.bases.iter().any(|base| READ_INTO.contains(&last(&base.text).as_str()));
                self.owners.insert(class.name);
                self.classes.insert((path.clone(), class.full_span));
            }
        }
    }
}

/// Renames what is certain, and notes the rest for those who read the plan.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let renamed = Renamed::of(session, gathered)?;
    let names = (subject.name.as_str(), request.new_name.as_str());
    for (path, function) in &renamed.functions {
        let Some(parsed) = session.parsed(path)? else { continue };
        if let Some(function) = definition(&parsed, *function, "function_definition") {
            let is_option = options::of_parameter((path, &parsed), function, names, gathered);
            if !in_decorators((path, &parsed), function, names, gathered) && !is_option {
                gathered.warnings.extend(registered((path, &parsed), function, names.0));
            }
        }
    }
    for (path, class) in &renamed.classes {
        let Some(parsed) = session.parsed(path)? else { continue };
        let class = definition(&parsed, *class, "class_definition");
        let said = class.into_iter().flat_map(|class| in_body(class, parsed.text.as_str(), names.0));
        gathered.asked.unknown.extend(said.map(|span| (path.clone(), span)));
    }
    if renamed.is_read_into {
        options::of_attribute(session, names.0, gathered)?;
    }
    in_strings(session, subject, &renamed, gathered)?;
    at_run_time(session, server, names.0, (&renamed, gathered)).await
}

fn definition<'t>(parsed: &'t Parsed, span: Span, kind: &str) -> Option<Node<'t>> {
    let covering = parsed.tree.nodes().covering(span);
    std::iter::once(covering).chain(covering.descendants()).find(|node| node.is(kind) && node.span() == span)
}

/// Tells that a function is called by those whom a decorator hands it to.
fn registered((path, parsed): (&AbsPath, &Parsed), function: Node<'_>, name: &str) -> Option<Warning> {
    let text = parsed.text.as_str();
    let called = |decorator: Node<'_>| {
        let call = decorator.child_of_kind("call")?;
        Some(call.child("function")?.text(text)).filter(|called| REGISTERING.iter().any(|one| called.ends_with(one)))
    };
    let (decorator, called) = decorators(function).find_map(|decorator| Some((decorator, called(decorator)?)))?;
    let message = format!("whom `@{called}` hands the function to may give `{name}` by its name");
    Some(Warning::at(WarningKind::RunTime, message, path.clone(), parsed.text.range(decorator.span())))
}

fn decorators(function: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let outer = function.parent().filter(|outer| outer.is("decorated_definition"));
    outer.into_iter().flat_map(Node::children).filter(|child| child.is("decorator"))
}

/// What the decorators of a function say of its parameter: `parametrize` is followed, of all others nobody knows. Tells
/// whether they say anything.
fn in_decorators(
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
    (name, new_name): (&str, &str),
    gathered: &mut Gathered,
) -> bool {
    let text = parsed.text.as_str();
    let mut is_said = false;
    for decorator in decorators(function) {
        let call = decorator.child_of_kind("call");
        let called = call.and_then(|call| call.child("function")).map_or("", |called| called.text(text));
        let parametrized = call.filter(|_| called.ends_with("parametrize")).and_then(|call| call.child("arguments"));
        for span in parametrized.into_iter().flat_map(|arguments| argument_names(arguments, text, name)) {
            gathered.add(path.clone(), TextEdit::new(span, new_name), new_name);
        }
        let said = words_in(decorator, text, name);
        is_said |= !said.is_empty();
        let open = said.into_iter().filter(|_| parametrized.is_none());
        gathered.asked.unknown.extend(open.map(|span| (path.clone(), span)));
    }
    is_said
}

/// Where `parametrize("a, b", …, indirect=["a"])` names parameters (pytest's documentation).
fn argument_names(arguments: Node<'_>, text: &str, name: &str) -> Vec<Span> {
    let is_of = |at: usize, argument: Node<'_>| match argument.child("name").map(|own| own.text(text)) {
        Some(keyword) if argument.is("keyword_argument") => matches!(keyword, "argnames" | "indirect"),
        _ => at == 0,
    };
    let named = arguments.named_children().enumerate().filter(|(at, argument)| is_of(*at, *argument));
    named.flat_map(|(_, argument)| words_in(argument, text, name)).collect()
}

/// The strings in the body of a class that are a member's name, and stand in none of its functions: decorators ask for
/// members by them, and so does what a framework reads there.
fn in_body(class: Node<'_>, text: &str, name: &str) -> Vec<Span> {
    let Some(body) = class.child("body") else { return Vec::new() };
    let outside = body.walk_until(|node| node.is_any(&["function_definition", "lambda"]));
    outside.filter(|node| node.is("string_content") && node.text(text) == name).map(Node::span).collect()
}

/// Notes the strings that may name what is renamed as the program runs.
fn in_strings(session: &Session, subject: &Subject, renamed: &Renamed, gathered: &mut Gathered) -> Result<(), Refusal> {
    let is_local = subject.is_local();
    let own = &subject.place.path;
    let files = if is_local && renamed.functions.is_empty() {
        vec![own.clone()]
    } else {
        session.disk().files_mentioning(&subject.name)
    };
    for path in files.into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let edits = gathered.edits_of(&path);
        let in_function = |span: Span| {
            let node = parsed.tree.nodes().covering(span);
            let function = node.ancestors().find(|outer| outer.is("function_definition"));
            function.is_some_and(|function| edits.iter().any(|edit| function.span().contains(edit.span)))
        };
        for (span, what) in spoken(&parsed.tree, text, &subject.name) {
            let is_meant = match what {
                Spoken::Member => !renamed.classes.is_empty(),
                Spoken::Global => renamed.is_global && !edits.is_empty(),
                Spoken::Local => is_local && in_function(span),
                Spoken::Argument => !renamed.functions.is_empty() || !renamed.classes.is_empty(),
                Spoken::Code => {
                    if is_local {
                        in_function(span)
                    } else {
                        !edits.is_empty()
                    }
                }
            };
            if is_meant {
                gathered.asked.unknown.insert((path.clone(), span));
            }
        }
    }
    Ok(())
}

/// Tells where an object with a renamed member is asked for names that the program makes, and where a dictionary gives
/// the arguments of a function with a renamed parameter.
async fn at_run_time(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    (renamed, gathered): (&Renamed, &mut Gathered),
) -> Result<(), Refusal> {
    let files = where_asked(session, renamed, gathered);
    let mut forms = Vec::new();
    forms.extend((!renamed.classes.is_empty()).then_some(Form::Dynamic));
    // Fields of a dataclass are parameters, too.
    forms.extend((!renamed.owners.is_empty()).then_some(Form::TakenApart));
    let mut told: Told = inherited::asked(session, server, name, (&renamed.classes, &renamed.built)).await?;
    for meant in probes::within(session, server, name, (&forms, &files)).await? {
        let is_renamed = |place: &Place| gathered.has(&place.path, Span::new(place.offset, place.offset + name.len()));
        if !probes::declarations(session, &meant, name).iter().any(is_renamed) {
            continue;
        }
        match handed_on(session, &meant, name)? {
            Some(keys) => gathered.asked.unknown.extend(keys.into_iter().map(|span| (meant.path.clone(), span))),
            None => drop(told.entry((meant.path, meant.form)).or_default().insert(meant.span)),
        }
    }
    for ((path, form), spans) in told {
        let spans: Vec<Span> = spans.into_iter().collect();
        let text = session.disk().read(&path)?;
        let lines = mentions::lines(&text, &spans);
        let message = if form == Form::Dynamic {
            format!("members are named as the program runs, and `{name}` may be one of them ({lines})")
        } else {
            format!("a dictionary gives the arguments here, and `{name}` may be one of its keys ({lines})")
        };
        let range = spans.first().and_then(|span| text.range(*span));
        gathered.warnings.push(Warning::at(WarningKind::RunTime, message, path, range).standing_for(spans.len()));
    }
    Ok(())
}

/// The files in which somebody may ask for what is renamed by a name that is made as the program runs.
fn where_asked(session: &Session, renamed: &Renamed, gathered: &Gathered) -> Vec<AbsPath> {
    let asking = renamed.owners.iter().flat_map(|owner| session.disk().files_mentioning(owner));
    let files: BTreeSet<AbsPath> = asking.chain(gathered.paths().cloned()).collect();
    files.into_iter().collect()
}

/// The keys of this name that a function asks of its own `**options`, where it hands these on; nothing where a call takes
/// another dictionary apart. Callers say the others, and are told of.
fn handed_on(session: &Session, meant: &Meant, name: &str) -> Result<Option<Vec<Span>>, Refusal> {
    let Some(parsed) = session.parsed(&meant.path)? else { return Ok(None) };
    let text = parsed.text.as_str();
    let splat = parsed.tree.nodes().covering(meant.span);
    let Some(taken) = splat.named_children().next().filter(|_| meant.form == Form::TakenApart) else { return Ok(None) };
    let Some(function) = inherited::handing_on(splat, text) else { return Ok(None) };
    let is_key = |content: &Node<'_>| {
        let outer = content.parent().and_then(Node::parent);
        let holder = outer.and_then(|outer| match outer.kind() {
            "subscript" => outer.child("value"),
            "argument_list" => outer.parent()?.child("function")?.child("object"),
            "comparison_operator" => outer.named_children().nth(1),
            _ => None,
        });
        content.is("string_content")
            && content.text(text) == name
            && holder.is_some_and(|one| one.text(text) == taken.text(text))
    };
    Ok(Some(function.descendants().filter(is_key).map(Node::span).collect()))
}
