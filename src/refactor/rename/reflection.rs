//! What a Python program does with names as it runs, where the renamed one is concerned: strings that say it, options of a
//! command line, objects and calls that are handed names from elsewhere. What is certain is renamed, the rest is told.

use super::fixtures::{self, argument_names, marks_around, said_by_hooks};
use super::hierarchy::Hierarchy;
use super::mentions::is_said;
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use super::subject::Subject;
use super::{
    RenameRequest, automatic_values, called_protocols, class_reflection, command_line_options, keyword_dictionaries,
    lazy_exports, mangled, merged_dictionaries, name_conventions, proxies, run_time, self_named, test_doubles,
    version_settings,
};
use crate::lsp::{Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::python::{Spoken, decorators, spoken, words_in};
use crate::syntax::{Node, Site, site};
use crate::text::{AbsPath, Span, TextEdit};

/// Decorators that hand a function to somebody who gives its arguments by their names (FastAPI, Typer, MCP's SDK).
const REGISTERING: [&str; 12] =
    ["command", "callback", "get", "post", "put", "patch", "delete", "websocket", "tool", "prompt", "resource", "task"];

/// What tells the parameters of a function by their names (Python's `inspect` and `typing`).
const INSPECTING: [&str; 6] =
    ["signature", "getfullargspec", "getcallargs", "get_type_hints", "co_varnames", "__annotations__"];

/// Renames what is certain, and notes the rest for those who read the plan.
pub(super) async fn follow(
    hierarchy: &Hierarchy<'_>,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let session = hierarchy.session;
    mangled::follow(session, &request.new_name, gathered)?;
    automatic_values::keep(hierarchy, gathered).await?;
    let renamed = Renamed::of(session, gathered)?;
    let names = (subject.name.as_str(), request.new_name.as_str());
    for (path, function) in &renamed.functions {
        let Some(parsed) = session.parsed(path)? else { continue };
        if let Some(function) = definition(&parsed, *function, "function_definition") {
            of_tests(hierarchy, (path, &parsed), function, gathered)?;
            let is_option = command_line_options::of_parameter((path, &parsed), function, names, gathered);
            let by_flags = if is_option { None } else { by_flags((path, &parsed), function, names.0) };
            let is_said = by_flags.is_some();
            gathered.warnings.extend(by_flags);
            if !in_decorators((path, &parsed), function, names, gathered) && !is_option && !is_said {
                gathered.warnings.extend(registered(hierarchy, (path, &parsed), function).await?);
                gathered.warnings.extend(inspected(hierarchy, (path, &parsed), function).await?);
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
        command_line_options::of_attribute(session, names.0, gathered)?;
    }
    in_strings(session, (subject, &request.new_name), &renamed, gathered)?;
    keyword_dictionaries::note(hierarchy, &renamed, gathered).await?;
    lazy_exports::note(session, names.0, &renamed, gathered)?;
    if !subject.is_local() {
        gathered.warnings.extend(self_named::tell(hierarchy, names.0, gathered).await?);
    }
    gathered.warnings.extend(shown(session, names.0, gathered)?);
    gathered.warnings.extend(version_settings::told(session, names.0, gathered)?);
    gathered.warnings.extend(test_doubles::of_argument(session, &renamed.function_names(session)?, names.0)?);
    gathered.warnings.extend(name_conventions::told(hierarchy, names, gathered).await?);
    gathered.warnings.extend(called_protocols::told(session, names.0, &renamed, gathered)?);
    gathered.warnings.extend(merged_dictionaries::told(session, names.0, &renamed, gathered)?);
    gathered.warnings.extend(proxies::told(hierarchy, &renamed, gathered).await?);
    run_time::tell(hierarchy, &renamed, gathered).await
}

/// Tells where a string shows an expression as it is written (`f"{total=}"`), and does not only say something to a reader.
fn shown(session: &Session, name: &str, gathered: &Gathered) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let text = parsed.text.as_str();
        let is_shown = |span: &Span| {
            let node = parsed.tree.nodes().covering(*span);
            let field = node.ancestors().find(|outer| outer.is("interpolation"));
            field.is_some_and(|field| {
                field.children().any(|child| child.kind() == "=")
                    && !field.ancestors().any(|outer| is_said(outer, text))
            })
        };
        let spans: Vec<Span> = gathered.edits_of(path).into_iter().map(|edit| edit.span).filter(is_shown).collect();
        if spans.is_empty() {
            continue;
        }
        let message = format!("`{name}` is shown by its name here");
        warnings.push(Warning::at_lines(WarningKind::RunTime, message, path.clone(), (&parsed.text, &spans)));
    }
    Ok(warnings)
}

fn definition<'t>(parsed: &'t Parsed, span: Span, kind: &str) -> Option<Node<'t>> {
    let covering = parsed.tree.nodes().covering(span);
    std::iter::once(covering).chain(covering.descendants()).find(|node| node.is(kind) && node.span() == span)
}

