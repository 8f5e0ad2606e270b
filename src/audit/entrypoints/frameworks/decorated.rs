//! FastAPI, Flask and what is written like them: routes as decorators of functions.

use std::collections::BTreeMap;

use super::file::{EVENT, File, Found, Handler, ROUTE, call, decorators, keyword, literal, member};
use crate::syntax::Node;

const METHODS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options", "trace"];

/// Decorators that answer requests, or stand before those that do.
const OTHERS: &[(&str, &str, &str)] = &[
    ("websocket", ROUTE, "WEBSOCKET"),
    ("websocket_route", ROUTE, "WEBSOCKET"),
    ("middleware", "http_middleware", "MIDDLEWARE"),
    ("exception_handler", "http_middleware", "ERROR"),
    ("errorhandler", "http_middleware", "ERROR"),
    ("app_errorhandler", "http_middleware", "ERROR"),
    ("before_request", "http_middleware", "BEFORE"),
    ("before_app_request", "http_middleware", "BEFORE"),
    ("after_request", "http_middleware", "AFTER"),
    ("after_app_request", "http_middleware", "AFTER"),
    ("teardown_request", "http_middleware", "AFTER"),
    ("teardown_app_request", "http_middleware", "AFTER"),
    ("teardown_appcontext", "http_middleware", "AFTER"),
];

/// Methods that put a handler behind a word: an error, an event.
const HANDLERS: &[(&str, &str, &str)] = &[
    ("add_exception_handler", "http_middleware", "ERROR"),
    ("register_error_handler", "http_middleware", "ERROR"),
    ("add_event_handler", EVENT, ""),
];

pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    let prefixes = prefixes(file);
    let mut all = Vec::new();
    for site in &file.sites {
        let Some(node) = file.source.tree().nodes().get(site.node) else { continue };
        for decorator in decorators(node) {
            all.extend(decorated(file, &prefixes, decorator, site.node));
        }
    }
    all.extend(file.nodes().filter_map(|node| added(file, &prefixes, node).or_else(|| put(file, node))));
    all
}

fn decorated(file: &File<'_>, prefixes: &BTreeMap<String, String>, decorator: Node<'_>, node: usize) -> Option<Found> {
    let inner = decorator.named_children().next()?;
    let (function, arguments) = call(inner).unwrap_or((inner, Vec::new()));
    let text = file.text();
    let (object, method) = member(function)?;
    let method = method.text(text);
    let prefix = prefixes.get(object.text(text)).map(String::as_str).unwrap_or_default();
    let framework = framework(file);
    let path = arguments.first().and_then(|first| literal(*first, text));
    let (kind, trigger) = if METHODS.contains(&method) {
        (ROUTE, format!("{} {}", method.to_uppercase(), joined(prefix, &path?)))
    } else if matches!(method, "route" | "api_route") {
        (ROUTE, format!("{} {}", methods(&arguments, text), joined(prefix, &path?)))
    } else {
        let (_, kind, word) = OTHERS.iter().find(|(name, ..)| *name == method)?;
        let argument =
            arguments.first().map(|first| literal(*first, text).unwrap_or_else(|| first.text(text).to_owned()));
        (*kind, [(*word).to_owned()].into_iter().chain(argument).collect::<Vec<_>>().join(" "))
    };
    let is_route = framework.is_some() || is_handed_in(file);
    is_route.then_some(Found { kind, framework, trigger: Some(trigger), handler: Handler::Node(node) })
}

/// `app.add_url_rule("/path", "name", handler)`, `app.add_api_route("/path", handler)`
fn added(file: &File<'_>, prefixes: &BTreeMap<String, String>, node: Node<'_>) -> Option<Found> {
    let (function, arguments) = call(node)?;
    let (object, method) = member(function)?;
    let text = file.text();
    let handler = match method.text(text) {
        "add_url_rule" => keyword(&arguments, "view_func", text).or_else(|| arguments.get(2).copied())?,
        "add_api_route" | "add_route" => keyword(&arguments, "endpoint", text).or_else(|| arguments.get(1).copied())?,
        _ => return None,
    };
    let prefix = prefixes.get(object.text(text)).map(String::as_str).unwrap_or_default();
    let path = literal(*arguments.first()?, text)?;
    let trigger = format!("{} {}", methods(&arguments, text), joined(prefix, &path));
    let handler = file.handler(handler)?;
    Some(Found { kind: ROUTE, framework: framework(file), trigger: Some(trigger), handler })
}

/// `app.add_event_handler("startup", handler)`, `app.teardown_appcontext(handler)`
fn put(file: &File<'_>, node: Node<'_>) -> Option<Found> {
    let (function, arguments) = call(node).filter(|_| node.parent().is_none_or(|it| !it.is("decorator")))?;
    let (_, method) = member(function)?;
    let (text, framework) = (file.text(), framework(file)?);
    let known = |table: &[(&str, &'static str, &'static str)]| {
        table.iter().find(|(name, ..)| *name == method.text(text)).map(|(_, kind, word)| (*kind, *word))
    };
    let (kind, word, handler) = match known(HANDLERS) {
        Some((kind, word)) => (kind, word, arguments.get(1)?),
        // The others are given the handler alone; decorators with arguments are called twice.
        None => known(OTHERS).map(|(kind, word)| (kind, word, arguments.first())).and_then(|(kind, word, first)| {
            Some((kind, word, first.filter(|it| arguments.len() == 1 && it.is_any(&["identifier", "attribute"]))?))
        })?,
    };
    let first = arguments.first().filter(|_| arguments.len() > 1);
    let first = first.map(|it| literal(*it, text).unwrap_or_else(|| it.text(text).to_owned()));
    let words: Vec<String> = [word.to_owned()].into_iter().chain(first).filter(|it| !it.is_empty()).collect();
    let handler = file.handler(*handler)?;
    Some(Found { kind, framework: Some(framework), trigger: Some(words.join(" ")), handler })
}

/// Joins a router's prefix and a path; both may be empty.
fn joined(prefix: &str, path: &str) -> String {
    if prefix.is_empty() && path.is_empty() { "/".to_owned() } else { format!("{prefix}{path}") }
}

fn methods(arguments: &[Node<'_>], text: &str) -> String {
    let list = keyword(arguments, "methods", text);
    let named: Vec<String> =
        list.into_iter().flat_map(Node::named_children).filter_map(|it| literal(it, text)).collect();
    if named.is_empty() { "GET".to_owned() } else { named.join(",") }
}

/// Returns the prefixes of routers and blueprints, by the variables that hold them.
fn prefixes(file: &File<'_>) -> BTreeMap<String, String> {
    let of = |node: Node<'_>| {
        let (left, right) = (node.child("left")?, node.child("right")?);
        let (_, arguments) = call(right)?;
        let prefix = ["prefix", "url_prefix"].into_iter().find_map(|name| keyword(&arguments, name, file.text()))?;
        Some((left.text(file.text()).to_owned(), literal(prefix, file.text())?))
    };
    file.nodes().filter(|node| node.is("assignment")).filter_map(of).collect()
}

fn framework(file: &File<'_>) -> Option<&'static str> {
    const KNOWN: &[&str] = &["fastapi", "flask", "starlette", "quart", "sanic", "bottle", "aiohttp"];
    KNOWN.iter().find(|package| file.imports_from(package)).copied()
}

/// Tells whether the file takes its router from another module of the project.
fn is_handed_in(file: &File<'_>) -> bool {
    let names = ["app", "router", "bp", "api", "blueprint"];
    names.iter().any(|name| file.imports.contains_key(*name))
}
