//! Express and Fastify: `app.get("/path", handler)`, and what is written like it.

use std::collections::BTreeSet;

use super::file::{File, Found, Handler, ROUTE, call, literal, member};
use crate::syntax::Node;

const METHODS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options", "all", "use", "trace"];

/// What Fastify runs before or behind a route, or instead of it.
const HOOKS: &[&str] = &["addHook", "setErrorHandler", "setNotFoundHandler"];

/// What routers are called where nothing tells.
const USUAL: &[&str] = &["app", "router", "server", "api", "fastify", "instance"];

pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    let routers = routers(file);
    file.nodes()
        .filter_map(|node| call(node))
        .flat_map(|(function, arguments)| routes(file, &routers, function, &arguments))
        .collect()
}

/// Returns the variables that hold a router: what `express()`, `Router()` or `fastify()` returned.
fn routers(file: &File<'_>) -> BTreeSet<String> {
    let made = |node: Node<'_>| {
        let (function, _) = call(node)?;
        let called = function.text(file.text()).rsplit('.').next().unwrap_or_default().to_owned();
        let package = file.imports.get(function.text(file.text()).split('.').next().unwrap_or_default())?;
        let is_maker = matches!(package.module.as_str(), "express" | "fastify" | "express-promise-router");
        (is_maker
            && (called == "Router" || package.member.as_deref().is_none_or(|it| it == "default" || it == "fastify")))
        .then_some(())
    };
    let declared = file.nodes().filter(|node| node.is("variable_declarator"));
    declared
        .filter(|node| node.child("value").is_some_and(|value| made(unwaited(value)).is_some()))
        .filter_map(|node| Some(node.child("name")?.text(file.text()).to_owned()))
        .collect()
}

fn unwaited(node: Node<'_>) -> Node<'_> {
    if node.is("await_expression") { node.named_children().next().unwrap_or(node) } else { node }
}

fn routes(file: &File<'_>, routers: &BTreeSet<String>, function: Node<'_>, arguments: &[Node<'_>]) -> Vec<Found> {
    let Some((object, method)) = member(function) else { return Vec::new() };
    let method = method.text(file.text());
    let (object, chained) = chained(file, object);
    let receiver = object.text(file.text());
    let is_known = routers.contains(receiver);
    let is_usual = USUAL.contains(&receiver.rsplit('.').next().unwrap_or_default());
    if !is_known && !is_usual {
        return Vec::new();
    }
    let framework = framework(file, receiver);
    if method == "route" && chained.is_none() {
        return declared(file, arguments, framework).into_iter().collect();
    }
    if framework == Some("fastify") && HOOKS.contains(&method) {
        return hook(file, method, arguments).into_iter().collect();
    }
    if !METHODS.contains(&method) {
        return Vec::new();
    }
    let own = arguments.first().and_then(|first| literal(*first, file.text()));
    let has_path = own.is_some();
    let path = chained.or(own);
    // `app.get("setting")` asks for a setting, and `map.get(key)` for a value.
    let handlers = &arguments[usize::from(has_path).min(arguments.len())..];
    let is_route = path.is_some() || method == "use";
    let Some(handler) = handlers.iter().rev().find_map(|it| file.handler(*it)).filter(|_| is_route) else {
        return Vec::new();
    };
    if !is_known && method != "use" && path.as_deref().is_some_and(|path| !path.starts_with(['/', '*', '[', '$', ':']))
    {
        return Vec::new();
    }
    let (kind, word) =
        if method == "use" { ("http_middleware", "USE".to_owned()) } else { (ROUTE, method.to_uppercase()) };
    let trigger = [Some(word), path].into_iter().flatten().collect::<Vec<_>>().join(" ");
    vec![Found { kind, framework, trigger: Some(trigger), handler }]
}

/// `fastify.addHook("onRequest", handler)`, `fastify.setErrorHandler(handler)`
fn hook(file: &File<'_>, method: &str, arguments: &[Node<'_>]) -> Option<Found> {
    let event = arguments.first().and_then(|first| literal(*first, file.text()));
    let word = match method {
        "setErrorHandler" => "ERROR".to_owned(),
        "setNotFoundHandler" => "NOT FOUND".to_owned(),
        _ => event?,
    };
    let handler = arguments.iter().rev().find_map(|it| file.handler(*it))?;
    Some(Found { kind: "http_middleware", framework: Some("fastify"), trigger: Some(word), handler })
}

/// Follows `app.route("/path").get(f).post(g)` to the router and the path.
fn chained<'t>(file: &File<'_>, object: Node<'t>) -> (Node<'t>, Option<String>) {
    let mut inner = object;
    while let Some((function, arguments)) = call(inner) {
        let Some((outer, name)) = member(function) else { break };
        if name.text(file.text()) == "route" {
            return (outer, arguments.first().and_then(|first| literal(*first, file.text())));
        }
        inner = outer;
    }
    (object, None)
}

/// `fastify.route({ method: "GET", url: "/", handler })`
fn declared(file: &File<'_>, arguments: &[Node<'_>], framework: Option<&'static str>) -> Option<Found> {
    let object = arguments.first().filter(|it| it.is("object"))?;
    let value = |name: &str| object.named_children().find_map(|part| valued(file, part, name));
    let written = |node: Option<Node<'_>>| node.and_then(|it| literal(it, file.text()));
    let path = written(value("url")).or_else(|| written(value("path")))?;
    let method = written(value("method")).unwrap_or_else(|| "GET".to_owned());
    let handler = value("handler")?;
    let handler = match handler.kind() {
        "shorthand_property_identifier" => Handler::Named(handler.text(file.text()).to_owned(), handler.start()),
        "method_definition" => Handler::Node(handler.index()),
        _ => file.handler(handler)?,
    };
    Some(Found { kind: ROUTE, framework, trigger: Some(format!("{method} {path}")), handler })
}

fn valued<'t>(file: &File<'_>, part: Node<'t>, name: &str) -> Option<Node<'t>> {
    match part.kind() {
        "pair" if part.child("key")?.text(file.text()).trim_matches(['"', '\'']) == name => part.child("value"),
        "shorthand_property_identifier" if part.text(file.text()) == name => Some(part),
        "method_definition" if part.child("name")?.text(file.text()) == name => Some(part),
        _ => None,
    }
}

fn framework(file: &File<'_>, receiver: &str) -> Option<&'static str> {
    match () {
        () if file.imports_from("fastify") || receiver.ends_with("fastify") => Some("fastify"),
        () if file.imports_from("express") => Some("express"),
        () => None,
    }
}