/// Tells that a function is called by those whom a decorator hands it to: one that bears such a name, unless the server
/// knows it to be the project's own or one of Python's.
async fn registered(
    hierarchy: &Hierarchy<'_>,
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
) -> Result<Option<Warning>, Refusal> {
    let (text, name) = (parsed.text.as_str(), hierarchy.name);
    let called = |decorator: Node<'_>| {
        let function =
            decorator.child_of_kind("call")?.child("function").filter(|function| function.is("attribute"))?;
        let own = function.child("attribute").filter(|own| REGISTERING.contains(&own.text(text)))?;
        Some((decorator.span(), function.text(text), own.start()))
    };
    for (span, called, offset) in decorators(function).filter_map(called) {
        let place = Place { path: path.clone(), offset };
        let declared = hierarchy.server.definition(&place).await.map_err(SessionError::from)?;
        let is_known = |location: &Location| {
            location.path.is_below(hierarchy.session.root())
                || location.path.as_str().contains("/typeshed-fallback/stdlib/")
        };
        if declared.is_empty() || !declared.iter().all(is_known) {
            let message = format!("whom `@{called}` hands the function to may give `{name}` by its name");
            let range = parsed.text.range(span);
            return Ok(Some(Warning::at(WarningKind::RunTime, message, path.clone(), range)));
        }
    }
    Ok(None)
}

/// Tells that a decorator of the project asks its functions for the names of their parameters, where a string says this one.
async fn inspected(
    hierarchy: &Hierarchy<'_>,
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
) -> Result<Option<Warning>, Refusal> {
    let (text, name) = (parsed.text.as_str(), hierarchy.name);
    let called = |decorator: Node<'_>| {
        let call = decorator.child_of_kind("call").and_then(|call| call.child("function"));
        let called = call.or_else(|| decorator.named_children().next())?;
        let own = if called.is("attribute") { called.child("attribute")? } else { called };
        own.is("identifier").then_some((decorator.span(), called.text(text), own.start()))
    };
    for (span, called, offset) in decorators(function).filter_map(called) {
        let place = Place { path: path.clone(), offset };
        let declared = hierarchy.server.definition(&place).await.map_err(SessionError::from)?;
        let mut is_asking = false;
        for location in declared.iter().filter(|location| location.path.is_below(hierarchy.session.root())) {
            is_asking |= asks_for_parameters(hierarchy.session, location)?;
        }
        if is_asking && class_reflection::is_spelled(hierarchy.session, name)? {
            let message =
                format!("`@{called}` asks for parameters by their names, and `{name}` may be one that it knows");
            let range = parsed.text.range(span);
            return Ok(Some(Warning::at(WarningKind::RunTime, message, path.clone(), range)));
        }
    }
    Ok(None)
}

/// Tells whether a function, or the class that it is a method of, asks functions for their parameters.
fn asks_for_parameters(session: &Session, declared: &Location) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&declared.path)? else { return Ok(false) };
    let start = declared.span.start;
    let around = parsed.tree.nodes().covering(Span::new(start, start + 1)).ancestors();
    let outer = around.filter(|node| node.is_any(&["function_definition", "class_definition"])).last();
    let asks = |node: Node<'_>| node.is("identifier") && INSPECTING.contains(&node.text(parsed.text.as_str()));
    Ok(outer.is_some_and(|outer| outer.descendants().any(asks)))
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

