//! Handlers that are put on an emitter, a signal or a queue.

use super::file::{EVENT, File, Found, call, decorators, literal, member};
use crate::audit::written::one_line;
use crate::syntax::Node;

const METHODS: &[&str] = &["on", "once", "addListener", "prependListener", "addEventListener"];

pub(super) fn script(file: &File<'_>) -> Vec<Found> {
    let found = |node: Node<'_>| {
        let (function, arguments) = call(node)?;
        let (object, method) = member(function)?;
        let (event, handler) = (arguments.first()?, arguments.get(1)?);
        let event = literal(*event, file.text()).filter(|_| METHODS.contains(&method.text(file.text())))?;
        let object = one_line(object.text(file.text()));
        let emitter = if object.len() > 40 { String::new() } else { format!("{object} ") };
        let handler = file.handler(*handler)?;
        Some(Found { kind: EVENT, framework: None, trigger: Some(format!("{emitter}{event}")), handler })
    };
    file.nodes().filter_map(found).collect()
}

/// The last part of a decorator's name, and whose it is.
const DECORATORS: &[(&str, &str)] = &[
    ("receiver", "django"),
    ("shared_task", "celery"),
    ("task", "celery"),
    ("periodic_task", "celery"),
    ("event", "discord"),
    ("listen", "discord"),
    ("on_event", "fastapi"),
    ("listens_for", "sqlalchemy"),
    ("subscriber", "faststream"),
];

pub(super) fn python(file: &File<'_>) -> Vec<Found> {
    let mut all: Vec<Found> = file.nodes().filter_map(|node| connected(file, node)).collect();
    for site in &file.sites {
        let Some(node) = file.source.tree().nodes().get(site.node) else { continue };
        for decorator in decorators(node) {
            let written = one_line(decorator.text(file.text()).trim_start_matches('@'));
            let name = written.split('(').next().unwrap_or_default();
            let last = name.rsplit('.').next().unwrap_or_default();
            let Some((_, framework)) = DECORATORS.iter().find(|(known, _)| *known == last) else { continue };
            let argument = written.split_once('(').map(|(_, rest)| rest.trim_end_matches(')').to_owned());
            // What a task is told of its queue does not call it.
            let is_named = |argument: &str| argument.starts_with(['"', '\'']) || argument.starts_with("name=");
            let is_word = |argument: &String| !argument.is_empty() && (*framework != "celery" || is_named(argument));
            let trigger = argument.filter(is_word);
            let handler = super::Handler::Node(site.node);
            all.push(Found { kind: EVENT, framework: Some(framework), trigger, handler });
        }
    }
    all
}

/// `signal.connect(handler)` of Django, `signal.signal(SIGTERM, handler)` and `atexit.register(handler)`.
fn connected(file: &File<'_>, node: Node<'_>) -> Option<Found> {
    let (function, arguments) = call(node)?;
    let (object, method) = member(function)?;
    let object = object.text(file.text());
    let (trigger, handler) = match (object, method.text(file.text())) {
        ("signal", "signal") => (arguments.first()?.text(file.text()).to_owned(), *arguments.get(1)?),
        ("atexit", "register") => ("exit".to_owned(), *arguments.first()?),
        (_, "connect") if file.imports_from("django") => (one_line(object), *arguments.first()?),
        _ => return None,
    };
    Some(Found { kind: EVENT, framework: None, trigger: Some(trigger), handler: file.handler(handler)? })
}
