//! NestJS: classes and methods that decorators make to controllers.

use super::file::{EVENT, File, Found, Handler, ROUTE, call, decorators, literal};
use crate::syntax::Node;

/// The decorators, what they make of a method, and the word for it.
const TABLE: &[(&str, &str, Option<&str>)] = &[
    ("Get", ROUTE, Some("GET")),
    ("Post", ROUTE, Some("POST")),
    ("Put", ROUTE, Some("PUT")),
    ("Patch", ROUTE, Some("PATCH")),
    ("Delete", ROUTE, Some("DELETE")),
    ("Head", ROUTE, Some("HEAD")),
    ("Options", ROUTE, Some("OPTIONS")),
    ("All", ROUTE, Some("ALL")),
    ("Sse", ROUTE, Some("SSE")),
    ("MessagePattern", EVENT, None),
    ("EventPattern", EVENT, None),
    ("SubscribeMessage", EVENT, None),
    ("OnEvent", EVENT, None),
    ("Cron", EVENT, None),
    ("Interval", EVENT, None),
    ("Timeout", EVENT, None),
    ("Process", EVENT, None),
    ("Query", "graphql_resolver", Some("query")),
    ("Mutation", "graphql_resolver", Some("mutation")),
    ("Subscription", "graphql_resolver", Some("subscription")),
];

pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    if !file.imports.values().any(|bound| bound.module.starts_with("@nestjs/")) {
        return Vec::new();
    }
    file.sites
        .iter()
        .filter_map(|site| file.source.tree().nodes().get(site.node))
        .flat_map(|node| of_method(file, node))
        .collect()
}

fn of_method(file: &File<'_>, method: Node<'_>) -> Vec<Found> {
    if !method.is("method_definition") {
        return Vec::new();
    }
    let prefix = prefix(file, method);
    let known = decorators(method).filter_map(|decorator| {
        let (name, path) = named(file, decorator)?;
        let (_, kind, word) = TABLE.iter().find(|(known, ..)| *known == name)?;
        let trigger = match (*kind, word) {
            (ROUTE, Some(word)) => format!("{word} {}", joined(&prefix, path.as_deref().unwrap_or_default())),
            (_, word) => word.map(str::to_owned).into_iter().chain(path).collect::<Vec<_>>().join(" "),
        };
        Some(Found { kind, framework: Some("nestjs"), trigger: Some(trigger), handler: Handler::Node(method.index()) })
    });
    known.collect()
}

/// Returns the path of the controller around.
fn prefix(file: &File<'_>, method: Node<'_>) -> String {
    let class =
        method.ancestors().find(|outer| outer.is_any(&["class_declaration", "abstract_class_declaration", "class"]));
    let mut of_class = class.into_iter().flat_map(decorators).filter_map(|decorator| named(file, decorator));
    of_class.find(|(name, _)| name == "Controller").and_then(|(_, path)| path).unwrap_or_default()
}

/// Returns a decorator's name and its first argument: a string, or the `path` of an object.
fn named(file: &File<'_>, decorator: Node<'_>) -> Option<(String, Option<String>)> {
    let inner = decorator.named_children().next()?;
    let Some((function, arguments)) = call(inner) else { return Some((inner.text(file.text()).to_owned(), None)) };
    let first = arguments.first().copied();
    let path = first.and_then(|first| match first.kind() {
        "object" => first.named_children().find_map(|part| {
            let is_path = part.child("key").is_some_and(|key| key.text(file.text()) == "path");
            literal(part.child("value").filter(|_| is_path)?, file.text())
        }),
        _ => literal(first, file.text()).or_else(|| Some(crate::audit::written::one_line(first.text(file.text())))),
    });
    Some((function.text(file.text()).to_owned(), path))
}

fn joined(prefix: &str, path: &str) -> String {
    let parts = [prefix, path].map(|part| part.trim_matches('/'));
    format!("/{}", parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/"))
}