/// Tells of the flags by which a decorator may mean a parameter: `"--user-name"` of `user_name`. Returns nothing where there
/// are none.
fn by_flags((path, parsed): (&AbsPath, &Parsed), function: Node<'_>, name: &str) -> Option<Warning> {
    let flag = format!("--{}", name.replace('_', "-"));
    let strings = decorators(function).flat_map(Node::descendants);
    let said = strings.filter(|node| node.is("string_content") && node.text(parsed.text.as_str()) == flag);
    let flags = Vec::from_iter(said.map(Node::span));
    let message = format!("`{flag}` may reach the function as `{name}`, and is not changed");
    let told = || Warning::at_lines(WarningKind::PossibleUse, message, path.clone(), (&parsed.text, &flags));
    (!flags.is_empty()).then(told)
}

/// Notes what may give a test's argument by its name: the marks of its class or module, and hooks that make arguments.
fn of_tests(
    hierarchy: &Hierarchy<'_>,
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let (text, name) = (parsed.text.as_str(), hierarchy.name);
    if !function.child("name").is_some_and(|own| own.text(text).starts_with("test")) {
        return Ok(());
    }
    let marks = marks_around(function, text).into_iter().flat_map(|mark| words_in(mark, text, name));
    let mut said: Vec<(AbsPath, Span)> = marks.map(|span| (path.clone(), span)).collect();
    for file in hierarchy.session.disk().files_mentioning(&format!("pytest_generate_tests {name}")) {
        let Some(parsed) = hierarchy.session.parsed(&file)?.filter(|_| file.extension() == "py") else { continue };
        said.extend(said_by_hooks(&parsed, name).into_iter().map(|span| (file.clone(), span)));
    }
    if said.is_empty() && name_conventions::is_test_file(path) {
        fixtures::check_own(hierarchy.session, (path, parsed), function, name)?;
    }
    gathered.asked.unknown.extend(said);
    Ok(())
}

/// The strings in the body of a class that are a member's name, and stand in none of its functions: decorators ask for
/// members by them, and so does what a framework reads there.
fn in_body(class: Node<'_>, text: &str, name: &str) -> Vec<Span> {
    let Some(body) = class.child("body") else { return Vec::new() };
    let outside = body.walk_until(|node| node.is_any(&["function_definition", "lambda"]));
    outside.filter(|node| node.is("string_content") && node.text(text) == name).map(Node::span).collect()
}

/// Notes the strings that may name what is renamed as the program runs, and renames those that name a global of their module.
fn in_strings(
    session: &Session,
    (subject, new_name): (&Subject, &str),
    renamed: &Renamed,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
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
        let is_global = edits.iter().any(|edit| is_bound_at_top(&parsed, edit.span));
        for (span, what) in spoken(&parsed.tree, text, &subject.name) {
            if what == Spoken::Global && is_global {
                gathered.add(path.clone(), TextEdit::new(span, new_name), new_name);
                continue;
            }
            let is_meant = match what {
                Spoken::Member => !renamed.classes.is_empty(),
                Spoken::Global => !renamed.modules.is_empty() && !edits.is_empty(),
                Spoken::Path => !renamed.modules.is_empty() || !renamed.classes.is_empty(),
                Spoken::Local => is_local && in_function(span),
                Spoken::Frame => is_local,
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

/// Tells whether a name is bound at the top of its module.
fn is_bound_at_top(parsed: &Parsed, span: Span) -> bool {
    let node = parsed.tree.nodes().covering(span);
    let is_scope = |outer: &Node<'_>| outer.is_any(&["function_definition", "class_definition", "lambda"]);
    let outer = node.ancestors().find(is_scope);
    let is_outside =
        outer.is_none_or(|outer| outer.child("name") == Some(node) && !outer.ancestors().any(|it| is_scope(&it)));
    let is_other = node.ancestors().any(|outer| outer.is("aliased_import"));
    let place = site(&parsed.tree, parsed.text.as_str(), span);
    is_outside && !is_other && matches!(place, Site::Declaration(_) | Site::ImportSpecifier { .. })
}
